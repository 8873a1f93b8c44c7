"""Deliveries of one tenant as a person sees them, open and finished, with every attempt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of


class Status(StrEnum):
    """How a delivery stands, by the names that people know; the open table has names of its own for some."""

    PENDING = "pending"
    SENDING = "sending"
    DEFERRED = "deferred"
    UNKNOWN = "unknown"
    SENT = "sent"
    SKIPPED = "skipped"
    FAILED = "failed"


OPEN = {
    Status.PENDING: ("pending", "enqueued"),
    Status.SENDING: ("processing",),
    Status.DEFERRED: ("failed",),
    Status.UNKNOWN: ("held",),
}
_SHOWN_AS = {each: shown for shown, kept in OPEN.items() for each in kept}
OPEN_STATUS = "CASE status " + " ".join(f"WHEN '{kept}' THEN '{name}'" for kept, name in _SHOWN_AS.items()) + " END"
"""SQL: the status of an open delivery, by the name that people know."""

_COLUMNS = """d.id, d.channel, d.provider, p.name AS provider_name, d.notice_id, d.notification_id, d.person_id,
    d.address, d.due_at, d.run_at, d.expires_at, d.attempts, d.max_attempts, d.last_error, d.created_at, d.updated_at"""
_BOTH = f"""
SELECT d.*, n.title, n.fact_id, w.name AS person_name FROM (
    (SELECT {_COLUMNS}, d.status, true AS open, NULL::text AS receipt, NULL::text AS confirmed,
        NULL::timestamptz AS confirmed_at, NULL::timestamptz AS finished_at
     FROM tidings.deliveries d LEFT JOIN tidings.providers p ON p.id = d.provider
     WHERE {{open}} ORDER BY d.id DESC LIMIT {{limit}})
    UNION ALL
    (SELECT {_COLUMNS}, d.status, false AS open, d.receipt, d.confirmed, d.confirmed_at, d.finished_at
     FROM tidings.deliveries_finished d LEFT JOIN tidings.providers p ON p.id = d.provider
     WHERE {{finished}} ORDER BY d.id DESC LIMIT {{limit}})
) d LEFT JOIN tidings.notices n ON n.id = d.notice_id LEFT JOIN tidings.people w ON w.id = d.person_id
ORDER BY d.id DESC LIMIT {{limit}}"""
_ATTEMPTS = """
SELECT a.outcome, a.reason, a.receipt, a.took, a.ended_at, a.provider, p.name AS provider_name
FROM tidings.delivery_attempts a LEFT JOIN tidings.providers p ON p.id = a.provider
WHERE a.tenant = $1 AND a.delivery_id = $2 ORDER BY a.ended_at
"""


@dataclass(frozen=True, slots=True)
class DeliveryRecord:
    """A delivery as it stands. `finished_at` is None while it is open, `person_name` where the person was deleted."""

    id: UUID
    channel: str
    provider: UUID
    provider_name: str | None
    notice_id: UUID
    notification_id: UUID
    person_id: UUID
    address: str
    due_at: datetime
    run_at: datetime
    expires_at: datetime
    attempts: int
    max_attempts: int | None
    last_error: str | None
    created_at: datetime
    updated_at: datetime
    status: Status
    receipt: str | None
    confirmed: str | None
    confirmed_at: datetime | None
    finished_at: datetime | None
    title: str | None
    fact_id: UUID | None
    person_name: str | None


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One attempt, or one decision not to make one."""

    outcome: str
    reason: str | None
    receipt: str | None
    took: timedelta | None
    ended_at: datetime
    provider: UUID
    provider_name: str | None


@dataclass(frozen=True)
class DeliveryFilter:
    status: Status | None = None
    channel: str | None = None
    provider: UUID | None = None
    notice_id: UUID | None = None
    person_id: UUID | None = None
    since: datetime | None = None


@dataclass(frozen=True)
class Records:
    connection: Connection
    tenant: str

    async def list(self, wanted: DeliveryFilter, before: str | None, limit: int) -> Page[DeliveryRecord]:
        """The newest first. A delivery keeps its place when it finishes, so that no page misses it."""
        condition, values = _conditions(self.tenant, wanted, before)
        statement = _BOTH.format(
            open=f"{condition} AND {_of_status(wanted.status, open=True)}",
            finished=f"{condition} AND {_of_status(wanted.status, open=False)}",
            limit=limit + 1,
        )
        rows = await self.connection.fetch(statement, *values)
        return page_of([_record(row) for row in rows], limit, lambda record: str(record.id))

    async def get(self, id: UUID) -> DeliveryRecord:
        statement = _BOTH.format(open="d.tenant = $1 AND d.id = $2", finished="d.tenant = $1 AND d.id = $2", limit=1)
        row = await self.connection.fetchrow(statement, self.tenant, id)
        if row is None:
            raise NotFound("There is no such delivery.")
        return _record(row)

    async def attempts(self, id: UUID) -> Sequence[AttemptRecord]:
        """The first one first."""
        return [AttemptRecord(**row) for row in await self.connection.fetch(_ATTEMPTS, self.tenant, id)]


def _record(row: Any) -> DeliveryRecord:
    fields = dict(row)
    status = _SHOWN_AS[fields["status"]] if fields.pop("open") else Status(fields["status"])
    return DeliveryRecord(**fields | {"status": status})


def _of_status(status: Status | None, *, open: bool) -> str:
    if status is None:
        return "true"
    if open != (status in OPEN):
        return "false"
    kept = ", ".join(f"'{each}'" for each in OPEN.get(status, (status,)))
    return f"d.status IN ({kept})"


# Of a notice or a person, deliveries are found by their notifications, which have an index for each.
_OF = "d.notification_id IN (SELECT n.id FROM tidings.notifications n WHERE n.tenant = $1 AND n.{0} = {1})"


def _conditions(tenant: str, wanted: DeliveryFilter, before: str | None) -> tuple[str, list[Any]]:
    terms: list[tuple[str, Any]] = [
        ("d.tenant = {}", tenant),
        ("d.channel = {}", wanted.channel),
        ("d.provider = {}", wanted.provider),
        (_OF.format("notice_id", "{}"), wanted.notice_id),
        (_OF.format("person_id", "{}"), wanted.person_id),
        ("d.created_at >= {}", wanted.since),
        ("d.id < {}::text::uuid", before),
    ]
    given = [(term, value) for term, value in terms if value is not None]
    return " AND ".join(t.format(f"${n}") for n, (t, _) in enumerate(given, 1)), [value for _, value in given]
