-- Reservations at restaurants, for customers, sometimes through an agency.

UPDATE tidings.reserved_types SET unattended = true WHERE prefix = 'reservation';

INSERT INTO tidings.routes (tenant, type, prefix, source)
SELECT '', 'reservation.' || type, false, 'listener:reservations.' || listener
FROM (VALUES ('requested', ARRAY['admin', 'restaurant', 'customer', 'agency']),
             ('confirmed', ARRAY['restaurant', 'customer', 'agency']),
             ('rejected', ARRAY['restaurant', 'customer', 'agency']),
             ('postponed', ARRAY['admin', 'restaurant', 'customer', 'agency']),
             ('cancelled', ARRAY['admin', 'restaurant', 'customer', 'agency']),
             ('reopened', ARRAY['admin', 'restaurant'])) AS t(type, listeners), unnest(t.listeners) AS listener;

-- A restaurant is a group of people with a clock; its staff are told in its language. Where nobody acts on a request for
-- so long, admins are told, and again, up to so many times.
CREATE TABLE tidings.restaurants (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant         text NOT NULL REFERENCES tidings.tenants,
    group_id       uuid NOT NULL UNIQUE REFERENCES tidings.groups,
    timezone       text NOT NULL,
    locale         text,
    escalate_after interval,
    escalate_times integer NOT NULL DEFAULT 1,
    created_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT escalations_are_few CHECK (escalate_times BETWEEN 1 AND 10)
);
CREATE INDEX restaurants_in_order ON tidings.restaurants (tenant, id);

CREATE TABLE tidings.agencies (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant     text NOT NULL REFERENCES tidings.tenants,
    group_id   uuid NOT NULL UNIQUE REFERENCES tidings.groups,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX agencies_in_order ON tidings.agencies (tenant, id);

-- `round` counts how often somebody was asked about it: each is a matter of its own.
CREATE TABLE tidings.reservations (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant        text NOT NULL REFERENCES tidings.tenants,
    restaurant_id bigint NOT NULL REFERENCES tidings.restaurants,
    customer_id   uuid REFERENCES tidings.people ON DELETE SET NULL,
    agency_id     bigint REFERENCES tidings.agencies,
    party_size    integer NOT NULL,
    reserved_for  timestamptz NOT NULL,
    proposed_for  timestamptz,
    note          text,
    status        text NOT NULL DEFAULT 'requested',
    round         integer NOT NULL DEFAULT 1,
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT reservation_status_is_known CHECK (
        status IN ('requested', 'postponed', 'confirmed', 'rejected', 'cancelled')),
    CONSTRAINT a_party_has_somebody CHECK (party_size > 0),
    CONSTRAINT what_is_postponed_has_a_time CHECK (status <> 'postponed' OR proposed_for IS NOT NULL)
);
CREATE INDEX reservations_newest ON tidings.reservations (tenant, id);
CREATE INDEX reservations_of_restaurant ON tidings.reservations (restaurant_id, id);
CREATE INDEX reservations_of_customer ON tidings.reservations (customer_id, id);
CREATE INDEX reservations_of_agency ON tidings.reservations (agency_id, id) WHERE agency_id IS NOT NULL;

DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT unnest(ARRAY['restaurants', 'agencies', 'reservations', 'usual_channels']) LOOP
        EXECUTE format('ALTER TABLE tidings.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY worker_sees_all ON tidings.%I TO tidings_worker USING (true)', name);
        EXECUTE format('CREATE POLICY api_sees_its_tenant ON tidings.%I TO tidings_api '
                       'USING (tenant = tidings.current_tenant())', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.%I TO tidings_api, tidings_worker', name);
        EXECUTE format('CREATE TRIGGER what_is_new_is_told AFTER INSERT ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, 'reservations');
        EXECUTE format('CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, 'reservations');
        EXECUTE format('CREATE TRIGGER what_is_gone_is_told AFTER DELETE ON tidings.%I REFERENCING OLD TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, 'reservations');
    END LOOP;
END $$;
