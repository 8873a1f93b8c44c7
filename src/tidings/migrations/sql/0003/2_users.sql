-- The users of a tenant as its admins manage them, and what people change of their own sign-in.
--
-- An admin answers for their own tenant and for no other. So a link that an admin makes opens sessions that stay in
-- that tenant (`confined`), and the password of a user whom an admin made opens that tenant alone (`vouched_by`) until
-- an operator gives them a place elsewhere. Otherwise an admin could come into a tenant that is not theirs by way of
-- somebody who is in both, or who is added there later.

ALTER TABLE tidings.users ADD COLUMN vouched_by text REFERENCES tidings.tenants;
ALTER TABLE tidings.memberships ADD COLUMN name text, ADD COLUMN signed_in_at timestamptz;
ALTER TABLE tidings.sessions ADD COLUMN confined boolean NOT NULL DEFAULT false;
ALTER TABLE tidings.sign_in_links ADD COLUMN confined boolean NOT NULL DEFAULT false;
CREATE INDEX sessions_of_user ON tidings.sessions (user_id, tenant);
CREATE INDEX sign_in_links_of_user ON tidings.sign_in_links (user_id, tenant);

-- Where nothing is said of the tenant, it is the one they were in last: whoever adds them elsewhere does not lead them
-- there.
CREATE OR REPLACE FUNCTION tidings.sign_in_candidate(address text, wanted_tenant text)
RETURNS TABLE (user_id uuid, password_hash text, tenant text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id, u.password_hash, t.id FROM tidings.users u
    CROSS JOIN tidings.tenants t LEFT JOIN tidings.memberships m ON m.user_id = u.id AND m.tenant = t.id
    WHERE u.email = address AND u.disabled_at IS NULL AND (wanted_tenant IS NULL OR t.id = wanted_tenant)
        AND (u.operator OR (m.role IS NOT NULL AND coalesce(u.vouched_by, t.id) = t.id))
    ORDER BY m.role IS NULL, m.signed_in_at DESC NULLS LAST, t.id <> 'default', t.id
    LIMIT 1
$$;

CREATE OR REPLACE FUNCTION tidings.open_session(session_hash bytea, user_id uuid, tenant text, lifetime interval)
RETURNS timestamptz LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE tidings.memberships m SET signed_in_at = now()
    WHERE m.user_id = open_session.user_id AND m.tenant = open_session.tenant;
    INSERT INTO tidings.sessions (hash, user_id, tenant, expires_at)
    VALUES (session_hash, open_session.user_id, open_session.tenant, now() + lifetime)
    RETURNING expires_at
$$;

CREATE OR REPLACE FUNCTION tidings.redeem_link(link_hashes bytea[], session_hash bytea, lifetime interval)
RETURNS timestamptz LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH used AS (
        DELETE FROM tidings.sign_in_links WHERE hash = ANY (link_hashes)
        RETURNING user_id, tenant, expires_at, confined
    ), good AS (
        SELECT used.* FROM used JOIN tidings.users u ON u.id = used.user_id AND u.disabled_at IS NULL
        WHERE used.expires_at > now()
    ), noted AS (
        UPDATE tidings.memberships m SET signed_in_at = now()
        FROM good WHERE m.user_id = good.user_id AND m.tenant = good.tenant
    )
    INSERT INTO tidings.sessions (hash, user_id, tenant, expires_at, confined)
    SELECT session_hash, good.user_id, good.tenant, now() + lifetime, good.confined FROM good
    RETURNING expires_at
$$;

-- Where the session's user may go with it, the place where it is first; or the wanted one, if it is among them.
CREATE FUNCTION tidings.places(session_hash bytea, wanted text, most integer)
RETURNS TABLE (id text, name text, role text, person_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT t.id, t.name, CASE WHEN u.operator THEN 'operator' ELSE m.role END, p.id
    FROM tidings.sessions s
    JOIN tidings.users u ON u.id = s.user_id AND u.disabled_at IS NULL
    JOIN tidings.tenants t ON wanted IS NULL OR t.id = wanted
    LEFT JOIN tidings.memberships m ON m.user_id = u.id AND m.tenant = t.id
    LEFT JOIN tidings.people p ON p.user_id = u.id AND p.tenant = t.id
    WHERE s.hash = session_hash AND s.expires_at > now() AND (u.operator OR m.role IS NOT NULL)
        AND (t.id = s.tenant OR (NOT s.confined AND (u.operator OR coalesce(u.vouched_by, t.id) = t.id)))
    ORDER BY t.id <> s.tenant, m.role IS NULL, t.id
    LIMIT most
$$;

-- Takes the session to another place of its user's. No row where they may not go there, or there is no such tenant.
CREATE FUNCTION tidings.move_session(session_hash bytea, wanted text)
RETURNS TABLE (id text, name text, role text, person_id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH place AS MATERIALIZED (SELECT * FROM tidings.places(session_hash, wanted, 1)),
    moved AS (
        UPDATE tidings.sessions s SET tenant = place.id FROM place WHERE s.hash = session_hash
        RETURNING s.user_id, s.tenant
    ), noted AS (
        UPDATE tidings.memberships m SET signed_in_at = now()
        FROM moved WHERE m.user_id = moved.user_id AND m.tenant = moved.tenant
    )
    SELECT place.id, place.name, place.role, place.person_id FROM place, moved
$$;

-- What changing the password of the session's user takes: the present one or, where there is none, a session that
-- could open with the new one no door that is not open to it now.
CREATE FUNCTION tidings.password_standing(session_hash bytea)
RETURNS TABLE (email text, password_hash text, may_begin boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.email, u.password_hash, NOT s.confined OR u.vouched_by IS NOT DISTINCT FROM s.tenant
    FROM tidings.sessions s JOIN tidings.users u ON u.id = s.user_id AND u.disabled_at IS NULL
    WHERE s.hash = session_hash AND s.expires_at > now()
$$;

-- Sets the password, unless it is another by now than the one that was looked at. Every other session and every link
-- of the user is void.
CREATE FUNCTION tidings.change_password(session_hash bytea, former text, changed text)
RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH written AS (
        UPDATE tidings.users u SET password_hash = changed FROM tidings.sessions s
        WHERE s.hash = session_hash AND u.id = s.user_id AND u.password_hash IS NOT DISTINCT FROM former
        RETURNING u.id
    ), ended AS (
        DELETE FROM tidings.sessions s USING written WHERE s.user_id = written.id AND s.hash <> session_hash
    ), void AS (
        DELETE FROM tidings.sign_in_links l USING written WHERE l.user_id = written.id
    )
    SELECT EXISTS (SELECT FROM written)
$$;

-- The users of the transaction's tenant, by address; `name` is what they are called there.
CREATE FUNCTION tidings.members(after text, of_user uuid, most integer)
RETURNS TABLE (id uuid, email text, name text, role text, operator boolean, disabled_at timestamptz,
               signed_in_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id, u.email, coalesce(m.name, u.name), m.role, u.operator, u.disabled_at, m.signed_in_at
    FROM tidings.memberships m JOIN tidings.users u ON u.id = m.user_id
    WHERE m.tenant = tidings.current_tenant() AND (after IS NULL OR u.email COLLATE "C" > after)
        AND (of_user IS NULL OR u.id = of_user)
    ORDER BY u.email COLLATE "C" LIMIT most
$$;

-- An operator answers for somebody whom a tenant's admin made. Whatever that admin may hold of them is void: the
-- password, which the admin may have set, the sessions and the links.
CREATE FUNCTION tidings.vouch_for(of_user uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE tidings.users u SET vouched_by = NULL, password_hash = NULL WHERE u.id = of_user AND u.vouched_by IS NOT NULL;
    IF FOUND THEN
        DELETE FROM tidings.sessions s WHERE s.user_id = of_user;
        DELETE FROM tidings.sign_in_links l WHERE l.user_id = of_user;
    END IF;
END $$;

-- Gives somebody a place in the transaction's tenant. Somebody whom another tenant knows is joined as they are, and
-- nothing tells that they were there. `outcome`: done, present (in this tenant already), operator (not an admin's to add).
CREATE FUNCTION tidings.add_member(
    address text, called text, wanted_role text, by_operator boolean, OUT outcome text, OUT id uuid
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    here  text := tidings.current_tenant();
    known record;
BEGIN
    INSERT INTO tidings.users AS u (id, email, name, vouched_by)
    VALUES (gen_random_uuid(), address, called, CASE WHEN NOT by_operator THEN here END)
    ON CONFLICT (email) DO UPDATE SET email = excluded.email RETURNING u.id, u.operator INTO known;
    id := known.id;
    IF known.operator AND NOT by_operator THEN
        outcome := 'operator';
        RETURN;
    END IF;
    INSERT INTO tidings.memberships (tenant, user_id, role, name) VALUES (here, known.id, wanted_role, called)
    ON CONFLICT DO NOTHING;
    outcome := CASE WHEN FOUND THEN 'done' ELSE 'present' END;
    IF by_operator AND outcome = 'done' THEN
        PERFORM tidings.vouch_for(known.id);
    END IF;
END $$;

-- Gives a member another role or, with none, ends their membership, and their sessions, links and keys with it.
-- One at a time in a tenant, so that two admins cannot remove each other at once.
-- Tells: done, absent, operator (not an admin's to change), last (a tenant keeps one admin who can sign in).
CREATE FUNCTION tidings.change_member(of_user uuid, wanted_role text, by_operator boolean)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    here text := tidings.current_tenant();
    one  record;
BEGIN
    PERFORM FROM tidings.tenants t WHERE t.id = here FOR NO KEY UPDATE;
    SELECT m.role, u.operator, u.disabled_at INTO one
    FROM tidings.memberships m JOIN tidings.users u ON u.id = m.user_id
    WHERE m.tenant = here AND m.user_id = of_user;
    IF NOT FOUND THEN
        RETURN 'absent';
    ELSIF one.operator AND NOT by_operator THEN
        RETURN 'operator';
    ELSIF one.role = 'admin' AND one.disabled_at IS NULL AND wanted_role IS DISTINCT FROM 'admin' AND NOT EXISTS (
        SELECT FROM tidings.memberships m JOIN tidings.users u ON u.id = m.user_id AND u.disabled_at IS NULL
        WHERE m.tenant = here AND m.role = 'admin' AND m.user_id <> of_user) THEN
        RETURN 'last';
    ELSIF wanted_role IS NOT NULL THEN
        UPDATE tidings.memberships m SET role = wanted_role WHERE m.tenant = here AND m.user_id = of_user;
        RETURN 'done';
    END IF;
    DELETE FROM tidings.memberships m WHERE m.tenant = here AND m.user_id = of_user;
    DELETE FROM tidings.sessions s WHERE s.user_id = of_user AND s.tenant = here;
    DELETE FROM tidings.sign_in_links l WHERE l.user_id = of_user AND l.tenant = here;
    UPDATE tidings.api_keys k SET revoked_at = now()
    WHERE k.user_id = of_user AND k.tenant = here AND k.revoked_at IS NULL;
    RETURN 'done';
END $$;

-- A one-time link for a member; the one made before it is void. `outcome`: done, absent, operator, disabled.
CREATE FUNCTION tidings.link_member(
    of_user uuid, link_hash bytea, lifetime interval, by_operator boolean, OUT outcome text, OUT expires_at timestamptz
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    here text := tidings.current_tenant();
    one  record;
BEGIN
    SELECT u.operator, u.disabled_at INTO one FROM tidings.memberships m JOIN tidings.users u ON u.id = m.user_id
    WHERE m.tenant = here AND m.user_id = of_user;
    outcome := CASE WHEN NOT FOUND THEN 'absent'
                    WHEN one.operator AND NOT by_operator THEN 'operator'
                    WHEN one.disabled_at IS NOT NULL THEN 'disabled'
                    ELSE 'done' END;
    IF outcome <> 'done' THEN
        RETURN;
    END IF;
    DELETE FROM tidings.sign_in_links l WHERE l.user_id = of_user AND l.tenant = here AND l.confined = NOT by_operator;
    INSERT INTO tidings.sign_in_links AS l (hash, user_id, tenant, expires_at, confined)
    VALUES (link_hash, of_user, here, now() + lifetime, NOT by_operator)
    RETURNING l.expires_at INTO expires_at;
END $$;

REVOKE ALL ON FUNCTION tidings.places, tidings.move_session, tidings.password_standing, tidings.change_password,
    tidings.members, tidings.vouch_for, tidings.add_member, tidings.change_member, tidings.link_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.places, tidings.move_session, tidings.password_standing, tidings.change_password,
    tidings.members, tidings.add_member, tidings.change_member, tidings.link_member TO tidings_api, tidings_worker;
GRANT EXECUTE ON FUNCTION tidings.vouch_for TO tidings_worker;
