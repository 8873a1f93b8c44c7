-- The journal: facts, recorded once and never changed.

CREATE TABLE tidings.facts (
    id             uuid PRIMARY KEY,
    seq            bigint GENERATED ALWAYS AS IDENTITY,
    tenant         text NOT NULL,
    type           text NOT NULL,
    stream_type    text,
    stream_id      text,
    stream_version bigint,
    data           jsonb NOT NULL,
    metadata       jsonb NOT NULL,
    occurred_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT a_stream_has_type_and_id CHECK ((stream_type IS NULL) = (stream_id IS NULL))
);
CREATE INDEX facts_in_order ON tidings.facts (tenant, seq);
CREATE INDEX facts_by_type ON tidings.facts (tenant, type, seq);
CREATE INDEX facts_by_stream ON tidings.facts (tenant, stream_type, stream_id, seq) WHERE stream_type IS NOT NULL;
CREATE INDEX facts_by_time ON tidings.facts USING brin (occurred_at);

-- Types that only their module may emit.
CREATE TABLE tidings.reserved_types (
    prefix text PRIMARY KEY,
    module text NOT NULL
);
INSERT INTO tidings.reserved_types VALUES
    ('event', 'events'), ('notice', 'notify'), ('organization', 'organizations'),
    ('report', 'reports'), ('reservation', 'reservations'), ('tidings', 'tidings');

-- Streams whose facts are numbered without gaps, and whose intents can be run in that order.
CREATE TABLE tidings.ordered_streams (
    stream_type text PRIMARY KEY
);
CREATE TABLE tidings.stream_heads (
    tenant      text NOT NULL,
    stream_type text NOT NULL,
    stream_id   text NOT NULL,
    version     bigint NOT NULL,
    PRIMARY KEY (tenant, stream_type, stream_id)
);

-- uuid7() comes with PostgreSQL 18; before it, the same layout is put together here.
DO $$ BEGIN
    IF current_setting('server_version_num')::integer >= 180000 THEN
        CREATE FUNCTION tidings.uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
            RETURN uuidv7();
    ELSE
        CREATE FUNCTION tidings.uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
            RETURN encode(set_bit(set_bit(overlay(
                uuid_send(gen_random_uuid())
                PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid;
    END IF;
END $$;

-- The id of a fact with a key: SHA-256 over its length-prefixed parts, as a version 8 UUID.
CREATE FUNCTION tidings.fact_id(tenant text, type text, stream_type text, stream_id text, key text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN encode(set_bit(set_bit(set_bit(set_bit(set_bit(set_bit(substring(sha256(convert_to(
        concat(
            octet_length(tenant), ':', tenant, octet_length(type), ':', type,
            octet_length(stream_type), ':', stream_type, octet_length(stream_id), ':', stream_id,
            octet_length(key), ':', key),
        'UTF8')) FOR 16),
    55, 1), 54, 0), 53, 0), 52, 0), 71, 1), 70, 0), 'hex')::uuid;

-- What is wrong with a JSON object, or null: its SQLSTATE, the field and a sentence, separated by bars.
CREATE FUNCTION tidings.object_fault(field text, value jsonb, max_bytes integer, max_depth integer)
RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
    body text := value::text;
BEGIN
    IF value IS NULL OR jsonb_typeof(value) <> 'object' THEN
        RETURN format('TD422|%s|must be a JSON object', field);
    END IF;
    IF octet_length(body) > max_bytes THEN
        RETURN format('TD413|%s|is %s bytes as JSON; the limit is %s', field, octet_length(body), max_bytes);
    END IF;
    -- A body with few brackets cannot be deep, and one without a long run of digits holds no huge number.
    IF length(body) - length(translate(body, '[{', '')) > max_depth
       AND jsonb_path_exists(value, format('strict $.**{%s}', max_depth)::jsonpath) THEN
        RETURN format('TD422|%s|is nested deeper than %s levels', field, max_depth);
    END IF;
    IF length(body) > 200 AND body ~ '[0-9]{200}' AND jsonb_path_exists(
        value, '$.** ? (@.type() == "number" && (@ > 1.7976931348623157e308 || @ < -1.7976931348623157e308))') THEN
        RETURN format('TD422|%s|holds a number that does not fit a double', field);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION tidings.time_fault(run_at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN run_at NOT BETWEEN now() - interval '1 year' AND now() + interval '10 years'
    THEN 'TD422|runAt|must be less than a year ago and less than ten years ahead' END;

-- Arrays that go together have one length; one that is null is left out. What is wrong, or null, in the same form.
CREATE FUNCTION tidings.length_fault(first text, size integer, others text[], sizes integer[])
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    FOR n IN 1..cardinality(others) LOOP
        IF sizes[n] <> size THEN
            RETURN format('TD422|%s|has %s elements, and %s has %s', others[n], sizes[n], first, size);
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

-- What is wrong with a fact, or null, in the same form.
CREATE FUNCTION tidings.fact_fault(
    type text, data jsonb, stream_type text, stream_id text, key text, run_at timestamptz, metadata jsonb,
    max_bytes integer, max_depth integer
) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    IF type IS NULL OR type !~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$' OR length(type) > 200 THEN
        RETURN 'TD422|type|must be lower-case words joined by dots, such as order.paid, of 200 characters at most';
    END IF;
    IF (stream_type IS NULL) <> (stream_id IS NULL) THEN
        RETURN 'TD422|stream|needs both a type and an id, or neither';
    END IF;
    IF stream_type !~ '^[a-z][a-z0-9_]{0,99}$' THEN
        RETURN 'TD422|stream|type must be one lower-case word of 100 characters at most';
    END IF;
    IF length(stream_id) NOT BETWEEN 1 AND 255 THEN
        RETURN 'TD422|stream|id must have 1 to 255 characters';
    END IF;
    IF length(key) NOT BETWEEN 1 AND 512 THEN
        RETURN 'TD422|key|must have 1 to 512 characters';
    END IF;
    IF metadata <> '{}' THEN
        IF jsonb_typeof(metadata) <> 'object' OR octet_length(metadata::text) > 4096 THEN
            RETURN 'TD422|metadata|must be a JSON object of 4096 bytes at most';
        END IF;
        IF metadata ->> 'causation_id' !~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' THEN
            RETURN 'TD422|metadata|causation_id must be the id of a fact';
        END IF;
    END IF;
    RETURN coalesce(tidings.time_fault(run_at), tidings.object_fault('data', data, max_bytes, max_depth));
END $$;

CREATE FUNCTION tidings.refuse(fault text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    parts text[] := regexp_match(fault, '^([^|]*)\|([^|]*)\|(.*)$');
BEGIN
    RAISE EXCEPTION USING ERRCODE = parts[1], COLUMN = parts[2], MESSAGE = format('%s: %s', parts[2], parts[3]);
END $$;


-- Wakes a sleeping worker, and costs next to nothing when none sleeps. A worker holds this lock while it
-- sleeps; taking it shared until the end of the transaction keeps every worker awake until this commits.
CREATE FUNCTION tidings.wake() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock_shared(7205759403) THEN
        PERFORM pg_notify('tidings_outbox', '');
    END IF;
END $$;
