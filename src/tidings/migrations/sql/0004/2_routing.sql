-- Where somebody wants to hear of a topic: addresses that have names and tags, and subscriptions that choose among them.

-- An address with a name is an integration: its owner looks after it, and it can be chosen, by itself or by a tag.
-- `name_folded` is what tells two names of one person apart, whatever the locale of the database.
ALTER TABLE tidings.addresses ADD COLUMN name text, ADD COLUMN name_folded text,
    ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT an_integration_is_an_apprise_url CHECK (name IS NULL OR kind = 'apprise'),
    ADD CONSTRAINT a_name_is_folded CHECK ((name IS NULL) = (name_folded IS NULL));
CREATE UNIQUE INDEX integrations_by_name ON tidings.addresses (person_id, name_folded) WHERE name IS NOT NULL;

-- With either of them, what is said under the topic goes there and nowhere else; with neither, wherever the person can
-- be reached. An id of an address that is gone stands for nothing.
ALTER TABLE tidings.subscriptions ADD COLUMN address_ids uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN tags text[] NOT NULL DEFAULT '{}';

-- The topic that a notice is said under: whoever subscribed to it is told where they chose to be. `link` names what its
-- mails link to: made for each of them when it is composed, and kept nowhere. `attachments` go along with its mails:
-- names, media types and texts.
ALTER TABLE tidings.notices ADD COLUMN topic text COLLATE "C", ADD COLUMN link text,
    ADD COLUMN attachments jsonb NOT NULL DEFAULT '[]';

-- `routed`: told where they chose to hear of the topic, whatever the channels of the notice. `missing` is empty then; one
-- without targets chose what is gone, or turned off.
ALTER TABLE tidings.notifications ADD COLUMN routed boolean NOT NULL DEFAULT false;

-- Those who look at integrations are told when one changes, apart from those who look at people.
CREATE FUNCTION tidings.tell_of_changed_integrations() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('tidings_changes', json_build_object('tenant', c.tenant, 'resource', 'integrations')::text)
    FROM (SELECT DISTINCT tenant FROM changed WHERE name IS NOT NULL) c;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION tidings.tell_of_changed_integrations FROM PUBLIC;
CREATE TRIGGER a_new_integration_is_told AFTER INSERT ON tidings.addresses REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_changed_integrations();
CREATE TRIGGER an_integration_gone_is_told AFTER DELETE ON tidings.addresses REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_changed_integrations();
CREATE TRIGGER a_changed_integration_is_told AFTER UPDATE ON tidings.addresses FOR EACH ROW
    WHEN (NEW.name IS NOT NULL AND (OLD.disabled_at, OLD.fingerprint, OLD.name, OLD.tags)
          IS DISTINCT FROM (NEW.disabled_at, NEW.fingerprint, NEW.name, NEW.tags))
    EXECUTE FUNCTION tidings.tell_of_changed_row('integrations');
DROP TRIGGER what_changed_is_told ON tidings.addresses;
CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.addresses FOR EACH ROW
    WHEN ((OLD.disabled_at, OLD.value, OLD.name, OLD.tags)
          IS DISTINCT FROM (NEW.disabled_at, NEW.value, NEW.name, NEW.tags))
    EXECUTE FUNCTION tidings.tell_of_changed_row('people');
