"""Deliveries as they stand, open or finished, each with its provider and every attempt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.delivery.table import SHOWN_STATUS

MOST_DELIVERIES = 500
MOST_TRIES = 2_000

_SHOWN = f"""id, notice_id, notification_id, person_id, channel, provider, address, {SHOWN_STATUS} AS status, attempts,
    due_at, run_at, expires_at, last_error, created_at"""
_DELIVERIES = f"""
SELECT d.*, p.name AS provider_name, p.type AS provider_type, coalesce(p.enabled, false) AS enabled, p.opened_at,
    p.open_until, p.last_error AS provider_error
FROM (
    SELECT {_SHOWN}, NULL AS receipt, NULL AS confirmed, NULL::timestamptz AS confirmed_at,
        NULL::timestamptz AS finished_at
    FROM tidings.deliveries WHERE tenant = $1 AND notification_id = ANY ($2::uuid[])
    UNION ALL
    SELECT {_SHOWN}, receipt, confirmed, confirmed_at, finished_at
    FROM tidings.deliveries_finished WHERE tenant = $1 AND notification_id = ANY ($2::uuid[])
) d LEFT JOIN tidings.providers p ON p.id = d.provider
ORDER BY d.notification_id, d.channel, d.id LIMIT {MOST_DELIVERIES}
"""
_TRIES = f"""
SELECT a.delivery_id, a.outcome, a.reason, a.receipt, a.took, a.ended_at, p.name AS provider
FROM tidings.delivery_attempts a LEFT JOIN tidings.providers p ON p.id = a.provider
WHERE a.tenant = $1 AND a.delivery_id = ANY ($2::uuid[]) ORDER BY a.ended_at LIMIT {MOST_TRIES}
"""


@dataclass(frozen=True)
class Try:
    """An attempt, or a decision not to make one."""

    outcome: str
    reason: str | None
    ended_at: datetime
    receipt: str | None = None
    took: timedelta | None = None
    provider: str | None = None


@dataclass(frozen=True)
class ProviderSeen:
    """What it is sent through. One that was deleted is not enabled, and has no name but its id."""

    id: UUID
    name: str
    type: str | None = None
    enabled: bool = True
    opened_at: datetime | None = None
    open_until: datetime | None = None
    last_error: str | None = None


@dataclass(frozen=True)
class DeliverySeen:
    id: UUID
    notice_id: UUID
    notification_id: UUID
    person_id: UUID
    channel: str
    address: str
    status: str
    attempts: int
    due_at: datetime
    run_at: datetime
    expires_at: datetime
    created_at: datetime
    provider: ProviderSeen
    last_error: str | None = None
    receipt: str | None = None
    confirmed: str | None = None
    confirmed_at: datetime | None = None
    finished_at: datetime | None = None
    tries: tuple[Try, ...] = ()


_COLUMNS = (
    *("id", "notice_id", "notification_id", "person_id", "channel", "address", "status", "attempts", "due_at"),
    *("run_at", "expires_at", "created_at", "last_error", "receipt", "confirmed", "confirmed_at", "finished_at"),
)


async def deliveries_of(connection: Connection, tenant: str, notifications: Sequence[UUID]) -> list[DeliverySeen]:
    """Those of these notifications, no more than `MOST_DELIVERIES`."""
    rows = await connection.fetch(_DELIVERIES, tenant, notifications)
    tries: dict[UUID, list[Try]] = defaultdict(list)
    for each in await connection.fetch(_TRIES, tenant, [row["id"] for row in rows]):
        given = dict(each)
        tries[given.pop("delivery_id")].append(Try(**given))
    return [_seen(row, tuple(tries[row["id"]])) for row in rows]


def _seen(row: Any, tries: tuple[Try, ...]) -> DeliverySeen:
    provider = ProviderSeen(
        row["provider"],
        row["provider_name"] or str(row["provider"]),
        row["provider_type"],
        row["enabled"],
        row["opened_at"],
        row["open_until"],
        row["provider_error"],
    )
    return DeliverySeen(**{name: row[name] for name in _COLUMNS}, provider=provider, tries=tries)
