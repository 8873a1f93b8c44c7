"""The statements of `gathering`. Each is for any number of facts, and finds them by an index."""

from __future__ import annotations

from tidings.spine.notify.kinds import FAN_OUT, LISTENER, PREPARE
from tidings.spine.notify.kinds import RULES as BY_RULES

SETTING = """
SELECT now() AS now, (SELECT suspended_at FROM tidings.tenants WHERE id = $1) AS suspended_at,
    ARRAY(SELECT DISTINCT unnest(kinds) FROM tidings.workers WHERE seen_at > now() - interval '30 seconds') AS served
"""

FACTS = "SELECT id, type, occurred_at FROM tidings.facts WHERE tenant = $1 AND id = ANY ($2::uuid[])"

# Open intents have no index by fact. An intent is made in its fact's transaction, and so at the same time to the digit.
_INTENT = "o.kind, o.status, o.run_at, o.attempts, o.last_error"
_TELLS = f"(o.kind IN ('{BY_RULES}', '{PREPARE}') OR starts_with(o.kind, '{LISTENER}'))"
PREPARING = f"""
SELECT o.fact_id, {_INTENT}, NULL::timestamptz AS finished_at
FROM tidings.facts f JOIN tidings.outbox o ON o.tenant = f.tenant AND o.created_at = f.occurred_at AND o.fact_id = f.id
WHERE f.tenant = $1 AND f.id = ANY ($2::uuid[]) AND {_TELLS}
UNION ALL
SELECT o.fact_id, {_INTENT}, o.finished_at FROM tidings.outbox_finished o
WHERE o.tenant = $1 AND o.fact_id = ANY ($2::uuid[]) AND o.fact_id <> o.id AND {_TELLS} ORDER BY 2
"""

# In the same way: a notice and the intent that sends it out are of one transaction.
FANNING = f"""
SELECT n.id AS notice_id, o.* FROM tidings.notices n CROSS JOIN LATERAL (
    SELECT {_INTENT}, NULL::timestamptz AS finished_at FROM tidings.outbox o
    WHERE o.tenant = n.tenant AND o.kind = '{FAN_OUT}' AND o.key = n.id::text
    UNION ALL
    SELECT {_INTENT}, o.finished_at FROM tidings.outbox_finished o
    WHERE o.tenant = n.tenant AND o.created_at = n.created_at AND o.kind = '{FAN_OUT}' AND o.key = n.id::text
) o WHERE n.tenant = $1 AND n.id = ANY ($2::uuid[])
"""

HEARD = """
SELECT p.fact_id, p.listener, p.told, p.verdict, p.processed_at AS at, p.rule_version, r.version AS version_now,
    CASE WHEN i.id IS NOT NULL THEN coalesce(v.name, r.name, i.id::text) END AS rule
FROM tidings.processed_by p
CROSS JOIN LATERAL (
    SELECT CASE WHEN p.listener ~ '^rule:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
           THEN substr(p.listener, 6)::uuid END AS id) i
LEFT JOIN tidings.rules r ON r.id = i.id
LEFT JOIN tidings.rule_versions v ON v.rule_id = i.id AND v.version = p.rule_version
WHERE p.tenant = $1 AND p.fact_id = ANY ($2::uuid[]) ORDER BY p.processed_at, p.listener LIMIT 1000
"""

# `held_then`: whether the version that was there at the time was switched on, and for such facts.
RULES = """
SELECT f.id AS fact_id, r.id, r.name, r.version, r.enabled, r.fact_type, r.created_at, r.updated_at,
    coalesce(r.body ->> 'category', 'general') AS category,
    v.enabled AND (v.fact_type = f.type
        OR v.fact_type LIKE '%*' AND starts_with(f.type, rtrim(v.fact_type, '*'))) AS held_then
FROM tidings.facts f JOIN tidings.rules r ON r.tenant = f.tenant AND (r.fact_type = f.type
    OR r.fact_type LIKE '%*' AND starts_with(f.type, rtrim(r.fact_type, '*')))
LEFT JOIN LATERAL (
    SELECT x.enabled, x.fact_type FROM tidings.rule_versions x
    WHERE x.rule_id = r.id AND x.created_at <= f.occurred_at ORDER BY x.version DESC LIMIT 1) v ON true
WHERE f.tenant = $1 AND f.id = ANY ($2::uuid[]) ORDER BY r.name LIMIT 1000
"""

# Who comes right after the id before the person's own is the person, if they are in the audience at all.
NOTICES = """
SELECT n.id, n.fact_id, n.listener, n.category, n.channels, n.audience::text AS audience, n.created_at, n.run_at,
    n.closed_at, n.closed_reason, coalesce(t.complete, false) AS complete, n.topic, m.id AS notification_id,
    m.missing, m.routed, m.targets,
    m.id IS NOT NULL OR EXISTS (
        SELECT FROM tidings.audience_of(n.tenant, n.audience, $4, 1) AS next(person) WHERE next.person = $3
    ) AS belongs_now
FROM tidings.notices n LEFT JOIN tidings.tallies t ON t.notice_id = n.id
LEFT JOIN tidings.notifications m ON m.notice_id = n.id AND m.person_id = $3
WHERE n.tenant = $1 AND (n.fact_id = ANY ($2::uuid[]) OR n.id = ANY ($5::uuid[])) ORDER BY n.created_at, n.id LIMIT 500
"""
