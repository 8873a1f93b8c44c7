"""`tidings secrets`: another master key, while and after it is changed; and what it never shows."""

from __future__ import annotations

import os
import re
from pathlib import Path

import psycopg
import pytest

from tests.cli.conftest import Tidings
from tidings.kit.crypto import decoded, new_key


@pytest.fixture
def made(tidings: Tidings) -> str:
    """A key of the API, made with the first master key."""
    password = "correct horse battery"
    assert tidings("user", "create", "--email", "jo@example.com", "--operator", "--password", password).code == 0
    key = tidings("key", "create", "--email", "jo@example.com")
    assert key.code == 0, key.err
    return key.out.strip()


def test_the_master_key_is_changed_in_two_steps(tidings: Tidings, made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rotated = tidings("secrets", "rotate", "--json").data
    assert rotated["finished"] is False
    assert tidings("secrets", "status", "--json").data["masterKeys"] == [
        {"id": rotated["former"], "set": True},
        {"id": rotated["new"], "set": False},
    ]
    assert "rotate --finish" in tidings("doctor").out
    assert "rotate --finish" in tidings("secrets", "rotate").err
    monkeypatch.setenv("TIDINGS_MASTER_KEY", rotated["secret"])
    assert tidings("secrets", "rotate", "--finish", "--json").data == {"key": rotated["new"], "finished": True}
    assert tidings("secrets", "status", "--json").data["masterKeys"] == [{"id": rotated["new"], "set": True}]
    assert tidings("key", "create", "--email", "jo@example.com").code == 0


def test_after_it_the_former_key_is_refused_by_every_command_and_by_the_doctor(
    tidings: Tidings, made: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "new.key"
    rotated = tidings("secrets", "rotate", "--new-key-file", str(file))
    assert decoded(file.read_text()).text() not in rotated.out + rotated.err
    assert (file.stat().st_mode & 0o777) == 0o600
    former = _swap(monkeypatch, file)
    assert tidings("secrets", "rotate", "--finish").code == 0
    monkeypatch.delenv("TIDINGS_MASTER_KEY_FILE")
    monkeypatch.setenv("TIDINGS_MASTER_KEY", former)
    for command in (("worker",), ("key", "create", "--email", "jo@example.com"), ("secrets", "status")):
        refused = tidings(*command)
        assert (refused.code, "is not the one of this database" in refused.err) == (2, True), refused
    assert "WRONG  TIDINGS_MASTER_KEY: is not the one of this database" in tidings("doctor").out


def _swap(monkeypatch: pytest.MonkeyPatch, file: Path) -> str:
    former = os.environ["TIDINGS_MASTER_KEY"]
    monkeypatch.delenv("TIDINGS_MASTER_KEY")
    monkeypatch.setenv("TIDINGS_MASTER_KEY_FILE", str(file))
    return former


def test_the_stacks_own_file_gets_the_new_key_and_keeps_the_former_beside_it(
    tidings: Tidings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file, former = tmp_path / "data" / "master.key", new_key().text()
    file.parent.mkdir()
    file.write_text(former, encoding="ascii")
    monkeypatch.delenv("TIDINGS_MASTER_KEY")
    monkeypatch.setenv("TIDINGS_MASTER_KEY_FILE", str(file))
    assert tidings("secrets", "status").code == 0
    rotated = tidings("secrets", "rotate", "--json").data
    assert rotated["finished"] is True
    assert decoded(file.read_text()).id.hex() == rotated["new"]
    assert (file.parent / "master.key.former").read_text() == former
    assert {path.stat().st_mode & 0o777 for path in file.parent.glob("master.key*")} == {0o600}
    assert tidings("secrets", "status", "--json").data["masterKeys"] == [{"id": rotated["new"], "set": True}]


def test_a_new_data_key_seals_everything_again(tidings: Tidings) -> None:
    assert tidings("secrets", "status").out.endswith("Nothing is sealed.\n")
    renewed = tidings("secrets", "renew", "--at-once", "--json")
    assert renewed.code == 0, renewed.err
    assert renewed.data["columns"]["providers.config"] == {"resealed": 0, "unread": 0, "busy": 0}
    assert tidings("secrets", "reseal", "--json").data["key"] == renewed.data["key"]


def test_the_status_says_where_it_is_an_estimate(tidings: Tidings, database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("ALTER TABLE tidings.sandbox_messages ALTER COLUMN sealed SET STORAGE PLAIN")
        connection.execute(
            """INSERT INTO tidings.sandbox_messages (id, tenant, channel, sealed)
               SELECT gen_random_uuid(), 'default', 'email', decode('01aaaaaaaa', 'hex') || repeat('x', 7000)::bytea
               FROM generate_series(1, 5000)"""
        )
    estimated = tidings("secrets", "status").out
    assert re.search(r"sandbox_messages.sealed +aaaaaaaa +about [45],\d{3} +its key is not here", estimated)
    assert "`--exact` counts all" in estimated
    exact = tidings("secrets", "status", "--exact", "--json").data["sealed"]
    assert exact == [
        {
            "column": "sandbox_messages.sealed",
            "key": "aaaaaaaa",
            "values": 5000,
            "state": "its key is not here",
            "exact": True,
        }
    ]


def test_a_file_that_holds_no_key_or_the_same_one_is_refused(tidings: Tidings, tmp_path: Path) -> None:
    file = tmp_path / "new.key"
    for text, complaint in (("nothing", "must be 32 bytes"), ("A" * 43, "holds the key that is set already")):
        file.write_text(text, encoding="ascii")
        refused = tidings("secrets", "rotate", "--new-key-file", str(file))
        assert (refused.code, complaint in refused.err) == (2, True), refused
