"""The statements of `forecast`: an index range for each kind and each provider, and no more of it than is counted."""

from __future__ import annotations

from tidings.spine.delivery.table import SHOWN_STATUS
from tidings.spine.notify.kinds import FAN_OUT
from tidings.spine.outbox.intent_records import HOUSEKEEPING

MOST_COUNTED = 10_000
MOST_KINDS = 200
MOST_PEOPLE = 1_000

SETTING = """
SELECT now() AS now, now() + $2::interval AS until,
    (SELECT count(*) FROM (SELECT FROM tidings.deliveries WHERE tenant = $1 AND status = 'held' LIMIT 10000) h) AS held,
    ARRAY(SELECT DISTINCT unnest(kinds) FROM tidings.workers WHERE seen_at > now() - interval '30 seconds') AS served
"""

# From kind to kind by the index: a tenant has few kinds and may have very many intents.
_KINDS = f"""
WITH RECURSIVE kinds AS (
    (SELECT kind, 1 AS n FROM tidings.outbox WHERE tenant = $1 ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT o.kind FROM tidings.outbox o WHERE o.tenant = $1 AND o.kind > k.kind ORDER BY o.kind LIMIT 1), n + 1
    FROM kinds k WHERE k.kind IS NOT NULL AND n < {MOST_KINDS}
), lanes AS MATERIALIZED (
    SELECT p.id, p.channel, CASE WHEN p.opened_at IS NOT NULL THEN p.open_until END AS open_until
    FROM tidings.providers p WHERE p.tenant = $1 AND p.enabled
)"""

# A delivery behind an open circuit goes when that closes, whatever its own time. Counted by the quarter of an hour:
# every clock in the world strikes the hour on one.
EXPECTED = f"""
{_KINDS}, due AS (
    SELECT 'intent' AS what, k.kind AS name, k.kind AS lane, o.at FROM kinds k CROSS JOIN LATERAL (
        SELECT greatest(o.run_at, now()) AS at FROM tidings.outbox o
        WHERE o.tenant = $1 AND o.kind = k.kind AND o.run_at < $2 AND o.status <> 'processing'
        ORDER BY o.run_at LIMIT {MOST_COUNTED}) o
    WHERE k.kind NOT LIKE '{HOUSEKEEPING}%'
    UNION ALL
    SELECT 'delivery', l.channel, l.id::text, d.at FROM lanes l CROSS JOIN LATERAL (
        SELECT greatest(d.run_at, now(), l.open_until) AS at FROM tidings.deliveries d
        WHERE d.provider = l.id AND d.channel = l.channel AND d.run_at < $2
          AND d.status IN ('pending', 'failed', 'enqueued')
        ORDER BY d.run_at LIMIT {MOST_COUNTED}) d
), lanes_capped AS (
    SELECT EXISTS (SELECT FROM due GROUP BY what, lane HAVING count(*) >= {MOST_COUNTED}) AS capped
)
SELECT date_bin('15 minutes', at, 'epoch') AS at, what, name, count(*) AS count, c.capped
FROM due, lanes_capped c GROUP BY 1, 2, 3, 5 ORDER BY 1, 2, 3
"""

# The first term is for the index: it says where to begin.
_AFTER = """run_at >= greatest(($3::text[])[1]::timestamptz, $5::timestamptz, '-infinity')
              AND ($3::text[] IS NULL OR (run_at, id) > (($3::text[])[1]::timestamptz, ($3::text[])[2]::uuid))"""
COMING = f"""
{_KINDS}, next AS MATERIALIZED (
    SELECT * FROM (
        SELECT o.* FROM kinds k CROSS JOIN LATERAL (
            SELECT id, 'intent' AS what, kind AS name, status, run_at AS at, fact_id,
                CASE WHEN kind = '{FAN_OUT}' THEN key::uuid END AS notice_id, NULL::uuid AS person_id
            FROM tidings.outbox WHERE tenant = $1 AND kind = k.kind AND run_at < $2 AND status <> 'processing'
              AND {_AFTER} ORDER BY run_at, id LIMIT $4) o
        WHERE k.kind NOT LIKE '{HOUSEKEEPING}%'
        UNION ALL
        SELECT d.* FROM lanes l CROSS JOIN LATERAL (
            SELECT id, 'delivery', channel, {SHOWN_STATUS}, run_at, NULL::uuid, notice_id, person_id
            FROM tidings.deliveries
            WHERE provider = l.id AND channel = l.channel AND run_at < $2
              AND status IN ('pending', 'failed', 'enqueued')
              AND {_AFTER} ORDER BY run_at, id LIMIT $4) d
    ) found ORDER BY at, id LIMIT $4
)
SELECT x.*, f.type AS fact_type, n.title, p.name AS person_name, p.timezone,
    CASE WHEN x.name = '{FAN_OUT}' AND n.id IS NOT NULL THEN (
    SELECT count(*) FROM tidings.audience_of(n.tenant, n.audience, n.reached, {MOST_PEOPLE} + 1)) END AS people
FROM next x LEFT JOIN tidings.facts f ON f.id = x.fact_id LEFT JOIN tidings.notices n ON n.id = x.notice_id
LEFT JOIN tidings.people p ON p.id = x.person_id
ORDER BY x.at, x.id
"""
