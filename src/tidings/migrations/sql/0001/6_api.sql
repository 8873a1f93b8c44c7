-- What the HTTP API asks of the database: who is there, whether they may go on, and the fact they post.

GRANT SELECT ON tidings.alembic_version TO tidings_api, tidings_worker;

-- Who is behind a credential, in which tenant, and how many of so many requests at once their rate allows.
-- A key or a session is looked up; the claims of a verified token are taken as they are, except that a subject who
-- is a user of this installation must not be disabled, and has no more than the role they have here.
-- No row in `actor` means nobody; no `tenant` means that the one asked for is not there, or not theirs.
CREATE FUNCTION tidings.admit(
    key_hashes bytea[], session_hashes bytea[], subject text, subject_id uuid, claimed_tenant text, claimed_role text,
    wanted_tenant text, burst integer, period interval, requests integer,
    OUT actor text, OUT user_id uuid, OUT tenant text, OUT role text, OUT scopes text[],
    OUT granted integer, OUT remaining integer, OUT reset_after interval
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
#variable_conflict use_column
DECLARE
    bucket text;
    holder record;
    taken  record;
BEGIN
    IF key_hashes IS NOT NULL THEN
        SELECT k.id AS key_id, u.id, k.tenant, k.scopes, CASE WHEN u.operator THEN 'operator' ELSE m.role END AS role
        INTO holder
        FROM tidings.api_keys k
        JOIN tidings.users u ON u.id = k.user_id AND u.disabled_at IS NULL
        LEFT JOIN tidings.memberships m ON m.user_id = u.id AND m.tenant = k.tenant
        WHERE k.hash = ANY (key_hashes) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now());
        bucket := 'key:' || holder.key_id;
    ELSIF session_hashes IS NOT NULL THEN
        SELECT u.id, s.tenant, NULL::text[] AS scopes, CASE WHEN u.operator THEN 'operator' ELSE m.role END AS role
        INTO holder
        FROM tidings.sessions s
        JOIN tidings.users u ON u.id = s.user_id AND u.disabled_at IS NULL
        LEFT JOIN tidings.memberships m ON m.user_id = u.id AND m.tenant = s.tenant
        WHERE s.hash = ANY (session_hashes) AND s.expires_at > now();
    ELSE
        SELECT u.id, t.id AS tenant, NULL::text[] AS scopes,
            CASE WHEN u.id IS NULL OR u.operator THEN claimed_role
                 WHEN m.role = 'admin' AND claimed_role = 'member' THEN 'member'
                 ELSE m.role END AS role
        INTO holder
        FROM tidings.tenants t
        LEFT JOIN tidings.users u ON u.id = subject_id
        LEFT JOIN tidings.memberships m ON m.user_id = u.id AND m.tenant = t.id
        WHERE t.id = claimed_tenant AND u.disabled_at IS NULL;
    END IF;
    IF holder.role IS NULL THEN
        RETURN;
    END IF;
    user_id := holder.id;
    role := holder.role;
    scopes := holder.scopes;
    actor := CASE WHEN holder.id IS NULL THEN 'subject:' || subject ELSE 'user:' || holder.id END;
    tenant := holder.tenant;
    IF wanted_tenant <> holder.tenant THEN
        tenant := (SELECT t.id FROM tidings.tenants t
                   WHERE t.id = wanted_tenant AND holder.role = 'operator' AND key_hashes IS NULL);
    END IF;
    bucket := 'api:' || coalesce(bucket, actor || '@' || holder.tenant);
    granted := requests;
    LOOP
        taken := tidings.take(bucket, burst, period, granted);
        remaining := taken.remaining;
        reset_after := taken.reset_after;
        EXIT WHEN taken.allowed;
        granted := least(granted - 1, remaining);
        EXIT WHEN granted < 1;
    END LOOP;
    granted := greatest(granted, 0);
END $$;

