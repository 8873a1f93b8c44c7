"""Commands, as an operator uses them: what they print, what they change, and how they end."""

from __future__ import annotations

import psycopg
import pytest

from tests.cli.conftest import Tidings
from tests.support.postgres import Server


def _value(url: str, query: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


def test_emit_records_a_fact_once_for_its_key(tidings: Tidings, database_url: str) -> None:
    first = tidings("emit", "order.paid", '{"order_id": 7}', "--key", "k", "--stream", "order/7", "--json")
    again = tidings("emit", "order.paid", '{"order_id": 7}', "--key", "k", "--stream", "order/7")
    assert (first.code, again.code) == (0, 0)
    assert first.data["id"] == again.out.strip()
    assert _value(database_url, "SELECT count(*) FROM tidings.facts WHERE stream_id = '7'") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Order"], "type: must be lower-case words"),
        (["order.paid", "[1]"], "data: must be a JSON object"),
        (["order.paid", "{"], "data: is not valid JSON"),
        (["order.paid", '{"x": NaN}'], "data: is not valid JSON"),
        (["order.paid", "{}", "--tenant", "nobody"], "tenant: there is no such tenant"),
        (["event.created"], "is reserved"),
        (["order.paid", "{}", "--run-at", "tomorrow"], "--run-at: must be a time"),
        (["order.paid", "{}", "--run-at", "2027-01-01T00:00:00"], "--run-at: needs a timezone"),
        (["order.paid", "{}", "--run-at", "2099-01-01T00:00:00+00:00"], "tidings: --run-at: must be less than"),
        (["order.paid", "{}", "--stream", "order"], "stream: needs both a type and an id"),
        ([], "Missing"),
        (["order.paid", "--what"], "--what"),
    ],
)
def test_wrong_use_is_one_line_exit_code_2_and_nothing_written(
    tidings: Tidings, database_url: str, arguments: list[str], said: str
) -> None:
    result = tidings("emit", *arguments)
    assert result.code == 2
    assert said in result.err
    assert result.err.count("\n") == 1
    assert _value(database_url, "SELECT count(*) FROM tidings.facts") == 0


def test_the_outbox_can_be_listed_cancelled_retried_and_moved(tidings: Tidings) -> None:
    intent = tidings("emit", "order.paid", "--json").data["id"]
    assert tidings("outbox", "list", "--json").data[0]["status"] == "pending"
    assert "served by no worker" in tidings("outbox", "stats").out
    assert tidings("outbox", "reschedule", intent, "2027-01-01T00:00:00+00:00", "--json").data["generation"] == 1
    assert tidings("outbox", "cancel", intent, "--json").data["status"] == "cancelled"
    assert intent in tidings("outbox", "list", "--status", "cancelled").out
    assert tidings("outbox", "retry", intent, "--json").data["status"] == "pending"
    assert tidings("outbox", "redrive", "--json").data == {"redriven": 0, "more": False}


def test_an_intent_that_is_not_there_is_said_so(tidings: Tidings) -> None:
    result = tidings("outbox", "retry", "00000000-0000-0000-0000-000000000000")
    assert (result.code, result.err) == (2, "tidings: There is no such intent.\n")
    assert "tenant" in tidings("outbox", "list", "--tenant", "nobody").err


def test_tenants_are_made_suspended_and_resumed(tidings: Tidings) -> None:
    assert tidings("tenant", "create", "acme", "--name", "Acme").code == 0
    assert tidings("tenant", "create", "acme").code == 1
    assert tidings("tenant", "create", "No!").code == 2
    assert "suspended" in tidings("tenant", "suspend", "acme").out
    assert "active" in tidings("tenant", "resume", "acme").out
    assert [tenant["id"] for tenant in tidings("tenant", "list", "--json").data] == ["acme", "default"]


