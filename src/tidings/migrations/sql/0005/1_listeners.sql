-- Every listener has an intent of its own for each fact that it hears of: what one fails at, or takes its time for,
-- is no matter of the others. The rules of a tenant are one listener.

-- The kind of the intents that a route causes. `notice.prepare`, which stood for all listeners of a fact, is written no
-- more; what of it is left is still served.
ALTER TABLE tidings.routes ADD COLUMN kind text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN source LIKE 'rule:%' THEN 'notice.rules'
         WHEN source LIKE 'listener:%' THEN 'notice.listener.' || substr(source, 10) ELSE source END) STORED;

-- What the module's listeners hear was kept under one name for all of them.
DELETE FROM tidings.routes WHERE source = 'listener:events';
INSERT INTO tidings.routes (tenant, type, prefix, source)
SELECT '', type, false, 'listener:' || listener
FROM (VALUES ('event.broadcast', 'events.broadcast'), ('event.reminder_due', 'events.reminder'),
             ('event.joined', 'events.welcome'), ('event.join_requested', 'events.confirmation'),
             ('event.live', 'events.live')) AS t(type, listener);

-- What a fact of this type causes: an intent for its handler, which is there or may come, and one of each kind in
-- `told`, for those who tell people of it and, where there is one, for the broker. A set of one row: such a function
-- becomes a part of the query that asks it. The one before, `causes`, stays for emits that wait for this to commit.
CREATE FUNCTION tidings.what_follows(tenant text, type text) RETURNS TABLE (handled boolean, told text[])
LANGUAGE sql STABLE AS $$
    SELECT declared OR NOT (array_remove(heard, 'broker.publish') <> '{}' OR unattended), heard
    FROM (SELECT
        EXISTS (SELECT FROM tidings.kinds k WHERE k.kind = what_follows.type) AS declared,
        ARRAY(SELECT r.kind FROM tidings.routes r
              WHERE r.tenant IN (what_follows.tenant, '') AND r.type = what_follows.type AND NOT r.prefix
              UNION
              SELECT r.kind FROM tidings.routes r
              WHERE r.tenant IN (what_follows.tenant, '') AND r.prefix AND starts_with(what_follows.type, r.type)) AS heard,
        EXISTS (SELECT FROM tidings.reserved_types r
                WHERE r.prefix = split_part(what_follows.type, '.', 1) AND r.unattended) AS unattended) known
$$;
REVOKE ALL ON FUNCTION tidings.what_follows FROM PUBLIC;

CREATE OR REPLACE FUNCTION tidings.record_in_order(
    id uuid, tenant text, type text, data jsonb, stream_type text, stream_id text, key text, run_at timestamptz,
    metadata jsonb
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    head   bigint;
    causes record;
BEGIN
    INSERT INTO tidings.stream_heads AS h VALUES (tenant, stream_type, stream_id, 0)
    ON CONFLICT ON CONSTRAINT stream_heads_pkey DO UPDATE SET version = h.version
    RETURNING h.version INTO head;
    IF EXISTS (SELECT FROM tidings.facts f WHERE f.id = record_in_order.id) THEN
        RETURN;
    END IF;
    INSERT INTO tidings.facts (id, tenant, type, stream_type, stream_id, stream_version, data, metadata)
    VALUES (id, tenant, type, stream_type, stream_id, head + 1, data, metadata);
    SELECT c.handled, c.told INTO causes FROM tidings.what_follows(tenant, type) c;
    IF causes.handled THEN
        INSERT INTO tidings.outbox (id, tenant, kind, key, fact_id, stream, stream_version, due_at, run_at)
        VALUES (id, tenant, type, key, id, stream_type || '/' || stream_id, head + 1, run_at, run_at);
    END IF;
    INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at)
    SELECT tidings.uuid7(), tenant, k, id, run_at, run_at FROM unnest(causes.told) AS k;
    UPDATE tidings.stream_heads h SET version = head + 1
    WHERE h.tenant = record_in_order.tenant AND h.stream_type = record_in_order.stream_type
      AND h.stream_id = record_in_order.stream_id;
END $$;

