-- Tenants, people of the API, keys and sessions.

CREATE TABLE tidings.tenants (
    id           text PRIMARY KEY,
    name         text NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    suspended_at timestamptz,
    CONSTRAINT tenant_id_is_a_slug CHECK (id ~ '^[a-z0-9][a-z0-9_-]{0,62}$')
);

-- What an installation allows. Written by `tidings migrate` from the settings, read by `tidings.emit`.
CREATE TABLE tidings.limits (
    singleton boolean PRIMARY KEY DEFAULT true,
    max_bytes integer NOT NULL DEFAULT 262144,
    max_depth integer NOT NULL DEFAULT 64,
    CONSTRAINT limits_have_one_row CHECK (singleton)
);
INSERT INTO tidings.limits DEFAULT VALUES;

CREATE TABLE tidings.users (
    id            uuid PRIMARY KEY,
    email         text NOT NULL UNIQUE,
    name          text NOT NULL,
    password_hash text,
    operator      boolean NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL DEFAULT now(),
    disabled_at   timestamptz,
    CONSTRAINT email_is_lower_case CHECK (email = lower(email))
);

CREATE TABLE tidings.memberships (
    tenant  text NOT NULL REFERENCES tidings.tenants,
    user_id uuid NOT NULL REFERENCES tidings.users ON DELETE CASCADE,
    role    text NOT NULL,
    PRIMARY KEY (tenant, user_id),
    CONSTRAINT membership_role_is_known CHECK (role IN ('member', 'admin'))
);
CREATE INDEX memberships_of_user ON tidings.memberships (user_id);

CREATE TABLE tidings.api_keys (
    id         uuid PRIMARY KEY,
    tenant     text NOT NULL REFERENCES tidings.tenants,
    user_id    uuid NOT NULL REFERENCES tidings.users ON DELETE CASCADE,
    name       text NOT NULL,
    hash       bytea NOT NULL UNIQUE,
    scopes     text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX api_keys_of_tenant ON tidings.api_keys (tenant, created_at);

CREATE TABLE tidings.sessions (
    hash       bytea PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES tidings.users ON DELETE CASCADE,
    tenant     text NOT NULL REFERENCES tidings.tenants,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_expiry ON tidings.sessions (expires_at);

CREATE TABLE tidings.sign_in_links (
    hash       bytea PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES tidings.users ON DELETE CASCADE,
    tenant     text NOT NULL REFERENCES tidings.tenants,
    expires_at timestamptz NOT NULL
);

-- The reply to a request that carried an Idempotency-Key. Of a posted fact only the id is kept:
-- facts do not change, so the reply can be told again from the journal.
CREATE TABLE tidings.idempotency_keys (
    tenant      text NOT NULL,
    actor       text NOT NULL,
    key         text NOT NULL,
    fingerprint bytea NOT NULL,
    fact_id     uuid,
    status      smallint,
    reply       bytea,
    expires_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant, actor, key)
);
CREATE INDEX idempotency_keys_by_expiry ON tidings.idempotency_keys (expires_at);

-- One limiter for every process (GCRA): a bucket is a single time, the moment at which it is empty again.
CREATE UNLOGGED TABLE tidings.rate_limits (
    bucket   text PRIMARY KEY,
    empty_at timestamptz NOT NULL
);

CREATE FUNCTION tidings.take(
    bucket text, burst integer, period interval, cost integer DEFAULT 1,
    OUT allowed boolean, OUT remaining integer, OUT reset_after interval
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moment   timestamptz;
    each     interval := period / burst;
    level    timestamptz;
BEGIN
    -- The clock is read behind the lock on the bucket: an earlier reading would refuse what others left.
    INSERT INTO tidings.rate_limits AS r (bucket, empty_at)
    SELECT take.bucket, clock_timestamp() + each * cost WHERE cost <= burst
    ON CONFLICT ON CONSTRAINT rate_limits_pkey DO UPDATE
        SET empty_at = greatest(r.empty_at, clock_timestamp()) + each * cost
        WHERE greatest(r.empty_at, clock_timestamp()) + each * cost <= clock_timestamp() + period
    RETURNING empty_at INTO level;
    allowed := FOUND;
    moment := clock_timestamp();
    IF NOT allowed THEN
        SELECT r.empty_at INTO level FROM tidings.rate_limits r WHERE r.bucket = take.bucket;
        level := coalesce(level, moment);
    END IF;
    remaining := greatest(0, floor(extract(epoch FROM moment + period - level) / extract(epoch FROM each)))::integer;
    reset_after := CASE WHEN allowed THEN level - moment ELSE level + each * cost - period - moment END;
END $$;
