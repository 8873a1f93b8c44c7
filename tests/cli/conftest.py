"""Runs commands in this process against a database of the test's own."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tidings.cli.main import run


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Tidings: TypeAlias = Callable[..., Result]


@pytest.fixture
def bare(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Tidings]:
    """The command line with no database and no stack. What it logs to ends with the test."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    monkeypatch.delenv("TIDINGS_DATABASE_URL", raising=False)
    monkeypatch.setenv("TIDINGS_DATA_DIR", str(tmp_path / "data"))

    def tidings(*arguments: str) -> Result:
        code = run(arguments)
        return Result(code, *capsys.readouterr())

    yield tidings
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def tidings(bare: Tidings, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Tidings:
    """The command line with a migrated database and a master key."""
    monkeypatch.setenv("TIDINGS_DATABASE_URL", database_url)
    monkeypatch.setenv("TIDINGS_MASTER_KEY", base64.urlsafe_b64encode(bytes(32)).decode())
    return bare
