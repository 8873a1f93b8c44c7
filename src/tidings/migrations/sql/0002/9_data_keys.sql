-- The keys that secrets are sealed and hashed with, wrapped with a master key, which the database never has. A data key
-- may be there several times, once for each master key that opens it: while the master key is changed, two do.
-- One hashes, for good; of those that seal, the newest whose time has come is sealed with, and all of them open.
CREATE TABLE tidings.data_keys (
    id         bytea NOT NULL,
    use        text NOT NULL,
    wrapped_by bytea NOT NULL,
    wrapped    bytea NOT NULL,
    seals_from timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id, use, wrapped_by),
    CONSTRAINT data_key_use_is_known CHECK (use IN ('hashing', 'sealing'))
);

-- The first keys of an installation, from whichever process comes first; the others take what is there then. One that
-- is older than data keys has hashed and sealed with its master key: that becomes a data key too (`former`), and goes on
-- hashing.
CREATE FUNCTION tidings.begin_data_keys(ids bytea[], uses text[], former boolean[], master_id bytea, wrapped bytea[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    older boolean;
BEGIN
    LOCK TABLE tidings.data_keys IN SHARE ROW EXCLUSIVE MODE;
    older := EXISTS (SELECT FROM tidings.api_keys) OR EXISTS (SELECT FROM tidings.sessions)
        OR EXISTS (SELECT FROM tidings.sign_in_links);
    INSERT INTO tidings.data_keys (id, use, wrapped_by, wrapped, seals_from)
    SELECT k.id, k.use, master_id, k.wrapped, CASE WHEN k.former THEN '-infinity' ELSE now() END
    FROM unnest(ids, uses, begin_data_keys.former, begin_data_keys.wrapped) AS k(id, use, former, wrapped)
    WHERE NOT EXISTS (SELECT FROM tidings.data_keys)
        AND CASE WHEN k.use = 'hashing' THEN k.former = older ELSE older OR NOT k.former END;
END $$;

ALTER TABLE tidings.data_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY worker_sees_all ON tidings.data_keys TO tidings_worker USING (true);
CREATE POLICY api_reads ON tidings.data_keys FOR SELECT TO tidings_api USING (true);
GRANT SELECT ON tidings.data_keys TO tidings_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.data_keys TO tidings_worker;
REVOKE ALL ON FUNCTION tidings.begin_data_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.begin_data_keys TO tidings_api, tidings_worker;
