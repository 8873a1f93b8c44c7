-- What was announced to whom, for those who come back: by the transaction that announced it, since one may commit later
-- than others that began after it. Kept for a day.
CREATE TABLE tidings.announcements (
    tenant          text NOT NULL,
    person_id       uuid NOT NULL,
    transaction     xid8 NOT NULL DEFAULT pg_current_xact_id(),
    notification_id uuid NOT NULL,
    announced_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX announcements_of_person ON tidings.announcements (tenant, person_id, transaction);
CREATE INDEX announcements_by_time ON tidings.announcements (announced_at);
ALTER TABLE tidings.announcements ENABLE ROW LEVEL SECURITY;
CREATE POLICY worker_sees_all ON tidings.announcements TO tidings_worker USING (true);
CREATE POLICY api_sees_its_tenant ON tidings.announcements FOR SELECT TO tidings_api
    USING (tenant = tidings.current_tenant());
GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.announcements TO tidings_worker;
GRANT SELECT ON tidings.announcements TO tidings_api;

-- Whether those whose sockets are open may still be there. The same rules as `tidings.admit`, whose rows these are
-- too; but nobody's rate is taken from, nothing is written and no lock is waited for.
-- `person_user` is the login of the person whose inbox they read; no row where either has gone.
CREATE FUNCTION tidings.still_admitted(
    key_hashes bytea[], session_hashes bytea[], former_hashes bytea[], subjects text[], subject_ids uuid[],
    claimed_tenants text[], claimed_roles text[], wanted_tenants text[], person_ids uuid[]
) RETURNS TABLE (n bigint, actor text, user_id uuid, tenant text, role text, scopes text[], person_user uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT q.n, CASE WHEN u.id IS NULL THEN 'subject:' || q.subject ELSE 'user:' || u.id END, u.id, p.tenant, r.role,
        k.scopes, p.user_id
    FROM unnest(key_hashes, session_hashes, former_hashes, subjects, subject_ids, claimed_tenants, claimed_roles,
                wanted_tenants, person_ids) WITH ORDINALITY
        AS q(key_hash, session_hash, former_hash, subject, subject_id, claimed_tenant, claimed_role, wanted_tenant,
             person_id, n)
    LEFT JOIN tidings.api_keys k ON q.key_hash IS NOT NULL AND k.hash IN (q.key_hash, q.former_hash)
        AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    LEFT JOIN tidings.sessions s ON q.session_hash IS NOT NULL AND s.hash IN (q.session_hash, q.former_hash)
        AND s.expires_at > now()
    LEFT JOIN tidings.users u ON u.id = coalesce(k.user_id, s.user_id, q.subject_id)
    JOIN tidings.tenants home ON home.id = coalesce(k.tenant, s.tenant, q.claimed_tenant)
    LEFT JOIN tidings.memberships m ON m.user_id = u.id AND m.tenant = home.id
    CROSS JOIN LATERAL (
        SELECT CASE WHEN u.id IS NULL OR u.operator THEN coalesce(q.claimed_role, 'operator')
                    WHEN m.role = 'admin' AND q.claimed_role = 'member' THEN 'member'
                    ELSE m.role END AS role
    ) r
    JOIN tidings.people p ON p.id = q.person_id AND (
        p.tenant = coalesce(q.wanted_tenant, home.id)
        AND (p.tenant = home.id OR (r.role = 'operator' AND k.id IS NULL)))
    WHERE u.disabled_at IS NULL AND r.role IS NOT NULL
$$;
REVOKE ALL ON FUNCTION tidings.still_admitted FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.still_admitted TO tidings_api, tidings_worker;
