"""Addresses that nothing is sent to any more, whoever they belong to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection, affected
from tidings.kit.errors import Fault, NotFound, ValidationFailed
from tidings.kit.paging import Page, page_of
from tidings.spine.notify.people.addresses import Kind, NewAddress, new_address
from tidings.spine.notify.people.urls import not_called

_COLUMNS = "kind, fingerprint, value, reason, detail, delivery_id, created_at"


class Reason(StrEnum):
    BOUNCED = "bounced"
    COMPLAINED = "complained"
    MANUAL = "manual"


@dataclass(frozen=True)
class Suppression:
    kind: Kind
    fingerprint: str
    value: str
    reason: Reason
    detail: str | None
    delivery_id: UUID | None
    created_at: datetime


async def suppress(
    connection: Connection,
    tenant: str,
    kind: Kind,
    value: str,
    reason: Reason,
    detail: str | None = None,
    delivery_id: UUID | None = None,
) -> Suppression:
    """Nothing is sent to this address from now on. One that is suppressed already keeps its first reason."""
    address = _address(kind, value)
    of_address = (tenant, kind.value, address.fingerprint)
    await connection.execute(
        """INSERT INTO tidings.suppressions (tenant, kind, fingerprint, value, reason, detail, delivery_id)
           VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING""",
        *of_address,
        address.value,
        reason.value,
        detail,
        delivery_id,
    )
    row = await connection.fetchrow(
        f"SELECT {_COLUMNS} FROM tidings.suppressions WHERE tenant = $1 AND kind = $2 AND fingerprint = $3", *of_address
    )
    return _suppression(row)


@dataclass(frozen=True)
class Suppressions:
    connection: Connection
    tenant: str

    async def list(
        self, kind: Kind | None, reason: Reason | None, value: str | None, before: Any, limit: int
    ) -> Page[Suppression]:
        """Newest first; `value` is an address or a fingerprint, `before` a position that a page gave."""
        at, of_kind, fingerprint = (datetime.fromisoformat(before[0]), *before[1:]) if before else (None, None, None)
        rows = await self.connection.fetch(
            f"""SELECT {_COLUMNS} FROM tidings.suppressions
                WHERE tenant = $1 AND ($2::text IS NULL OR kind = $2) AND ($3::text IS NULL OR reason = $3)
                    AND ($4::text[] IS NULL OR fingerprint = ANY ($4))
                    AND ($5::timestamptz IS NULL OR (created_at, kind, fingerprint) < ($5, $6, $7))
                ORDER BY created_at DESC, kind DESC, fingerprint DESC LIMIT $8""",
            self.tenant,
            kind,
            reason,
            None if value is None else [value, *(known for each in Kind for known in _fingerprint(each, value))],
            at,
            of_kind,
            fingerprint,
            limit + 1,
        )
        return page_of([_suppression(row) for row in rows], limit, _position)

    async def add(self, kind: Kind, value: str, detail: str | None) -> Suppression:
        return await suppress(self.connection, self.tenant, kind, value, Reason.MANUAL, detail)

    async def lift(self, kind: Kind, value: str) -> None:
        """Sends there again. `value` is the address or its fingerprint: a URL that is secret need not be told again."""
        status = await self.connection.execute(
            "DELETE FROM tidings.suppressions WHERE tenant = $1 AND kind = $2 AND fingerprint = ANY ($3)",
            self.tenant,
            kind.value,
            [value, *_fingerprint(kind, value)],
        )
        if not affected(status):
            raise NotFound("This address is not suppressed.")


def _address(kind: Kind, value: str) -> NewAddress:
    try:
        return new_address(kind, value, not_called)
    except ValueError as error:
        raise ValidationFailed(f"value: {error}", (Fault("value", str(error)),)) from None


def _fingerprint(kind: Kind, value: str) -> list[str]:
    try:
        return [new_address(kind, value, not_called).fingerprint]
    except ValueError:
        return []


def _position(found: Suppression) -> list[str]:
    return [found.created_at.isoformat(), found.kind, found.fingerprint]


def _suppression(row: Any) -> Suppression:
    return Suppression(
        Kind(row["kind"]),
        row["fingerprint"],
        row["value"],
        Reason(row["reason"]),
        row["detail"],
        row["delivery_id"],
        row["created_at"],
    )
