"""Reminders that are to come: intents, as whoever asked for them sees them; and those at a time of their own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, NotFound, ValidationFailed
from tidings.kit.paging import Page, page_of
from tidings.modules.events.model import LONGEST_OFFSET, MODULE, REMIND, Subscription

MOST_AD_HOC = 20
"""Reminders at a time of their own that a subscription may have at once."""
_LAST = chr(0x10FFFF) * 20

_LIST = """
SELECT o.id, (o.payload ->> 'subscription')::bigint AS subscription_id, (o.payload ->> 'offset')::integer AS offset,
    p.id AS person_id, p.name AS person, o.due_at, o.status, o.last_error
FROM tidings.outbox o JOIN tidings.event_subscriptions s ON s.id = (o.payload ->> 'subscription')::bigint
JOIN tidings.people p ON p.id = s.person_id
WHERE o.tenant = $1 AND o.kind = 'event.remind' AND o.key >= $2 AND o.key <= $3
    AND ($4::timestamptz IS NULL OR (o.due_at, o.id) > ($4, $5::text::uuid))
ORDER BY o.due_at, o.id LIMIT $6
"""
_SUMMARY = """
SELECT count(*) AS waiting, min(o.due_at) AS next FROM tidings.outbox o
WHERE o.tenant = $1 AND o.kind = 'event.remind' AND o.key >= $2 AND o.key <= $3
"""


@dataclass(frozen=True)
class Reminder:
    """`offset` is None for one at a time of its own."""

    id: UUID
    subscription_id: int
    offset: int | None
    person_id: UUID
    person: str
    due_at: datetime
    status: str
    last_error: str | None


@dataclass(frozen=True)
class Waiting:
    """How many reminders of an event are to come, and when the next one is."""

    amount: int
    next_at: datetime | None


@dataclass(frozen=True)
class Reminders:
    connection: Connection
    tenant: str

    async def list(
        self, event_id: int, subscription_id: int | None, after: tuple[datetime, str] | None, limit: int
    ) -> Page[Reminder]:
        """The next to come first; all of the event's, or one subscriber's."""
        rows = await self.connection.fetch(
            _LIST, self.tenant, *_keys(event_id, subscription_id), *(after or (None, None)), limit + 1
        )
        return page_of([Reminder(**row) for row in rows], limit, lambda it: [it.due_at.isoformat(), str(it.id)])

    async def waiting(self, event_id: int) -> Waiting:
        row = await self.connection.fetchrow(_SUMMARY, self.tenant, *_keys(event_id, None))
        assert row is not None
        return Waiting(row["waiting"], row["next"])

    async def remind_at(self, known: Subscription, at: datetime, over_at: datetime) -> Reminder:
        """At that time, wherever the event moves, but not after it is over. The caller holds the event."""
        await self._require_ahead(at, over_at)
        mine = f"event-{known.event_id}-sub-{known.id}-adhoc-"
        amount = await self.connection.fetchval(
            """SELECT count(*) FROM tidings.outbox
               WHERE tenant = $1 AND kind = 'event.remind' AND key >= $2 AND key <= $3""",
            self.tenant,
            mine,
            mine + _LAST,
        )
        if amount >= MOST_AD_HOC:
            raise Conflict(f"You have {MOST_AD_HOC} such reminders already; remove one first.")
        ids = await self.connection.fetchval(
            "SELECT tidings.schedule_own($1, ARRAY[$2], ARRAY[$3::text::jsonb], ARRAY[$4], ARRAY[$5::timestamptz])",
            MODULE,
            REMIND,
            json.dumps({"event": known.event_id, "subscription": known.id}),
            f"{mine}{uuid4()}",
            at,
        )
        return Reminder(ids[0], known.id, None, known.person_id, known.person, at, "pending", None)

    async def cancel(self, known: Subscription, id: UUID) -> None:
        """One at a time of its own. Those by an offset go with the offset."""
        key = await self.connection.fetchval(
            """SELECT key FROM tidings.outbox WHERE tenant = $1 AND kind = 'event.remind' AND id = $2
               AND key >= $3 AND key <= $4""",
            self.tenant,
            id,
            *_keys(known.event_id, known.id),
        )
        if key is None:
            raise NotFound("There is no such reminder.")
        if "-adhoc-" not in key:
            raise Conflict("This one comes from your offsets; change those instead.")
        await self.connection.execute("SELECT tidings.cancel_own($1, $2, $3, 'unwanted')", MODULE, REMIND, key)

    async def _require_ahead(self, at: datetime, over_at: datetime) -> None:
        seconds = await self.connection.fetchval("SELECT date_part('epoch', $1::timestamptz - now())", at)
        message = None if 0 < seconds <= LONGEST_OFFSET else "must lie ahead, by a year at most"
        if at >= over_at:
            message = "must be before the event is over"
        if message is not None:
            raise ValidationFailed(f"at: {message}", (Fault("at", message),))


def _keys(event_id: int, subscription_id: int | None) -> tuple[str, str]:
    low = f"event-{event_id}-sub-" + ("" if subscription_id is None else f"{subscription_id}-")
    return low, low + _LAST
