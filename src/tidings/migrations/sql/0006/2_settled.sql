-- Of the notices that are settled a listener may hear of those alone that a certain listener said: a module that waits for
-- its own costs nobody else's an intent. The type of such a route is `notice.settled/` and the name of who said them.

CREATE OR REPLACE FUNCTION tidings.tell_of_settled() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    WITH settled AS MATERIALIZED (
        SELECT t.*, n.listener AS said_by, f.id AS cause, f.metadata AS of_cause,
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
        RETURNING id
    ), causes AS MATERIALIZED (
        SELECT s.tenant, s.said_by, c.handled, c.told || ARRAY(
            SELECT r.kind FROM tidings.routes r
            WHERE r.tenant = '' AND r.type = 'notice.settled/' || s.said_by AND NOT r.prefix) AS told
        FROM (SELECT DISTINCT tenant, said_by FROM settled) s, tidings.what_follows(s.tenant, 'notice.settled') c
    ), caused AS (
        SELECT r.id, s.tenant, c.handled, c.told
        FROM recorded r JOIN settled s ON s.fact = r.id JOIN causes c USING (tenant, said_by)
    )
    INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at)
    SELECT id, tenant, 'notice.settled', id, now(), now() FROM caused WHERE handled
    UNION ALL
    SELECT tidings.uuid7(), tenant, k, id, now(), now() FROM caused, unnest(told) AS k;
    IF FOUND THEN
        PERFORM tidings.wake();
    END IF;
    RETURN NULL;
END $$;
