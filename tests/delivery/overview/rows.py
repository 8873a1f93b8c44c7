"""What the overview counts, written straight into the tables."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

PROVIDER = UUID(int=7)
_FACTS = """
INSERT INTO tidings.facts (id, tenant, type, data, metadata, occurred_at)
SELECT gen_random_uuid(), $1, 'order.paid', '{}', '{}', $2::timestamptz + n * $4::interval
FROM generate_series(0, $3::integer - 1) n
"""
_ENDED = """
INSERT INTO tidings.deliveries_finished (id, tenant, channel, provider, notice_id, notification_id, person_id, address,
    due_at, run_at, expires_at, status, last_error, attempts, crashes, generation, created_at, updated_at, finished_at)
SELECT gen_random_uuid(), $1, 'email', $5, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x', now(), now(),
    now(), $4, CASE WHEN $4 = 'failed' THEN 'refused' END, 1, 0, 0, now(), now(), $2::timestamptz + n * $6::interval
FROM generate_series(0, $3::integer - 1) n
"""
_BURIED = """
INSERT INTO tidings.outbox_finished (id, tenant, kind, due_at, run_at, status, last_error, attempts, crashes,
    generation, created_at, updated_at, finished_at)
SELECT gen_random_uuid(), $1, $4, now(), now(), 'dead', 'no', 1, 0, 0, now(), now(), $2::timestamptz
FROM generate_series(1, $3::integer) n
"""
_NONE = timedelta(0)


async def facts(connection: Any, tenant: str, at: datetime, amount: int = 1, apart: timedelta = _NONE) -> None:
    await connection.execute(_FACTS, tenant, at, amount, apart)


async def ended(
    connection: Any,
    tenant: str,
    at: datetime,
    status: str,
    amount: int = 1,
    provider: UUID = PROVIDER,
    apart: timedelta = _NONE,
) -> None:
    """Deliveries, `sent`, `skipped` or `failed`."""
    await connection.execute(_ENDED, tenant, at, amount, status, provider, apart)


async def buried(connection: Any, tenant: str, at: datetime, amount: int = 1, kind: str = "order.paid") -> None:
    """Intents that are dead."""
    await connection.execute(_BURIED, tenant, at, amount, kind)
