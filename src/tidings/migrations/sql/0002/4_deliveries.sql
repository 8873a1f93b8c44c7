-- Deliveries: a notification over one channel to one address. Open and finished rows, under the same engine as intents.

-- What a tenant's channel sends through. The first that is enabled and whose circuit is closed is used, by priority.
-- A circuit that is open (`opened_at`) lets nothing through until `open_until`, then one delivery at a time. One that is
-- removed has no secrets any more, and stays for the records.
CREATE TABLE tidings.providers (
    id            uuid PRIMARY KEY DEFAULT tidings.uuid7(),
    tenant        text NOT NULL REFERENCES tidings.tenants,
    channel       text NOT NULL,
    type          text NOT NULL,
    name          text NOT NULL,
    built_in      boolean NOT NULL DEFAULT false,
    enabled       boolean NOT NULL DEFAULT true,
    priority      integer NOT NULL DEFAULT 100,
    config        bytea,
    shown         jsonb NOT NULL DEFAULT '{}',
    version       integer NOT NULL DEFAULT 1,
    concurrency   integer,
    rate          integer,
    rate_period   interval,
    on_unknown    text,
    max_attempts  integer,
    expires_after interval,
    failures      integer NOT NULL DEFAULT 0,
    openings      integer NOT NULL DEFAULT 0,
    opened_at     timestamptz,
    open_until    timestamptz,
    last_error    text,
    last_error_at timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now(),
    removed_at    timestamptz,
    CONSTRAINT provider_policy_is_known CHECK (on_unknown IN ('resend', 'hold')),
    CONSTRAINT a_rate_has_a_period CHECK ((rate IS NULL) = (rate_period IS NULL))
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX providers_by_name ON tidings.providers (tenant, channel, name) WHERE removed_at IS NULL;
CREATE INDEX providers_open ON tidings.providers (id) WHERE opened_at IS NOT NULL;

CREATE TABLE tidings.deliveries (
    id              uuid PRIMARY KEY,
    tenant          text NOT NULL,
    channel         text NOT NULL,
    provider        uuid NOT NULL,
    notice_id       uuid NOT NULL,
    notification_id uuid NOT NULL,
    person_id       uuid NOT NULL,
    address_id      uuid,
    address         text NOT NULL,
    due_at          timestamptz NOT NULL,
    run_at          timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    status          text NOT NULL DEFAULT 'pending',
    attempts        integer NOT NULL DEFAULT 0,
    crashes         integer NOT NULL DEFAULT 0,
    max_attempts    integer,
    last_error      text,
    lease_token     uuid,
    generation      integer NOT NULL DEFAULT 0,
    suspect         boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT deliveries_status_is_open CHECK (status IN ('pending', 'processing', 'failed', 'held')),
    CONSTRAINT deliveries_processing_is_leased CHECK ((status = 'processing') = (lease_token IS NOT NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX deliveries_due ON tidings.deliveries (provider, channel, run_at);
CREATE UNIQUE INDEX deliveries_of_notification ON tidings.deliveries (notification_id, channel, address_id)
    NULLS NOT DISTINCT;
CREATE INDEX deliveries_held ON tidings.deliveries (tenant, id) WHERE status = 'held';
CREATE INDEX deliveries_in_flight ON tidings.deliveries (provider) WHERE status = 'processing';
CREATE INDEX deliveries_suspects ON tidings.deliveries (provider, channel, run_at) WHERE suspect;

-- Those of a lease that were on their way when a second message would do harm: whoever takes it back must know.
ALTER TABLE tidings.leases ADD COLUMN begun uuid[] NOT NULL DEFAULT '{}';
ALTER TABLE tidings.leases ALTER COLUMN begun SET STORAGE EXTERNAL;

CREATE TABLE tidings.deliveries_finished (
    id              uuid PRIMARY KEY,
    tenant          text NOT NULL,
    channel         text NOT NULL,
    provider        uuid NOT NULL,
    notice_id       uuid NOT NULL,
    notification_id uuid NOT NULL,
    person_id       uuid NOT NULL,
    address_id      uuid,
    address         text NOT NULL,
    due_at          timestamptz NOT NULL,
    run_at          timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    status          text NOT NULL,
    receipt         text,
    confirmed       text,
    confirmed_at    timestamptz,
    attempts        integer NOT NULL,
    crashes         integer NOT NULL,
    max_attempts    integer,
    last_error      text,
    generation      integer NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    finished_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT deliveries_finished_status_is_final CHECK (status IN ('sent', 'skipped', 'failed')),
    CONSTRAINT deliveries_finished_confirmed_is_known CHECK (
        confirmed IN ('delivered', 'read', 'failed', 'bounced', 'complained'))
);
CREATE UNIQUE INDEX deliveries_finished_of_notification
    ON tidings.deliveries_finished (notification_id, channel, address_id) NULLS NOT DISTINCT;
CREATE INDEX deliveries_finished_newest ON tidings.deliveries_finished (tenant, id);
CREATE INDEX deliveries_finished_by_receipt ON tidings.deliveries_finished (provider, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX deliveries_finished_by_time ON tidings.deliveries_finished (finished_at);
CREATE INDEX deliveries_failed ON tidings.deliveries_finished (tenant, channel, finished_at) WHERE status = 'failed';

-- Every attempt, every decision not to make one, and what the provider told of it later, as it happened.
CREATE TABLE tidings.delivery_attempts (
    delivery_id uuid NOT NULL,
    tenant      text NOT NULL,
    provider    uuid NOT NULL,
    outcome     text NOT NULL,
    reason      text,
    receipt     text,
    took        interval,
    ended_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT attempt_outcome_is_known CHECK (
        outcome IN ('sent', 'deferred', 'rejected', 'unknown', 'skipped', 'expired', 'crashed', 'quiet',
                    'delivered', 'read', 'failed', 'bounced', 'complained'))
);
CREATE INDEX delivery_attempts_of_delivery ON tidings.delivery_attempts (delivery_id);

-- What the sandbox kept instead of sending it, sealed.
CREATE TABLE tidings.sandbox_messages (
    id         uuid PRIMARY KEY,
    tenant     text NOT NULL,
    channel    text NOT NULL,
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sandbox_messages_newest ON tidings.sandbox_messages (tenant, created_at, id);
CREATE INDEX sandbox_messages_by_time ON tidings.sandbox_messages (created_at);

-- How many deliveries of a provider that has a rate were leased of late, in parts of its period.
CREATE TABLE tidings.provider_sends (
    provider uuid NOT NULL,
    until    timestamptz NOT NULL,
    leased   integer NOT NULL,
    PRIMARY KEY (provider, until)
) WITH (fillfactor = 50);

-- Takes up to `wanted` of what a provider's rate leaves beside `kept`, and returns how many: never more than the rate in
-- any period. A part counts until a period after its end. A rate by the second is spread, so that it comes bit by bit.
CREATE FUNCTION tidings.take_of_rate(provider uuid, rate integer, period interval, kept integer, wanted integer)
RETURNS integer LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    moment timestamptz := clock_timestamp();
    part   timestamptz := date_bin(period / 20, moment, 'epoch') + period / 20;
    used   bigint;
    lately bigint;
    taken  integer;
BEGIN
    DELETE FROM tidings.provider_sends s WHERE s.provider = provider AND s.until <= moment - period;
    SELECT coalesce(sum(s.leased), 0), coalesce(sum(s.leased) FILTER (WHERE s.until = part), 0) INTO used, lately
    FROM tidings.provider_sends s WHERE s.provider = provider;
    taken := least(wanted, rate - used - kept,
                   CASE WHEN period < interval '20 seconds' THEN ceil(rate / 10.0) - lately - kept END);
    IF taken < 1 THEN
        RETURN 0;
    END IF;
    INSERT INTO tidings.provider_sends AS s VALUES (provider, part, taken)
    ON CONFLICT ON CONSTRAINT provider_sends_pkey DO UPDATE SET leased = s.leased + taken;
    RETURN taken;
END $$;

-- How many deliveries of each provider may be leased now, of as many as are wanted. Limits are the provider's, whoever
-- sends: those that have one are locked until the commit, in one order, and what is in flight is counted behind that
-- lock. A circuit that was opened and whose time is up lets one through. `alone` is for suspects, which are leased apart
-- from the others: where one waits, a place is kept for it in every other second, so that it cannot wait for ever, nor
-- hold up the others if nobody comes for it.
CREATE FUNCTION tidings.allow_deliveries(wanted uuid[], quotas integer[], alone boolean DEFAULT false)
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
              AND d.run_at <= now() AND d.status IN ('pending', 'failed') LIMIT 1) waits
        WHERE date_part('epoch', now())::bigint % 2 = 0;
        allowed := least(limited.quota, limited.concurrency - flying - kept);
        IF limited.opened_at IS NOT NULL THEN
            allowed := CASE WHEN limited.open_until > now() THEN 0 ELSE least(allowed, 1 - flying) END;
        END IF;
        IF limited.rate IS NOT NULL AND allowed > 0 THEN
            SELECT count(*) INTO allowed FROM (
                SELECT FROM tidings.deliveries d WHERE d.provider = limited.id AND d.channel = limited.channel
                  AND d.run_at <= now() AND d.status IN ('pending', 'failed') AND d.suspect = alone LIMIT allowed) due;
            allowed := tidings.take_of_rate(limited.id, limited.rate, limited.rate_period, kept, allowed);
        END IF;
        IF allowed > 0 THEN
            RETURN NEXT;
        END IF;
    END LOOP;
END $$;

-- What became of sends, told by provider: one that worked closes the circuit; `threshold` failures in a row open it, for
-- longer each time. When it opens, what waits behind it goes to the next provider of the channel, where there is one.
CREATE FUNCTION tidings.note_health(
    ids uuid[], failed integer[], worked integer[], errors text[], threshold integer, pause interval, longest interval
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    seen     record;
    provider tidings.providers;
BEGIN
    FOR seen IN
        SELECT * FROM unnest(ids, failed, worked, errors) AS s(id, failed, worked, error) ORDER BY s.id
    LOOP
        IF seen.worked > 0 THEN
            UPDATE tidings.providers p SET failures = 0, openings = 0, opened_at = NULL, open_until = NULL
            WHERE p.id = seen.id AND (p.failures > 0 OR p.opened_at IS NOT NULL);
            CONTINUE;
        END IF;
        UPDATE tidings.providers p SET failures = p.failures + seen.failed, last_error = seen.error, last_error_at = now()
        WHERE p.id = seen.id RETURNING * INTO provider;
        CONTINUE WHEN NOT FOUND OR provider.failures < threshold OR provider.open_until > now();
        UPDATE tidings.providers p SET openings = p.openings + 1, opened_at = coalesce(p.opened_at, now()),
            open_until = now() + least(longest, pause * power(2, least(p.openings, 20)))
        WHERE p.id = seen.id;
        PERFORM tidings.schedule_as('notify', ARRAY['notice.fail_over'], ARRAY[jsonb_build_object('provider', seen.id)],
                                    ARRAY[seen.id::text], ARRAY[now()], provider.tenant, NULL);
    END LOOP;
END $$;

-- Where a channel gets a provider, or one of its providers stops, what waits behind those that stand still may go.
CREATE FUNCTION tidings.reconsider_providers() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    still uuid;
BEGIN
    FOR still IN
        SELECT p.id FROM tidings.providers p
        WHERE p.tenant = NEW.tenant AND p.channel = NEW.channel
          AND (NOT p.enabled OR p.removed_at IS NOT NULL OR p.opened_at IS NOT NULL)
          AND EXISTS (SELECT FROM tidings.deliveries d WHERE d.provider = p.id)
        ORDER BY p.id
    LOOP
        PERFORM tidings.schedule_as('notify', ARRAY['notice.fail_over'], ARRAY[jsonb_build_object('provider', still)],
                                    ARRAY[still::text], ARRAY[now()], NEW.tenant, NULL);
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER what_stands_still_may_go AFTER INSERT OR UPDATE OF enabled, removed_at ON tidings.providers
    FOR EACH ROW EXECUTE FUNCTION tidings.reconsider_providers();