CREATE OR REPLACE FUNCTION tidings.record(
    types text[], data jsonb[], stream_types text[], stream_ids text[], tenants text[], keys text[],
    run_ats timestamptz[], metadata jsonb[]
) RETURNS uuid[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    size    integer := coalesce(cardinality(types), 0);
    fault   text := tidings.length_fault(
        'types', size, ARRAY['data', 'stream_types', 'stream_ids', 'tenants', 'keys', 'run_ats', 'metadata'],
        ARRAY[coalesce(cardinality(data), 0), cardinality(stream_types), cardinality(stream_ids), cardinality(tenants),
              cardinality(keys), cardinality(run_ats), cardinality(metadata)]);
    ids     uuid[];
    ordered text[];
    fact    record;
BEGIN
    IF fault IS NOT NULL THEN
        PERFORM tidings.refuse(fault);
    END IF;
    tenants := coalesce(array_replace(tenants, NULL, 'default'), array_fill('default'::text, ARRAY[size]));

    SELECT c.fault || CASE WHEN size > 1 THEN format(' (fact %s of %s)', c.n, size) ELSE '' END
    INTO fault
    FROM (
        SELECT n, tidings.fact_fault(i.type, i.data, i.stream_type, i.stream_id, i.key, i.run_at, i.metadata,
                                     l.max_bytes, l.max_depth) AS fault
        FROM tidings.limits l, unnest(types, data, stream_types, stream_ids, keys, run_ats, metadata) WITH ORDINALITY
            AS i(type, data, stream_type, stream_id, key, run_at, metadata, n)
        OFFSET 0  -- each fact is examined once
    ) c
    WHERE c.fault IS NOT NULL ORDER BY c.n LIMIT 1;
    IF fault IS NULL AND EXISTS (
        SELECT FROM unnest(tenants) given
        WHERE NOT EXISTS (SELECT FROM tidings.tenants t WHERE t.id = given)) THEN
        fault := 'TD404|tenant|there is no such tenant';
    END IF;
    IF fault IS NOT NULL THEN
        PERFORM tidings.refuse(fault);
    END IF;

    SELECT array_agg(s.stream_type) INTO ordered FROM tidings.ordered_streams s WHERE s.stream_type = ANY (stream_types);
    SELECT array_agg(CASE WHEN key IS NULL THEN tidings.uuid7()
                          ELSE tidings.fact_id(tenant, type, stream_type, stream_id, key) END ORDER BY n)
    INTO ids
    FROM unnest(types, stream_types, stream_ids, tenants, keys) WITH ORDINALITY
        AS i(type, stream_type, stream_id, tenant, key, n);

    -- In the order of the ids: two callers with the same keys in opposite orders must not deadlock.
    WITH input AS MATERIALIZED (
        SELECT DISTINCT ON (id) id, type, data, stream_type, stream_id, tenant, key, coalesce(run_at, now()) AS run_at,
            CASE WHEN metadata ? 'causation_id' THEN tidings.caused(tenant, metadata)
                 ELSE coalesce(metadata, '{}') - 'depth' END AS metadata
        FROM unnest(ids, types, data, stream_types, stream_ids, tenants, keys, run_ats, metadata) WITH ORDINALITY
            AS i(id, type, data, stream_type, stream_id, tenant, key, run_at, metadata, n)
        WHERE ordered IS NULL OR stream_type IS NULL OR stream_type <> ALL (ordered)
        ORDER BY id, n
    ), recorded AS (
        INSERT INTO tidings.facts (id, tenant, type, stream_type, stream_id, data, metadata)
        SELECT id, tenant, type, stream_type, stream_id, data, metadata FROM input ORDER BY id
        ON CONFLICT (id) DO NOTHING
        RETURNING id
    ), causes AS MATERIALIZED (
        SELECT t.tenant, t.type, c.handled, c.told
        FROM (SELECT DISTINCT tenant, type FROM input) t, tidings.what_follows(t.tenant, t.type) c
    )
    INSERT INTO tidings.outbox (id, tenant, kind, key, fact_id, due_at, run_at)
    SELECT i.id, i.tenant, i.type, i.key, i.id, i.run_at, i.run_at
    FROM recorded JOIN input i USING (id) JOIN causes c USING (tenant, type) WHERE c.handled
    UNION ALL
    SELECT tidings.uuid7(), i.tenant, k, NULL, i.id, i.run_at, i.run_at
    FROM recorded JOIN input i USING (id) JOIN causes c USING (tenant, type), unnest(c.told) AS k;

    IF ordered IS NOT NULL THEN
        FOR fact IN
            SELECT * FROM unnest(ids, types, data, stream_types, stream_ids, tenants, keys, run_ats, metadata)
                WITH ORDINALITY AS i(id, type, data, stream_type, stream_id, tenant, key, run_at, metadata, n)
            WHERE stream_type = ANY (ordered) ORDER BY tenant, stream_type, stream_id, n
        LOOP
            PERFORM tidings.record_in_order(
                fact.id, fact.tenant, fact.type, fact.data, fact.stream_type, fact.stream_id, fact.key,
                coalesce(fact.run_at, now()),
                CASE WHEN fact.metadata ? 'causation_id' THEN tidings.caused(fact.tenant, fact.metadata)
                     ELSE coalesce(fact.metadata, '{}') - 'depth' END);
        END LOOP;
    END IF;

    IF size > 0 AND run_ats IS NULL
       OR EXISTS (SELECT FROM unnest(run_ats) t WHERE t IS NULL OR t < now() + interval '10 seconds') THEN
        PERFORM tidings.wake();
    END IF;
    RETURN ids;
END $$;

CREATE OR REPLACE FUNCTION tidings.record_one(
    module text, type text, data jsonb, stream_type text, stream_id text, tenant text, key text, run_at timestamptz,
    metadata jsonb, new_id uuid
) RETURNS uuid LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    known   record;
    fault   text;
    soon    boolean := run_at IS NULL OR run_at < now() + interval '10 seconds';
BEGIN
    SELECT l.max_bytes, l.max_depth, EXISTS (SELECT FROM tidings.tenants t WHERE t.id = tenant) AS has_tenant,
        (SELECT r.module FROM tidings.reserved_types r WHERE r.prefix = split_part(type, '.', 1)) AS reserved_for,
        EXISTS (SELECT FROM tidings.ordered_streams s WHERE s.stream_type = record_one.stream_type) AS ordered,
        c.handled, c.told
    INTO known FROM tidings.limits l, tidings.what_follows(tenant, type) c;
    IF known.reserved_for IS NOT NULL AND known.reserved_for IS DISTINCT FROM module THEN
        PERFORM tidings.refuse(format('TD403|type|%s is reserved: only the module it belongs to may emit it', type));
    END IF;
    fault := tidings.fact_fault(type, data, stream_type, stream_id, key, run_at, metadata, known.max_bytes,
                                known.max_depth);
    IF fault IS NULL AND NOT known.has_tenant THEN
        fault := 'TD404|tenant|there is no such tenant';
    END IF;
    IF fault IS NOT NULL THEN
        PERFORM tidings.refuse(fault);
    END IF;

    metadata := CASE WHEN metadata ? 'causation_id' THEN tidings.caused(tenant, metadata)
                     ELSE coalesce(metadata, '{}') - 'depth' END;
    run_at := coalesce(run_at, now());
    IF known.ordered THEN
        PERFORM tidings.record_in_order(new_id, tenant, type, data, stream_type, stream_id, key, run_at, metadata);
    ELSE
        INSERT INTO tidings.facts (id, tenant, type, stream_type, stream_id, data, metadata)
        VALUES (new_id, tenant, type, stream_type, stream_id, data, metadata)
        ON CONFLICT (id) DO NOTHING;
        IF NOT FOUND THEN
            RETURN new_id;
        END IF;
        IF known.handled THEN
            INSERT INTO tidings.outbox (id, tenant, kind, key, fact_id, due_at, run_at)
            VALUES (new_id, tenant, type, key, new_id, run_at, run_at);
        END IF;
        IF known.told <> '{}' THEN
            INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at)
            SELECT tidings.uuid7(), tenant, k, new_id, run_at, run_at FROM unnest(known.told) AS k;
        END IF;
    END IF;
    IF soon THEN
        PERFORM tidings.wake();
    END IF;
    RETURN new_id;