def test_users_and_keys(tidings: Tidings, database_url: str) -> None:
    made = tidings(
        "user", "create", "--email", "a@example.com", "--password", "correct horse battery", "--role", "admin"
    )
    assert made.code == 0
    key = tidings("key", "create", "--email", "a@example.com", "--scope", "facts:write", "--json").data["secret"]
    assert key.startswith("tdk_")
    assert tidings("key", "create", "--email", "b@example.com").code == 2
    assert "--email" in tidings("key", "create").err
    assert tidings("key", "create", "--email", "a@example.com", "--scope", "everything").code == 2
    assert tidings("user", "create", "--email", "c@example.com", "--password", "x" * 20, "--role", "king").code == 2
    stored = _value(
        database_url, "SELECT encode(hash, 'escape') || users.password_hash FROM tidings.api_keys, tidings.users"
    )
    assert key not in str(stored)
    assert "correct horse" not in str(stored)


def test_migrate_says_the_revision(tidings: Tidings) -> None:
    assert tidings("migrate", "--json").data == {"revision": "0007"}


def test_without_a_database_every_command_says_what_to_do(bare: Tidings) -> None:
    for command in (["emit", "order.paid"], ["outbox", "list"], ["worker"], ["api"], ["migrate"], ["tenant", "list"]):
        result = bare(*command)
        assert result.code == 2
        assert "TIDINGS_DATABASE_URL" in result.err
        assert "tidings up" in result.err


def test_a_database_that_is_away_is_one_line(bare: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDINGS_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    result = bare("outbox", "list")
    assert result.code == 1
    assert "cannot be reached" in result.err
    assert result.err.count("\n") == 1


def test_help_and_no_arguments_are_no_error(bare: Tidings) -> None:
    assert bare().code == 0
    assert "outbox" in bare("--help").out
    assert bare("nonsense").code == 2
    assert bare("--version").out.startswith("tidings 0.")
    missing = bare("outbox")
    assert (missing.code, missing.err) == (2, "")
    assert "reschedule" in missing.out


def test_the_newest_intents_come_first_whatever_their_keys(tidings: Tidings) -> None:
    made = [tidings("emit", "order.paid", "--key", f"order:{n}", "--json").data["id"] for n in range(6)]
    assert [intent["id"] for intent in tidings("outbox", "list", "--json").data] == made[::-1]


DATA_COMMANDS = {
    "emit": ["emit", "order.paid"],
    "outbox list": ["outbox", "list"],
    "outbox stats": ["outbox", "stats"],
    "tenant list": ["tenant", "list"],
    "tenant create": ["tenant", "create", "acme"],
    "user create": ["user", "create", "--email", "a@example.com", "--password", "correct horse battery"],
    "key create": ["key", "create"],
    "organizations list": ["organizations", "list"],
    "organizations reconcile": ["organizations", "reconcile"],
    "projections rebuild": ["projections", "rebuild"],
}


@pytest.mark.parametrize("name", DATA_COMMANDS)
def test_a_database_that_was_never_migrated_is_one_line(
    bare: Tidings, server: Server, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with server.database("template0") as url:
        monkeypatch.setenv("TIDINGS_DATABASE_URL", url)
        result = bare(*DATA_COMMANDS[name])
    assert result.code == 1
    assert result.err == "tidings: TIDINGS_DATABASE_URL: its schema is at nothing; run `tidings migrate` first\n"


def test_a_database_that_does_not_let_us_in_is_one_line(
    bare: Tidings, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDINGS_DATABASE_URL", server.url("nowhere"))
    result = bare("outbox", "list")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "tidings doctor" in result.err


def test_a_key_is_made_only_where_it_will_work(tidings: Tidings, database_url: str) -> None:
    assert tidings("tenant", "create", "acme").code == 0
    assert tidings("user", "create", "--email", "z@example.com", "--password", "correct horse battery").code == 0
    nowhere = tidings("key", "create", "--email", "z@example.com", "--tenant", "nosuch")
    assert (nowhere.code, nowhere.err.count("\n")) == (2, 1)
    assert "there is no tenant nosuch" in nowhere.err
    stranger = tidings("key", "create", "--email", "z@example.com", "--tenant", "acme")
    assert (stranger.code, stranger.err.count("\n")) == (1, 1)
    assert "z@example.com is neither a member of acme nor an operator" in stranger.err
    assert _value(database_url, "SELECT count(*) FROM tidings.api_keys") == 0
