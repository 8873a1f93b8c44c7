"""Notices of one tenant as a person sees them: what was said, to whom, and how it stands; and closing one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of
from tidings.spine.delivery.records import OPEN_STATUS, Status

_NOTICES = """
SELECT n.id, n.fact_id, n.listener, n.rule_version, n.title, n.body, n.template, n.level, n.category, n.channels,
    n.topic, n.audience::text AS audience, n.properties::text AS properties, n.shared, n.run_at, n.closed_at,
    n.closed_reason, n.matter, n.actions, n.created_at, t.complete, t.people, t.no_target, t.open, t.sent, t.skipped,
    t.failed, t.settled_at
FROM tidings.notices n JOIN tidings.tallies t ON t.notice_id = n.id WHERE {0} ORDER BY n.id DESC LIMIT {1}
"""
_CLOSE = """
UPDATE tidings.notices SET closed_at = now(), closed_reason = $3 WHERE tenant = $1 AND id = $2 AND closed_at IS NULL
"""
_WORST_FIRST = "'{unknown,deferred,sending,pending,failed,sent,skipped}'::text[]"
_NOTIFICATIONS = f"""
SELECT m.*, a.* FROM (
    SELECT id, person_id, missing, targets, routed, read_at, archived_at, created_at FROM tidings.notifications
    WHERE tenant = $1 AND notice_id = $2 AND ($3::text IS NULL OR person_id > $3::text::uuid)
    ORDER BY person_id LIMIT $4
) m CROSS JOIN LATERAL (
    SELECT (array_agg(status ORDER BY array_position({_WORST_FIRST}, status)))[1] AS status,
        coalesce(sum(attempts), 0)::integer AS attempts,
        (array_agg(last_error ORDER BY updated_at DESC) FILTER (WHERE last_error IS NOT NULL))[1] AS last_error,
        CASE WHEN bool_and(finished_at IS NOT NULL) THEN max(finished_at) END AS settled_at
    FROM (
        SELECT {OPEN_STATUS} AS status, attempts, last_error, updated_at, NULL::timestamptz AS finished_at
        FROM tidings.deliveries WHERE notification_id = m.id
        UNION ALL
        SELECT status, attempts, last_error, updated_at, finished_at
        FROM tidings.deliveries_finished WHERE notification_id = m.id
    ) d
) a ORDER BY m.person_id
"""


@dataclass(frozen=True, slots=True)
class NoticeRecord:
    """A notice with its tally. `audience` and `properties` are JSON text."""

    id: UUID
    fact_id: UUID | None
    listener: str
    rule_version: int | None
    title: str
    body: str
    template: str
    level: str
    category: str
    channels: list[str]
    topic: str | None
    audience: str
    properties: str
    shared: bool
    run_at: datetime
    closed_at: datetime | None
    closed_reason: str | None
    matter: str | None
    actions: list[str]
    created_at: datetime
    complete: bool
    people: int
    no_target: int
    open: int
    sent: int
    skipped: int
    failed: int
    settled_at: datetime | None


@dataclass(frozen=True, slots=True)
class NotificationRecord:
    """A notice to one person. `missing` names the channels for which they had no address; `routed` says that it went to
    what they chose for its topic instead.

    `status` is the worst of its deliveries, what is open before what has ended; None where it has none. `attempts` are
    those of all of them, `last_error` the newest, and `settled_at` when the last one ended."""

    id: UUID
    person_id: UUID
    missing: list[str]
    targets: int
    routed: bool
    read_at: datetime | None
    archived_at: datetime | None
    created_at: datetime
    status: Status | None
    attempts: int
    last_error: str | None
    settled_at: datetime | None


@dataclass(frozen=True)
class NoticeFilter:
    fact_id: UUID | None = None
    fact_ids: tuple[UUID, ...] | None = None
    category: str | None = None
    listener: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class Notices:
    connection: Connection
    tenant: str

    async def list(self, wanted: NoticeFilter, before: str | None, limit: int) -> Page[NoticeRecord]:
        """The newest first."""
        condition, values = _conditions(self.tenant, wanted, before)
        rows = await self.connection.fetch(_NOTICES.format(condition, limit + 1), *values)
        return page_of([NoticeRecord(**row) for row in rows], limit, lambda notice: str(notice.id))

    async def get(self, id: UUID) -> NoticeRecord:
        row = await self.connection.fetchrow(_NOTICES.format("n.tenant = $1 AND n.id = $2", 1), self.tenant, id)
        if row is None:
            raise NotFound("There is no such notice.")
        return NoticeRecord(**row)

    async def notifications(self, id: UUID, after: str | None, limit: int) -> Page[NotificationRecord]:
        """In the order in which people were reached."""
        rows = await self.connection.fetch(_NOTIFICATIONS, self.tenant, id, after, limit + 1)
        return page_of([_notification(row) for row in rows], limit, lambda one: str(one.person_id))

    async def close(self, id: UUID, reason: str) -> NoticeRecord:
        """What of it still waits is skipped when its time comes. One that is closed stays as it was closed."""
        await self.connection.execute(_CLOSE, self.tenant, id, reason)
        return await self.get(id)


def _notification(row: Any) -> NotificationRecord:
    status = row["status"]
    return NotificationRecord(**dict(row) | {"status": None if status is None else Status(status)})


def _conditions(tenant: str, wanted: NoticeFilter, before: str | None) -> tuple[str, list[Any]]:
    terms: list[tuple[str, Any]] = [
        ("n.tenant = {}", tenant),
        ("n.fact_id = {}", wanted.fact_id),
        ("n.fact_id = ANY ({}::uuid[])", wanted.fact_ids),
        ("n.category = {}", wanted.category),
        ("n.listener = {}", wanted.listener),
        ("n.created_at >= {}", wanted.since),
        ("n.created_at < {}", wanted.until),
        ("n.id < {}::text::uuid", before),
    ]
    given = [(term, value) for term, value in terms if value is not None]
    return " AND ".join(t.format(f"${n}") for n, (t, _) in enumerate(given, 1)), [value for _, value in given]