END $$;

CREATE OR REPLACE FUNCTION tidings.tell_of_settled() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    WITH settled AS MATERIALIZED (
        SELECT t.*, f.id AS cause, f.metadata AS of_cause,
            tidings.fact_id(t.tenant, 'notice.settled', 'notice', t.notice_id::text, 'settled') AS fact
        FROM after_it t JOIN before_it b USING (notice_id) JOIN tidings.notices n ON n.id = t.notice_id
        LEFT JOIN tidings.facts f ON f.id = n.fact_id
        WHERE t.settled_at IS NOT NULL AND b.settled_at IS NULL AND coalesce((f.metadata ->> 'depth')::integer, 0) < 16
    ), recorded AS (
        INSERT INTO tidings.facts (id, tenant, type, stream_type, stream_id, data, metadata)
        SELECT fact, tenant, 'notice.settled', 'notice', notice_id::text,
            jsonb_build_object('noticeId', notice_id, 'people', people, 'noTarget', no_target, 'sent', sent,
                               'skipped', skipped, 'failed', failed),
            CASE WHEN cause IS NULL THEN '{}' ELSE jsonb_build_object(
                'correlation_id', coalesce(of_cause ->> 'correlation_id', cause::text), 'causation_id', cause,
                'depth', coalesce((of_cause ->> 'depth')::integer, 0) + 1) END
        FROM settled ORDER BY fact ON CONFLICT (id) DO NOTHING
        RETURNING id, tenant
    ), causes AS MATERIALIZED (
        SELECT t.tenant, c.handled, c.told
        FROM (SELECT DISTINCT tenant FROM recorded) t, tidings.what_follows(t.tenant, 'notice.settled') c
    )
    INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at)
    SELECT r.id, r.tenant, 'notice.settled', r.id, now(), now() FROM recorded r JOIN causes c USING (tenant) WHERE c.handled
    UNION ALL
    SELECT tidings.uuid7(), r.tenant, k, r.id, now(), now()
    FROM recorded r JOIN causes c USING (tenant), unnest(c.told) AS k;
    IF FOUND THEN
        PERFORM tidings.wake();
    END IF;
    RETURN NULL;
END $$;
