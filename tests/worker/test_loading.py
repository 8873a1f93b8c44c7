"""Handlers are loaded from the users' own modules, files and packages."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tidings.kit.errors import Misconfigured
from tidings.worker.loading import ENTRY_POINTS, load

SOURCE = """
import tidings

@tidings.handler("{kind}.done", "{kind}.undone", keys="rearm")
async def handle(intent): ...

alias = handle
not_one = 5
"""


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    modules, path = set(sys.modules), list(sys.path)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def test_from_a_module_by_name(tmp_path: Path) -> None:
    (tmp_path / "my_handlers.py").write_text(SOURCE.format(kind="module"))
    sys.path.insert(0, str(tmp_path))
    assert set(load(["my_handlers"]).handlers.kinds) == {"module.done", "module.undone"}


def test_from_a_module_in_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "local_handlers.py").write_text(SOURCE.format(kind="local"))
    monkeypatch.chdir(tmp_path)
    assert set(load(["local_handlers"]).handlers.kinds) == {"local.done", "local.undone"}


def test_from_a_file_by_path(tmp_path: Path) -> None:
    (tmp_path / "by-path.py").write_text(SOURCE.format(kind="file"))
    assert set(load([str(tmp_path / "by-path.py")]).handlers.kinds) == {"file.done", "file.undone"}


def test_from_the_entry_point_of_an_installed_package(tmp_path: Path) -> None:
    (tmp_path / "packaged.py").write_text(SOURCE.format(kind="packaged"))
    info = tmp_path / "packaged-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: packaged\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\nmine = packaged\n")
    sys.path.insert(0, str(tmp_path))
    importlib.invalidate_caches()
    assert set(load([]).handlers.kinds) == {"packaged.done", "packaged.undone"}


def test_several_at_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(SOURCE.format(kind=name))
    assert len(load([str(tmp_path / "one.py"), str(tmp_path / "two.py")]).handlers.kinds) == 4


def test_the_same_file_or_module_is_loaded_once_however_it_is_spelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "repeated.py").write_text(SOURCE.format(kind="repeated"))
    monkeypatch.chdir(tmp_path)
    spellings = ["repeated", "repeated.py", "./repeated.py", "sub/../repeated.py", str(tmp_path / "repeated.py")]
    assert set(load([*spellings, "repeated"]).handlers.kinds) == {"repeated.done", "repeated.undone"}


def test_two_files_with_a_handler_for_the_same_kind_are_refused(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / f"{name}.py").write_text(SOURCE.format(kind="one"))
    with pytest.raises(Misconfigured, match=r"two handlers for the kind 'one.done'"):
        load([str(tmp_path / "one.py"), str(tmp_path / "other.py")])


@pytest.mark.parametrize(
    ("name", "source", "reason"),
    [
        ("no_such_module", None, "ModuleNotFoundError"),
        ("no_such_file.py", None, "FileNotFoundError"),
        ("broken.py", "1 +", "SyntaxError"),
        ("raising.py", "1 / 0", "ZeroDivisionError"),
        ("wordy.py", "raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("leaving.py", "raise SystemExit('now')", "SystemExit"),
        (
            "wrong.py",
            "import tidings\n@tidings.handler('a.b', timeout=5)\nasync def f(i): ...",
            ": @tidings.handler('a.b'): timeout must be",
        ),
        ("", None, "ValueError"),
    ],
)
def test_what_cannot_be_loaded_is_named_in_one_line(name: str, source: str | None, reason: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if source is not None:
        path.write_text(source)
    with pytest.raises(Misconfigured) as refusal:
        load([str(path) if name.endswith(".py") else name])
    assert "TIDINGS_WORKER_LOAD or --load" in str(refusal.value)
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)
