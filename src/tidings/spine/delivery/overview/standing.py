"""How a tenant stands now: what waits, what is late, what needs somebody. No more is counted than must be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tidings.kit.db import Connection
from tidings.spine.outbox.intent_records import HOUSEKEEPING, TENANTS_OWN

MOST_COUNTED = 10_000
MOST_KINDS = 200
LATE_AFTER = "10 seconds"

_DUE = "status IN ('pending', 'failed', 'enqueued') AND run_at <= now()"
_COUNTS = f"""count(*) AS waiting, count(*) FILTER (WHERE {_DUE} AND served) AS due,
        count(*) FILTER (WHERE {_DUE} AND served AND run_at < now() - interval '{LATE_AFTER}') AS late,
        count(*) FILTER (WHERE status = 'failed') AS retrying"""

# From kind to kind, and from provider to provider, by the index. What nobody serves is not late, it waits for a worker
# to come; unless there is no worker at all.
STANDING = f"""
WITH RECURSIVE kinds AS (
    (SELECT kind, 1 AS n FROM tidings.outbox WHERE tenant = $1 ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT o.kind FROM tidings.outbox o WHERE o.tenant = $1 AND o.kind > k.kind ORDER BY o.kind LIMIT 1), n + 1
    FROM kinds k WHERE k.kind IS NOT NULL AND n < {MOST_KINDS}
), served AS MATERIALIZED (
    SELECT count(DISTINCT w.id) AS workers, array_agg(k) AS kinds
    FROM tidings.workers w LEFT JOIN unnest(w.kinds) k ON true WHERE w.seen_at > now() - interval '30 seconds'
), lanes AS MATERIALIZED (
    SELECT k.kind, s.workers = 0 OR coalesce(k.kind = ANY (s.kinds), false) AS served FROM kinds k, served s
    WHERE k.kind NOT LIKE '{HOUSEKEEPING}%'
), providers AS MATERIALIZED (
    SELECT p.id, p.channel, s.workers = 0 OR coalesce(p.channel = ANY (s.kinds), false) AS served
    FROM tidings.providers p, served s WHERE p.tenant = $1
), intents AS (
    SELECT {_COUNTS} FROM (
        SELECT o.status, o.run_at, l.served FROM lanes l CROSS JOIN LATERAL (
            SELECT status, run_at FROM tidings.outbox o WHERE o.tenant = $1 AND o.kind = l.kind
            ORDER BY run_at LIMIT {MOST_COUNTED}) o
        LIMIT {MOST_COUNTED}) o
), deliveries AS (
    SELECT {_COUNTS} FROM (
        SELECT d.status, d.run_at, p.served FROM providers p CROSS JOIN LATERAL (
            SELECT status, run_at FROM tidings.deliveries d
            WHERE d.provider = p.id AND d.channel = p.channel AND d.status <> 'held'
            ORDER BY run_at LIMIT {MOST_COUNTED}) d
        LIMIT {MOST_COUNTED}) d
)
SELECT clock_timestamp() AS at, s.workers,
    ARRAY(SELECT kind FROM lanes l WHERE NOT l.served ORDER BY kind) AS unserved,
    i.waiting AS intents_waiting, i.due AS intents_due, i.late AS intents_late, i.retrying AS intents_retrying,
    d.waiting AS deliveries_waiting, d.due AS deliveries_due, d.late AS deliveries_late,
    d.retrying AS deliveries_retrying,
    (SELECT count(*) FROM (SELECT FROM tidings.deliveries
        WHERE tenant = $1 AND status = 'held' LIMIT {MOST_COUNTED}) h) AS held,
    (SELECT count(*) FROM (SELECT FROM tidings.outbox_finished
        WHERE tenant = $1 AND status = 'dead' AND {TENANTS_OWN} LIMIT {MOST_COUNTED}) x) AS dead,
    (SELECT min(o.run_at) FROM lanes l CROSS JOIN LATERAL (
        SELECT run_at FROM tidings.outbox o WHERE o.tenant = $1 AND o.kind = l.kind AND {_DUE}
        ORDER BY run_at LIMIT 1) o WHERE l.served) AS oldest_intent,
    (SELECT min(d.run_at) FROM providers p CROSS JOIN LATERAL (
        SELECT run_at FROM tidings.deliveries d WHERE d.provider = p.id AND d.channel = p.channel AND {_DUE}
        ORDER BY run_at LIMIT 1) d WHERE p.served) AS oldest_delivery
FROM served s, intents i, deliveries d
"""


@dataclass(frozen=True)
class Open:
    """What is to be done: all of it, of that what is due, late, or being tried again."""

    waiting: int
    due: int
    late: int
    retrying: int


@dataclass(frozen=True)
class Standing:
    """Counts end at `MOST_COUNTED`: `capped` says that there is more. Lag is how long the oldest has been due."""

    at: datetime
    workers: int
    kinds_without_worker: tuple[str, ...]
    intents: Open
    deliveries: Open
    held: int
    dead: int
    intents_lag: float | None
    deliveries_lag: float | None

    @property
    def waiting(self) -> int:
        return self.intents.waiting + self.deliveries.waiting

    @property
    def lag(self) -> float | None:
        return max((lag for lag in (self.intents_lag, self.deliveries_lag) if lag is not None), default=None)

    @property
    def capped(self) -> bool:
        return max(self.intents.waiting, self.deliveries.waiting, self.held, self.dead) >= MOST_COUNTED


async def standing_of(connection: Connection, tenant: str) -> Standing:
    row = await connection.fetchrow(STANDING, tenant)
    assert row is not None
    return standing_in(row)


def standing_in(row: Any) -> Standing:
    """What a row of `STANDING` says."""
    return Standing(
        row["at"],
        row["workers"],
        tuple(row["unserved"]),
        _open(row, "intents"),
        _open(row, "deliveries"),
        row["held"],
        row["dead"],
        _since(row["oldest_intent"], row["at"]),
        _since(row["oldest_delivery"], row["at"]),
    )


def _open(row: Any, of: str) -> Open:
    return Open(*(row[f"{of}_{name}"] for name in ("waiting", "due", "late", "retrying")))


def _since(due: datetime | None, now: datetime) -> float | None:
    return None if due is None else max(0.0, (now - due).total_seconds())
