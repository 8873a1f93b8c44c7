-- Organisations: what they are is what their facts say. Three projections, kept by a trigger on the journal in the
-- transaction of each fact, and written by nobody else.

UPDATE tidings.reserved_types SET unattended = true WHERE prefix = 'organization';
INSERT INTO tidings.reserved_types (prefix, module, unattended)
SELECT type, 'organizations', true
FROM unnest(ARRAY['user.invited', 'invitation.email.requested', 'invitation.email.sent', 'invitation.email.failed',
                  'invitation.resent', 'invitation.revoked', 'invitation.accepted']) AS type;
INSERT INTO tidings.ordered_streams VALUES ('organization') ON CONFLICT DO NOTHING;
INSERT INTO tidings.routes (tenant, type, prefix, source) VALUES
    ('', 'invitation.email.requested', false, 'listener:organizations.invitation'),
    ('', 'notice.settled/organizations.invitation', false, 'listener:organizations.mailed');

-- `holds_subdomain`: nobody else may have it under that domain. Once a bootstrap has failed and nothing of it is left,
-- it is free again. `left_over` names what could not be undone yet. Replaying the facts of one that has failed takes the
-- subdomain for a moment, though somebody else may have it by then: so the constraint can wait.
CREATE TABLE tidings.organizations_projection (
    id               uuid PRIMARY KEY,
    tenant           text NOT NULL,
    name             text NOT NULL,
    type             text NOT NULL,
    parent_id        uuid,
    contact_id       uuid,
    base_domain      text NOT NULL,
    subdomain        text NOT NULL,
    path             text[] NOT NULL DEFAULT '{}',
    status           text NOT NULL,
    active           boolean NOT NULL DEFAULT false,
    subdomain_status text NOT NULL DEFAULT 'reserved',
    holds_subdomain  boolean NOT NULL DEFAULT true,
    dns_record_id    text,
    dns_record_ours  boolean,
    dns_timeout      interval NOT NULL,
    stage            text,
    error            text,
    left_over        text[] NOT NULL DEFAULT '{}',
    version          bigint NOT NULL,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    closed_at        timestamptz,
    CONSTRAINT a_subdomain_has_one_organization EXCLUDE USING btree (base_domain WITH =, subdomain WITH =)
        WHERE (holds_subdomain) DEFERRABLE INITIALLY IMMEDIATE
);
CREATE INDEX organizations_in_order ON tidings.organizations_projection (tenant, id);
CREATE INDEX organizations_by_path ON tidings.organizations_projection USING gin (path);
CREATE INDEX organizations_open ON tidings.organizations_projection (tenant, id)
    WHERE status IN ('initiated', 'running', 'compensating');

CREATE TABLE tidings.organization_permissions_projection (
    organization_id uuid NOT NULL,
    tenant          text NOT NULL,
    role            text NOT NULL,
    permission      text NOT NULL,
    granted_at      timestamptz NOT NULL,
    revoked_at      timestamptz,
    PRIMARY KEY (organization_id, role, permission)
);

