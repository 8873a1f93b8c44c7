-- Matters: what several people are told of and one of them settles; who acted, and who tried.

INSERT INTO tidings.reserved_types (prefix, module, unattended) VALUES ('matter', 'notify', true);

-- What is to be settled, and how it may be (`actions`; none: the notice only informs). `read_at` and `read_by` are for
-- all who were told, where the notice is shared. One that is filed is read and archived in every inbox from the start.
ALTER TABLE tidings.notices ADD COLUMN matter text COLLATE "C", ADD COLUMN actions text[] NOT NULL DEFAULT '{}',
    ADD COLUMN escalation jsonb, ADD COLUMN filed boolean NOT NULL DEFAULT false, ADD COLUMN read_at timestamptz,
    ADD COLUMN read_by uuid,
    ADD CONSTRAINT what_can_be_acted_on_is_a_matter CHECK (actions = '{}' OR (matter IS NOT NULL AND shared));
CREATE INDEX notices_of_matter ON tidings.notices (tenant, matter, id) WHERE matter IS NOT NULL;

-- Everybody who acted on a matter, or tried to, once each; the first has `won`, and settled it. `actor` is the login or key
-- by which they did; without a notification, it was settled by what happened to what it is about.
CREATE TABLE tidings.actions (
    id              uuid PRIMARY KEY DEFAULT tidings.uuid7(),
    tenant          text NOT NULL REFERENCES tidings.tenants,
    matter          text COLLATE "C" NOT NULL,
    notification_id uuid,
    person_id       uuid,
    actor           text,
    action          text NOT NULL,
    note            text,
    proposed_time   timestamptz,
    won             boolean NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT action_is_known CHECK (
        action IN ('CONFIRMED', 'REJECTED', 'POSTPONED', 'DISMISSED', 'CUSTOM', 'WITHDRAWN'))
);
CREATE UNIQUE INDEX actions_first ON tidings.actions (tenant, matter) WHERE won;
CREATE UNIQUE INDEX actions_tried ON tidings.actions (tenant, matter, person_id) WHERE NOT won;

ALTER TABLE tidings.actions ENABLE ROW LEVEL SECURITY;
CREATE POLICY worker_sees_all ON tidings.actions TO tidings_worker USING (true);
CREATE POLICY api_sees_its_tenant ON tidings.actions TO tidings_api USING (tenant = tidings.current_tenant());
GRANT SELECT, INSERT ON tidings.actions TO tidings_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON tidings.actions TO tidings_worker;

-- Whatever is announced is told again to those who come back; without a notification, more than can be named.
ALTER TABLE tidings.announcements ADD COLUMN change text NOT NULL DEFAULT 'new',
    ALTER COLUMN notification_id DROP NOT NULL;
GRANT INSERT ON tidings.announcements TO tidings_api;
DROP POLICY api_sees_its_tenant ON tidings.announcements;
CREATE POLICY api_sees_its_tenant ON tidings.announcements TO tidings_api USING (tenant = tidings.current_tenant());

-- By which channels people of a user type are told, where a tenant wants it other than usual; `urgent` are those that are
-- added when the level is critical.
CREATE TABLE tidings.usual_channels (
    tenant     text NOT NULL REFERENCES tidings.tenants,
    user_type  text NOT NULL,
    channels   text[] NOT NULL,
    urgent     text[] NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, user_type)
);

-- What the spine's own listener hears, also before the first worker has said so.
INSERT INTO tidings.routes (tenant, type, prefix, source)
VALUES ('', 'matter.settled', false, 'listener:matters.follow_up');
