"""Notices of one tenant as a person sees them: what was said, to whom, and how it stands; and closing one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of

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
_NOTIFICATIONS = """
SELECT id, person_id, missing, targets, routed, read_at, archived_at, created_at FROM tidings.notifications
WHERE tenant = $1 AND notice_id = $2 AND ($3::text IS NULL OR person_id > $3::text::uuid) ORDER BY person_id LIMIT $4
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
    what they chose for its topic instead."""

    id: UUID
    person_id: UUID
    missing: list[str]
    targets: int
    routed: bool
    read_at: datetime | None
    archived_at: datetime | None
    created_at: datetime


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
        return page_of([NotificationRecord(**row) for row in rows], limit, lambda one: str(one.person_id))

    async def close(self, id: UUID, reason: str) -> NoticeRecord:
        """What of it still waits is skipped when its time comes. One that is closed stays as it was closed."""
        await self.connection.execute(_CLOSE, self.tenant, id, reason)
        return await self.get(id)


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
