"""Real stacks in directories of their own, and a way to see whether anything of them is left."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.embedded.stacks import Stack


def _directory() -> Path:
    """With a space in its path, and where an unprivileged user can get: pytest's own is closed to all but its owner."""
    parent = Path(tempfile.mkdtemp(prefix="tidings test "))
    parent.chmod(0o755)
    return parent


def _remove(parent: Path) -> None:
    for link in parent.rglob("postgres"):
        if link.is_symlink():
            shutil.rmtree(link.resolve(), ignore_errors=True)
    shutil.rmtree(parent)


@pytest.fixture
def open_dir() -> Iterator[Path]:
    parent = _directory()
    yield parent
    _remove(parent)


@pytest.fixture
def stack(open_dir: Path) -> Iterator[Stack]:
    """A stack that is not started yet; killed at the end with all that it started."""
    stack = Stack(open_dir / "data")
    yield stack
    stack.kill_all()


@pytest.fixture(scope="module")
def running() -> Iterator[Stack]:
    """A stack that runs, shared by the tests that leave it as it was."""
    parent = _directory()
    stack = Stack(parent / "data")
    stack.start()
    yield stack
    stack.kill_all()
    _remove(parent)


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
