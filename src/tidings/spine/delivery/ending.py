"""Ending deliveries other than by sending them: one statement that ends them, records why, and counts them."""

from __future__ import annotations

_CARRIED = """id, tenant, channel, provider, notice_id, notification_id, person_id, address_id, address, due_at, run_at,
    expires_at, attempts, crashes, max_attempts, generation, created_at"""

# Tallies are locked in one order, after the deliveries: as the lease engine does it when it settles.
_TALLIED = """locked AS MATERIALIZED (
    SELECT t.notice_id FROM tidings.tallies t WHERE t.notice_id IN (SELECT notice_id FROM counts)
    ORDER BY t.notice_id FOR UPDATE
), counted AS (
    UPDATE tidings.tallies t SET {0} FROM counts c JOIN locked USING (notice_id) WHERE t.notice_id = c.notice_id
)"""


def ending(chosen: str) -> str:
    """Ends what `chosen` selects, and locks: `id`, `final` (its status), `outcome` and `reason` (for its history).
    Returns their ids."""
    changes = (
        "open = t.open - c.ended, sent = t.sent + c.sent, skipped = t.skipped + c.skipped, failed = t.failed + c.failed"
    )
    return f"""
WITH chosen AS MATERIALIZED ({chosen}
), gone AS (
    DELETE FROM tidings.deliveries d USING chosen c WHERE d.id = c.id RETURNING d.*, c.final, c.outcome, c.reason
), noted AS (
    INSERT INTO tidings.delivery_attempts (delivery_id, tenant, provider, outcome, reason)
    SELECT id, tenant, provider, outcome, reason FROM gone
), counts AS MATERIALIZED (
    SELECT notice_id, count(*) AS ended, count(*) FILTER (WHERE final = 'sent') AS sent,
        count(*) FILTER (WHERE final = 'skipped') AS skipped, count(*) FILTER (WHERE final = 'failed') AS failed
    FROM gone GROUP BY notice_id
), {_TALLIED.format(changes)}
INSERT INTO tidings.deliveries_finished ({_CARRIED}, status, last_error, updated_at)
SELECT {_CARRIED}, final, CASE final WHEN 'failed' THEN reason ELSE last_error END, now() FROM gone RETURNING id"""


def reviving(chosen: str, provider: str) -> str:
    """Lets finished deliveries that `chosen` selects, and locks, wait anew: with the same id, and with all their
    attempts and time. `provider` is SQL that says through which, of row `d`. Returns their ids."""
    return f"""
WITH chosen AS MATERIALIZED ({chosen}
), gone AS (
    DELETE FROM tidings.deliveries_finished d USING chosen c WHERE d.id = c.id AND d.status = 'failed' RETURNING d.*
), counts AS MATERIALIZED (
    SELECT notice_id, count(*) AS revived FROM gone GROUP BY notice_id
), {_TALLIED.format("open = t.open + c.revived, failed = t.failed - c.revived")}
INSERT INTO tidings.deliveries (id, tenant, channel, provider, notice_id, notification_id, person_id, address_id,
    address, due_at, run_at, expires_at, max_attempts, last_error, generation, created_at)
SELECT d.id, d.tenant, d.channel, {provider}, d.notice_id, d.notification_id, d.person_id, d.address_id, d.address,
    now(), now(), now() + (d.expires_at - d.due_at), d.max_attempts, d.last_error, d.generation + 1, d.created_at
FROM gone d RETURNING id"""