-- `issue` counts the tokens that were made for it; of the last, and of those before, there are keyed hashes. The last
-- one was sent to `address_id`, and whoever shows it holds that mailbox and no other.
CREATE TABLE tidings.user_invitations_projection (
    id              uuid PRIMARY KEY,
    tenant          text NOT NULL,
    organization_id uuid NOT NULL,
    person_id       uuid NOT NULL,
    address_id      uuid NOT NULL,
    role            text NOT NULL,
    status          text NOT NULL DEFAULT 'pending',
    issue           integer NOT NULL,
    token_hash      bytea NOT NULL UNIQUE,
    former_hashes   bytea[] NOT NULL DEFAULT '{}',
    expires_at      timestamptz NOT NULL,
    mail_status     text NOT NULL DEFAULT 'none',
    mail_error      text,
    user_id         uuid,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    accepted_at     timestamptz,
    revoked_at      timestamptz
);
CREATE INDEX invitations_of_organization ON tidings.user_invitations_projection (organization_id);
CREATE INDEX invitations_of_user ON tidings.user_invitations_projection (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX invitations_by_former_hash ON tidings.user_invitations_projection USING gin (former_hashes);

DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT unnest(ARRAY['organizations_projection', 'organization_permissions_projection',
                                    'user_invitations_projection']) LOOP
        EXECUTE format('ALTER TABLE tidings.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY worker_sees_all ON tidings.%I TO tidings_worker USING (true)', name);
        EXECUTE format('CREATE POLICY api_sees_its_tenant ON tidings.%I FOR SELECT TO tidings_api '
                       'USING (tenant = tidings.current_tenant())', name);
        EXECUTE format('GRANT SELECT ON tidings.%I TO tidings_api, tidings_worker', name);
        EXECUTE format('CREATE TRIGGER what_is_new_is_told AFTER INSERT ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, 'organizations');
        EXECUTE format('CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.%I REFERENCING NEW TABLE AS changed '
                       'FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change(%L)', name, 'organizations');
    END LOOP;
END $$;

-- What one fact makes of the projections. Of the time it knows what the fact says; so it may be replayed.
CREATE FUNCTION tidings.project_organization(fact tidings.facts) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    d          jsonb := fact.data;
    at         timestamptz := fact.occurred_at;
    of_stream  uuid;
    invitation uuid;
BEGIN
    IF NOT EXISTS (SELECT FROM tidings.reserved_types r WHERE r.module = 'organizations'
                   AND r.prefix IN (split_part(fact.type, '.', 1), fact.type)) THEN
        RETURN;  -- somebody else's, on a stream that is called like ours
    END IF;
    of_stream := fact.stream_id::uuid;
    invitation := (d ->> 'invitationId')::uuid;
    CASE fact.type
    WHEN 'organization.bootstrap.initiated' THEN
        INSERT INTO tidings.organizations_projection (id, tenant, name, type, parent_id, contact_id, base_domain,
            subdomain, status, dns_timeout, version, created_at, updated_at)
        VALUES (of_stream, fact.tenant, d ->> 'name', d ->> 'type', (d ->> 'parentId')::uuid, (d ->> 'contactId')::uuid,
            d ->> 'baseDomain', d ->> 'subdomain', 'initiated',
            make_interval(secs => (d ->> 'dnsPropagationTimeout')::double precision), fact.stream_version, at, at);
        RETURN;
    WHEN 'organization.created' THEN
        UPDATE tidings.organizations_projection o SET status = 'running',
            path = ARRAY(SELECT jsonb_array_elements_text(d -> 'path')) WHERE o.id = of_stream;
    WHEN 'organization.permissions.granted' THEN
        INSERT INTO tidings.organization_permissions_projection (organization_id, tenant, role, permission, granted_at)
        SELECT of_stream, fact.tenant, r.key, p, at
        FROM jsonb_each(d -> 'grants') r, jsonb_array_elements_text(r.value) p
        ON CONFLICT (organization_id, role, permission) DO UPDATE SET granted_at = excluded.granted_at, revoked_at = NULL;
    WHEN 'organization.permissions.revoked' THEN
        UPDATE tidings.organization_permissions_projection p SET revoked_at = at
        WHERE p.organization_id = of_stream AND p.revoked_at IS NULL;
    WHEN 'organization.dns.configured' THEN
        UPDATE tidings.organizations_projection o SET dns_record_id = d ->> 'recordId',
            dns_record_ours = (d ->> 'ours')::boolean,
            subdomain_status = CASE o.status WHEN 'completed' THEN o.subdomain_status ELSE 'configured' END
        WHERE o.id = of_stream;
    WHEN 'organization.subdomain.verified' THEN
        UPDATE tidings.organizations_projection o SET subdomain_status = 'verified' WHERE o.id = of_stream;
    WHEN 'organization.dns.removed' THEN
        UPDATE tidings.organizations_projection o SET dns_record_id = NULL, dns_record_ours = NULL,
            subdomain_status = 'removed', left_over = array_remove(o.left_over, 'removeDns'),
            holds_subdomain = o.holds_subdomain AND o.status NOT IN ('failed', 'cancelled')
        WHERE o.id = of_stream AND o.status <> 'completed';
    WHEN 'organization.bootstrap.compensating' THEN
        UPDATE tidings.organizations_projection o SET status = 'compensating', stage = d ->> 'stage', error = d ->> 'error'
        WHERE o.id = of_stream;
    WHEN 'organization.deactivated' THEN
        UPDATE tidings.organizations_projection o SET active = false WHERE o.id = of_stream;
    WHEN 'organization.undo.failed' THEN
        UPDATE tidings.organizations_projection o SET left_over = array_append(o.left_over, d ->> 'step')
        WHERE o.id = of_stream AND NOT o.left_over @> ARRAY[d ->> 'step'];
    WHEN 'organization.undo.done' THEN
        UPDATE tidings.organizations_projection o SET left_over = array_remove(o.left_over, d ->> 'step')
        WHERE o.id = of_stream;
    WHEN 'organization.bootstrap.completed' THEN
        UPDATE tidings.organizations_projection o SET status = 'completed', active = true, closed_at = at
        WHERE o.id = of_stream;
    WHEN 'organization.bootstrap.failed', 'organization.bootstrap.cancelled' THEN
        UPDATE tidings.organizations_projection o SET status = split_part(fact.type, '.', 3), active = false,
            stage = d ->> 'stage', error = d ->> 'error', closed_at = at,
            holds_subdomain = o.left_over @> ARRAY['removeDns']
        WHERE o.id = of_stream;
    WHEN 'user.invited' THEN
        INSERT INTO tidings.user_invitations_projection AS i (id, tenant, organization_id, person_id, address_id,
            role, issue, token_hash, expires_at, created_at, updated_at)
        VALUES (invitation, fact.tenant, of_stream, (d ->> 'personId')::uuid, (d ->> 'addressId')::uuid,
            d ->> 'role', (d ->> 'issue')::integer, decode(d ->> 'tokenHash', 'hex'), (d ->> 'expiresAt')::timestamptz,
            at, at);
    WHEN 'invitation.resent' THEN
        UPDATE tidings.user_invitations_projection i SET issue = (d ->> 'issue')::integer, updated_at = at,
            address_id = (d ->> 'addressId')::uuid,
            former_hashes = array_append(i.former_hashes, i.token_hash), token_hash = decode(d ->> 'tokenHash', 'hex'),
            expires_at = (d ->> 'expiresAt')::timestamptz, mail_status = 'none', mail_error = NULL
        WHERE i.id = invitation;
    WHEN 'invitation.email.requested', 'invitation.email.sent', 'invitation.email.failed' THEN
        UPDATE tidings.user_invitations_projection i SET mail_status = split_part(fact.type, '.', 3),
            mail_error = d ->> 'error', updated_at = at
        WHERE i.id = invitation AND i.issue = (d ->> 'issue')::integer;
    WHEN 'invitation.revoked' THEN
        UPDATE tidings.user_invitations_projection i SET status = 'revoked', revoked_at = at, updated_at = at
        WHERE i.id = invitation;
    WHEN 'invitation.accepted' THEN
        UPDATE tidings.user_invitations_projection i SET status = 'accepted', accepted_at = at, updated_at = at,
            user_id = (d ->> 'userId')::uuid
        WHERE i.id = invitation;
    ELSE
        NULL;  -- on record, and no more than that
    END CASE;
    UPDATE tidings.organizations_projection o SET version = fact.stream_version, updated_at = at WHERE o.id = of_stream;
END $$;

-- What is said of an invitation that nobody can take up any more is not sent.
CREATE FUNCTION tidings.follow_organization() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tidings.project_organization(NEW);
    IF NEW.type IN ('invitation.resent', 'invitation.revoked', 'invitation.accepted') THEN
        UPDATE tidings.notices n SET closed_at = now(),
            closed_reason = 'the invitation was ' || split_part(NEW.type, '.', 2)
        WHERE n.tenant = NEW.tenant AND n.matter = 'invitation:' || (NEW.data ->> 'invitationId') AND n.closed_at IS NULL;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER organizations_follow_their_facts AFTER INSERT ON tidings.facts FOR EACH ROW
    WHEN (NEW.stream_type = 'organization') EXECUTE FUNCTION tidings.follow_organization();

-- One thing at a time: whoever holds an organisation, until their transaction ends, alone says what it becomes.
CREATE FUNCTION tidings.hold_organization_of(owner text, of_stream uuid) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
    SELECT FROM tidings.stream_heads h
    WHERE h.tenant = owner AND h.stream_type = 'organization' AND h.stream_id = of_stream::text FOR UPDATE
$$;

CREATE FUNCTION tidings.hold_organization(of_stream uuid) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
    SELECT tidings.hold_organization_of(tidings.own_tenant(), of_stream)
$$;

-- Makes the projections of one organisation anew from its facts. Whoever accepts, undoes or goes on meanwhile waits.
CREATE FUNCTION tidings.rebuild_organization(of_stream uuid) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    owner text := tidings.own_tenant();
    fact  tidings.facts;
    many  bigint := 0;
BEGIN
    PERFORM tidings.hold_organization(of_stream);
    SET CONSTRAINTS tidings.a_subdomain_has_one_organization DEFERRED;
    DELETE FROM tidings.organizations_projection o WHERE o.tenant = owner AND o.id = of_stream;
    DELETE FROM tidings.organization_permissions_projection p WHERE p.tenant = owner AND p.organization_id = of_stream;
    DELETE FROM tidings.user_invitations_projection i WHERE i.tenant = owner AND i.organization_id = of_stream;
    FOR fact IN
        SELECT * FROM tidings.facts f
        WHERE f.tenant = owner AND f.stream_type = 'organization' AND f.stream_id = of_stream::text
        ORDER BY f.stream_version
    LOOP
        PERFORM tidings.project_organization(fact);
        many := many + 1;
    END LOOP;
    SET CONSTRAINTS tidings.a_subdomain_has_one_organization IMMEDIATE;
    RETURN many;
END $$;

-- Whose invitation a token is for; nobody has said who they are, so no tenant is set yet.
CREATE FUNCTION tidings.invitation_of(hash bytea) RETURNS TABLE (id uuid, tenant text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT i.id, i.tenant FROM tidings.user_invitations_projection i WHERE i.token_hash = hash
    UNION ALL
    SELECT i.id, i.tenant FROM tidings.user_invitations_projection i WHERE i.former_hashes @> ARRAY[hash]
    LIMIT 1
$$;

-- Who accepts an invitation gets a login, where there is none for that address, and a place in the transaction's tenant.
-- What this tenant's invitation made opens this tenant alone, until an operator vouches for them. `outcome`: done; known,
-- where somebody has that address already and has not shown (`proven`) that it is them; elsewhere, where their login is
-- one that opens another tenant alone. Operators need no place, and get none.
CREATE FUNCTION tidings.admit_invited(
    address text, called text, new_password_hash text, proven uuid, OUT outcome text, OUT id uuid
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    here text := tidings.own_tenant();
    one  record;
BEGIN
    SELECT u.id INTO id FROM tidings.users u WHERE u.email = address;
    IF id IS NULL AND proven IS NULL THEN
        INSERT INTO tidings.users AS u (id, email, name, password_hash, vouched_by)
        VALUES (gen_random_uuid(), address, called, new_password_hash, here)
        ON CONFLICT (email) DO NOTHING RETURNING u.id INTO id;
        proven := id;
    END IF;
    SELECT u.vouched_by, u.operator INTO one FROM tidings.users u
    WHERE u.id = proven AND u.email = address AND u.disabled_at IS NULL;
    IF NOT FOUND THEN
        outcome := 'known';
        RETURN;
    ELSIF one.vouched_by <> here THEN
        outcome := 'elsewhere';
        RETURN;
    ELSIF NOT one.operator THEN
        INSERT INTO tidings.memberships (tenant, user_id, role, name) VALUES (here, proven, 'member', called)
        ON CONFLICT DO NOTHING;
    END IF;
    outcome := 'done';
END $$;

-- The login of an address, wherever it has a place, or none any more: whoever left is invited again like others.
CREATE FUNCTION tidings.login_of(address text) RETURNS TABLE (user_id uuid, password_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id, CASE WHEN u.disabled_at IS NULL THEN u.password_hash END FROM tidings.users u WHERE u.email = address
$$;

REVOKE ALL ON FUNCTION tidings.project_organization, tidings.follow_organization, tidings.hold_organization,
    tidings.hold_organization_of, tidings.rebuild_organization, tidings.invitation_of, tidings.admit_invited,
    tidings.login_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.hold_organization TO tidings_api, tidings_worker;
GRANT EXECUTE ON FUNCTION tidings.rebuild_organization, tidings.hold_organization_of TO tidings_worker;
GRANT EXECUTE ON FUNCTION tidings.invitation_of, tidings.admit_invited, tidings.login_of TO tidings_api, tidings_worker;
