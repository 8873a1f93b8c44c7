"""Where the database is: where the environment says, or where a stack runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tidings
from tidings.addresses import located
from tidings.embedded.identity import birth
from tidings.embedded.info import StackInfo, publish
from tidings.kit.settings import load_settings


@pytest.fixture(autouse=True)
def _own_data_dir(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TIDINGS_DATABASE_URL", raising=False)
    monkeypatch.setenv("TIDINGS_DATA_DIR", str(tmp_path))


def _publish(data_dir: Path, born: str) -> None:
    info = StackInfo("postgresql://stack/db", "", "", None, "", None, str(data_dir), os.getpid(), born)
    publish(info)


def test_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _publish(tmp_path, birth(os.getpid()) or "")
    monkeypatch.setenv("TIDINGS_DATABASE_URL", "postgresql://elsewhere/db")
    assert tidings.database_url() == "postgresql://elsewhere/db"


def test_a_running_stack_is_found(tmp_path: Path) -> None:
    _publish(tmp_path, birth(os.getpid()) or "")
    assert tidings.database_url() == "postgresql://stack/db"


def test_who_joins_a_running_stack_sends_as_it_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A worker with handlers in another terminal, which knows nothing of how the stack was started."""
    temporal = ("127.0.0.1:7233", "ours", None)
    base = ("postgresql://stack/db", *temporal, "http://127.0.0.1:9000", None, str(tmp_path), os.getpid())
    publish(StackInfo(*base, birth(os.getpid()) or "", "https://a.example.com", "sandbox", ["127.0.0.1:2525"]))
    joined = located(load_settings())
    assert joined is not None
    assert (joined.temporal.address, joined.temporal.namespace) == ("127.0.0.1:7233", "ours")
    assert (joined.api.port, joined.api.public_url) == (9000, "https://a.example.com")
    assert (joined.delivery.default_provider, joined.network.allow) == ("sandbox", ("127.0.0.1:2525",))
    monkeypatch.setenv("TIDINGS_DELIVERY_DEFAULT_PROVIDER", "none")
    monkeypatch.setenv("TIDINGS_DATABASE_URL", "postgresql://stack/db")
    same = located(load_settings())
    assert same is not None
    assert (same.delivery.default_provider, same.network.allow) == ("none", ("127.0.0.1:2525",))
    monkeypatch.setenv("TIDINGS_DATABASE_URL", "postgresql://elsewhere/db")
    other = located(load_settings())
    assert other is not None
    assert (other.api.public_url, other.network.allow) == (None, ())


def test_a_stack_that_died_is_none(tmp_path: Path) -> None:
    _publish(tmp_path, "long ago")
    with pytest.raises(tidings.Unavailable, match="tidings up"):
        tidings.database_url()


def test_without_either_it_says_what_to_do() -> None:
    with pytest.raises(tidings.Unavailable, match="run `tidings up`, or set TIDINGS_DATABASE_URL"):
        tidings.database_url()
