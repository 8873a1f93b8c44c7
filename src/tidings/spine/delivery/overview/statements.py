"""The statements of `overview`: each bounded, and found by an index."""

from __future__ import annotations

from tidings.spine.channels.port import Channel
from tidings.spine.delivery.overview.standing import MOST_KINDS
from tidings.spine.notify.fanning import PREFERRED
from tidings.spine.outbox.intent_records import TENANTS_OWN

MOST_PROVIDERS = 200
MOST_FAILURES = 10
_CHANNELS = ", ".join(f"'{channel}'" for channel in Channel)

COUNTED = "SELECT nullif(until, '-infinity') FROM tidings.counted"

HEALTH = f"""
SELECT p.id, p.channel, p.type, p.name, p.built_in, p.enabled,
    CASE WHEN opened_at IS NULL THEN 'closed' WHEN open_until > now() THEN 'open' ELSE 'trying' END AS circuit,
    p.open_until, p.last_error, p.last_error_at, coalesce(h.sent, 0)::bigint AS sent,
    coalesce(h.failed, 0)::bigint AS failed
FROM tidings.providers p LEFT JOIN (
    SELECT f.provider, sum(f.sent) AS sent, sum(f.failed) AS failed
    FROM generate_series(date_trunc('minute', now(), 'UTC') - interval '59 minutes', now(), interval '1 minute') m
    JOIN tidings.figures f ON f.minute = m AND f.tenant = $1 GROUP BY f.provider
) h ON h.provider = p.id
WHERE p.tenant = $1 AND p.removed_at IS NULL ORDER BY p.channel, {PREFERRED} LIMIT {MOST_PROVIDERS}
"""

# The newest of each channel, and of each kind that has dead letters.
FAILURES = f"""
WITH RECURSIVE kinds AS (
    (SELECT kind, 1 AS n FROM tidings.outbox_finished WHERE tenant = $1 AND status = 'dead' ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT f.kind FROM tidings.outbox_finished f WHERE f.tenant = $1 AND f.status = 'dead' AND f.kind > k.kind
            ORDER BY f.kind LIMIT 1), n + 1
    FROM kinds k WHERE k.kind IS NOT NULL AND n < {MOST_KINDS}
), found AS (
    SELECT d.* FROM unnest(ARRAY[{_CHANNELS}]) c CROSS JOIN LATERAL (
        SELECT 'delivery' AS what, id, channel AS name, finished_at AS at, last_error AS why, notice_id,
            NULL::uuid AS fact_id
        FROM tidings.deliveries_finished WHERE tenant = $1 AND channel = c AND status = 'failed'
        ORDER BY finished_at DESC LIMIT {MOST_FAILURES}) d
    UNION ALL
    SELECT i.* FROM (SELECT kind FROM kinds WHERE {TENANTS_OWN}) k CROSS JOIN LATERAL (
        SELECT 'intent', id, kind, finished_at, last_error, NULL::uuid, fact_id
        FROM tidings.outbox_finished f WHERE f.tenant = $1 AND f.kind = k.kind AND f.status = 'dead'
        ORDER BY finished_at DESC LIMIT {MOST_FAILURES}) i
)
SELECT x.what, x.id, x.name, x.at, x.why, coalesce(x.fact_id, n.fact_id) AS fact_id, x.notice_id
FROM (SELECT * FROM found ORDER BY at DESC, id LIMIT {MOST_FAILURES}) x
LEFT JOIN tidings.notices n ON n.id = x.notice_id ORDER BY x.at DESC, x.id
"""

BEGUN = """
SELECT EXISTS (SELECT FROM tidings.facts WHERE tenant = $1) AS fact,
    EXISTS (SELECT FROM tidings.rules WHERE tenant = $1) AS rule,
    EXISTS (SELECT FROM tidings.people WHERE tenant = $1) AS person,
    EXISTS (SELECT FROM tidings.sandbox_messages WHERE tenant = $1) AS sandbox_message
"""
