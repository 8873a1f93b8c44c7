"""The outbox of one tenant at a glance. Counts no more than it must."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.outbox.intent_records import TENANTS_OWN

MOST_COUNTED = 1_000_000
MOST_STREAMS = 100

_OPEN = f"""
SELECT kind, status, count(*) AS amount,
    min(run_at) FILTER (WHERE status IN ('pending', 'failed', 'enqueued') AND run_at <= now()) AS oldest_due,
    now() AS now
FROM (SELECT kind, status, run_at FROM tidings.outbox WHERE tenant = $1 AND {TENANTS_OWN} LIMIT {MOST_COUNTED}) o
GROUP BY kind, status ORDER BY kind, status
"""
_DEAD = f"""
SELECT kind, 'dead' AS status, count(*) AS amount
FROM (SELECT kind FROM tidings.outbox_finished
      WHERE tenant = $1 AND status = 'dead' AND {TENANTS_OWN} LIMIT {MOST_COUNTED}) f
GROUP BY kind ORDER BY kind
"""
_FINISHED = f"""
SELECT kind, status, count(*) AS amount
FROM (SELECT kind, status FROM tidings.outbox_finished
      WHERE tenant = $1 AND finished_at > now() - interval '1 day' AND status <> 'dead' AND {TENANTS_OWN}
      LIMIT {MOST_COUNTED}) f
GROUP BY kind, status ORDER BY kind, status
"""
_SERVED = "SELECT DISTINCT unnest(kinds) AS kind FROM tidings.workers WHERE seen_at > now() - interval '30 seconds'"
_BLOCKED = f"""
SELECT d.kind, d.stream, d.id AS blocked_by, w.waiting
FROM tidings.outbox_finished d, LATERAL (
    SELECT count(*) AS waiting FROM tidings.outbox o
    WHERE o.tenant = d.tenant AND o.kind = d.kind AND o.stream = d.stream) w
WHERE d.tenant = $1 AND d.status = 'dead' AND d.stream IS NOT NULL AND w.waiting > 0
ORDER BY d.kind, d.stream LIMIT {MOST_STREAMS}
"""


@dataclass(frozen=True)
class Count:
    kind: str
    status: str
    count: int


@dataclass(frozen=True)
class Lag:
    """How long the oldest intent of a kind has been due."""

    kind: str
    oldest_due_at: datetime
    seconds: float


@dataclass(frozen=True)
class Blocked:
    """A stream whose head is dead, and how many wait behind it."""

    kind: str
    stream: str
    blocked_by: UUID
    waiting: int


@dataclass(frozen=True)
class Statistics:
    """Open and dead intents, finished ones of the last day, lag, kinds that nobody serves, streams that stand still.
    The installation's housekeeping is left out."""

    counts: list[Count]
    truncated: bool
    lag: list[Lag]
    kinds_without_worker: list[str]
    blocked: list[Blocked]


async def outbox_statistics(connection: Connection, tenant: str) -> Statistics:
    opened = await connection.fetch(_OPEN, tenant)
    finished = [*await connection.fetch(_DEAD, tenant), *await connection.fetch(_FINISHED, tenant)]
    served = {row["kind"] for row in await connection.fetch(_SERVED)}
    blocked = await connection.fetch(_BLOCKED, tenant)
    oldest: dict[str, Lag] = {}
    for row in opened:
        due = row["oldest_due"]
        if due is not None and (row["kind"] not in oldest or due < oldest[row["kind"]].oldest_due_at):
            oldest[row["kind"]] = Lag(row["kind"], due, (row["now"] - due).total_seconds())
    return Statistics(
        counts=[Count(row["kind"], row["status"], row["amount"]) for row in (*opened, *finished)],
        truncated=sum(row["amount"] for row in opened) >= MOST_COUNTED
        or sum(row["amount"] for row in finished) >= MOST_COUNTED,
        lag=list(oldest.values()),
        kinds_without_worker=sorted({row["kind"] for row in opened} - served),
        blocked=[Blocked(**row) for row in blocked],
    )
