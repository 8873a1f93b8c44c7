-- What the HTTP API asks of the database: who is there, whether they may go on, and the fact they post.

GRANT SELECT ON tidings.alembic_version TO tidings_api, tidings_worker;

-- Who is behind each credential, in which tenant, and how many of so many requests at once their rate allows.
-- Keys and sessions are looked up by their hash, under the master key or the one before it; the claims of a verified
-- token are taken as they are, except that a subject who is a user of this installation must not be disabled, and has
-- no more than the role they have here. Nobody has no row; a row without `tenant` may not act in the one asked for.
-- Buckets are taken from in one order everywhere, so that two processes cannot deadlock.
CREATE FUNCTION tidings.admit(
    key_hashes bytea[], session_hashes bytea[], former_hashes bytea[], subjects text[], subject_ids uuid[],
    claimed_tenants text[], claimed_roles text[], wanted_tenants text[], requests integer[],
    burst integer, period interval
) RETURNS TABLE (
    n bigint, actor text, user_id uuid, tenant text, role text, scopes text[], granted integer, remaining integer,
    reset_after interval
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    holder record;
    taken  record;
BEGIN
    FOR holder IN
        SELECT q.n, u.id AS user_id, q.requests, k.scopes, r.role,
            CASE WHEN u.id IS NULL THEN 'subject:' || q.subject ELSE 'user:' || u.id END AS actor,
            CASE WHEN coalesce(q.wanted_tenant, home.id) = home.id THEN home.id
                 WHEN r.role = 'operator' AND k.id IS NULL
                     THEN (SELECT t.id FROM tidings.tenants t WHERE t.id = q.wanted_tenant) END AS tenant,
            CASE WHEN k.id IS NOT NULL THEN 'api:key:' || k.id
                 WHEN u.id IS NULL THEN 'api:subject:' || q.subject || '@' || home.id
                 ELSE 'api:user:' || u.id || '@' || home.id END AS bucket
        FROM unnest(key_hashes, session_hashes, former_hashes, subjects, subject_ids, claimed_tenants, claimed_roles,
                    wanted_tenants, requests) WITH ORDINALITY
            AS q(key_hash, session_hash, former_hash, subject, subject_id, claimed_tenant, claimed_role, wanted_tenant,
                 requests, n)
        LEFT JOIN tidings.api_keys k ON q.key_hash IS NOT NULL AND k.hash IN (q.key_hash, q.former_hash)
            AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
        LEFT JOIN tidings.sessions s ON q.session_hash IS NOT NULL AND s.hash IN (q.session_hash, q.former_hash)
            AND s.expires_at > now()
        LEFT JOIN tidings.users u ON u.id = coalesce(k.user_id, s.user_id, q.subject_id)
        JOIN tidings.tenants home ON home.id = coalesce(k.tenant, s.tenant, q.claimed_tenant)
        LEFT JOIN tidings.memberships m ON m.user_id = u.id AND m.tenant = home.id,
        LATERAL (
            SELECT CASE WHEN u.id IS NULL OR u.operator THEN coalesce(q.claimed_role, 'operator')
                        WHEN m.role = 'admin' AND q.claimed_role = 'member' THEN 'member'
                        ELSE m.role END AS role
        ) r
        WHERE u.disabled_at IS NULL AND r.role IS NOT NULL
        ORDER BY bucket
    LOOP
        n := holder.n;
        actor := holder.actor;
        user_id := holder.user_id;
        tenant := holder.tenant;
        role := holder.role;
        scopes := holder.scopes;
        granted := holder.requests;
        LOOP
            taken := tidings.take(holder.bucket, burst, period, granted);
            EXIT WHEN taken.allowed;
            granted := least(granted - 1, taken.remaining);
            EXIT WHEN granted < 1;
        END LOOP;
        granted := greatest(granted, 0);
        remaining := taken.remaining;
        reset_after := taken.reset_after;
        RETURN NEXT;
    END LOOP;
END $$;

-- For POST /v1/facts: the idempotency key and the fact in one statement, and the fact as it was recorded.
-- The body is the request's, its shape checked; `added` is what the server itself knows and nobody can say otherwise.
-- A key that was seen with the same request gives the same fact again; with another one, an error.
-- A transaction that has set its tenant emits for no other.
CREATE FUNCTION tidings.emit_once(
    tenant text, actor text, body jsonb, run_at timestamptz, added jsonb, idempotency_key text, fingerprint bytea,
    keep interval,
    OUT id uuid, OUT seq bigint, OUT stream_version bigint, OUT data text, OUT metadata text, OUT occurred_at timestamptz,
    OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    seen record;
BEGIN
    IF nullif(tidings.current_tenant(), '') <> tenant THEN
        PERFORM tidings.refuse('TD404|tenant|there is no such tenant');
    END IF;
    replayed := false;
    id := tidings.new_fact_id(tenant, body ->> 'type', body #>> '{stream,type}', body #>> '{stream,id}',
                              body ->> 'key');
    IF idempotency_key IS NOT NULL THEN
        INSERT INTO tidings.idempotency_keys AS k (tenant, actor, key, fingerprint, fact_id, expires_at)
        VALUES (emit_once.tenant, emit_once.actor, idempotency_key, emit_once.fingerprint, emit_once.id, now() + keep)
        ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
            SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, fact_id = excluded.fact_id,
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
        PERFORM tidings.record_one(
            NULL, body ->> 'type', coalesce(body -> 'data', '{}'), body #>> '{stream,type}', body #>> '{stream,id}',
            tenant, body ->> 'key', run_at,
            jsonb_build_object('correlation_id', added -> 'correlation_id')
                || coalesce(nullif(body -> 'metadata', 'null'), '{}') - 'depth' || (added - 'correlation_id'),
            id);
    END IF;
    SELECT f.seq, f.stream_version, f.data::text, f.metadata::text, f.occurred_at
    INTO seq, stream_version, data, metadata, occurred_at
    FROM tidings.facts f WHERE f.id = emit_once.id;
END $$;

-- Signing in. The password is checked by the API; these find and note what it needs, a row at a time.
CREATE FUNCTION tidings.sign_in_candidate(address text, wanted_tenant text)
RETURNS TABLE (user_id uuid, password_hash text, tenant text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id, u.password_hash, t.id FROM tidings.users u
    JOIN tidings.tenants t ON u.operator
        OR EXISTS (SELECT FROM tidings.memberships m WHERE m.user_id = u.id AND m.tenant = t.id)
    WHERE u.email = address AND u.disabled_at IS NULL AND (wanted_tenant IS NULL OR t.id = wanted_tenant)
    ORDER BY (EXISTS (SELECT FROM tidings.memberships m WHERE m.user_id = u.id AND m.tenant = t.id)) DESC,
        t.id <> 'default', t.id
    LIMIT 1
$$;

CREATE FUNCTION tidings.open_session(session_hash bytea, user_id uuid, tenant text, lifetime interval)
RETURNS timestamptz LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO tidings.sessions (hash, user_id, tenant, expires_at)
    VALUES (session_hash, open_session.user_id, open_session.tenant, now() + lifetime)
    RETURNING expires_at
$$;

-- A link opens one session, however many ask at once.
CREATE FUNCTION tidings.redeem_link(link_hashes bytea[], session_hash bytea, lifetime interval)
RETURNS timestamptz LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM tidings.sessions WHERE hash = ANY (session_hashes)
$$;

CREATE FUNCTION tidings.profile(of_user uuid) RETURNS TABLE (email text, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.email, u.name FROM tidings.users u WHERE u.id = of_user
$$;

-- For /metrics: how much there is, over all tenants. Exact while the table is small; past `pages` blocks, an estimate
-- from a sample of that many. Kinds that no worker serves are one: their names are their tenants' own.
CREATE FUNCTION tidings.outbox_depth(pages integer DEFAULT 4000)
RETURNS TABLE (kind text, status text, amount bigint, oldest_due timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT count(*), coalesce(sum(cardinality(l.ids)), 0),
        (SELECT count(*) FROM tidings.workers w WHERE w.seen_at > now() - interval '30 seconds')
    FROM tidings.leases l WHERE l.expires_at > now()
$$;

REVOKE ALL ON FUNCTION tidings.admit, tidings.emit_once, tidings.sign_in_candidate, tidings.open_session,
    tidings.redeem_link, tidings.close_session, tidings.profile, tidings.outbox_depth, tidings.outbox_hands FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.admit, tidings.emit_once, tidings.sign_in_candidate, tidings.open_session,
    tidings.redeem_link, tidings.close_session, tidings.profile, tidings.outbox_depth, tidings.outbox_hands
    TO tidings_api, tidings_worker;
