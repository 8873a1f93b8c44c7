"""Figures: what happened in each minute, counted over and over from the rows themselves.

A fact has the time at which its transaction began, which nobody can choose, and so has the end of a delivery or an
intent. What commits late is in its minute all the same, since the last minutes are counted again each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.delivery.overview.planning import by_index
from tidings.spine.outbox.intent_records import TENANTS_OWN

NOBODY = UUID(int=0)
"""The provider of what has none."""
KEPT = timedelta(days=2)
_RANGES = 64  # summarised in one run
_AGAIN = "2 minutes"  # closed minutes that are counted again
_AT_ONCE = "15 minutes"

# Where nobody has counted for long, it goes on from there, so much at a time; what is older than a day stays unknown.
# Where nobody ever has, it begins with the last hour.
_SPAN = f"""
SELECT since, least(since + interval '{_AT_ONCE}', now()) AS until, now() AS now, facts_to
FROM (SELECT date_trunc('minute', greatest(
          least(until, now()) - interval '{_AGAIN}',
          now() - CASE WHEN isfinite(until) THEN interval '1 day' ELSE interval '1 hour' END), 'UTC') AS since,
      facts_to FROM tidings.counted FOR UPDATE) c
"""
_SUMMARISE = f"SELECT reached, more FROM tidings.summarise_facts($1, {_RANGES})"
# Dead intents are found lane by lane: those that succeeded, which are many, are not looked at. What was counted before
# and is not there any more, because it was retried, is nothing now.
RECOUNT = f"""
WITH RECURSIVE lanes AS (
    (SELECT tenant, kind FROM tidings.outbox_finished WHERE status = 'dead' ORDER BY tenant, kind LIMIT 1)
    UNION ALL
    SELECT n.tenant, n.kind FROM lanes l, LATERAL (
        SELECT f.tenant, f.kind FROM tidings.outbox_finished f
        WHERE f.status = 'dead' AND (f.tenant, f.kind) > (l.tenant, l.kind) ORDER BY f.tenant, f.kind LIMIT 1) n
), found (minute, tenant, provider, facts, sent, skipped, failed, dead) AS (
    SELECT date_trunc('minute', occurred_at, 'UTC'), tenant, '{NOBODY}'::uuid, count(*), 0, 0, 0, 0
    FROM tidings.facts WHERE occurred_at >= $1 AND occurred_at < $2 GROUP BY 1, 2
    UNION ALL
    SELECT date_trunc('minute', finished_at, 'UTC'), tenant, provider, 0, count(*) FILTER (WHERE status = 'sent'),
        count(*) FILTER (WHERE status = 'skipped'), count(*) FILTER (WHERE status = 'failed'), 0
    FROM tidings.deliveries_finished WHERE finished_at >= $1 AND finished_at < $2 GROUP BY 1, 2, 3
    UNION ALL
    SELECT date_trunc('minute', d.finished_at, 'UTC'), l.tenant, '{NOBODY}', 0, 0, 0, 0, 1
    FROM (SELECT tenant, kind FROM lanes WHERE {TENANTS_OWN}) l CROSS JOIN LATERAL (
        SELECT f.finished_at FROM tidings.outbox_finished f WHERE f.tenant = l.tenant AND f.kind = l.kind
          AND f.status = 'dead' AND f.finished_at >= $1 AND f.finished_at < $2 OFFSET 0) d
    UNION ALL
    SELECT minute, tenant, provider, 0, 0, 0, 0, 0 FROM tidings.figures WHERE minute >= $1 AND minute < $2
)
INSERT INTO tidings.figures AS f (minute, tenant, provider, facts, sent, skipped, failed, dead)
SELECT minute, tenant, provider, sum(facts), sum(sent), sum(skipped), sum(failed), sum(dead)
FROM found GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
ON CONFLICT (minute, tenant, provider) DO UPDATE
SET facts = excluded.facts, sent = excluded.sent, skipped = excluded.skipped, failed = excluded.failed,
    dead = excluded.dead
WHERE (f.facts, f.sent, f.skipped, f.failed, f.dead)
    <> (excluded.facts, excluded.sent, excluded.skipped, excluded.failed, excluded.dead)
"""
_NOTE = "UPDATE tidings.counted SET until = coalesce($1, until), facts_to = $2"

_MINUTES = """
SELECT m AS at, coalesce(sum(f.facts), 0)::bigint AS facts, coalesce(sum(f.sent), 0)::bigint AS sent,
    coalesce(sum(f.skipped), 0)::bigint AS skipped, coalesce(sum(f.failed), 0)::bigint AS failed,
    coalesce(sum(f.dead), 0)::bigint AS dead
FROM generate_series(date_trunc('minute', now(), 'UTC') - ($2::integer - 1) * interval '1 minute', now(),
                     interval '1 minute') m
LEFT JOIN tidings.figures f ON f.tenant = $1 AND f.minute = m GROUP BY m ORDER BY m
"""


@dataclass(frozen=True)
class Minute:
    """What happened in the minute that began then; a minute in which nothing did is a row of zeros."""

    at: datetime
    facts: int
    sent: int
    skipped: int
    failed: int
    dead: int


async def recount(connection: Connection) -> tuple[datetime, bool]:
    """Counts the last two closed minutes and the present one, or on from where that was left off. The same again
    changes nothing.

    Returns the database's time, and whether there is more to do. The caller owns the transaction.
    """
    span = await connection.fetchrow(_SPAN)
    assert span is not None
    facts = await connection.fetchrow(_SUMMARISE, span["facts_to"])
    assert facts is not None
    if not facts["more"]:
        async with by_index(connection):
            await connection.execute(RECOUNT, span["since"], span["until"])
    await connection.execute(_NOTE, None if facts["more"] else span["until"], facts["reached"])
    return span["now"], facts["more"] or span["until"] < span["now"]


async def minutes_of(connection: Connection, tenant: str, amount: int) -> Sequence[Minute]:
    """The last so many minutes, the oldest first; the last one is not over yet."""
    return [Minute(**row) for row in await connection.fetch(_MINUTES, tenant, amount)]
