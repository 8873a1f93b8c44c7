-- Notices (what is said), notifications (to one person), and what each listener has done with each fact.

-- `verdict` says in words what came of it: told, or which condition was not met.
CREATE TABLE tidings.processed_by (
    fact_id      uuid NOT NULL,
    listener     text NOT NULL,
    tenant       text NOT NULL,
    rule_version integer,
    told         boolean NOT NULL,
    verdict      text NOT NULL,
    processed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (fact_id, listener)
);
CREATE INDEX processed_by_by_time ON tidings.processed_by (processed_at);

-- `audience` is a list of selectors; `reached` the last person whom the fan-out has got to, in the order of their ids.
-- A notice that is closed (handled, cancelled) is not sent any more.
CREATE TABLE tidings.notices (
    id            uuid PRIMARY KEY,
    tenant        text NOT NULL,
    fact_id       uuid,
    listener      text NOT NULL,
    number        integer NOT NULL DEFAULT 0,
    rule_version  integer,
    title         text NOT NULL,
    body          text NOT NULL,
    template      text NOT NULL,
    level         text NOT NULL,
    category      text NOT NULL,
    channels      text[] NOT NULL,
    audience      jsonb NOT NULL,
    properties    jsonb NOT NULL DEFAULT '{}',
    shared        boolean NOT NULL DEFAULT false,
    run_at        timestamptz NOT NULL DEFAULT now(),
    max_attempts  integer,
    expires_after interval,
    reached       uuid,
    closed_at     timestamptz,
    closed_reason text,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT notice_level_is_known CHECK (level IN ('info', 'warning', 'critical'))
);
CREATE UNIQUE INDEX notices_of_fact ON tidings.notices (fact_id, listener, number);
CREATE INDEX notices_newest ON tidings.notices (tenant, id);

-- How a notice stands, counted as its deliveries come and end. Narrow, since every settled batch updates it.
-- `complete` when everybody in the audience has been reached.
CREATE TABLE tidings.tallies (
    notice_id  uuid PRIMARY KEY,
    tenant     text NOT NULL,
    complete   boolean NOT NULL DEFAULT false,
    people     integer NOT NULL DEFAULT 0,
    no_target  integer NOT NULL DEFAULT 0,
    open       integer NOT NULL DEFAULT 0,
    sent       integer NOT NULL DEFAULT 0,
    skipped    integer NOT NULL DEFAULT 0,
    failed     integer NOT NULL DEFAULT 0,
    settled_at timestamptz
) WITH (fillfactor = 50);

-- `missing` names the channels for which the person had no address.
CREATE TABLE tidings.notifications (
    id          uuid PRIMARY KEY,
    tenant      text NOT NULL,
    notice_id   uuid NOT NULL,
    person_id   uuid NOT NULL,
    missing     text[] NOT NULL DEFAULT '{}',
    targets     integer NOT NULL,
    read_at     timestamptz,
    archived_at timestamptz,
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX notifications_of_notice ON tidings.notifications (notice_id, person_id);
CREATE INDEX notifications_of_person ON tidings.notifications (tenant, person_id, id);
CREATE INDEX notifications_unread ON tidings.notifications (tenant, person_id) WHERE read_at IS NULL AND archived_at IS NULL;

-- When the last delivery of a notice is final, that is a fact too, with its counts. Whatever settles it, once, and many
-- at a time. Where a notice was caused by the last fact that a chain may have, nothing is emitted: what was sent is
-- settled all the same.
CREATE FUNCTION tidings.settle_tally() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.settled_at := now();
    RETURN NEW;
END $$;
CREATE TRIGGER a_complete_tally_is_settled BEFORE UPDATE ON tidings.tallies FOR EACH ROW
    WHEN (NEW.open = 0 AND NEW.complete AND NEW.settled_at IS NULL) EXECUTE FUNCTION tidings.settle_tally();

CREATE FUNCTION tidings.tell_of_settled() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
        FROM (SELECT DISTINCT tenant FROM recorded) t, tidings.causes(t.tenant, 'notice.settled') c
    )
    INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at)
    SELECT r.id, r.tenant, 'notice.settled', r.id, now(), now() FROM recorded r JOIN causes c USING (tenant) WHERE c.handled
    UNION ALL
    SELECT tidings.uuid7(), r.tenant, 'notice.prepare', r.id, now(), now()
    FROM recorded r JOIN causes c USING (tenant) WHERE c.told;
    IF FOUND THEN
        PERFORM tidings.wake();
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER a_settled_notice_is_a_fact AFTER UPDATE ON tidings.tallies
    REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it
    FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_settled();

