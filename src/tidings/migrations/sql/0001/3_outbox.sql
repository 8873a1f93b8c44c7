-- The outbox: intents that are open, intents that are finished, and who holds what.

CREATE TABLE tidings.outbox (
    id             uuid PRIMARY KEY,
    tenant         text NOT NULL,
    kind           text NOT NULL,
    key            text COLLATE "C",
    fact_id        uuid,
    stream         text,
    stream_version bigint,
    payload        jsonb,
    due_at         timestamptz NOT NULL,
    run_at         timestamptz NOT NULL,
    status         text NOT NULL DEFAULT 'pending',
    attempts       integer NOT NULL DEFAULT 0,
    crashes        integer NOT NULL DEFAULT 0,
    max_attempts   integer,
    last_error     text,
    lease_token    uuid,
    generation     integer NOT NULL DEFAULT 0,
    suspect        boolean NOT NULL DEFAULT false,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT outbox_status_is_open CHECK (status IN ('pending', 'processing', 'failed', 'enqueued')),
    CONSTRAINT outbox_processing_is_leased CHECK ((status = 'processing') = (lease_token IS NOT NULL))
) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- A lease changes no indexed column, so that it stays on its page; only a retry or a move touches this index.
CREATE INDEX outbox_due ON tidings.outbox (tenant, kind, run_at);
CREATE INDEX outbox_newest ON tidings.outbox (tenant, created_at, id);
CREATE INDEX outbox_by_key ON tidings.outbox (tenant, kind, key) WHERE key IS NOT NULL;
CREATE INDEX outbox_by_stream ON tidings.outbox (tenant, kind, stream, stream_version) WHERE stream IS NOT NULL;
CREATE INDEX outbox_suspects ON tidings.outbox (kind, run_at) WHERE suspect;

CREATE TABLE tidings.outbox_finished (
    id             uuid NOT NULL,
    tenant         text NOT NULL,
    kind           text NOT NULL,
    key            text COLLATE "C",
    fact_id        uuid,
    stream         text,
    stream_version bigint,
    payload        jsonb,
    due_at         timestamptz NOT NULL,
    run_at         timestamptz NOT NULL,
    status         text NOT NULL,
    attempts       integer NOT NULL,
    crashes        integer NOT NULL,
    max_attempts   integer,
    last_error     text,
    generation     integer NOT NULL,
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    finished_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, id),
    CONSTRAINT outbox_finished_status_is_final CHECK (status IN ('succeeded', 'dead', 'cancelled'))
);
CREATE INDEX outbox_finished_newest ON tidings.outbox_finished (tenant, created_at, id);
CREATE INDEX outbox_finished_by_time ON tidings.outbox_finished USING brin (finished_at);
CREATE INDEX outbox_dead ON tidings.outbox_finished (tenant, kind, finished_at) WHERE status = 'dead';
CREATE INDEX outbox_dead_streams ON tidings.outbox_finished (tenant, kind, stream)
    WHERE status = 'dead' AND stream IS NOT NULL;
CREATE INDEX outbox_finished_by_fact ON tidings.outbox_finished (fact_id) WHERE fact_id <> id;

-- Keys of scheduled intents: open (no expiry) or finished and still blocking.
CREATE TABLE tidings.outbox_keys (
    tenant     text NOT NULL,
    kind       text NOT NULL,
    key        text COLLATE "C" NOT NULL,
    intent_id  uuid NOT NULL,
    expires_at timestamptz,
    PRIMARY KEY (tenant, kind, key)
);
CREATE INDEX outbox_keys_by_expiry ON tidings.outbox_keys (expires_at) WHERE expires_at IS NOT NULL;

