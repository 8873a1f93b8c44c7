-- What happened in each minute, and who is told that something was changed.

-- Counted over and over by one worker at a time, from rows that are there anyway: neither an emit nor a settle pays for
-- it. What belongs to no provider (facts, dead intents) is counted under the nil one.
CREATE TABLE tidings.figures (
    minute   timestamptz NOT NULL,
    tenant   text NOT NULL,
    provider uuid NOT NULL,
    facts    bigint NOT NULL,
    sent     bigint NOT NULL,
    skipped  bigint NOT NULL,
    failed   bigint NOT NULL,
    dead     bigint NOT NULL,
    PRIMARY KEY (minute, tenant, provider)
) WITH (fillfactor = 70);

-- Until when it was counted, and up to which block the index of facts by time is summarised.
CREATE TABLE tidings.counted (
    singleton boolean PRIMARY KEY DEFAULT true,
    until     timestamptz NOT NULL DEFAULT '-infinity',
    facts_to  bigint NOT NULL DEFAULT 0,
    CONSTRAINT counted_has_one_row CHECK (singleton)
);
INSERT INTO tidings.counted DEFAULT VALUES;

ALTER TABLE tidings.figures ENABLE ROW LEVEL SECURITY;
ALTER TABLE tidings.counted ENABLE ROW LEVEL SECURITY;
CREATE POLICY worker_sees_all ON tidings.figures TO tidings_worker USING (true);
CREATE POLICY worker_sees_all ON tidings.counted TO tidings_worker USING (true);
CREATE POLICY api_sees_its_tenant ON tidings.figures FOR SELECT TO tidings_api USING (tenant = tidings.current_tenant());
CREATE POLICY api_reads ON tidings.counted FOR SELECT TO tidings_api USING (true);
GRANT SELECT ON tidings.figures, tidings.counted TO tidings_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.figures TO tidings_worker;
GRANT SELECT, UPDATE ON tidings.counted TO tidings_worker;

