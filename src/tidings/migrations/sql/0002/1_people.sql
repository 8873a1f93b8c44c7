-- Who can be told: people, where they can be reached, what they belong to, and what they do not want to hear.

CREATE TABLE tidings.people (
    id          uuid PRIMARY KEY DEFAULT tidings.uuid7(),
    tenant      text NOT NULL REFERENCES tidings.tenants,
    external_id text COLLATE "C",
    user_type   text,
    name        text NOT NULL,
    locale      text,
    timezone    text,
    quiet_from  time,
    quiet_until time,
    user_id     uuid REFERENCES tidings.users ON DELETE SET NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT quiet_hours_have_both_ends CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
);
CREATE UNIQUE INDEX people_by_external_id ON tidings.people (tenant, external_id);
CREATE UNIQUE INDEX people_by_user ON tidings.people (tenant, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX people_in_order ON tidings.people (tenant, id);
CREATE INDEX people_by_type ON tidings.people (tenant, user_type, id) WHERE user_type IS NOT NULL;

-- Where a person can be reached. What lets its holder send (a webhook's URL, an Apprise URL) is sealed, and `value`
-- says no more than where it leads. `fingerprint` tells two addresses apart, and is what a delivery is unique by.
CREATE TABLE tidings.addresses (
    id              uuid PRIMARY KEY DEFAULT tidings.uuid7(),
    tenant          text NOT NULL REFERENCES tidings.tenants,
    person_id       uuid NOT NULL REFERENCES tidings.people ON DELETE CASCADE,
    kind            text NOT NULL,
    value           text NOT NULL,
    sealed          bytea,
    fingerprint     text NOT NULL,
    failing_since   timestamptz,
    disabled_at     timestamptz,
    disabled_reason text,
    created_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT address_kind_is_known CHECK (kind IN ('email', 'phone', 'push', 'slack', 'webhook', 'apprise')),
    CONSTRAINT a_url_is_sealed CHECK ((sealed IS NOT NULL) = (kind IN ('slack', 'webhook', 'apprise')))
);
CREATE UNIQUE INDEX addresses_of_person ON tidings.addresses (person_id, kind, fingerprint);
CREATE INDEX addresses_by_fingerprint ON tidings.addresses (tenant, kind, fingerprint);

CREATE TABLE tidings.groups (
    id          uuid PRIMARY KEY DEFAULT tidings.uuid7(),
    tenant      text NOT NULL REFERENCES tidings.tenants,
    external_id text COLLATE "C" NOT NULL,
    type        text,
    name        text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX groups_by_external_id ON tidings.groups (tenant, external_id);
CREATE INDEX groups_in_order ON tidings.groups (tenant, id);

CREATE TABLE tidings.group_members (
    tenant    text NOT NULL,
    group_id  uuid NOT NULL REFERENCES tidings.groups ON DELETE CASCADE,
    person_id uuid NOT NULL REFERENCES tidings.people ON DELETE CASCADE,
    PRIMARY KEY (group_id, person_id)
);
CREATE INDEX groups_of_person ON tidings.group_members (person_id);

-- Topics that a person asked to hear about.
CREATE TABLE tidings.subscriptions (
    tenant     text NOT NULL,
    topic      text COLLATE "C" NOT NULL,
    person_id  uuid NOT NULL REFERENCES tidings.people ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, topic, person_id)
);
CREATE INDEX subscriptions_of_person ON tidings.subscriptions (person_id);

-- What is said is of a category. One that is required cannot be turned off; one that is not listed is not required.
CREATE TABLE tidings.categories (
    tenant      text NOT NULL REFERENCES tidings.tenants,
    id          text NOT NULL,
    name        text NOT NULL,
    description text,
    required    boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, id)
);

-- What a person wants of a category on a channel; '*' stands for every category, or every channel. The closest one
-- counts: category and channel, then category, then channel, then all. Without one, yes.
CREATE TABLE tidings.preferences (
    tenant     text NOT NULL,
    person_id  uuid NOT NULL REFERENCES tidings.people ON DELETE CASCADE,
    category   text NOT NULL,
    channel    text NOT NULL,
    wanted     boolean NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (person_id, category, channel)
);

-- Addresses that nothing is sent to any more, whoever they belong to.
CREATE TABLE tidings.suppressions (
    tenant      text NOT NULL REFERENCES tidings.tenants,
    kind        text NOT NULL,
    fingerprint text NOT NULL,
    value       text NOT NULL,
    reason      text NOT NULL,
    detail      text,
    delivery_id uuid,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, kind, fingerprint),
    CONSTRAINT suppression_reason_is_known CHECK (reason IN ('bounced', 'complained', 'manual'))
);
CREATE INDEX suppressions_newest ON tidings.suppressions (tenant, created_at);

-- People read from a file: its rows are kept as they come, and become people in one transaction, all or none. Where
-- nothing was heard of one for a while (`touched_at`), whoever received it is gone.
CREATE TABLE tidings.imports (
    id          uuid PRIMARY KEY DEFAULT tidings.uuid7(),
    tenant      text NOT NULL REFERENCES tidings.tenants,
    status      text NOT NULL DEFAULT 'receiving',
    dry_run     boolean NOT NULL DEFAULT false,
    rows        integer NOT NULL DEFAULT 0,
    wrong       integer NOT NULL DEFAULT 0,
    created     integer NOT NULL DEFAULT 0,
    updated     integer NOT NULL DEFAULT 0,
    error       text,
    created_at  timestamptz NOT NULL DEFAULT now(),
    touched_at  timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT import_status_is_known CHECK (status IN ('receiving', 'applying', 'refused', 'done'))
);
CREATE INDEX imports_newest ON tidings.imports (tenant, id);
CREATE INDEX imports_by_time ON tidings.imports (touched_at);

-- `person_id` is whom the row creates, unless its external id is somebody's already.
CREATE TABLE tidings.import_rows (
    import_id   uuid NOT NULL REFERENCES tidings.imports ON DELETE CASCADE,
    tenant      text NOT NULL,
    line        integer NOT NULL,
    person_id   uuid NOT NULL DEFAULT tidings.uuid7(),
    external_id text COLLATE "C",
    person      jsonb,
    sealed      bytea,
    error       text,
    PRIMARY KEY (import_id, line)
);
CREATE INDEX import_rows_wrong ON tidings.import_rows (import_id, line) WHERE error IS NOT NULL;
