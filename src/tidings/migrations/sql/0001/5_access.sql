-- Who may do what. Row-level security on every table: `tidings_api` sees the tenant that its transaction set,
-- `tidings_worker` sees all, `tidings_emit` sees nothing and may only call the emitting functions.

CREATE FUNCTION tidings.current_tenant() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN current_setting('tidings.tenant', true);

GRANT USAGE ON SCHEMA tidings TO tidings_api, tidings_worker, tidings_emit;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tidings FROM PUBLIC;

GRANT EXECUTE ON FUNCTION tidings.current_tenant() TO tidings_api, tidings_worker;

-- These act for whichever tenant they are told, so they are not the API's: it emits by `tidings.emit_once`, and changes
-- intents under the policy of its tenant.
GRANT EXECUTE ON FUNCTION tidings.emit, tidings.emit_many, tidings.schedule, tidings.schedule_many, tidings.move,
    tidings.cancel TO tidings_emit, tidings_worker;
GRANT EXECUTE ON FUNCTION tidings.emit_as, tidings.schedule_as, tidings.move_as, tidings.cancel_as TO tidings_worker;
GRANT EXECUTE ON FUNCTION tidings.take, tidings.wake, tidings.uuid7, tidings.time_fault TO tidings_api, tidings_worker;

GRANT SELECT ON tidings.tenants, tidings.facts, tidings.outbox, tidings.outbox_finished, tidings.outbox_keys,
    tidings.leases, tidings.workers, tidings.memberships, tidings.api_keys, tidings.reserved_types,
    tidings.ordered_streams, tidings.limits TO tidings_api, tidings_worker;
GRANT INSERT, UPDATE, DELETE ON tidings.outbox, tidings.outbox_finished, tidings.outbox_keys TO tidings_api, tidings_worker;
GRANT INSERT, UPDATE, DELETE ON tidings.leases, tidings.workers TO tidings_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.idempotency_keys TO tidings_api, tidings_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.sessions, tidings.sign_in_links, tidings.rate_limits TO tidings_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.api_keys, tidings.users, tidings.memberships TO tidings_worker;
GRANT SELECT, INSERT, UPDATE ON tidings.tenants TO tidings_worker;
GRANT INSERT, UPDATE ON tidings.api_keys TO tidings_api;
GRANT SELECT, INSERT, DELETE ON tidings.ordered_streams TO tidings_worker;

DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'tidings' AND tablename <> 'alembic_version' LOOP
        EXECUTE format('ALTER TABLE tidings.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY worker_sees_all ON tidings.%I TO tidings_worker USING (true)', name);
    END LOOP;
    FOR name IN SELECT unnest(ARRAY['facts', 'outbox', 'outbox_finished', 'outbox_keys', 'memberships', 'api_keys',
                                    'idempotency_keys']) LOOP
        EXECUTE format('CREATE POLICY api_sees_its_tenant ON tidings.%I TO tidings_api '
                       'USING (tenant = tidings.current_tenant())', name);
    END LOOP;
    FOR name IN SELECT unnest(ARRAY['workers', 'reserved_types', 'ordered_streams', 'limits']) LOOP
        EXECUTE format('CREATE POLICY api_reads ON tidings.%I FOR SELECT TO tidings_api USING (true)', name);
    END LOOP;
END $$;
CREATE POLICY api_sees_its_tenant ON tidings.tenants FOR SELECT TO tidings_api USING (id = tidings.current_tenant());