-- One row for each batch in somebody's hands, whatever table it is of. Renewing a batch updates one row.
CREATE TABLE tidings.leases (
    token      uuid PRIMARY KEY,
    source     text NOT NULL,
    worker     uuid NOT NULL,
    ids        uuid[] NOT NULL,
    alone      boolean NOT NULL,
    expires_at timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- A thousand random ids do not compress; trying costs more than writing them.
ALTER TABLE tidings.leases ALTER COLUMN ids SET STORAGE EXTERNAL;

-- Workers that are alive, and the kinds they serve.
CREATE TABLE tidings.workers (
    id         uuid PRIMARY KEY,
    name       text NOT NULL,
    kinds      text[] NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at    timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION tidings.intent_fault(
    kind text, key text, run_at timestamptz, payload jsonb, max_bytes integer, max_depth integer
) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF kind IS NULL OR kind !~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$' OR length(kind) > 200 THEN
        RETURN 'TD422|kind|must be lower-case words joined by dots, such as reminder.send, of 200 characters at most';
    END IF;
    IF length(key) NOT BETWEEN 1 AND 512 THEN
        RETURN 'TD422|key|must have 1 to 512 characters';
    END IF;
    RETURN coalesce(tidings.time_fault(run_at), tidings.object_fault('payload', payload, max_bytes, max_depth));
END $$;

-- What is wrong with kinds that a module (none: a user) wants to schedule, move or cancel, or null.
CREATE FUNCTION tidings.reserved_fault(module text, kinds text[]) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF EXISTS (
        SELECT FROM unnest(kinds) k JOIN tidings.reserved_types r ON r.prefix = split_part(k, '.', 1)
        WHERE r.module IS DISTINCT FROM reserved_fault.module) THEN
        RETURN 'TD403|kind|is reserved: only the module it belongs to may schedule, move or cancel it';
    END IF;
    RETURN NULL;
END $$;

-- Schedules intents that no fact caused, whose origin has been checked, and returns their ids in the order given.
-- An open intent with the same key, or a finished one whose key still blocks, is left as it is and its id returned.
CREATE FUNCTION tidings.schedule_as(
    module text,
    kinds text[], payloads jsonb[], keys text[], run_ats timestamptz[], tenant text, max_attempts integer
) RETURNS uuid[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    size   integer := coalesce(cardinality(kinds), 0);
    fault  text := tidings.length_fault(
        'kinds', size, ARRAY['payloads', 'keys', 'run_ats'],
        ARRAY[coalesce(cardinality(payloads), 0), cardinality(keys), cardinality(run_ats)]);
    result uuid[];
BEGIN
    IF fault IS NOT NULL THEN
        PERFORM tidings.refuse(fault);
    END IF;
    SELECT min(tidings.intent_fault(i.kind, i.key, i.run_at, i.payload, l.max_bytes, l.max_depth)) INTO fault
    FROM unnest(kinds, payloads, keys, run_ats) AS i(kind, payload, key, run_at), tidings.limits l;
    fault := coalesce(fault, tidings.reserved_fault(module, kinds));
    IF fault IS NULL AND NOT EXISTS (SELECT FROM tidings.tenants t WHERE t.id = schedule_as.tenant) THEN
        fault := 'TD404|tenant|there is no such tenant';
    END IF;
    IF fault IS NOT NULL THEN
        PERFORM tidings.refuse(fault);
    END IF;

    -- A key that is taken is left unlocked, so that nobody who settles has to wait for this transaction. So it may be
    -- freed before its holder is read: then it is tried again.
    result := array_fill(NULL::uuid, ARRAY[size]);
    LOOP
        -- Keys that have expired go first, in one order everywhere: whoever meets another here waits before it has
        -- claimed anything, so that two cannot deadlock. Looked up by key: the index by expiry holds everybody's.
        DELETE FROM tidings.outbox_keys WHERE ctid = ANY (ARRAY(
            SELECT k.ctid FROM unnest(kinds, keys) AS i(kind, key) JOIN tidings.outbox_keys k
                ON k.tenant = schedule_as.tenant AND k.kind = i.kind AND k.key = i.key
                AND coalesce(k.expires_at, 'infinity') < now()
            ORDER BY k.kind, k.key FOR UPDATE OF k));

        WITH input AS MATERIALIZED (
            SELECT n, kind, key, payload, coalesce(run_at, now()) AS run_at, known, tidings.uuid7() AS id
            FROM unnest(kinds, payloads, keys, run_ats, result) WITH ORDINALITY
                AS i(kind, payload, key, run_at, known, n)
        ), claimed AS (
            INSERT INTO tidings.outbox_keys (tenant, kind, key, intent_id)
            SELECT DISTINCT ON (kind, key) schedule_as.tenant, kind, key, id FROM input
            WHERE key IS NOT NULL AND known IS NULL AND NOT EXISTS (
                SELECT FROM tidings.outbox_keys t WHERE t.tenant = schedule_as.tenant AND t.kind = input.kind
                  AND t.key = input.key)
            ORDER BY kind, key, n
            ON CONFLICT ON CONSTRAINT outbox_keys_pkey DO NOTHING
            RETURNING intent_id
        ), inserted AS (
            INSERT INTO tidings.outbox (id, tenant, kind, key, payload, due_at, run_at, max_attempts)
            SELECT id, schedule_as.tenant, kind, key, payload, run_at, run_at, schedule_as.max_attempts FROM input
            WHERE known IS NULL AND (key IS NULL OR id IN (SELECT intent_id FROM claimed))
            RETURNING id
        )
        SELECT array_agg(CASE WHEN id IN (SELECT id FROM inserted) THEN id ELSE known END ORDER BY n)
        INTO result FROM input;
        EXIT WHEN array_position(result, NULL) IS NULL;

        SELECT array_agg(coalesce(r.id, k.intent_id) ORDER BY n) INTO result
        FROM unnest(result, kinds, keys) WITH ORDINALITY AS r(id, kind, key, n)
        LEFT JOIN tidings.outbox_keys k
            ON r.id IS NULL AND k.tenant = schedule_as.tenant AND k.kind = r.kind AND k.key = r.key
            AND (k.expires_at IS NULL OR k.expires_at >= now());
        EXIT WHEN array_position(result, NULL) IS NULL;
    END LOOP;
    IF size > 0 AND run_ats IS NULL
       OR EXISTS (SELECT FROM unnest(run_ats) t WHERE t IS NULL OR t < now() + interval '10 seconds') THEN
        PERFORM tidings.wake();
    END IF;
    RETURN result;
END $$;

-- An array that is left out, or null, stands for the default of `schedule` in each intent.
CREATE FUNCTION tidings.schedule_many(
    kinds text[], payloads jsonb[], keys text[] DEFAULT NULL, run_ats timestamptz[] DEFAULT NULL,
    tenant text DEFAULT 'default', max_attempts integer DEFAULT NULL
) RETURNS uuid[] LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT tidings.schedule_as(NULL, kinds, payloads, keys, run_ats, tenant, max_attempts)
$$;

CREATE FUNCTION tidings.schedule(
    kind text, payload jsonb DEFAULT '{}', key text DEFAULT NULL, run_at timestamptz DEFAULT NULL,
    tenant text DEFAULT 'default', max_attempts integer DEFAULT NULL
) RETURNS uuid LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (tidings.schedule_as(NULL, ARRAY[kind], ARRAY[payload], ARRAY[key], ARRAY[run_at], tenant, max_attempts))[1];

-- A key stands for itself; a prefix for every key that begins with it: a range in byte order.
CREATE FUNCTION tidings.key_range(key text, prefix text, OUT low text, OUT high text)
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF (key IS NULL) = (prefix IS NULL) OR prefix = '' THEN
        PERFORM tidings.refuse('TD422|key|give either a key or a prefix that is not empty');
    END IF;
    low := coalesce(key, prefix);
    high := coalesce(key, prefix || repeat(chr(1114111), 512));
END $$;

-- Moves open intents to a new time, or by an interval, and returns how many. One that is being handled now
-- runs again at its new time, unless it settles in the transaction that did its work. For modules: also their own.
CREATE FUNCTION tidings.move_as(
    module text, kind text, key text, prefix text, run_at timestamptz, shift interval, tenant text
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    bounds record := tidings.key_range(key, prefix);
    fault  text := coalesce(
        tidings.reserved_fault(module, ARRAY[kind]),
        CASE WHEN (run_at IS NULL) = (shift IS NULL) THEN 'TD422|runAt|give either a time or a shift'
             WHEN shift NOT BETWEEN interval '-10 years' AND interval '10 years'
                 THEN 'TD422|shift|must be less than ten years either way' END,
        tidings.time_fault(run_at));
    astray boolean;
    moved  bigint;
BEGIN
    IF fault IS NOT NULL THEN
        PERFORM tidings.refuse(fault);
    END IF;
    WITH moved AS (
        UPDATE tidings.outbox o
        SET due_at = coalesce(move_as.run_at, o.due_at + shift),
            run_at = coalesce(move_as.run_at, o.due_at + shift),
            generation = o.generation + 1,
            status = CASE o.status WHEN 'failed' THEN 'pending' ELSE o.status END,
            updated_at = now()
        WHERE o.tenant = move_as.tenant AND o.kind = move_as.kind AND o.key >= bounds.low AND o.key <= bounds.high
        RETURNING o.run_at
    )
    SELECT count(*), bool_or(tidings.time_fault(m.run_at) IS NOT NULL) INTO moved, astray FROM moved m;
    IF astray THEN
        PERFORM tidings.refuse('TD422|shift|must leave each time less than a year ago and less than ten years ahead');
    END IF;
    IF moved > 0 THEN
        PERFORM tidings.wake();
    END IF;
    RETURN moved;
END $$;

CREATE FUNCTION tidings.move(
    kind text, key text DEFAULT NULL, prefix text DEFAULT NULL, run_at timestamptz DEFAULT NULL,
    shift interval DEFAULT NULL, tenant text DEFAULT 'default'
) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN tidings.move_as(NULL, kind, key, prefix, run_at, shift, tenant);

-- Cancels open intents and returns how many. What is cancelled stays readable; its key may be used again.
-- For modules: also their own.
CREATE FUNCTION tidings.cancel_as(
    module text, kind text, key text, prefix text, tenant text, reason text
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    bounds    record := tidings.key_range(key, prefix);
    fault     text := tidings.reserved_fault(module, ARRAY[kind]);
    cancelled bigint;
BEGIN
    IF fault IS NOT NULL THEN
        PERFORM tidings.refuse(fault);
    END IF;
    WITH gone AS (
        DELETE FROM tidings.outbox o
        WHERE o.tenant = cancel_as.tenant AND o.kind = cancel_as.kind AND o.key >= bounds.low AND o.key <= bounds.high
        RETURNING o.*
    ), freed AS (
        DELETE FROM tidings.outbox_keys k USING gone WHERE k.intent_id = gone.id
            AND k.tenant = gone.tenant AND k.kind = gone.kind AND k.key = gone.key
    )
    INSERT INTO tidings.outbox_finished (id, tenant, kind, key, fact_id, stream, stream_version, payload, due_at,
        run_at, status, attempts, crashes, max_attempts, last_error, generation, created_at, updated_at)
    SELECT id, gone.tenant, gone.kind, gone.key, fact_id, stream, stream_version, payload, due_at,
        run_at, 'cancelled', attempts, crashes, max_attempts, coalesce(reason, last_error), generation, created_at,
        now()
    FROM gone;
    GET DIAGNOSTICS cancelled = ROW_COUNT;
    RETURN cancelled;
END $$;

CREATE FUNCTION tidings.cancel(
    kind text, key text DEFAULT NULL, prefix text DEFAULT NULL, tenant text DEFAULT 'default',
    reason text DEFAULT NULL
) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN tidings.cancel_as(NULL, kind, key, prefix, tenant, reason);
