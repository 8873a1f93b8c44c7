"""What was said of an event, and what became of it: for each message, and for each subscription that it was for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of
from tidings.modules.events.listening import BROADCASTS, REMINDERS
from tidings.modules.events.model import topic_of

# Of somebody without a login nobody says that they saw it on a screen.
_COUNTS = "d.channel <> 'websocket' OR p.user_id IS NOT NULL"
_NOTICES = """
SELECT n.id, coalesce((f.data ->> 'factId')::uuid, n.fact_id) AS fact_id, n.title,
    n.body, n.level, n.created_at, n.closed_reason, f.data ->> 'kind' AS said,
    t.people, t.no_target, t.open, t.sent, t.skipped, t.failed, t.complete
FROM tidings.notices n JOIN tidings.tallies t ON t.notice_id = n.id LEFT JOIN tidings.facts f ON f.id = n.fact_id
WHERE n.tenant = $1 AND n.topic = $2
"""
_LIST = f"{_NOTICES} AND n.listener = $3 AND ($4::text IS NULL OR n.id < $4::text::uuid) ORDER BY n.id DESC LIMIT $5"
_DELIVERIES = """
SELECT d.channel, 'open' AS status FROM tidings.deliveries d WHERE d.notification_id = m.id
UNION ALL SELECT d.channel, d.status FROM tidings.deliveries_finished d WHERE d.notification_id = m.id
"""
_RESULTS = f"""
SELECT s.id AS subscription_id, m.person_id, p.name AS person, c.tried, c.delivered, c.failed, c.waiting,
    CASE WHEN c.delivered > 0 THEN 'delivered' WHEN c.waiting > 0 THEN 'pending' WHEN c.tried > 0 THEN 'failed'
         ELSE 'no_targets' END AS status
FROM tidings.notifications m JOIN tidings.notices n ON n.id = m.notice_id
JOIN tidings.event_subscriptions s ON s.event_id = $3 AND s.person_id = m.person_id
JOIN tidings.people p ON p.id = m.person_id
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE d.status <> 'skipped') AS tried,
        count(*) FILTER (WHERE d.status = 'sent') AS delivered,
        count(*) FILTER (WHERE d.status = 'failed') AS failed, count(*) FILTER (WHERE d.status = 'open') AS waiting
    FROM ({_DELIVERIES}) d WHERE {_COUNTS}) c
WHERE m.tenant = $1 AND m.notice_id = $2
"""
_PAGE = f"""
SELECT * FROM ({_RESULTS}) r
WHERE ($4::bigint IS NULL OR r.subscription_id > $4) AND ($5::text IS NULL OR r.status = $5)
ORDER BY r.subscription_id LIMIT $6
"""
_TOTALS = f"""
SELECT count(*) FILTER (WHERE r.status = 'delivered') AS delivered,
    count(*) FILTER (WHERE r.status IN ('failed', 'no_targets')) AS failed,
    count(*) FILTER (WHERE r.status = 'pending') AS pending, count(*) AS total
FROM ({_RESULTS}) r
"""


class Said(StrEnum):
    """What kind of message."""

    BROADCAST = "broadcast"
    REMINDER = "reminder"


_LISTENERS = {Said.BROADCAST: BROADCASTS, Said.REMINDER: REMINDERS}


class Result(StrEnum):
    DELIVERED = "delivered"
    FAILED = "failed"
    NO_TARGETS = "no_targets"
    PENDING = "pending"


@dataclass(frozen=True)
class EventMessage:
    """A message, with its deliveries counted. `said` is what a broadcast tells of: updated, cancelled or announced;
    `fact_id` the fact that this was recorded as, by whoever did it."""

    id: UUID
    fact_id: UUID | None
    title: str
    body: str
    level: str
    created_at: datetime
    closed_reason: str | None
    said: str | None
    people: int
    no_target: int
    open: int
    sent: int
    skipped: int
    failed: int
    complete: bool


@dataclass(frozen=True)
class Totals:
    """By subscription, not by delivery: who heard of it somewhere heard of it. Who has nowhere to hear of it failed."""

    delivered: int
    failed: int
    pending: int
    total: int


@dataclass(frozen=True)
class SubscriptionResult:
    subscription_id: int
    person_id: UUID
    person: str
    tried: int
    delivered: int
    failed: int
    waiting: int
    status: Result


@dataclass(frozen=True)
class Messages:
    connection: Connection
    tenant: str

    async def list(self, event_id: int, said: Said, before: str | None, limit: int) -> Page[EventMessage]:
        """Newest first."""
        rows = await self.connection.fetch(_LIST, self.tenant, topic_of(event_id), _LISTENERS[said], before, limit + 1)
        return page_of([EventMessage(**row) for row in rows], limit, lambda message: str(message.id))

    async def get(self, event_id: int, id: UUID) -> EventMessage:
        row = await self.connection.fetchrow(f"{_NOTICES} AND n.id = $3", self.tenant, topic_of(event_id), id)
        if row is None:
            raise NotFound("There is no such message.")
        return EventMessage(**row)

    async def totals(self, event_id: int, id: UUID) -> Totals:
        row = await self.connection.fetchrow(_TOTALS, self.tenant, id, event_id)
        assert row is not None
        return Totals(**row)

    async def results(
        self, event_id: int, id: UUID, status: Result | None, after: int | None, limit: int
    ) -> Page[SubscriptionResult]:
        rows = await self.connection.fetch(_PAGE, self.tenant, id, event_id, after, status, limit + 1)
        results = [SubscriptionResult(**{**row, "status": Result(row["status"])}) for row in rows]
        return page_of(results, limit, lambda result: result.subscription_id)


async def close_messages(
    connection: Connection, tenant: str, event_id: int, listeners: list[str], reason: str, *, ad_hoc: bool = True
) -> None:
    """What is under way and has become wrong is not sent any more. Without `ad_hoc`, reminders at a time of their own
    are: they do not move with the event, and there will be no other."""
    await connection.execute(
        """UPDATE tidings.notices n SET closed_at = now(), closed_reason = $4 FROM tidings.tallies t
           WHERE n.tenant = $1 AND n.topic = $2 AND n.listener = ANY ($3::text[]) AND n.closed_at IS NULL
             AND t.notice_id = n.id AND t.settled_at IS NULL
             AND ($5 OR (SELECT f.data ->> 'offset' IS NOT NULL FROM tidings.facts f WHERE f.id = n.fact_id))""",
        tenant,
        topic_of(event_id),
        listeners,
        reason,
        ad_hoc,
    )
