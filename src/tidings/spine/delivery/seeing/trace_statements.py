"""The statements of `trace`: each bounded, and found by an index."""

from __future__ import annotations

from tidings.spine.delivery.table import SHOWN_STATUS
from tidings.spine.notify.kinds import FAN_OUT

MOST_NOTICES = 100
MOST_PEOPLE = 100
MOST_COUNTED = 5_000
MOST_FACTS = 200

_INTENT = """o.id, o.kind, o.status, o.attempts, o.last_error, o.due_at, o.run_at, o.created_at"""

# Open intents have no index by fact: they are found by their time, which is that of their fact's transaction.
INTENTS = f"""
SELECT {_INTENT}, NULL::timestamptz AS finished_at FROM tidings.outbox o
WHERE o.tenant = $1 AND o.created_at = $3 AND o.fact_id = $2
UNION ALL
SELECT {_INTENT}, o.finished_at FROM tidings.outbox_finished o
WHERE o.tenant = $1 AND o.fact_id = $2 AND o.fact_id <> o.id
UNION ALL
SELECT {_INTENT}, o.finished_at FROM tidings.outbox_finished o WHERE o.tenant = $1 AND o.id = $2
ORDER BY created_at, id
"""

FAN_OUTS = f"""
SELECT o.*, n.id AS notice_id FROM tidings.notices n CROSS JOIN LATERAL (
    SELECT {_INTENT}, NULL::timestamptz AS finished_at FROM tidings.outbox o
    WHERE o.tenant = n.tenant AND o.kind = '{FAN_OUT}' AND o.key = n.id::text
    UNION ALL
    SELECT {_INTENT}, o.finished_at FROM tidings.outbox_finished o
    WHERE o.tenant = n.tenant AND o.created_at = n.created_at AND o.kind = '{FAN_OUT}' AND o.key = n.id::text
) o WHERE n.tenant = $1 AND n.id = ANY ($2::uuid[])
"""

NOTICES = f"""
SELECT n.id, n.listener, n.number, n.title, n.category, n.level, n.channels, n.run_at, n.created_at, n.closed_at,
    n.closed_reason, coalesce(t.complete, false) AS complete, coalesce(t.people, 0) AS people,
    coalesce(t.no_target, 0) AS no_target, coalesce(t.open, 0) AS open, coalesce(t.sent, 0) AS sent,
    coalesce(t.skipped, 0) AS skipped, coalesce(t.failed, 0) AS failed, t.settled_at
FROM tidings.notices n LEFT JOIN tidings.tallies t ON t.notice_id = n.id
WHERE n.tenant = $1 AND n.fact_id = $2 ORDER BY n.listener, n.number LIMIT {MOST_NOTICES}
"""

NOTIFICATIONS = """
SELECT m.id, m.notice_id, m.person_id, p.name AS person_name, m.missing, m.targets, m.routed, m.read_at, m.created_at
FROM unnest($2::uuid[]) WITH ORDINALITY AS n(id, nth) CROSS JOIN LATERAL (
    SELECT * FROM tidings.notifications x WHERE x.tenant = $1 AND x.notice_id = n.id ORDER BY x.person_id LIMIT $3) m
LEFT JOIN tidings.people p ON p.id = m.person_id ORDER BY n.nth, m.person_id
"""

# Deliveries are found by their notification: of a broadcast, those of the first people stand for all.
COUNTS = f"""
WITH first AS MATERIALIZED (
    SELECT m.id, m.notice_id FROM tidings.notifications m
    WHERE m.tenant = $1 AND m.notice_id = ANY ($2::uuid[]) LIMIT {MOST_COUNTED}
)
SELECT f.notice_id, d.channel, d.status, d.open, count(*) AS count FROM first f CROSS JOIN LATERAL (
    SELECT channel, {SHOWN_STATUS} AS status, true AS open FROM tidings.deliveries d WHERE d.notification_id = f.id
    UNION ALL
    SELECT channel, status, false FROM tidings.deliveries_finished d WHERE d.notification_id = f.id
) d GROUP BY f.notice_id, d.channel, d.status, d.open ORDER BY f.notice_id, d.channel, d.status, d.open
"""

# There is no index by cause: every fact would pay for it. What says something of a notice is of the notice's stream;
# other facts are looked for among those that were recorded next.
CAUSED = f"""
SELECT f.id, f.type, f.occurred_at, n.id AS notice_id FROM unnest($2::uuid[]) AS n(id)
JOIN tidings.facts f ON f.tenant = $1 AND f.stream_type = 'notice' AND f.stream_id = n.id::text
UNION ALL
SELECT f.id, f.type, f.occurred_at, NULL FROM (
    SELECT * FROM tidings.facts WHERE tenant = $1 AND seq > $3 ORDER BY seq LIMIT {MOST_COUNTED}) f
WHERE f.metadata ->> 'causation_id' = $4 AND f.stream_type IS DISTINCT FROM 'notice'
ORDER BY occurred_at, id LIMIT {MOST_FACTS}
"""
