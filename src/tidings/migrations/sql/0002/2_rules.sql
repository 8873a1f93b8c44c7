-- What is said of which facts: rules, templates, and which facts anybody listens to.

-- A rule as it stands. Every version that ever was is in `rule_versions`; notices name the one that made them.
CREATE TABLE tidings.rules (
    id         uuid PRIMARY KEY DEFAULT tidings.uuid7(),
    tenant     text NOT NULL REFERENCES tidings.tenants,
    name       text NOT NULL,
    version    integer NOT NULL DEFAULT 1,
    enabled    boolean NOT NULL DEFAULT true,
    fact_type  text COLLATE "C" NOT NULL,
    body       jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX rules_by_name ON tidings.rules (tenant, name);

CREATE TABLE tidings.rule_versions (
    rule_id    uuid NOT NULL,
    tenant     text NOT NULL,
    version    integer NOT NULL,
    name       text NOT NULL,
    enabled    boolean NOT NULL,
    fact_type  text NOT NULL,
    body       jsonb NOT NULL,
    changed_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (rule_id, version)
);

-- Which facts cause an intent to tell people of them: by a tenant's rules, and by the listeners that workers declare
-- for every tenant (tenant ''). A type stands for itself; with `prefix`, for every type that begins with it.
CREATE TABLE tidings.routes (
    tenant  text NOT NULL,
    type    text COLLATE "C" NOT NULL,
    prefix  boolean NOT NULL,
    source  text NOT NULL,
    PRIMARY KEY (tenant, type, prefix, source)
);
CREATE INDEX routes_by_prefix ON tidings.routes (tenant) WHERE prefix;

-- Every kind that a worker ever declared a handler for. A fact of such a type causes an intent of that kind.
CREATE TABLE tidings.kinds (
    kind        text PRIMARY KEY,
    declared_at timestamptz NOT NULL DEFAULT now()
);
-- Workers that are older than this revision declare nothing, and go on for a while.
INSERT INTO tidings.kinds (kind)
SELECT DISTINCT kind FROM tidings.workers w, unnest(w.kinds) AS kind WHERE kind NOT LIKE 'tidings.%';

-- A rule that is there and enabled has a route, whoever wrote it.
CREATE FUNCTION tidings.route_of_rule() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM tidings.routes r WHERE r.tenant = OLD.tenant AND r.source = 'rule:' || OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.enabled THEN
        INSERT INTO tidings.routes
        VALUES (NEW.tenant, rtrim(NEW.fact_type, '*'), NEW.fact_type LIKE '%*', 'rule:' || NEW.id);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER rule_has_a_route AFTER INSERT OR UPDATE OF enabled, fact_type OR DELETE ON tidings.rules
    FOR EACH ROW EXECUTE FUNCTION tidings.route_of_rule();

-- A version of a template never changes. The newest that was there when a notice was made is the one it is told in.
CREATE TABLE tidings.templates (
    tenant     text NOT NULL REFERENCES tidings.tenants,
    name       text NOT NULL,
    channel    text NOT NULL,
    locale     text NOT NULL DEFAULT '',
    version    integer NOT NULL,
    subject    text,
    markup     text,
    text       text,
    retired    boolean NOT NULL DEFAULT false,
    changed_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, name, channel, locale, version)
);
