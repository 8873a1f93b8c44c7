-- Who may do what with the tables and functions of this revision.

DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT unnest(ARRAY[
        'people', 'addresses', 'groups', 'group_members', 'subscriptions', 'categories', 'preferences', 'suppressions',
        'imports', 'import_rows', 'rules', 'rule_versions', 'templates', 'processed_by', 'notices', 'tallies',
        'notifications', 'providers', 'deliveries', 'deliveries_finished', 'delivery_attempts', 'sandbox_messages'])
    LOOP
        EXECUTE format('ALTER TABLE tidings.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY worker_sees_all ON tidings.%I TO tidings_worker USING (true)', name);
        EXECUTE format('CREATE POLICY api_sees_its_tenant ON tidings.%I TO tidings_api '
                       'USING (tenant = tidings.current_tenant())', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.%I TO tidings_api, tidings_worker', name);
    END LOOP;
    FOR name IN SELECT unnest(ARRAY['routes', 'kinds', 'provider_sends']) LOOP
        EXECUTE format('ALTER TABLE tidings.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY worker_sees_all ON tidings.%I TO tidings_worker USING (true)', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.%I TO tidings_worker', name);
    END LOOP;
END $$;

-- What listeners have done is a record, for the API too.
REVOKE INSERT, UPDATE, DELETE ON tidings.processed_by FROM tidings_api;

REVOKE ALL ON FUNCTION tidings.causes, tidings.route_of_rule, tidings.settle_tally, tidings.tell_of_settled,
    tidings.allow_deliveries, tidings.take_of_rate,
    tidings.note_health, tidings.reconsider_providers, tidings.people_of, tidings.audience_of, tidings.address_kind FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.people_of, tidings.audience_of, tidings.address_kind TO tidings_api, tidings_worker;
GRANT EXECUTE ON FUNCTION tidings.allow_deliveries, tidings.take_of_rate, tidings.note_health TO tidings_worker;
