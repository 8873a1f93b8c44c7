"""Housekeeping of deliveries: what was not sent in time has failed, and what is old is removed."""

from __future__ import annotations

from datetime import datetime, timedelta

from tidings.kit.db import Connection, affected
from tidings.kit.ids import first_id_at
from tidings.spine.delivery.ending import ending
from tidings.spine.delivery.provider_statements import HEALTHY

CHUNK = 5_000
_OLD_CHUNK = 10_000

# What can be leased is judged when it is leased. The rest nobody would look at again: what waits for a provider that
# stands still, and what waits for a person. What waits for one with a limit would be judged within that limit, and what
# still has time would wait behind it until it has none. A suspended tenant's deliveries wait until it is resumed.
_EXPIRE = ending("""
    SELECT d.id, CASE WHEN n.closed_at IS NULL THEN 'failed' ELSE 'skipped' END AS final,
        CASE WHEN n.closed_at IS NULL THEN 'expired' ELSE 'skipped' END AS outcome,
        CASE WHEN n.closed_at IS NOT NULL THEN 'the notice was closed: ' || coalesce(n.closed_reason, 'it is closed')
             ELSE 'not sent within ' || justify_hours(d.expires_at - d.due_at)
                 || coalesce('; the last attempt: ' || d.last_error, '') END AS reason
    FROM (
        SELECT o.id FROM tidings.deliveries o WHERE o.status = 'held' AND o.expires_at < now()
        UNION ALL
        SELECT o.id FROM tidings.deliveries o
        WHERE o.provider = ANY (ARRAY(SELECT p.id FROM tidings.providers p
                                      WHERE NOT p.enabled OR p.removed_at IS NOT NULL OR p.opened_at IS NOT NULL
                                         OR p.rate IS NOT NULL OR p.concurrency IS NOT NULL))
          AND o.status IN ('pending', 'failed', 'enqueued') AND o.expires_at < now()
    ) late JOIN tidings.deliveries d USING (id) JOIN tidings.tenants t ON t.id = d.tenant
    JOIN tidings.notices n ON n.id = d.notice_id
    WHERE t.suspended_at IS NULL AND d.status IN ('pending', 'failed', 'enqueued', 'held') AND d.expires_at < now()
    LIMIT $1 FOR UPDATE OF d SKIP LOCKED""")

# A delivery and its history go together: what still waits, or was tried again, keeps all of it.
_DELIVERIES = """
WITH gone AS (
    DELETE FROM tidings.deliveries_finished WHERE id = ANY (ARRAY(
        SELECT d.id FROM tidings.deliveries_finished d WHERE d.finished_at < now() - $1::interval
        ORDER BY d.finished_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING id
), forgotten AS (
    DELETE FROM tidings.delivery_attempts WHERE delivery_id = ANY (ARRAY(SELECT id FROM gone))
)
SELECT count(*) FROM gone
"""
# Ids begin with the time at which they were made. What has a delivery, open or finished, is still of use.
_NOTIFICATIONS = """
DELETE FROM tidings.notifications WHERE id = ANY (ARRAY(
    SELECT n.id FROM tidings.notifications n WHERE n.id < $1
      AND NOT EXISTS (SELECT FROM tidings.deliveries d WHERE d.notification_id = n.id)
      AND NOT EXISTS (SELECT FROM tidings.deliveries_finished d WHERE d.notification_id = n.id)
    ORDER BY n.id LIMIT $2 FOR UPDATE SKIP LOCKED))
"""
_NOTICES = """
WITH gone AS (
    DELETE FROM tidings.notices WHERE id = ANY (ARRAY(
        SELECT n.id FROM tidings.notices n JOIN tidings.tallies t ON t.notice_id = n.id
        WHERE n.id < $1 AND t.settled_at < $3 AND t.open = 0
          AND NOT EXISTS (SELECT FROM tidings.notifications m WHERE m.notice_id = n.id)
        ORDER BY n.id LIMIT $2 FOR UPDATE OF n SKIP LOCKED))
    RETURNING id
)
DELETE FROM tidings.tallies t USING gone WHERE t.notice_id = gone.id
"""
# Each provider once, however many deliveries wait for it.
_STANDING_STILL = f"""
WITH RECURSIVE waited_for AS (
    (SELECT provider FROM tidings.deliveries ORDER BY provider LIMIT 1)
    UNION ALL
    SELECT n.provider FROM waited_for w, LATERAL (
        SELECT d.provider FROM tidings.deliveries d WHERE d.provider > w.provider ORDER BY d.provider LIMIT 1) n
)
SELECT count(tidings.schedule_as('notify', ARRAY['notice.fail_over'], ARRAY[jsonb_build_object('provider', s.id)],
                                 ARRAY[s.id::text], ARRAY[now()], s.tenant, NULL))
FROM waited_for w JOIN tidings.providers s ON s.id = w.provider
WHERE (NOT s.enabled OR s.removed_at IS NOT NULL OR s.opened_at IS NOT NULL)
  AND (s.removed_at IS NOT NULL OR EXISTS (
      SELECT FROM tidings.providers p WHERE p.tenant = s.tenant AND p.channel = s.channel AND p.id <> s.id
      AND {HEALTHY}))
  AND EXISTS (SELECT FROM tidings.deliveries d
      WHERE d.provider = s.id AND d.status IN ('pending', 'failed', 'enqueued'))
"""


async def expire_deliveries(connection: Connection) -> bool:
    """A chunk of what was not sent in time. Returns whether there may be more."""
    return len(await connection.fetch(_EXPIRE, CHUNK)) == CHUNK


async def remove_old_deliveries(connection: Connection, retention: timedelta) -> bool:
    """A chunk of what ended so long ago. Returns whether there may be more."""
    return bool(await connection.fetchval(_DELIVERIES, retention, _OLD_CHUNK) == _OLD_CHUNK)


async def remove_old_notices(connection: Connection, retention: timedelta) -> bool:
    """A chunk of notifications and of notices that nothing is left of. Returns whether there may be more."""
    before: datetime = await connection.fetchval("SELECT now() - $1::interval", retention)
    first = first_id_at(before)
    removed = affected(await connection.execute(_NOTIFICATIONS, first, _OLD_CHUNK))
    notices = affected(await connection.execute(_NOTICES, first, _OLD_CHUNK, before))
    return max(removed, notices) == _OLD_CHUNK


async def fail_over_what_stands_still(connection: Connection) -> int:
    """Sees to it that what waits for a provider that stands still goes to another where there is one, also what was
    meant for it a moment too late to be seen when it stopped. Returns how many providers."""
    count: int = await connection.fetchval(_STANDING_STILL)
    return count
