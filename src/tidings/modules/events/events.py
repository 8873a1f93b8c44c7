"""The events of one tenant. Whatever changes one changes its reminders, and tells its process, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, NotFound, Outdated, ValidationFailed
from tidings.kit.paging import Page, page_of
from tidings.modules.events.listening import BROADCASTS, REMINDERS
from tidings.modules.events.messages import close_messages
from tidings.modules.events.model import Event, Status, check_times, process_of
from tidings.modules.events.process.contracts import EventInput
from tidings.modules.events.recording import Recording
from tidings.modules.events.snapshot import snapshot, written
from tidings.spine.outbox.intents import Row

WORKFLOW = "EventWorkflow"
_ACTIVE = "s.confirmed_at IS NOT NULL AND s.left_at IS NULL"
_OVER_AT = "coalesce(e.ends_at, e.starts_at + interval '24 hours')"
_SHOWN = f"""
SELECT e.id, e.uid, e.organiser_id, p.name AS organiser, e.name, e.description, e.location, e.starts_at, e.ends_at,
    e.timezone, e.status, e.version, e.sequence,
    (SELECT count(*) FROM tidings.event_subscriptions s WHERE s.event_id = e.id AND {_ACTIVE}) AS subscribers,
    e.created_at, e.updated_at
FROM tidings.events e LEFT JOIN tidings.people p ON p.id = e.organiser_id
"""
_LIST = f"""
{_SHOWN} WHERE e.tenant = $1 AND ($2::text IS NULL OR e.status = $2)
    AND ($3::timestamptz IS NULL OR {_OVER_AT} > $3) AND ($9::timestamptz IS NULL OR {_OVER_AT} <= $9)
    AND ($4::uuid IS NULL OR EXISTS (SELECT FROM tidings.event_subscriptions s
                                     WHERE s.event_id = e.id AND s.person_id = $4 AND {_ACTIVE}))
    AND ($5::uuid IS NULL OR e.organiser_id = $5)
    AND ($6::timestamptz IS NULL OR (e.starts_at, e.id) {{after}} ($6, $7))