-- For POST /v1/facts: the idempotency key and the fact in one statement, and the fact as it was recorded.
-- The body is the request's, its shape checked; `added` is what the server itself knows and nobody can say otherwise.
-- A key that was seen with the same request gives the same fact again; with another one, an error.
CREATE FUNCTION tidings.emit_once(
    tenant text, actor text, body jsonb, run_at timestamptz, added jsonb, idempotency_key text, fingerprint bytea,
    keep interval,
    OUT id uuid, OUT seq bigint, OUT stream_version bigint, OUT data text, OUT metadata text, OUT occurred_at timestamptz,
    OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
#variable_conflict use_column
DECLARE
    seen record;
BEGIN
    replayed := false;
    IF idempotency_key IS NOT NULL THEN
        INSERT INTO tidings.idempotency_keys AS k (tenant, actor, key, fingerprint, expires_at)
        VALUES (emit_once.tenant, emit_once.actor, idempotency_key, emit_once.fingerprint, now() + keep)
        ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
            SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, fact_id = NULL,
                status = NULL, reply = NULL
            WHERE k.expires_at < now();
        replayed := NOT FOUND;
    END IF;
    IF replayed THEN
        SELECT k.fingerprint, k.fact_id INTO seen FROM tidings.idempotency_keys k
        WHERE k.tenant = emit_once.tenant AND k.actor = emit_once.actor AND k.key = idempotency_key;
        IF seen.fingerprint IS DISTINCT FROM emit_once.fingerprint OR seen.fact_id IS NULL THEN
            PERFORM tidings.refuse('TD422|Idempotency-Key|was used for another request');
        END IF;
        id := seen.fact_id;
    ELSE
        id := tidings.record_one(
            NULL, body ->> 'type', coalesce(body -> 'data', '{}'), body #>> '{stream,type}', body #>> '{stream,id}',
            tenant, body ->> 'key', run_at,
            jsonb_build_object('correlation_id', added -> 'correlation_id')
                || coalesce(nullif(body -> 'metadata', 'null'), '{}') - 'depth' || (added - 'correlation_id'));
        IF idempotency_key IS NOT NULL THEN
            UPDATE tidings.idempotency_keys k SET fact_id = emit_once.id
            WHERE k.tenant = emit_once.tenant AND k.actor = emit_once.actor AND k.key = idempotency_key;
        END IF;
    END IF;
    SELECT f.seq, f.stream_version, f.data::text, f.metadata::text, f.occurred_at
    INTO seq, stream_version, data, metadata, occurred_at
    FROM tidings.facts f WHERE f.id = emit_once.id;
END $$;

-- Signing in. The password is checked by the API; these find and note what it needs, a row at a time.
CREATE FUNCTION tidings.sign_in_candidate(address text, wanted_tenant text)
RETURNS TABLE (user_id uuid, password_hash text, tenant text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT u.id, u.password_hash, t.id FROM tidings.users u
    JOIN tidings.tenants t ON u.operator
        OR EXISTS (SELECT FROM tidings.memberships m WHERE m.user_id = u.id AND m.tenant = t.id)
    WHERE u.email = address AND u.disabled_at IS NULL AND (wanted_tenant IS NULL OR t.id = wanted_tenant)
    ORDER BY (EXISTS (SELECT FROM tidings.memberships m WHERE m.user_id = u.id AND m.tenant = t.id)) DESC,
        t.id <> 'default', t.id
    LIMIT 1
$$;

CREATE FUNCTION tidings.open_session(session_hash bytea, user_id uuid, tenant text, lifetime interval)
RETURNS timestamptz LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
    INSERT INTO tidings.sessions (hash, user_id, tenant, expires_at)
    VALUES (session_hash, open_session.user_id, open_session.tenant, now() + lifetime)
    RETURNING expires_at
$$;

-- A link opens one session, however many ask at once.
CREATE FUNCTION tidings.redeem_link(link_hashes bytea[], session_hash bytea, lifetime interval)
RETURNS timestamptz LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
    WITH used AS (
        DELETE FROM tidings.sign_in_links WHERE hash = ANY (link_hashes) RETURNING user_id, tenant, expires_at
    )
    INSERT INTO tidings.sessions (hash, user_id, tenant, expires_at)
    SELECT session_hash, used.user_id, used.tenant, now() + lifetime FROM used
    JOIN tidings.users u ON u.id = used.user_id AND u.disabled_at IS NULL
    WHERE used.expires_at > now()
    RETURNING expires_at
$$;

CREATE FUNCTION tidings.close_session(session_hashes bytea[])
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
    DELETE FROM tidings.sessions WHERE hash = ANY (session_hashes)
$$;

CREATE FUNCTION tidings.profile(of_user uuid) RETURNS TABLE (email text, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT u.email, u.name FROM tidings.users u WHERE u.id = of_user
$$;

-- For /metrics: how much there is, over all tenants. Exact while the table is small; past `pages` blocks, an estimate
-- from a sample of that many. Kinds that no worker serves are one: their names are their tenants' own.
CREATE FUNCTION tidings.outbox_depth(pages integer DEFAULT 4000)
RETURNS TABLE (kind text, status text, amount bigint, oldest_due timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
#variable_conflict use_column
DECLARE
    blocks bigint := pg_relation_size('tidings.outbox') / current_setting('block_size')::integer;
    share  double precision := least(1, pages::double precision / greatest(blocks, 1));
BEGIN
    RETURN QUERY
    WITH served AS MATERIALIZED (
        SELECT DISTINCT unnest(w.kinds) AS kind FROM tidings.workers w WHERE w.seen_at > now() - interval '30 seconds'
    )
    SELECT coalesce(s.kind, 'other'), o.status, (count(*) / share)::bigint,
        min(o.run_at) FILTER (WHERE o.status IN ('pending', 'failed') AND o.run_at <= now())
    FROM tidings.outbox o TABLESAMPLE SYSTEM (share * 100) LEFT JOIN served s ON s.kind = o.kind
    GROUP BY 1, 2
    UNION ALL
    SELECT coalesce(s.kind, 'other'), 'dead', count(*), NULL
    FROM (SELECT d.kind FROM tidings.outbox_finished d WHERE d.status = 'dead' LIMIT pages * 25) d
    LEFT JOIN served s ON s.kind = d.kind GROUP BY 1;
END $$;

CREATE FUNCTION tidings.outbox_hands(OUT leases bigint, OUT leased bigint, OUT workers bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT count(*), coalesce(sum(cardinality(l.ids)), 0),
        (SELECT count(*) FROM tidings.workers w WHERE w.seen_at > now() - interval '30 seconds')
    FROM tidings.leases l WHERE l.expires_at > now()
$$;

REVOKE ALL ON FUNCTION tidings.admit, tidings.emit_once, tidings.sign_in_candidate, tidings.open_session,
    tidings.redeem_link, tidings.close_session, tidings.profile, tidings.outbox_depth, tidings.outbox_hands FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.admit, tidings.emit_once, tidings.sign_in_candidate, tidings.open_session,
    tidings.redeem_link, tidings.close_session, tidings.profile, tidings.outbox_depth, tidings.outbox_hands
    TO tidings_api, tidings_worker;
