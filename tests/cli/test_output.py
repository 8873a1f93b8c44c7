"""What commands print: for people, one line a thing; with --json, the documents of the HTTP API."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest

from tests.api.world import api_settings, running, token
from tests.cli.conftest import Tidings
from tidings.cli.context import show, table

NOTHING = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def fact(tidings: Tidings) -> str:
    data = '{"n": 1.1, "who": "Ünï"}'
    made = tidings("emit", "order.paid", data, "--key", "order.paid:7", "--stream", "order/7", "--json")
    fact_id: str = made.data["id"]
    return fact_id


async def test_json_is_what_http_gives(tidings: Tidings, database_url: str, fact: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("SELECT tidings.schedule('reminder.send', '{\"to\": 7}', key => 'k')")
    commands = {
        "/v1/outbox": ("outbox", "list"),
        f"/v1/outbox/{fact}": ("outbox", "show", fact),
        "/v1/facts": ("facts", "list"),
        f"/v1/facts/{fact}": ("facts", "show", fact),
    }

    async def printed(*command: str) -> Any:
        return (await asyncio.to_thread(tidings, *command, "--json")).data

    async with running(api_settings(database_url)) as client:
        operator = client.acting(token("default", "operator"))
        for path, command in commands.items():
            assert await printed(*command) == (await operator.get(path)).json["data"], command
        stats = (await operator.get("/v1/outbox/stats")).json["data"]
    shown = await printed("outbox", "stats")
    assert shown.keys() == stats.keys()
    assert shown["counts"] == stats["counts"]


def test_an_intent_is_one_line_with_its_key_and_a_time_that_says_its_zone(
    tidings: Tidings, database_url: str, fact: str
) -> None:
    error = "first line\n  second line\r\nthird"
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE tidings.outbox SET status = 'failed', attempts = 1, last_error = %s", [error])
    heads, line = tidings("outbox", "list").out.splitlines()
    assert heads.split() == ["ID", "STATUS", "KIND", "KEY", "TIME", "(UTC)", "TRIED", "LAST", "ERROR"]
    assert line.startswith(fact)
    assert "order.paid:7" in line
    assert "runs 20" in line
    assert line.endswith("first line second line third")
    assert tidings("outbox", "list", "--key-prefix", "other").out == "Nothing here.\n"
    full = tidings("outbox", "show", fact).out
    assert "first line\n  second line" in full
    assert " UTC\n" in full


def test_facts_are_listed_by_type_stream_and_time_and_shown_in_full(tidings: Tidings, fact: str) -> None:
    tidings("emit", "lead.created")

    def found(*options: str) -> list[str]:
        return [row["type"] for row in tidings("facts", "list", *options, "--json").data]

    assert found() == ["lead.created", "order.paid"]
    assert found("--type", "order.*") == found("--stream", "order") == found("--stream", "order/7") == ["order.paid"]
    assert found("--stream", "order/8") == found("--until", "2020-01-01T00:00:00Z") == []
    assert found("--since", "2020-01-01T00:00:00Z", "--limit", "1") == ["lead.created"]
    assert "order/7" in tidings("facts", "list").out
    assert '"n": 1.1' in tidings("facts", "show", fact).out
    assert tidings("facts", "show", NOTHING).err == "tidings: There is no such fact.\n"


def test_dead_letters_are_counted_in_words_that_agree(tidings: Tidings, database_url: str, fact: str) -> None:
    assert tidings("outbox", "redrive").out == "0 dead letters run anew.\n"
    tidings("outbox", "cancel", fact)
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE tidings.outbox_finished SET status = 'dead'")
    assert tidings("outbox", "redrive").out == "1 dead letter runs anew.\n"


def test_times_are_iso_8601_in_utc(tidings: Tidings) -> None:
    made = tidings("tenant", "create", "acme", "--json").data
    assert made.keys() == {"id", "name", "createdAt", "suspendedAt"}
    assert made["createdAt"].endswith("Z")


def test_a_time_that_is_refused_is_named_as_it_was_typed(tidings: Tidings, fact: str) -> None:
    refused = tidings("outbox", "reschedule", fact, "2099-01-01T00:00:00Z")
    assert (refused.code, refused.err.startswith("tidings: TIME: must be")) == (2, True)


def test_a_terminal_obeys_nothing_of_what_somebody_wrote(capsys: pytest.CaptureFixture[str]) -> None:
    show({}, False, table(["ERROR"], [["\x1b]0;owned\x07\x9b31m\u202egood\nbad"]]))
    assert capsys.readouterr().out == "ERROR\n\ufffd]0;owned\ufffd\ufffd31m\ufffdgood bad\n"