-- The people that one value of one selector stands for, in the order of their ids, after one of them. A plan for each
-- way of choosing, so that none reads more than it returns.
CREATE FUNCTION tidings.people_of(
    tenant text, by text, value text, user_type text, after uuid, most integer
) RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
    CASE by
    WHEN 'person' THEN
        RETURN QUERY SELECT p.id FROM tidings.people p
        WHERE p.tenant = tenant AND p.id = value::uuid AND p.id > after AND (user_type IS NULL OR p.user_type = user_type);
    WHEN 'externalId' THEN
        RETURN QUERY SELECT p.id FROM tidings.people p
        WHERE p.tenant = tenant AND p.external_id = value AND p.id > after
          AND (user_type IS NULL OR p.user_type = user_type);
    WHEN 'email' THEN
        RETURN QUERY SELECT DISTINCT p.id FROM tidings.addresses a JOIN tidings.people p ON p.id = a.person_id
        WHERE a.tenant = tenant AND a.kind = 'email' AND a.fingerprint = lower(value) AND p.id > after
          AND (user_type IS NULL OR p.user_type = user_type) ORDER BY p.id LIMIT most;
    WHEN 'userType' THEN
        RETURN QUERY SELECT p.id FROM tidings.people p
        WHERE p.tenant = tenant AND p.user_type = value AND p.id > after
          AND (user_type IS NULL OR p.user_type = user_type) ORDER BY p.id LIMIT most;
    WHEN 'group' THEN
        RETURN QUERY SELECT p.id FROM tidings.groups g JOIN tidings.group_members m ON m.group_id = g.id
        JOIN tidings.people p ON p.id = m.person_id
        WHERE g.tenant = tenant AND g.external_id = value AND m.person_id > after
          AND (user_type IS NULL OR p.user_type = user_type) ORDER BY m.person_id LIMIT most;
    WHEN 'topic' THEN
        RETURN QUERY SELECT p.id FROM tidings.subscriptions s JOIN tidings.people p ON p.id = s.person_id
        WHERE s.tenant = tenant AND s.topic = value AND s.person_id > after
          AND (user_type IS NULL OR p.user_type = user_type) ORDER BY s.person_id LIMIT most;
    WHEN 'everyone' THEN
        RETURN QUERY SELECT p.id FROM tidings.people p
        WHERE p.tenant = tenant AND p.id > after AND (user_type IS NULL OR p.user_type = user_type)
        ORDER BY p.id LIMIT most;
    END CASE;
END $$;

-- The next people of an audience, in the order of their ids: the first of all of them are among the first of each.
CREATE FUNCTION tidings.audience_of(tenant text, audience jsonb, after uuid, most integer)
RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
    SELECT DISTINCT person FROM jsonb_array_elements(audience) AS s(selector)
    LEFT JOIN LATERAL jsonb_array_elements_text(s.selector -> 'values') AS v(value) ON true,
    LATERAL tidings.people_of(tenant, s.selector ->> 'by', v.value, s.selector ->> 'userType',
        coalesce(after, '00000000-0000-0000-0000-000000000000'), most) AS person
    ORDER BY person LIMIT most
$$;

-- Which of a person's addresses a channel uses; none for the one that needs none.
CREATE FUNCTION tidings.address_kind(channel text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE channel WHEN 'sms' THEN 'phone' WHEN 'whatsapp' THEN 'phone' WHEN 'websocket' THEN NULL ELSE channel END;
