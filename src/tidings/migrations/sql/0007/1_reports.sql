-- Reports that recur: when, to whom, and what became of each run. A schedule's next slot is an intent, `report.tick`.

UPDATE tidings.reserved_types SET unattended = true WHERE prefix = 'report';
INSERT INTO tidings.routes (tenant, type, prefix, source) VALUES
    ('', 'report.generated', false, 'listener:reports.mail'),
    ('', 'report.failed', false, 'listener:reports.owner'),
    ('', 'report.missed', false, 'listener:reports.owner'),
    ('', 'notice.settled/reports.mail', false, 'listener:reports.delivered');

-- Times are those of a wall clock in `timezone`; weeks are counted from `since`. `next_slot` is what that clock will show
-- at `next_run_at`; both stay as they are while it is paused. `owner` is the login that made it.
CREATE TABLE tidings.report_schedules (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant          text NOT NULL REFERENCES tidings.tenants,
    owner           text NOT NULL,
    name            text,
    report_type     text NOT NULL,
    cadence_type    text NOT NULL,
    cadence_day     smallint,
    cadence_weekday smallint,
    cadence_week    smallint,
    interval_weeks  smallint NOT NULL DEFAULT 1,
    cron_expression text,
    schedule_time   time,
    since           date NOT NULL,
    timezone        text NOT NULL,
    catch_up        text NOT NULL DEFAULT 'latest',
    format          text NOT NULL DEFAULT 'pdf',
    status          text NOT NULL DEFAULT 'active',
    next_run_at     timestamptz,
    next_slot       timestamp,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT cadence_is_known CHECK (cadence_type IN ('daily', 'weekly', 'monthly', 'cron')),
    CONSTRAINT a_cadence_has_its_times CHECK ((cadence_type = 'cron') = (schedule_time IS NULL)
        AND (cadence_type = 'cron') = (cron_expression IS NOT NULL)),
    CONSTRAINT format_is_known CHECK (format IN ('pdf', 'csv', 'xlsx', 'html')),
    CONSTRAINT catch_up_is_known CHECK (catch_up IN ('latest', 'skip', 'all')),
    CONSTRAINT schedule_status_is_known CHECK (status IN ('active', 'paused', 'deleted'))
) WITH (fillfactor = 70);  -- of what a tick changes nothing is indexed
CREATE INDEX report_schedules_of_owner ON tidings.report_schedules (tenant, owner, id);
CREATE INDEX report_schedules_in_order ON tidings.report_schedules (tenant, id);

-- One that was replaced stays, for the ids that were given out.
CREATE TABLE tidings.report_recipients (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant      text NOT NULL,
    schedule_id bigint NOT NULL REFERENCES tidings.report_schedules ON DELETE CASCADE,
    email       text NOT NULL,
    removed_at  timestamptz,
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX report_recipients_of_schedule ON tidings.report_recipients (schedule_id, email)
    WHERE removed_at IS NULL;

-- Who does not want it any more, whoever puts them on the list again.
CREATE TABLE tidings.report_unsubscribed (
    tenant      text NOT NULL,
    schedule_id bigint NOT NULL REFERENCES tidings.report_schedules ON DELETE CASCADE,
    email       text NOT NULL,
    since       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (schedule_id, email)
);

-- One for a slot that the clock brought, any number for those that somebody asked for.
CREATE TABLE tidings.report_runs (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant        text NOT NULL,
    schedule_id   bigint NOT NULL REFERENCES tidings.report_schedules ON DELETE CASCADE,
    slot          timestamp NOT NULL,
    due_at        timestamptz NOT NULL,
    late          boolean NOT NULL DEFAULT false,
    trigger       text NOT NULL DEFAULT 'schedule',
    retry_of      bigint REFERENCES tidings.report_runs,
    status        text NOT NULL DEFAULT 'pending',
    error_message text,
    summary       text,
    started_at    timestamptz,
    completed_at  timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT what_is_repeated_is_known CHECK ((retry_of IS NOT NULL) = (trigger IN ('retry', 'resend'))),
    CONSTRAINT run_trigger_is_known CHECK (trigger IN ('schedule', 'manual', 'retry', 'resend')),
    CONSTRAINT run_status_is_known CHECK (status IN ('pending', 'generating', 'generated', 'delivering', 'delivered',
        'partially_delivered', 'delivery_failed', 'generation_failed', 'cancelled'))
);
CREATE UNIQUE INDEX report_runs_of_slot ON tidings.report_runs (schedule_id, slot) WHERE trigger = 'schedule';
CREATE INDEX report_runs_repeated ON tidings.report_runs (retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX report_runs_newest ON tidings.report_runs (schedule_id, id);

-- What a run made, as it is mailed; sealed as messages are that are kept. A run that sends one again has the same.
CREATE TABLE tidings.report_documents (
    run_id     bigint PRIMARY KEY REFERENCES tidings.report_runs ON DELETE CASCADE,
    tenant     text NOT NULL,
    name       text NOT NULL,
    media_type text NOT NULL,
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX report_documents_by_time ON tidings.report_documents (created_at);

CREATE TABLE tidings.report_run_recipients (
    run_id        bigint NOT NULL REFERENCES tidings.report_runs ON DELETE CASCADE,
    tenant        text NOT NULL,
    email         text NOT NULL,
    address_id    uuid,
    status        text NOT NULL DEFAULT 'pending',
    error_message text,
    delivered_at  timestamptz,
    PRIMARY KEY (run_id, email),
    CONSTRAINT recipient_status_is_known CHECK (status IN ('pending', 'sent', 'failed', 'skipped'))
);

-- The mailbox of an address: of somebody who is known by it, else of somebody new. Behind a lock, so that two who look at
-- once find one.
CREATE FUNCTION tidings.mailbox_of(of_tenant text, email text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    found  uuid;
    person uuid;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('mailbox:' || of_tenant || ':' || email, 0));
    SELECT a.id INTO found FROM tidings.addresses a JOIN tidings.people p ON p.id = a.person_id
    WHERE a.tenant = of_tenant AND a.kind = 'email' AND a.fingerprint = email ORDER BY p.user_id IS NULL, p.id LIMIT 1;
    IF found IS NULL THEN
        INSERT INTO tidings.people (tenant, user_type, name) VALUES (of_tenant, 'report', email) RETURNING id INTO person;
        INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
        VALUES (of_tenant, person, 'email', email, email) RETURNING id INTO found;
    END IF;
    RETURN found;
END $$;
REVOKE ALL ON FUNCTION tidings.mailbox_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.mailbox_of TO tidings_worker;

DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT unnest(ARRAY['report_schedules', 'report_recipients', 'report_unsubscribed', 'report_runs',
                                    'report_run_recipients', 'report_documents']) LOOP
        EXECUTE format('ALTER TABLE tidings.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY worker_sees_all ON tidings.%I TO tidings_worker USING (true)', name);
        EXECUTE format('CREATE POLICY api_sees_its_tenant ON tidings.%I TO tidings_api '
                       'USING (tenant = tidings.current_tenant())', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.%I TO tidings_api, tidings_worker', name);
        EXECUTE format('CREATE TRIGGER what_is_new_is_told AFTER INSERT ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, 'reports');
        EXECUTE format('CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, 'reports');
        EXECUTE format('CREATE TRIGGER what_is_gone_is_told AFTER DELETE ON tidings.%I REFERENCING OLD TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, 'reports');
    END LOOP;
END $$;
