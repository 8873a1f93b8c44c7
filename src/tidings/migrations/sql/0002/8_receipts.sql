-- What providers tell of deliveries later.

-- What it takes to verify that a provider speaks: before that, nobody is there whose tenant could be set.
CREATE FUNCTION tidings.receiving_provider(wanted uuid)
RETURNS TABLE (tenant text, type text, config bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT p.tenant, p.type, p.config FROM tidings.providers p WHERE p.id = wanted
$$;

-- An address that is no more, and a complaint, are facts, so that rules can react to them. Where the notice was caused
-- by the last fact that a chain may have, nothing is emitted: the receipt counts all the same.
CREATE FUNCTION tidings.tell_of_receipt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    kind  text := 'notice.' || NEW.confirmed;
    cause record;
BEGIN
    SELECT f.id, coalesce((f.metadata ->> 'depth')::integer, 0) AS depth INTO cause
    FROM tidings.notices n LEFT JOIN tidings.facts f ON f.id = n.fact_id AND f.tenant = n.tenant
    WHERE n.id = NEW.notice_id;
    IF cause.depth >= 16 THEN
        RETURN NULL;
    END IF;
    PERFORM tidings.record_one(
        'notify', kind,
        jsonb_build_object('noticeId', NEW.notice_id, 'notificationId', NEW.notification_id, 'deliveryId', NEW.id,
                           'personId', NEW.person_id, 'channel', NEW.channel),
        'notice', NEW.notice_id::text, NEW.tenant, NEW.id::text, NULL,
        CASE WHEN cause.id IS NULL THEN '{}' ELSE jsonb_build_object('causation_id', cause.id) END,
        tidings.fact_id(NEW.tenant, kind, 'notice', NEW.notice_id::text, NEW.id::text));
    RETURN NULL;
END $$;
CREATE TRIGGER a_bounce_or_complaint_is_a_fact AFTER UPDATE OF confirmed ON tidings.deliveries_finished FOR EACH ROW
    WHEN (NEW.confirmed IN ('bounced', 'complained') AND NEW.confirmed IS DISTINCT FROM OLD.confirmed)
    EXECUTE FUNCTION tidings.tell_of_receipt();

REVOKE ALL ON FUNCTION tidings.receiving_provider, tidings.tell_of_receipt FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tidings.receiving_provider TO tidings_api, tidings_worker;
