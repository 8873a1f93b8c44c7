-- Events with subscribers, and their reminders: intents that change in the transaction that changes what they stand for.

UPDATE tidings.reserved_types SET unattended = true WHERE prefix = 'event';

-- What the module's listeners hear, also before the first worker has said so.
INSERT INTO tidings.routes (tenant, type, prefix, source)
SELECT '', type, false, 'listener:events'
FROM unnest(ARRAY['event.broadcast', 'event.reminder_due', 'event.joined', 'event.join_requested',
                  'event.live']) AS t(type);

-- What was said under a topic, newest first: an event's own page shows it, and closes what an event that has changed
-- makes wrong.
CREATE INDEX notices_of_topic ON tidings.notices (tenant, topic, id) WHERE topic IS NOT NULL;

-- `version` is raised by every change, `sequence` by those that a calendar must know of; `acts` counts what the process
-- is told of, so that it takes each once and in order.
CREATE TABLE tidings.events (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant       text NOT NULL REFERENCES tidings.tenants,
    uid          uuid NOT NULL DEFAULT gen_random_uuid(),
    organiser_id uuid REFERENCES tidings.people ON DELETE SET NULL,
    name         text NOT NULL,
    description  text,
    location     text,
    starts_at    timestamptz NOT NULL,
    ends_at      timestamptz,
    timezone     text NOT NULL,
    status       text NOT NULL DEFAULT 'active',
    version      integer NOT NULL DEFAULT 1,
    sequence     integer NOT NULL DEFAULT 0,
    acts         integer NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    closed_at    timestamptz,
    CONSTRAINT event_status_is_known CHECK (status IN ('active', 'cancelled', 'completed')),
    CONSTRAINT an_event_ends_after_it_starts CHECK (ends_at > starts_at)
);
CREATE INDEX events_by_start ON tidings.events (tenant, starts_at, id);
CREATE INDEX events_of_organiser ON tidings.events (organiser_id) WHERE organiser_id IS NOT NULL;

