"""The statements of `administration`. Each takes the tenant first, and leaves the installation's housekeeping alone."""

from __future__ import annotations

from tidings.spine.outbox.intent_records import TENANTS_OWN

_CARRIED = """id, tenant, kind, key, fact_id, stream, stream_version, payload, due_at, run_at, attempts, crashes,
    max_attempts, last_error, generation, created_at"""
_SHOWN = """id, tenant, kind, key, fact_id, stream, stream_version, payload::text AS payload, due_at, run_at, status,
    attempts, crashes, max_attempts, last_error, generation, created_at, updated_at"""
BOTH = f"""
    (SELECT {_SHOWN}, NULL::timestamptz AS finished_at FROM tidings.outbox
     WHERE {{0}} ORDER BY created_at DESC, id DESC LIMIT {{1}})
    UNION ALL
    (SELECT {_SHOWN}, finished_at FROM tidings.outbox_finished
     WHERE {{0}} ORDER BY created_at DESC, id DESC LIMIT {{1}})"""

REVIVE = f"""
WITH dead AS MATERIALIZED (
    SELECT f.id, f.kind, f.key, f.fact_id FROM tidings.outbox_finished f
    WHERE f.tenant = $1 AND f.status = ANY ($2) AND ($3::uuid IS NULL OR f.id = $3) AND {TENANTS_OWN}
      AND ($4::text IS NULL OR f.kind = $4) AND ($5::text IS NULL OR position($5 IN f.last_error) > 0)
      AND ($6::timestamptz IS NULL OR f.finished_at >= $6) AND ($7::timestamptz IS NULL OR f.finished_at < $7)
    ORDER BY f.kind, f.key, f.id LIMIT $8 FOR UPDATE
), claimed AS (
    INSERT INTO tidings.outbox_keys AS k (tenant, kind, key, intent_id)
    SELECT DISTINCT ON (kind, key) $1, kind, key, id FROM dead WHERE key IS NOT NULL AND fact_id IS NULL
    ORDER BY kind, key, id DESC
    ON CONFLICT (tenant, kind, key) DO UPDATE SET intent_id = excluded.intent_id, expires_at = NULL
        WHERE k.expires_at IS NOT NULL
    RETURNING intent_id
), gone AS (
    DELETE FROM tidings.outbox_finished f USING dead d
    WHERE f.tenant = $1 AND f.id = d.id
      AND (d.key IS NULL OR d.fact_id IS NOT NULL OR d.id IN (SELECT intent_id FROM claimed))
    RETURNING f.*
)
INSERT INTO tidings.outbox (id, tenant, kind, key, fact_id, stream, stream_version, payload, due_at, run_at,
    max_attempts, last_error, generation, created_at)
SELECT id, tenant, kind, key, fact_id, stream, stream_version, payload, due_at, now(), max_attempts, last_error,
    generation + 1, created_at
FROM gone RETURNING id
"""


def cancelling(which: str, said: str = "last_error") -> str:
    """Ends the intents that `which`, as SQL, is true of, as cancelled, with `said` as their last error. Frees their
    keys. As CTEs and a statement."""
    return f"""gone AS (
    DELETE FROM tidings.outbox WHERE {which} RETURNING *
), freed AS (
    DELETE FROM tidings.outbox_keys k USING gone
    WHERE k.tenant = gone.tenant AND k.kind = gone.kind AND k.key = gone.key AND k.intent_id = gone.id
)
INSERT INTO tidings.outbox_finished ({_CARRIED}, status, updated_at)
SELECT {_CARRIED.replace("last_error", said)}, 'cancelled', now() FROM gone RETURNING id"""


CANCEL = f"WITH {cancelling(f'tenant = $1 AND id = $2 AND {TENANTS_OWN}')}"

HURRY = f"""
UPDATE tidings.outbox SET status = 'pending', run_at = now(), updated_at = now()
WHERE tenant = $1 AND id = $2 AND status IN ('pending', 'failed', 'enqueued') AND {TENANTS_OWN} RETURNING id
"""

MOVE = f"""
UPDATE tidings.outbox SET due_at = $3, run_at = $3, generation = generation + 1,
    status = CASE WHEN status IN ('failed', 'enqueued') THEN 'pending' ELSE status END, updated_at = now()
WHERE tenant = $1 AND id = $2 AND {TENANTS_OWN} RETURNING id
"""

DISMISS = f"""
WITH dismissed AS (
    UPDATE tidings.outbox_finished SET status = 'cancelled', updated_at = now()
    WHERE tenant = $1 AND id = $2 AND status = 'dead' AND {TENANTS_OWN} RETURNING *
), freed AS (
    DELETE FROM tidings.outbox_keys k USING dismissed d
    WHERE k.tenant = d.tenant AND k.kind = d.kind AND k.key = d.key AND k.intent_id = d.id
)
SELECT id FROM dismissed
"""
