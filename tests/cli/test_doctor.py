"""A configuration that cannot work is refused in one line; the doctor lists all that is wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.conftest import Tidings
from tests.support.postgres import Server
from tests.support.temporal import DevServer

WRONG = {
    "TIDINGS_API_PORT": "99999",
    "TIDINGS_API_PUBLIC_URL": "tidings.example.com",
    "TIDINGS_AUTH_JWT_SECRET": "short",
    "TIDINGS_AUTH_JWKS_URL": "https://issuer.example.com/keys",
    "TIDINGS_DATABASE_URL": "mysql://x",
    "TIDINGS_DNS_PROVIDER": "cloudflare",
    "TIDINGS_DNS_QUORUM": "4",
    "TIDINGS_DNS_RESOLVERS": "8.8.8.8,dns.example.com",
    "TIDINGS_FACTS_MAX_BYTES": "16777216",
    "TIDINGS_MASTER_KEY": "not a key",
    "TIDINGS_MASTER_KEY_FILE": "/nowhere/at/all",
    "TIDINGS_ORGANIZATIONS_DOMAINS": "default=x.example, acme=X.example",
    "TIDINGS_ORGANIZATIONS_INVITATION_LIFETIME": "1m",
    "TIDINGS_ORGANIZATIONS_MAIL_WAIT": "2h",
    "TIDINGS_ORGANIZATIONS_PROPAGATION_WAIT": "1h",
    "TIDINGS_ORGANIZATIONS_RESERVED": "www",
    "TIDINGS_ORGANIZATIONS_ROLES": "member=organization.read",
    "TIDINGS_OUTBOX_LEASE": "1ms",
    "TIDINGS_OUTBOX_POLL": "11s",
    "TIDINGS_OUTBOX_RETRY_CAP": "1ms",
    "TIDINGS_OUTBOX_LEESE": "30s",
    "TIDINGS_LOG_LEVEL": "loud",
    "TIDINGS_TEMPORAL_ADDRESS": "temporal",
    "TIDINGS_TEMPORAL_API_KEY": "key",
    "TIDINGS_TEMPORAL_TLS_CA_FILE": "/nowhere/at/all",
    "TIDINGS_TEMPORAL_TLS_KEY_FILE": "/nowhere/at/all",
}


def test_the_doctor_misses_the_master_key_that_the_api_needs(tidings: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TIDINGS_MASTER_KEY")
    monkeypatch.setenv("TIDINGS_API_PORT", "0")
    assert "TIDINGS_MASTER_KEY: is not set" in tidings("doctor").out
    assert "TIDINGS_MASTER_KEY: is not set" in tidings("api").err


@pytest.fixture
def stranger(server: Server) -> Iterator[str]:
    """A database user with no rights but to connect."""
    server.admin.execute("CREATE ROLE stranger LOGIN")
    yield "stranger"
    for role in ("owner", "api", "worker", "emit"):
        server.admin.execute(f"REVOKE tidings_{role} FROM stranger CASCADE".encode())
    server.admin.execute("DROP ROLE stranger")


@pytest.mark.parametrize("name", WRONG)
def test_each_wrong_setting_is_refused_at_start_and_named_by_the_doctor(
    tidings: Tidings, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("TIDINGS_MASTER_KEY")
    monkeypatch.setenv(name, WRONG[name])
    refused, examined = tidings("worker"), tidings("doctor")
    assert (refused.code, examined.code) == (2, 1)
    assert refused.err.count("\n") == 1
    related = {
        "TIDINGS_AUTH_JWKS_URL": "TIDINGS_AUTH_JWT_ISSUER",
        "TIDINGS_DNS_PROVIDER": "TIDINGS_DNS_TOKEN",
        "TIDINGS_FACTS_MAX_BYTES": "TIDINGS_API_MAX_BODY",
        "TIDINGS_ORGANIZATIONS_MAIL_WAIT": "TIDINGS_ORGANIZATIONS_BOOTSTRAP_LIMIT",
        "TIDINGS_ORGANIZATIONS_PROPAGATION_WAIT": "TIDINGS_ORGANIZATIONS_BOOTSTRAP_LIMIT",
        "TIDINGS_TEMPORAL_API_KEY": "TIDINGS_TEMPORAL_TLS",
    }
    assert related.get(name, name) in refused.err
    assert related.get(name, name) in examined.out


PLAIN_WORDS = {
    "TIDINGS_API_PROT=1": "TIDINGS_API_PROT: there is no such setting (did you mean TIDINGS_API_PORT?)",
    "TIDINGS_DATABSE_URL=postgresql://x": "there is no such setting (did you mean TIDINGS_DATABASE_URL?)",
    "TIDINGS_API_PORT=http": "TIDINGS_API_PORT: must be a whole number",
    "TIDINGS_API_PORT=99999": "TIDINGS_API_PORT: must be 65535 or less",
    "TIDINGS_OUTBOX_LEASE=soon": "TIDINGS_OUTBOX_LEASE: must be a number with its unit, such as 500ms, 30s, 5m",
    "TIDINGS_OUTBOX_LEASE=30": "TIDINGS_OUTBOX_LEASE: must be a number with its unit, such as 500ms, 30s, 5m",
    "TIDINGS_OUTBOX_LEASE=-1s": "TIDINGS_OUTBOX_LEASE: must be longer than zero",
    "TIDINGS_OUTBOX_LEASE=999999999999d": "TIDINGS_OUTBOX_LEASE: is longer than can be counted",
    "TIDINGS_DNS_RESOLVERS=8.8.8.8,dns.x": "TIDINGS_DNS_RESOLVERS: dns.x is not an IP address",
    "TIDINGS_ORGANIZATIONS_DOMAINS=a=x.org,b=X.org": "x.org is given to more than one tenant",
    "TIDINGS_ORGANIZATIONS_ROLES=provider_admin=a,provider-admin=b": "nobody can have the role provider-admin; there",
    "TIDINGS_LOG_LEVEL=loud": "TIDINGS_LOG_LEVEL: must be 'debug', 'info', 'warning' or 'error'",
    "TIDINGS_AUTH_DEVELOPMENT_HEADERS=perhaps": "TIDINGS_AUTH_DEVELOPMENT_HEADERS: must be true or false",
}


@pytest.mark.parametrize("given", PLAIN_WORDS)
def test_what_is_wrong_is_said_in_plain_words(bare: Tidings, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    name, _, value = given.partition("=")
    monkeypatch.setenv(name, value)
    assert PLAIN_WORDS[given] in bare("worker").err
    assert any(PLAIN_WORDS[given] in finding["what"] for finding in bare("doctor", "--json").data)


def test_names_that_only_begin_like_ours_and_empty_values_do_no_harm(
    tidings: Tidings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDINGS_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("TIDINGS_PORT", "tcp://10.0.0.1:8400")
    monkeypatch.setenv("TIDINGS_WORKER_METRICS_PORT", "")
    assert "settings are sound" in tidings("doctor").out


def test_development_headers_are_for_loopback_only(tidings: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDINGS_AUTH_DEVELOPMENT_HEADERS", "true")
    monkeypatch.setenv("TIDINGS_API_HOST", "0.0.0.0")
    assert "TIDINGS_AUTH_DEVELOPMENT_HEADERS" in tidings("api").err


def test_the_doctor_lists_everything_at_once(tidings: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDINGS_AUTH_JWT_SECRET", "short")
    monkeypatch.setenv("TIDINGS_TEMPORAL_ADDRESS", "127.0.0.1:1")
    findings = tidings("doctor", "--json").data
    wrong = [finding["what"] for finding in findings if not finding["ok"]]
    assert [what.split(":")[0] for what in wrong] == ["TIDINGS_AUTH_JWT_SECRET", "TIDINGS_TEMPORAL_ADDRESS"]
    assert any(finding["what"].startswith("PostgreSQL 18") for finding in findings)


def test_the_doctor_asks_temporal_for_our_namespace(
    tidings: Tidings, temporal_server: DevServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDINGS_TEMPORAL_ADDRESS", temporal_server.address)
    assert f"Temporal answers on {temporal_server.address}, namespace default" in tidings("doctor").out
    monkeypatch.setenv("TIDINGS_TEMPORAL_NAMESPACE", "elsewhere")
    assert "Temporal has no namespace elsewhere" in tidings("doctor").out


def test_the_doctor_prints_the_grants_that_are_missing(
    tidings: Tidings, database_url: str, server: Server, stranger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDINGS_DATABASE_URL", database_url.replace("postgres@", f"{stranger}@"))
    assert f"GRANT tidings_worker TO {stranger};" in tidings("doctor").out


HAS = {
    "nothing": "",
    "our roles": "GRANT tidings_owner, tidings_api, tidings_worker, tidings_emit TO stranger",
    "CREATEROLE": "ALTER ROLE stranger CREATEROLE",
    "CREATE": "GRANT CREATE ON DATABASE {database} TO stranger",
    "CREATEROLE and CREATE": "ALTER ROLE stranger CREATEROLE; GRANT CREATE ON DATABASE {database} TO stranger",
}


@pytest.mark.usefixtures("any_postgres")
@pytest.mark.parametrize("has", HAS)
def test_what_the_doctor_prints_is_what_migrate_needs(
    bare: Tidings, server: Server, stranger: str, monkeypatch: pytest.MonkeyPatch, has: str
) -> None:
    with server.database("template0") as url:
        server.admin.execute(HAS[has].format(database=url.rsplit("/", 1)[1]).encode())
        monkeypatch.setenv("TIDINGS_DATABASE_URL", url.replace("postgres@", f"{stranger}@"))
        advice = bare("doctor").out.partition("an administrator must run: ")[2].splitlines()[:1]
        assert (bare("migrate").code == 2) == bool(advice)
        for statement in advice:
            server.admin.execute(statement.encode())
        assert bare("migrate").code == 0
        assert "database roles\n" in bare("doctor").out


def test_a_member_who_may_not_set_the_role_grants_it_to_themselves(
    bare: Tidings, server: Server, stranger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the user is who made the roles with CREATEROLE, from PostgreSQL 16 on."""
    with server.database("template0") as url:
        server.admin.execute(f"GRANT CREATE ON DATABASE {url.rsplit('/', 1)[1]} TO {stranger}".encode())
        for role in ("owner", "api", "worker", "emit"):
            grant = f"GRANT tidings_{role} TO {stranger} WITH ADMIN TRUE, SET FALSE, INHERIT FALSE"
            server.admin.execute(grant.encode())
        monkeypatch.setenv("TIDINGS_DATABASE_URL", url.replace("postgres@", f"{stranger}@"))
        assert "database roles\n" in bare("doctor").out
        assert bare("migrate").code == 0


MAIL = '{"host": "mail.example.com", "fromAddress": "post@example.com"}'
PUBLIC = {
    None: "lead to http://127.0.0.1:8400",
    "http://tidings.example.com": "is not https",
    "https://tidings.example.com": "",
}


@pytest.mark.parametrize("public", PUBLIC)
def test_the_doctor_warns_of_mail_whose_links_lead_nowhere(
    tidings: Tidings, monkeypatch: pytest.MonkeyPatch, public: str | None
) -> None:
    if public is not None:
        monkeypatch.setenv("TIDINGS_API_PUBLIC_URL", public)
    assert "PUBLIC_URL" not in tidings("doctor").out
    assert tidings("providers", "add", "email", "smtp", "--config", MAIL).code == 0
    warned = [line for line in tidings("doctor").out.splitlines() if line.startswith("warn")]
    assert len(warned) == bool(PUBLIC[public])
    assert all("smtp of default" in line and PUBLIC[public] in line for line in warned)


def test_every_setting_is_explained(tidings: Tidings) -> None:
    explained = tidings("doctor", "--settings").out
    assert "| `TIDINGS_OUTBOX_LEASE` | `30s` |" in explained
    assert "None" not in explained
