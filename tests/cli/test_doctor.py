"""A configuration that cannot work is refused in one line; the doctor lists all that is wrong."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Tidings

WRONG = {
    "TIDINGS_API_PORT": "99999",
    "TIDINGS_API_PUBLIC_URL": "tidings.example.com",
    "TIDINGS_AUTH_JWT_SECRET": "short",
    "TIDINGS_AUTH_JWKS_URL": "https://issuer.example.com/keys",
    "TIDINGS_DATABASE_URL": "mysql://x",
    "TIDINGS_FACTS_MAX_BYTES": "16777216",
    "TIDINGS_MASTER_KEY": "not a key",
    "TIDINGS_MASTER_KEY_FILE": "/nowhere/at/all",
    "TIDINGS_OUTBOX_LEASE": "1ms",
    "TIDINGS_OUTBOX_POLL": "11s",
    "TIDINGS_OUTBOX_RETRY_CAP": "1ms",
    "TIDINGS_OUTBOX_LEESE": "30s",
    "TIDINGS_LOG_LEVEL": "loud",
}


@pytest.mark.parametrize("name", WRONG)
def test_each_wrong_setting_is_refused_at_start_and_named_by_the_doctor(
    tidings: Tidings, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("TIDINGS_MASTER_KEY")
    monkeypatch.setenv(name, WRONG[name])
    refused, examined = tidings("worker"), tidings("doctor")
    assert (refused.code, examined.code) == (2, 1)
    assert refused.err.count("\n") == 1
    related = {"TIDINGS_AUTH_JWKS_URL": "TIDINGS_AUTH_JWT_ISSUER", "TIDINGS_FACTS_MAX_BYTES": "TIDINGS_API_MAX_BODY"}
    assert related.get(name, name) in refused.err
    assert related.get(name, name) in examined.out


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


def test_the_doctor_prints_the_grants_that_are_missing(
    tidings: Tidings, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute("CREATE ROLE stranger LOGIN")
        try:
            monkeypatch.setenv("TIDINGS_DATABASE_URL", database_url.replace("postgres@", "stranger@"))
            assert "GRANT tidings_worker TO stranger;" in tidings("doctor").out
        finally:
            admin.execute("DROP ROLE stranger")


def test_every_setting_is_explained(tidings: Tidings) -> None:
    explained = tidings("doctor", "--settings").out
    assert "| `TIDINGS_OUTBOX_LEASE` | `30s` |" in explained
    assert "None" not in explained
