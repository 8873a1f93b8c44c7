"""Providers, deliveries and the sandbox on the command line: from setting one up to looking at what it kept."""

from __future__ import annotations

import asyncio
import io
import json
import re
import sys
from pathlib import Path

import asyncpg
import pytest

from tests.cli.conftest import Tidings
from tests.support.pipeline import drain
from tidings.kit.settings import load_settings

SMTP = '{"host": "mail.example.com", "fromAddress": "post@example.com", "password": "canary of the provider"}'


@pytest.fixture
def person(database_url: str) -> str:
    async def add() -> str:
        connection = await asyncpg.connect(database_url)
        made = await connection.fetchval(
            """WITH made AS (INSERT INTO tidings.people (tenant, name)
                   VALUES ('default', 'Some' || chr(27) || '[2Jbody') RETURNING id),
               reached AS (INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
                   SELECT 'default', id, 'email', 'somebody@example.com', 'somebody@example.com' FROM made)
               SELECT id FROM made"""
        )
        await connection.close()
        return str(made)

    return asyncio.run(add())


def test_a_test_send_ends_in_the_sandbox_and_looks_as_it_would_have(
    tidings: Tidings, person: str, tmp_path: Path
) -> None:
    made = tidings("providers", "add", "email", "sandbox", "--json").data
    delivery = tidings("providers", "test", made["id"], "--person", person, "--json").data["deliveryId"]
    asyncio.run(drain(load_settings()))
    shown = tidings("deliveries", "show", delivery)
    assert ("sandbox:" in shown.out, "sent" in shown.out) == (True, True)
    assert [kept["id"] for kept in tidings("sandbox", "list", "--json").data] == [delivery]
    looks = tidings("sandbox", "show", delivery).out
    assert "Subject: A test of sandbox" in looks
    assert "\x1b" not in looks
    page = tmp_path / "mail.html"
    assert tidings("sandbox", "show", delivery, "--html", str(page)).code == 0
    assert "<html" in page.read_text()
    assert tidings("sandbox", "clear").out == "1 removed.\n"
    assert tidings("sandbox", "list").out == "Nothing here.\n"


def test_what_a_provider_has_to_be_told_can_be_asked_without_a_database(bare: Tidings) -> None:
    smtp = bare("providers", "types", "smtp").out
    assert re.search(r"fromAddress +required", smtp)
    assert re.search(r"password +secret", smtp)
    assert {each["type"] for each in bare("providers", "types", "--json").data} >= {"smtp", "sandbox"}
    assert "must be one of smtp" in bare("providers", "types", "pigeon").err


def test_secrets_come_in_on_standard_input_and_do_not_come_out(
    tidings: Tidings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(SMTP))
    made = tidings("providers", "add", "email", "smtp", "--config", "-", "--json")
    assert (made.code, "canary" in made.out) == (0, False)
    assert "canary" not in tidings("providers", "list", "--json").out
    wrong = tidings("providers", "add", "email", "smtp", "--name", "other", "--config", json.dumps({"port": "x"}))
    assert (wrong.code, wrong.err.count("\n"), "config.port" in wrong.err) == (2, 1, True)
    assert tidings("providers", "close", made.data["id"]).code == 0
    assert "  off" in tidings("providers", "disable", made.data["id"]).out
    assert "  on" in tidings("providers", "enable", made.data["id"]).out
    changed = tidings("providers", "set", made.data["id"], "--rate", "10/1s", "--priority", "1", "--json").data
    assert (changed["rate"], changed["priority"]) == ({"count": 10, "period": "1s"}, 1)
    assert "--rate" in tidings("providers", "set", made.data["id"], "--rate", "ten").err
    assert tidings("providers", "remove", made.data["id"]).code == 0
    assert tidings("providers", "list").out == "No providers.\n"


def test_what_failed_is_listed_and_retried(tidings: Tidings, person: str) -> None:
    made = tidings("providers", "add", "email", "none", "--rate", "5/1m", "--json").data
    assert tidings("providers", "test", made["id"], "--person", person, "--template", "misspelt").code == 2
    delivery = tidings("providers", "test", made["id"], "--person", "Somebody@example.com", "--json").data["deliveryId"]
    asyncio.run(drain(load_settings()))
    assert [each["id"] for each in tidings("deliveries", "list", "--status", "failed", "--json").data] == [delivery]
    assert tidings("deliveries", "retry", "--error", "quota").out == "0 deliveries are sent again.\n"
    assert tidings("deliveries", "retry").out == "1 delivery is sent again.\n"
    assert tidings("deliveries", "retry", delivery, "--json").data["status"] == "pending"
    assert tidings("deliveries", "list", "--status", "held").code == 2
    assert tidings("deliveries", "list", "--channel", "sms").out == "Nothing here.\n"