ORDER BY e.starts_at {{order}}, e.id {{order}} LIMIT $8
"""
_NEXT_FIRST = _LIST.format(after=">", order="ASC")
_LAST_FIRST = _LIST.format(after="<", order="DESC")
COLUMNS = ("organiser_id", "name", "description", "location", "starts_at", "ends_at", "timezone")
_TOLD = ("name", "starts_at", "ends_at", "timezone", "location", "description")  # what subscribers hear of
_CAMEL = {"starts_at": "startsAt", "ends_at": "endsAt"}


@dataclass(frozen=True)
class EventFilter:
    status: Status | None = None
    ends_after: datetime | None = None
    ends_before: datetime | None = None
    subscriber: UUID | None = None
    organiser: UUID | None = None


@dataclass(frozen=True)
class Announcement:
    title: str
    body: str
    level: str
    subscription_ids: Sequence[int] | None


@dataclass(frozen=True)
class Events:
    connection: Connection
    tenant: str
    actor: str | None = None

    async def list(self, wanted: EventFilter, after: tuple[datetime, int] | None, limit: int) -> Page[Event]:
        """The next to start first; of those that are over, the last."""
        rows = await self.connection.fetch(
            _NEXT_FIRST if wanted.ends_before is None else _LAST_FIRST,
            self.tenant,
            wanted.status,
            wanted.ends_after,
            wanted.subscriber,
            wanted.organiser,
            *(after or (None, None)),
            limit + 1,
            wanted.ends_before,
        )
        return page_of([_event(row) for row in rows], limit, lambda event: [event.starts_at.isoformat(), event.id])

    async def get(self, id: int) -> Event:
        row = await self.connection.fetchrow(f"{_SHOWN} WHERE e.tenant = $1 AND e.id = $2", self.tenant, id)
        if row is None:
            raise NotFound("There is no such event.")
        return _event(row)

    async def create(self, columns: Mapping[str, Any]) -> Event:
        """Makes it, with its process."""
        check_times(columns, columns["starts_at"], columns.get("ends_at"), await self._now())
        await self._require_person(columns.get("organiser_id"))
        row = await self.connection.fetchrow(
            """INSERT INTO tidings.events (tenant, organiser_id, name, description, location, starts_at, ends_at,
                   timezone) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *""",
            self.tenant,
            *(columns.get(name) for name in COLUMNS),
        )
        assert row is not None
        shown = snapshot(row)
        await self._recording.fact("event.created", row["id"], {"eventId": row["id"], "event": shown})
        dates = {name: row[name] for name in ("starts_at", "ends_at")}
        await self.connection.execute(
            "SELECT tidings.start_process($1, $2, $3::text::jsonb)",
            process_of(row["id"]),
            WORKFLOW,
            EventInput(tenant=self.tenant, event_id=row["id"], **dates).document(),
        )
        return await self.get(row["id"])

    async def change(self, id: int, columns: Mapping[str, Any], version: int | None) -> Event:
        """What is the same as before is no change: nobody is told of it."""
        before = await self.locked(id)
        if version is not None and version != before["version"]:
            raise Outdated(f"The event is at version {before['version']} by now.")
        changed = {name: value for name, value in columns.items() if value != before[name]}
        if not changed:
            return await self.get(id)
        await self._require_active(before)
        merged = {**before, **changed}
        check_times(changed, merged["starts_at"], merged["ends_at"], await self._now())
        await self._require_person(changed.get("organiser_id"))
        told = {_CAMEL.get(name, name): _plain(changed[name]) for name in _TOLD if name in changed}
        places = ", ".join(f"{name} = ${n}" for n, name in enumerate(changed, 3))
        row = await self.connection.fetchrow(
            f"""UPDATE tidings.events SET {places}, version = version + 1, sequence = sequence + $2, updated_at = now()
                WHERE id = $1 RETURNING *""",
            id,
            int(bool(told)),
            *changed.values(),
        )
        assert row is not None
        if "starts_at" in changed:
            await self.set_reminders(id, None, "event_moved")
            await close_messages(self.connection, self.tenant, id, [REMINDERS], "event_moved", ad_hoc=False)
        if told:
            await self._tell_of(row, told)
        return await self.get(id)

    async def cancel(self, id: int) -> Event:
        """Its subscribers are told by the process; whatever reminders were to come are gone with this."""
        before = await self.locked(id)
        if before["status"] == Status.CANCELLED:
            return await self.get(id)
        await self._require_active(before)
        row = await self.connection.fetchrow(
            """UPDATE tidings.events SET status = 'cancelled', version = version + 1, sequence = sequence + 1,
                   updated_at = now(), closed_at = now() WHERE id = $1 RETURNING *""",
            id,
        )
        assert row is not None
        await self.set_reminders(id, None, "event_cancelled")
        await close_messages(self.connection, self.tenant, id, [REMINDERS, BROADCASTS], "event_cancelled")
        fact = await self._recording.fact("event.cancelled", id, {"eventId": id, "event": snapshot(row)})
        await self._recording.act(id, "cancel_event", {"factId": str(fact)})
        return await self.get(id)

    async def announce(self, id: int, said: Announcement) -> UUID:
        """Returns the id of the fact that it is: what becomes of it is seen under it."""
        await self._require_active(await self.locked(id))
        if said.subscription_ids is not None:
            await self._require_subscriptions(id, said.subscription_ids)
        ids = None if said.subscription_ids is None else list(dict.fromkeys(said.subscription_ids))
        what = {"title": said.title, "body": said.body, "level": said.level, "subscriptionIds": ids}
        fact = await self._recording.fact("event.announced", id, {"eventId": id, **what})
        await self._recording.act(id, "send_manual_notification", {"factId": str(fact), **what})
        return fact

    async def set_reminders(self, id: int, subscription_id: int | None, reason: str) -> None:
        await self.connection.execute("SELECT tidings.set_reminders($1, $2, $3)", id, subscription_id, reason)

    async def locked(self, id: int, how: str = "UPDATE") -> dict[str, Any]:
        """Its row, which nobody else changes until this commits."""
        return await self.row(id, f"FOR {how}")

    async def row(self, id: int, locking: str = "") -> dict[str, Any]:
        row = await self.connection.fetchrow(
            f"SELECT * FROM tidings.events WHERE tenant = $1 AND id = $2 {locking}", self.tenant, id
        )
        if row is None:
            raise NotFound("There is no such event.")
        return dict(row)

    async def _tell_of(self, row: Row, told: Mapping[str, Any]) -> None:
        shown = snapshot(row)
        about = {"changes": told, "event": shown}
        fact = await self._recording.fact("event.updated", row["id"], {"eventId": row["id"], **about})
        await self._recording.act(row["id"], "event_updated", {"factId": str(fact), **about})

    async def _require_active(self, row: Mapping[str, Any]) -> None:
        if row["status"] != Status.ACTIVE:
            raise Conflict(f"The event is {row['status']}.")
        if await self.connection.fetchval(
            "SELECT coalesce($2, $1::timestamptz + interval '24 hours') <= now()", row["starts_at"], row["ends_at"]
        ):
            raise Conflict("The event is over.")

    async def _require_person(self, id: UUID | None) -> None:
        if id is not None and not await self.connection.fetchval(
            "SELECT EXISTS (SELECT FROM tidings.people WHERE tenant = $1 AND id = $2)", self.tenant, id
        ):
            message = "there is no such person"
            raise ValidationFailed(f"organiserId: {message}", (Fault("organiserId", message),))

    async def _require_subscriptions(self, id: int, ids: Sequence[int]) -> None:
        """Those of another event are not there."""
        known = await self.connection.fetchval(
            f"""SELECT array_agg(s.id) FROM tidings.event_subscriptions s
                WHERE s.tenant = $1 AND s.event_id = $2 AND s.id = ANY ($3::bigint[]) AND {_ACTIVE}""",
            self.tenant,
            id,
            list(ids),
        )
        if unknown := sorted(set(ids) - set(known or ())):
            message = f"{unknown[0]} is no subscription of this event"
            raise ValidationFailed(f"subscriptionIds: {message}", (Fault("subscriptionIds", message),))

    async def _now(self) -> datetime:
        now: datetime = await self.connection.fetchval("SELECT now()")
        return now

    @property
    def _recording(self) -> Recording:
        return Recording(self.connection, self.actor)


def _event(row: Any) -> Event:
    return Event(**{**row, "status": Status(row["status"])})


def _plain(value: Any) -> Any:
    return written(value) if isinstance(value, datetime) else value
