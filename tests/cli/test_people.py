"""Users and their keys on the command line."""

from __future__ import annotations

import asyncio
import io
import sys

import pytest

from tests.api.world import running
from tests.cli.conftest import Tidings
from tidings.kit.settings import load_settings

PASSWORD = "correct horse battery"


@pytest.fixture
def jo(tidings: Tidings, monkeypatch: pytest.MonkeyPatch) -> str:
    """An admin of the default tenant, made with one line on a standard input that is no terminal."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{PASSWORD}\n"))
    assert tidings("tenant", "create", "acme").code == 0
    made = tidings("user", "create", "--email", "jo@example.com", "--role", "admin")
    assert (made.code, made.err) == (0, "")
    return "jo@example.com"


def test_without_a_terminal_the_password_is_one_line_of_standard_input(tidings: Tidings, jo: str) -> None:
    empty = tidings("user", "create", "--email", "b@example.com")
    assert (empty.code, empty.err.count("\n")) == (2, 1)
    assert "standard input" in empty.err
    assert [user["email"] for user in tidings("user", "list", "--json").data] == [jo]


def test_what_is_not_there_is_named(tidings: Tidings, jo: str) -> None:
    assert "there is no tenant nosuch" in tidings("user", "add", jo, "--tenant", "nosuch").err
    assert "no user with the address nobody@example.com" in tidings("user", "add", "nobody@example.com").err
    again = tidings("user", "create", "--email", jo, "--password", PASSWORD)
    assert (again.code, "tidings user add" in again.err) == (1, True)


def test_somebody_may_have_a_role_in_several_tenants(tidings: Tidings, jo: str) -> None:
    assert tidings("user", "add", jo, "--tenant", "acme").out == "jo@example.com is now member of acme.\n"
    [listed] = tidings("user", "list", "--tenant", "acme", "--json").data
    assert listed["roles"] == [{"tenant": "acme", "role": "member"}, {"tenant": "default", "role": "admin"}]
    assert "member of acme, admin of default" in tidings("user", "list").out
    assert tidings("key", "create", "--email", jo, "--tenant", "acme").code == 0
    assert tidings("user", "add", jo, "--role", "king").code == 2


async def test_a_new_password_ends_the_sessions_of_the_old_one(tidings: Tidings, jo: str) -> None:
    new = "another horse battery"
    async with running(load_settings()) as client:
        opened = await client.post("/v1/session", {"email": jo, "password": PASSWORD})
        cookie = {"Cookie": opened.headers["Set-Cookie"].partition(";")[0]}
        assert (await client.get("/v1/session", headers=cookie)).status == 200
        assert (await asyncio.to_thread(tidings, "user", "password", jo, "--password", new)).code == 0
        assert (await client.get("/v1/session", headers=cookie)).status == 401
        assert (await client.post("/v1/session", {"email": jo, "password": PASSWORD})).status == 401
        assert (await client.post("/v1/session", {"email": jo, "password": new})).status == 201
    assert (await asyncio.to_thread(tidings, "user", "password", jo, "--password", "short")).code == 2


def test_keys_are_listed_without_their_secret_and_revoked(tidings: Tidings, jo: str) -> None:
    made = tidings("key", "create", "--email", jo, "--expires-at", "2099-01-01T00:00:00Z", "--json").data
    listed = tidings("key", "list", "--json")
    assert listed.data == [{name: value for name, value in made.items() if name != "secret"}]
    assert made["secret"] not in listed.out
    assert "until 2099-01-01" in tidings("key", "list", "--email", jo).out
    assert tidings("key", "revoke", made["id"]).code == 0
    assert "revoked" in tidings("key", "list").out
    elsewhere = tidings("key", "revoke", made["id"], "--tenant", "acme")
    assert (elsewhere.code, elsewhere.err) == (2, "tidings: There is no such key.\n")
    past = tidings("key", "create", "--email", jo, "--expires-at", "2020-01-01T00:00:00Z")
    assert (past.code, past.err.startswith("tidings: --expires-at: ")) == (2, True)
