"""The reservations of one tenant. Whatever changes one emits a fact, in the same transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, NotFound
from tidings.kit.paging import Page, page_of
from tidings.modules.reservations.model import (
    OPEN,
    PARTIES,
    Reservation,
    Status,
    UserType,
    Viewer,
    check_time,
    matter_of,
    unknown,
)
from tidings.modules.reservations.recording import Recording
from tidings.spine.notify.matters.model import Action, Origin, Settlement
from tidings.spine.notify.matters.settling import Matters


def _matter(round: str) -> str:
    """SQL: as `matter_of` names it."""
    return f"'reservation:' || r.id || CASE WHEN {round} <= 1 THEN '' ELSE ':' || ({round}) END"


_SHOWN = f"""
SELECT r.id, r.restaurant_id, g.name AS restaurant, t.timezone, r.customer_id, c.name AS customer, r.agency_id,
    ag.name AS agency, r.party_size, r.reserved_for AS time, r.proposed_for AS proposed_time, r.note, r.status, r.round,
    r.created_at, r.updated_at, h.id AS settlement, h.matter, h.action, h.settlement_note, h.settlement_time,
    h.handler_id, h.handler, h.handled_at
FROM {PARTIES}
LEFT JOIN LATERAL (
    SELECT h.id, h.matter, h.action, h.note AS settlement_note, h.proposed_time AS settlement_time,
        h.person_id AS handler_id, hp.name AS handler, h.created_at AS handled_at
    FROM tidings.actions h LEFT JOIN tidings.people hp ON hp.id = h.person_id
    WHERE h.tenant = r.tenant AND h.won AND h.matter IN ({_matter("r.round")}, {_matter("r.round - 1")})
    ORDER BY h.id DESC LIMIT 1
) h ON true
"""
_PLAIN = (
    "id",
    "restaurant_id",
    "restaurant",
    "timezone",
    "customer_id",
    "customer",
    "agency_id",
    "agency",
    "party_size",
    "time",
    "proposed_time",
    "note",
    "round",
    "created_at",
    "updated_at",
)
_CREATE = """
INSERT INTO tidings.reservations (tenant, restaurant_id, customer_id, agency_id, party_size, reserved_for, note)
VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *
"""


@dataclass(frozen=True)
class ReservationFilter:
    status: Status | None = None
    restaurant_id: int | None = None
    customer_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class Reservations:
    connection: Connection
    tenant: str
    actor: str | None = None

    async def list(self, who: Viewer, wanted: ReservationFilter, before: int | None, limit: int) -> Page[Reservation]:
        """Newest first."""
        conditions, values = _conditions(
            self.tenant,
            who,
            ("r.status = {}", wanted.status),
            ("r.restaurant_id = {}", wanted.restaurant_id),
            ("r.customer_id = {}", wanted.customer_id),
            ("r.reserved_for >= {}", wanted.since),
            ("r.reserved_for < {}", wanted.until),
            ("r.id < {}", before),
        )
        rows = await self.connection.fetch(f"{_SHOWN} WHERE {conditions} ORDER BY r.id DESC LIMIT {limit + 1}", *values)
        return page_of([_reservation(row) for row in rows], limit, lambda reservation: reservation.id)

    async def get(self, who: Viewer, id: int) -> Reservation:
        conditions, values = _conditions(self.tenant, who, ("r.id = {}", id))
        row = await self.connection.fetchrow(f"{_SHOWN} WHERE {conditions}", *values)
        if row is None:
            raise NotFound("There is no such reservation.")
        return _reservation(row)

    async def create(self, columns: Mapping[str, Any]) -> int:
        """Saved, and told of when this commits. Returns its id."""
        check_time("time", columns["time"], await self.connection.fetchval("SELECT now()"))
        await self._require_parties(columns)
        names = ("restaurant_id", "customer_id", "agency_id", "party_size", "time", "note")
        try:
            row = await self.connection.fetchrow(_CREATE, self.tenant, *(columns[name] for name in names))
        except asyncpg.ForeignKeyViolationError:
            raise Conflict("The restaurant, the customer or the agency was deleted meanwhile.") from None
        assert row is not None
        key = f"RES_REQ_{row['id']}_{row['customer_id']}"
        await self._recording.fact("requested", row, key=key, person_id=columns["customer_id"])
        return int(row["id"])

    async def cancel(self, id: int, person_id: UUID | None) -> None:
        """By the customer, while it is open; what others are asked about it is withdrawn. Cancelled again, it stays so.

        Who acts on it at the same time comes first, or not at all: both begin with the matter.
        """
        row = await self._row(id)
        if row["status"] == Status.CANCELLED:
            return None
        matters = Matters(self.connection, self.tenant, {})
        await matters.withdraw(matter_of(id, row["round"]), person_id, self.actor or "somebody")
        cancelled = await self.connection.fetchrow(
            """UPDATE tidings.reservations SET status = 'cancelled', updated_at = now()
               WHERE tenant = $1 AND id = $2 AND status = ANY ($3::text[]) AND round = $4 RETURNING *""",
            self.tenant,
            id,
            list(OPEN),
            row["round"],
        )
        if cancelled is None:
            now = await self._row(id)
            if now["round"] != row["round"]:  # another time was proposed meanwhile: that can be cancelled too
                return await self.cancel(id, person_id)
            raise Conflict(f"The reservation is {now['status']}, and cannot be cancelled any more.")
        await self._recording.fact("cancelled", cancelled, person_id=person_id)
        return None

    async def reopen(self, id: int) -> None:
        """Asks again, where somebody settled the matter without deciding about the reservation."""
        row = await self._row(id, "FOR UPDATE")
        if row["status"] not in OPEN:
            raise Conflict(f"The reservation is {row['status']}: there is nothing to decide any more.")
        matters = Matters(self.connection, self.tenant, {})
        if await matters.settlement(matter_of(id, row["round"])) is None:
            raise Conflict("It waits for somebody to act already.")
        check_time("time", row["proposed_for"] or row["reserved_for"], await self.connection.fetchval("SELECT now()"))
        reopened = await self.connection.fetchrow(
            "UPDATE tidings.reservations SET round = round + 1, updated_at = now() WHERE id = $1 RETURNING *", id
        )
        assert reopened is not None
        await self._recording.fact("reopened", reopened)

    async def _row(self, id: int, locking: str = "") -> Mapping[str, Any]:
        row = await self.connection.fetchrow(
            f"SELECT * FROM tidings.reservations WHERE tenant = $1 AND id = $2 {locking}", self.tenant, id
        )
        if row is None:
            raise NotFound("There is no such reservation.")
        return dict(row)

    async def _require_parties(self, columns: Mapping[str, Any]) -> None:
        found = await self.connection.fetchrow(
            """SELECT EXISTS (SELECT FROM tidings.restaurants WHERE tenant = $1 AND id = $2) AS restaurant,
                   (SELECT coalesce(user_type, '') FROM tidings.people WHERE tenant = $1 AND id = $3) AS customer,
                   $4::bigint IS NULL OR EXISTS (SELECT FROM tidings.agencies WHERE tenant = $1 AND id = $4)
                       AS agency""",
            self.tenant,
            columns["restaurant_id"],
            columns["customer_id"],
            columns["agency_id"],
        )
        assert found is not None
        if not found["restaurant"]:
            raise unknown("restaurantId", "restaurant")
        if found["customer"] != UserType.CUSTOMER:
            raise unknown("customerId", "customer")
        if not found["agency"]:
            raise unknown("agencyId", "agency")

    @property
    def _recording(self) -> Recording:
        return Recording(self.connection, None if self.actor is None else Origin(self.actor))


def _reservation(row: Any) -> Reservation:
    return Reservation(**{name: row[name] for name in _PLAIN}, status=Status(row["status"]), handled=_handled(row))


def _handled(row: Any) -> Settlement | None:
    if row["settlement"] is None:
        return None
    return Settlement(
        row["settlement"],
        row["matter"],
        Action(row["action"]),
        row["settlement_note"],
        row["settlement_time"],
        row["handler_id"],
        row["handler"],
        row["handled_at"],
    )


def _conditions(tenant: str, who: Viewer, *wanted: tuple[str, Any]) -> tuple[str, list[Any]]:
    """What is wanted of what they may see: their own, and those of the places that they belong to; each by an index."""
    terms, given = ["r.tenant = $1"], list[Any]([tenant])
    if not who.everything:
        terms.append("(r.customer_id = $2 OR r.restaurant_id = ANY ($3::bigint[]) OR r.agency_id = ANY ($4::bigint[]))")
        given += [who.person_id, list(who.restaurants), list(who.agencies)]
    for term, value in wanted:
        if value is not None:
            given.append(value)
            terms.append(term.format(f"${len(given)}"))
    return " AND ".join(terms), given
