-- What is reserved may be a whole type: of `user` and `invitation` a module has some, and you may have others.

CREATE OR REPLACE FUNCTION tidings.what_follows(tenant text, type text) RETURNS TABLE (handled boolean, told text[])
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
                WHERE r.prefix IN (split_part(what_follows.type, '.', 1), what_follows.type) AND r.unattended) AS unattended) known
$$;

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
        (SELECT r.module FROM tidings.reserved_types r WHERE r.prefix IN (split_part(type, '.', 1), type)
         ORDER BY r.prefix LIMIT 1) AS reserved_for,
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

CREATE OR REPLACE FUNCTION tidings.emit_as(
    module text, types text[], data jsonb[], stream_types text[], stream_ids text[], tenants text[], keys text[],
    run_ats timestamptz[], metadata jsonb[]
) RETURNS uuid[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    foreign_type text;
BEGIN
    SELECT t INTO foreign_type FROM unnest(types) t
    JOIN tidings.reserved_types r ON r.prefix IN (split_part(t, '.', 1), t)
    WHERE r.module IS DISTINCT FROM emit_as.module LIMIT 1;
    IF FOUND THEN
        PERFORM tidings.refuse(format('TD403|type|%s is reserved: only the module it belongs to may emit it', foreign_type));
    END IF;
    RETURN tidings.record(types, data, stream_types, stream_ids, tenants, keys, run_ats, metadata);
END $$;
