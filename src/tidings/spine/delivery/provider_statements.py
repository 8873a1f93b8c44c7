"""The statements of `providers`. Each takes the tenant first; what was removed is not there any more."""

from __future__ import annotations

from tidings.spine.notify.fanning import PREFERRED

# Of a type that only refuses or keeps what it is given, nothing should ever become of what another could not send.
HEALTHY = """p.enabled AND p.removed_at IS NULL AND p.opened_at IS NULL AND p.type NOT IN ('none', 'sandbox')"""

LIST = f"""
SELECT id, channel, type, name, built_in, enabled, priority, shown::text AS shown, version, concurrency, rate,
    rate_period, on_unknown, max_attempts, expires_after,
    CASE WHEN opened_at IS NULL THEN 'closed' WHEN open_until > now() THEN 'open' ELSE 'trying' END AS circuit,
    open_until, failures, last_error, last_error_at, created_at, updated_at
FROM tidings.providers p
WHERE tenant = $1 AND removed_at IS NULL AND ($2::text IS NULL OR channel = $2) AND ($3::uuid IS NULL OR id = $3)
ORDER BY channel, {PREFERRED}
"""

PROVIDE = """
INSERT INTO tidings.providers (tenant, channel, type, name, built_in, priority)
SELECT $1, $2, $3, $3, true, 1000
WHERE NOT EXISTS (SELECT FROM tidings.providers WHERE tenant = $1 AND channel = $2 AND removed_at IS NULL)
ON CONFLICT (tenant, channel, name) WHERE removed_at IS NULL DO NOTHING
"""

CREATE = """
INSERT INTO tidings.providers (tenant, channel, type, name, config, shown{0})
VALUES ($1, $2, $3, $4, $5, $6::text::jsonb{1}) RETURNING id
"""

CHANGE = """
UPDATE tidings.providers SET version = version + 1, updated_at = now(){0}
WHERE tenant = $1 AND id = $2 AND removed_at IS NULL RETURNING id
"""

CLOSE = """
UPDATE tidings.providers SET failures = 0, openings = 0, opened_at = NULL, open_until = NULL, updated_at = now()
WHERE tenant = $1 AND id = $2 AND removed_at IS NULL RETURNING id
"""

WAITS_IN_VAIN = f"""
SELECT EXISTS (SELECT FROM tidings.deliveries d WHERE d.tenant = $1 AND d.provider = $2 AND d.status <> 'held')
   AND NOT EXISTS (SELECT FROM tidings.providers p JOIN tidings.providers s USING (tenant, channel)
                   WHERE s.tenant = $1 AND s.id = $2 AND p.id <> s.id AND {HEALTHY})
"""

REMOVE = """
UPDATE tidings.providers SET removed_at = now(), enabled = false, config = NULL, shown = '{}', version = version + 1,
    updated_at = now()
WHERE tenant = $1 AND id = $2 AND removed_at IS NULL
"""
