-- Processes: which there are, and starting and signalling them by intents. And what modules may do from within the API.

INSERT INTO tidings.reserved_types (prefix, module, unattended) VALUES ('process', 'processes', true);

-- A process for each row, once: Temporal forgets what has ended, this does not. `started_at` when Temporal took it.
CREATE TABLE tidings.processes (
    id         text COLLATE "C" PRIMARY KEY,
    tenant     text NOT NULL REFERENCES tidings.tenants,
    workflow   text NOT NULL,
    run_id     text,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz
);
ALTER TABLE tidings.processes ENABLE ROW LEVEL SECURITY;
CREATE POLICY worker_sees_all ON tidings.processes TO tidings_worker USING (true);
CREATE POLICY api_sees_its_tenant ON tidings.processes FOR SELECT TO tidings_api USING (tenant = tidings.current_tenant());
GRANT SELECT ON tidings.processes TO tidings_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.processes TO tidings_worker;

-- The tenant that a transaction acts for. `emit_as` and its kin act for whichever they are told; these for no other.
CREATE FUNCTION tidings.own_tenant() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant text := nullif(tidings.current_tenant(), '');
BEGIN
    IF tenant IS NULL THEN
        PERFORM tidings.refuse('TD404|tenant|there is no such tenant');
    END IF;
    RETURN tenant;
END $$;

CREATE FUNCTION tidings.emit_own(
    module text, type text, data jsonb, stream_type text, stream_id text, key text, metadata jsonb
) RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    tenant text := tidings.own_tenant();
BEGIN
    RETURN tidings.record_one(module, type, data, stream_type, stream_id, tenant, key, NULL, metadata,
                              tidings.new_fact_id(tenant, type, stream_type, stream_id, key));
END $$;

CREATE FUNCTION tidings.schedule_own(
    module text, kinds text[], payloads jsonb[], keys text[], run_ats timestamptz[]
) RETURNS uuid[] LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT tidings.schedule_as(module, kinds, payloads, keys, run_ats, tidings.own_tenant(), NULL)
$$;

CREATE FUNCTION tidings.cancel_own(module text, kind text, key text, reason text)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT tidings.cancel_as(module, kind, key, NULL, tidings.own_tenant(), reason)
$$;

-- A process is to be started when this commits.
CREATE FUNCTION tidings.start_process(id text, workflow text, input jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    tenant text := tidings.own_tenant();
BEGIN
    INSERT INTO tidings.processes (id, tenant, workflow) VALUES (start_process.id, tenant, start_process.workflow);
    PERFORM tidings.schedule_as('processes', ARRAY['process.start'],
        ARRAY[jsonb_build_object('process', start_process.id, 'workflow', start_process.workflow, 'input', input)],
        ARRAY[start_process.id], ARRAY[now()], tenant, NULL);
END $$;

-- A process is to be told something. With `gather`, all that it is told under this name within two seconds goes to it as
-- one signal with a list: a burst of ten thousand is a handful.
CREATE FUNCTION tidings.signal_process(process text, signal text, argument jsonb, gather boolean DEFAULT false)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT tidings.schedule_as('processes', ARRAY['process.signal'],
        ARRAY[jsonb_build_object('process', process, 'signal', signal, 'argument', argument, 'gather', gather)],
        ARRAY[NULL::text],
        ARRAY[CASE WHEN gather THEN to_timestamp((floor(extract(epoch FROM now()) / 2) + 1) * 2) ELSE now() END],
        tidings.own_tenant(), NULL)
$$;

REVOKE ALL ON FUNCTION tidings.own_tenant, tidings.emit_own, tidings.schedule_own, tidings.cancel_own,
    tidings.start_process, tidings.signal_process FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.emit_own, tidings.schedule_own, tidings.cancel_own, tidings.start_process,
    tidings.signal_process TO tidings_api, tidings_worker;