-- Somebody without a login has asked (`asked_at`) before they have confirmed. Who leaves and comes back is the same
-- subscription. Where they hear of it is in the subscription to the event's topic.
CREATE TABLE tidings.event_subscriptions (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant       text NOT NULL,
    event_id     bigint NOT NULL REFERENCES tidings.events ON DELETE CASCADE,
    person_id    uuid NOT NULL REFERENCES tidings.people ON DELETE CASCADE,
    offsets      integer[] NOT NULL DEFAULT '{86400,3600}',
    asked_at     timestamptz,
    confirmed_at timestamptz,
    left_at      timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX event_subscriptions_of_event ON tidings.event_subscriptions (event_id, person_id);
CREATE INDEX event_subscriptions_in_order ON tidings.event_subscriptions (event_id, id);
CREATE INDEX event_subscriptions_of_person ON tidings.event_subscriptions (person_id);
CREATE INDEX event_subscriptions_asked ON tidings.event_subscriptions (asked_at) WHERE confirmed_at IS NULL;

-- The address of a person's own calendar; whoever has it can read the calendar, until there is another.
CREATE TABLE tidings.calendar_feeds (
    person_id  uuid PRIMARY KEY REFERENCES tidings.people ON DELETE CASCADE,
    tenant     text NOT NULL,
    hash       bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    read_at    timestamptz
);

-- The reminders that a subscription has offsets for, whether their time has passed or not.
CREATE FUNCTION tidings.wanted_reminders(of_event bigint, of_subscription bigint)
RETURNS TABLE (key text, subscription bigint, seconds integer, due_at timestamptz) LANGUAGE sql STABLE AS $$
    SELECT format('event-%s-sub-%s-reminder-%ss', e.id, s.id, o.seconds), s.id, o.seconds,
        e.starts_at - make_interval(secs => o.seconds)
    FROM tidings.events e JOIN tidings.event_subscriptions s ON s.event_id = e.id, unnest(s.offsets) AS o(seconds)
    WHERE e.id = of_event AND e.status = 'active' AND (of_subscription IS NULL OR s.id = of_subscription)
      AND s.confirmed_at IS NOT NULL AND s.left_at IS NULL
$$;

-- Makes the reminders of an event, or of one of its subscriptions, what they should be, and says how many are new, were
-- moved and are gone. Whoever calls it holds the event's row, so that nobody changes the start meanwhile. Those at a
-- time of their own, without an offset, stay while the event and the subscription do. What lies in the past is neither
-- written nor moved to; one that is due, and has not been sent yet, stays. What it joins is the same range of keys from
-- both sides: row by row, as the planner would on a table that has just grown, it takes the square of the time.
CREATE FUNCTION tidings.set_reminders(
    of_event bigint, of_subscription bigint, reason text, OUT added integer, OUT moved integer, OUT removed integer
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_nestloop = off AS $$
#variable_conflict use_column
DECLARE
    owner    text := tidings.own_tenant();
    low      text := format('event-%s-sub-', of_event) || coalesce(of_subscription || '-', '');
    high     text := low || repeat(chr(1114111), 512);
    keys     text[];
    dues     timestamptz[];
    payloads jsonb[];
BEGIN
    IF NOT EXISTS (SELECT FROM tidings.events e WHERE e.id = of_event AND e.tenant = owner) THEN
        PERFORM tidings.refuse('TD404|event|there is no such event');
    END IF;

    WITH wanted AS MATERIALIZED (
        SELECT * FROM tidings.wanted_reminders(of_event, of_subscription)
    ), present AS MATERIALIZED (
        SELECT s.id FROM tidings.events e JOIN tidings.event_subscriptions s ON s.event_id = e.id
        WHERE e.id = of_event AND e.status = 'active' AND s.left_at IS NULL
          AND (of_subscription IS NULL OR s.id = of_subscription)
    ), written AS MATERIALIZED (
        SELECT o.id, w.due_at, CASE WHEN NOT o.payload ? 'offset' THEN p.id IS NULL
                                    ELSE w.key IS NULL OR w.due_at < now() END AS unwanted
        FROM tidings.outbox o LEFT JOIN wanted w ON w.key = o.key
        LEFT JOIN present p ON p.id = (o.payload ->> 'subscription')::bigint
        WHERE o.tenant = owner AND o.kind = 'event.remind' AND o.key >= low AND o.key <= high
          AND (w.key IS NULL OR w.due_at <> o.due_at)
    ), moving AS (
        UPDATE tidings.outbox o SET due_at = w.due_at, run_at = w.due_at, generation = o.generation + 1,
            status = CASE o.status WHEN 'failed' THEN 'pending' ELSE o.status END, updated_at = now()
        FROM written w WHERE o.id = w.id AND w.due_at >= now()
        RETURNING o.id
    ), gone AS (
        DELETE FROM tidings.outbox o USING written w WHERE o.id = w.id AND w.unwanted
        RETURNING o.*
    ), freed AS (
        DELETE FROM tidings.outbox_keys k USING gone
        WHERE k.tenant = gone.tenant AND k.kind = gone.kind AND k.key = gone.key AND k.intent_id = gone.id
    ), kept AS (
        INSERT INTO tidings.outbox_finished (id, tenant, kind, key, payload, due_at, run_at, status, attempts, crashes,
            max_attempts, last_error, generation, created_at, updated_at)
        SELECT id, tenant, kind, key, payload, due_at, run_at, 'cancelled', attempts, crashes, max_attempts,
            coalesce(reason, last_error), generation, created_at, now() FROM gone
    )
    SELECT (SELECT count(*) FROM moving), (SELECT count(*) FROM gone) INTO moved, removed;

    -- Looked for afterwards: one that was being sent while this waited for it is there no more.
    SELECT array_agg(w.key ORDER BY w.key), array_agg(w.due_at ORDER BY w.key), array_agg(jsonb_build_object(
        'event', of_event, 'subscription', w.subscription, 'offset', w.seconds) ORDER BY w.key)
    INTO keys, dues, payloads FROM tidings.wanted_reminders(of_event, of_subscription) w
    LEFT JOIN (SELECT o.key FROM tidings.outbox o WHERE o.tenant = owner AND o.kind = 'event.remind'
               AND o.key >= low AND o.key <= high) present ON present.key = w.key
    WHERE present.key IS NULL AND w.due_at >= now();
    added := coalesce(cardinality(keys), 0);
    IF added > 0 THEN
        PERFORM tidings.schedule_as('events', array_fill('event.remind'::text, ARRAY[added]), payloads, keys, dues, owner,
                                    NULL);
    ELSIF moved > 0 THEN
        PERFORM tidings.wake();
    END IF;
END $$;

DO $$
DECLARE
    name     text;
    resource text;
BEGIN
    FOR name, resource IN
        SELECT * FROM (VALUES ('events', 'events'), ('event_subscriptions', 'events'), ('calendar_feeds', 'calendar'))
            AS t(name, resource)
    LOOP
        EXECUTE format('ALTER TABLE tidings.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY worker_sees_all ON tidings.%I TO tidings_worker USING (true)', name);
        EXECUTE format('CREATE POLICY api_sees_its_tenant ON tidings.%I TO tidings_api '
                       'USING (tenant = tidings.current_tenant())', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.%I TO tidings_api, tidings_worker', name);
        EXECUTE format('CREATE TRIGGER what_is_new_is_told AFTER INSERT ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, resource);
        EXECUTE format('CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, resource);
        EXECUTE format('CREATE TRIGGER what_is_gone_is_told AFTER DELETE ON tidings.%I REFERENCING OLD TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, resource);
    END LOOP;
END $$;

-- Whose calendar an address shows; nobody has said who they are, so no tenant is set yet.
CREATE FUNCTION tidings.calendar_of(address_hashes bytea[]) RETURNS TABLE (tenant text, person_id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE tidings.calendar_feeds f SET read_at = now() WHERE f.hash = ANY (address_hashes)
    RETURNING f.tenant, f.person_id
$$;

REVOKE ALL ON FUNCTION tidings.wanted_reminders, tidings.set_reminders, tidings.calendar_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.set_reminders, tidings.calendar_of TO tidings_api, tidings_worker;