-- Where the index of facts by time is not summarised, whoever asks for the last minutes reads everything there; by
-- itself that happens when a fifth of the table is new. Goes on at block `since`, some ranges at a time, and says where
-- to go on. The range that is being written is left alone: with a summary, every insert would have to keep it. Waits for
-- nobody.
CREATE FUNCTION tidings.summarise_facts(since bigint, most integer, OUT reached bigint, OUT more boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '20ms' AS $$
DECLARE
    each   CONSTANT integer := 128;  -- blocks of a range
    blocks bigint := pg_relation_size('tidings.facts') / current_setting('block_size')::integer;
    done   integer := 0;
BEGIN
    more := false;
    reached := CASE WHEN since > blocks THEN 0 ELSE since END;
    WHILE reached + each <= blocks AND done < most LOOP
        PERFORM brin_summarize_range('tidings.facts_by_time', reached);
        reached := reached + each;
        done := done + 1;
    END LOOP;
    more := reached + each <= blocks;
EXCEPTION WHEN lock_not_available THEN
    NULL;
END $$;

-- How many deliveries of the transaction's tenant ended in each second since then. Goes by the index by time, whatever
-- the statistics say: that by tenant, which a policy would offer too, holds everything that the tenant ever sent.
CREATE FUNCTION tidings.ended_since(since timestamptz) RETURNS TABLE (what text, second bigint, amount bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
    SELECT d.status, floor(date_part('epoch', d.finished_at))::bigint, count(*) FROM tidings.deliveries_finished d
    WHERE d.finished_at >= since AND d.tenant || '' = tidings.current_tenant() GROUP BY 1, 2
$$;

-- Tells every API process that something of a tenant's was changed, and which resource it belongs to, when the
-- transaction commits. The same thing twice in a transaction is told once, however many rows or statements it took.
CREATE FUNCTION tidings.tell_of_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('tidings_changes', json_build_object('tenant', c.tenant, 'resource', TG_ARGV[0])::text)
    FROM (SELECT DISTINCT tenant FROM changed) c;
    RETURN NULL;
END $$;

CREATE FUNCTION tidings.tell_of_changed_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('tidings_changes', json_build_object('tenant', NEW.tenant, 'resource', TG_ARGV[0])::text);
    RETURN NULL;
END $$;

CREATE FUNCTION tidings.tell_of_changed_users() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('tidings_changes', json_build_object('tenant', c.tenant, 'resource', 'users')::text)
    FROM (SELECT DISTINCT m.tenant FROM changed u JOIN before_it b USING (id) JOIN tidings.memberships m ON m.user_id = u.id
          WHERE (u.email, u.name, u.operator, u.disabled_at) IS DISTINCT FROM (b.email, b.name, b.operator, b.disabled_at)) c;
    RETURN NULL;
END $$;

DO $$
DECLARE
    name     text;
    resource text;
BEGIN
    FOR name, resource IN
        SELECT * FROM (VALUES
            ('rules', 'rules'), ('templates', 'templates'), ('providers', 'providers'), ('categories', 'categories'),
            ('groups', 'groups'), ('group_members', 'groups'), ('people', 'people'), ('addresses', 'people'),
            ('preferences', 'people'), ('subscriptions', 'people'), ('suppressions', 'suppressions'),
            ('api_keys', 'keys'), ('memberships', 'users'), ('figures', 'overview')) AS t(name, resource)
    LOOP
        EXECUTE format('CREATE TRIGGER what_is_new_is_told AFTER INSERT ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, resource);
        EXECUTE format('CREATE TRIGGER what_is_gone_is_told AFTER DELETE ON tidings.%I REFERENCING OLD TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, resource);
        CONTINUE WHEN name IN ('providers', 'addresses');
        EXECUTE format('CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, resource);
    END LOOP;
END $$;

-- Sends write into these two. Only what a person set (which raises a provider's version), a circuit that opens or
-- closes, and an address that is not used any more, or is again, are told.
CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.providers FOR EACH ROW
    WHEN (OLD.version <> NEW.version OR OLD.opened_at IS DISTINCT FROM NEW.opened_at
          OR OLD.open_until IS DISTINCT FROM NEW.open_until)
    EXECUTE FUNCTION tidings.tell_of_changed_row('providers');
CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.addresses FOR EACH ROW
    WHEN (OLD.disabled_at IS DISTINCT FROM NEW.disabled_at OR OLD.value <> NEW.value)
    EXECUTE FUNCTION tidings.tell_of_changed_row('people');
CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.users
    REFERENCING OLD TABLE AS before_it NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_changed_users();

-- As before; and for those who look at nobody's inbox, whose `person_id` is null.
CREATE OR REPLACE FUNCTION tidings.still_admitted(
    key_hashes bytea[], session_hashes bytea[], former_hashes bytea[], subjects text[], subject_ids uuid[],
    claimed_tenants text[], claimed_roles text[], wanted_tenants text[], person_ids uuid[]
) RETURNS TABLE (n bigint, actor text, user_id uuid, tenant text, role text, scopes text[], person_user uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT q.n, CASE WHEN u.id IS NULL THEN 'subject:' || q.subject ELSE 'user:' || u.id END, u.id, place.id, r.role,
        k.scopes, p.user_id
    FROM unnest(key_hashes, session_hashes, former_hashes, subjects, subject_ids, claimed_tenants, claimed_roles,
                wanted_tenants, person_ids) WITH ORDINALITY
        AS q(key_hash, session_hash, former_hash, subject, subject_id, claimed_tenant, claimed_role, wanted_tenant,
             person_id, n)
    LEFT JOIN tidings.api_keys k ON q.key_hash IS NOT NULL AND k.hash IN (q.key_hash, q.former_hash)
        AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    LEFT JOIN tidings.sessions s ON q.session_hash IS NOT NULL AND s.hash IN (q.session_hash, q.former_hash)
        AND s.expires_at > now()
    LEFT JOIN tidings.users u ON u.id = coalesce(k.user_id, s.user_id, q.subject_id)
    JOIN tidings.tenants home ON home.id = coalesce(k.tenant, s.tenant, q.claimed_tenant)
    LEFT JOIN tidings.memberships m ON m.user_id = u.id AND m.tenant = home.id
    CROSS JOIN LATERAL (
        SELECT CASE WHEN u.id IS NULL OR u.operator THEN coalesce(q.claimed_role, 'operator')
                    WHEN m.role = 'admin' AND q.claimed_role = 'member' THEN 'member'
                    ELSE m.role END AS role
    ) r
    JOIN tidings.tenants place ON place.id = coalesce(q.wanted_tenant, home.id)
        AND (place.id = home.id OR (r.role = 'operator' AND k.id IS NULL))
    LEFT JOIN tidings.people p ON p.id = q.person_id AND p.tenant = place.id
    WHERE u.disabled_at IS NULL AND r.role IS NOT NULL AND (q.person_id IS NULL OR p.id IS NOT NULL)
$$;

REVOKE ALL ON FUNCTION tidings.summarise_facts, tidings.ended_since, tidings.tell_of_change, tidings.tell_of_changed_row,
    tidings.tell_of_changed_users FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.summarise_facts TO tidings_worker;
GRANT EXECUTE ON FUNCTION tidings.ended_since TO tidings_api, tidings_worker;
