-- A broker that carries hints: a row that is `enqueued` waits for its message, and is leased as anything else that is due
-- once its time has come without one.

INSERT INTO tidings.reserved_types (prefix, module, unattended) VALUES ('broker', 'broker', true);

ALTER TABLE tidings.deliveries DROP CONSTRAINT deliveries_status_is_open;
ALTER TABLE tidings.deliveries ADD CONSTRAINT deliveries_status_is_open
    CHECK (status IN ('pending', 'processing', 'failed', 'enqueued', 'held')) NOT VALID;

-- How many deliveries of each provider may be leased now, of as many as are wanted. Limits are the provider's, whoever
-- sends: those that have one are locked until the commit, in one order, and what is in flight is counted behind that
-- lock. A circuit that was opened and whose time is up lets one through. `alone` is for suspects, which are leased apart
-- from the others: where one waits, a place is kept for it in every other second, so that it cannot wait for ever, nor
-- hold up the others if nobody comes for it. `named`: a message of the broker names them, so that they are there, due or not.
DROP FUNCTION tidings.allow_deliveries(uuid[], integer[], boolean);
CREATE FUNCTION tidings.allow_deliveries(wanted uuid[], quotas integer[], alone boolean DEFAULT false,
    named boolean DEFAULT false)
RETURNS TABLE (provider uuid, allowed integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    limited record;
    flying  integer;
    kept    integer;
BEGIN
    RETURN QUERY SELECT w.id, w.quota FROM unnest(wanted, quotas) AS w(id, quota) JOIN tidings.providers p ON p.id = w.id
    WHERE p.concurrency IS NULL AND p.rate IS NULL AND p.opened_at IS NULL AND p.enabled;
    FOR limited IN
        SELECT p.*, w.quota FROM unnest(wanted, quotas) AS w(id, quota) JOIN tidings.providers p ON p.id = w.id
        WHERE (p.concurrency IS NOT NULL OR p.rate IS NOT NULL OR p.opened_at IS NOT NULL) AND p.enabled
        ORDER BY p.id FOR UPDATE OF p
    LOOP
        provider := limited.id;
        SELECT count(*) INTO flying FROM tidings.deliveries d WHERE d.provider = limited.id AND d.status = 'processing';
        SELECT count(*) INTO kept FROM (
            SELECT FROM tidings.deliveries d WHERE NOT alone AND d.provider = limited.id AND d.suspect
              AND d.run_at <= now() AND d.status IN ('pending', 'failed', 'enqueued') LIMIT 1) waits
        WHERE date_part('epoch', now())::bigint % 2 = 0;
        allowed := least(limited.quota, limited.concurrency - flying - kept);
        IF limited.opened_at IS NOT NULL THEN
            allowed := CASE WHEN limited.open_until > now() THEN 0 ELSE least(allowed, 1 - flying) END;
        END IF;
        IF limited.rate IS NOT NULL AND allowed > 0 THEN
            IF NOT named THEN
                SELECT count(*) INTO allowed FROM (
                    SELECT FROM tidings.deliveries d WHERE d.provider = limited.id AND d.channel = limited.channel
                      AND d.run_at <= now() AND d.status IN ('pending', 'failed', 'enqueued') AND d.suspect = alone
                    LIMIT allowed) due;
            END IF;
            allowed := tidings.take_of_rate(limited.id, limited.rate, limited.rate_period, kept, allowed);
        END IF;
        IF allowed > 0 THEN
            RETURN NEXT;
        END IF;
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION tidings.allow_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.allow_deliveries TO tidings_worker;

-- As before, and what is enqueued and overdue is late as well.
CREATE OR REPLACE FUNCTION tidings.outbox_depth(pages integer DEFAULT 4000)
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
        min(o.run_at) FILTER (WHERE o.status IN ('pending', 'failed', 'enqueued') AND o.run_at <= now())
    FROM tidings.outbox o TABLESAMPLE SYSTEM (share * 100) LEFT JOIN served s ON s.kind = o.kind
    GROUP BY 1, 2
    UNION ALL
    SELECT coalesce(s.kind, 'other'), 'dead', count(*), NULL
    FROM (SELECT d.kind FROM tidings.outbox_finished d WHERE d.status = 'dead' LIMIT pages * 25) d
    LEFT JOIN served s ON s.kind = d.kind GROUP BY 1;
END $$;
