"""Commands that run until they are stopped, as processes: how they refuse, and how they end."""

from __future__ import annotations

import base64
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.cli.conftest import Tidings
from tidings.cli.running import with_handlers
from tidings.embedded.ports import free_port
from tidings.kit.settings import Settings, WorkerSettings

WRONG = """
import tidings

@tidings.handler("thing.do", retry_base=5)
async def handle(intent): ...
"""
NEEDY = """
import os
import tidings

assert os.environ["TIDINGS_DATABASE_URL"]

@tidings.handler("thing.do")
async def handle(intent): ...
"""


def _start(*command: str, environment: Mapping[str, str], cwd: Path | None = None) -> subprocess.Popen[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}
    return subprocess.Popen(
        [sys.executable, "-m", "tidings", *command],
        env={**inherited, "TIDINGS_MASTER_KEY": base64.urlsafe_b64encode(bytes(32)).decode(), **environment},
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _answers(url: str) -> bool:
    try:
        with urlopen(url) as answer:
            return bool(answer.status == 200)
    except URLError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_api_that_is_told_to_stop_has_not_failed(database_url: str, number: signal.Signals) -> None:
    port = free_port()
    process = _start("api", environment={"TIDINGS_DATABASE_URL": database_url, "TIDINGS_API_PORT": str(port)})
    try:
        while not _answers(f"http://127.0.0.1:{port}/healthz"):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        _, complaint = process.communicate()
    finally:
        process.kill()
    assert process.returncode == 0
    assert "Traceback" not in complaint


@pytest.mark.parametrize(
    ("name", "source", "fault"),
    [
        ("wrong.py", WRONG, "retry_base must be a timedelta"),
        ("broken.py", "1 +", "SyntaxError"),
        ("missing.py", None, "FileNotFoundError"),
    ],
)
def test_up_refuses_handlers_that_no_worker_could_load(
    database_url: str, tmp_path: Path, name: str, source: str | None, fault: str
) -> None:
    """With servers of one's own, so that none has to be started for it."""
    if source is not None:
        (tmp_path / name).write_text(source)
    environment = {
        "TIDINGS_DATABASE_URL": database_url,
        "TIDINGS_TEMPORAL_ADDRESS": "127.0.0.1:1",
        "TIDINGS_DATA_DIR": str(tmp_path / "data"),
        "TIDINGS_API_PORT": "0",
    }
    process = _start("up", "--load", name, environment=environment, cwd=tmp_path)
    try:
        said, complaint = process.communicate()
    finally:
        process.kill()
    assert process.returncode == 2
    assert "Ready" not in said
    assert complaint.count("\n") == 1
    assert str(tmp_path / name) in complaint
    assert fault in complaint


def test_handlers_can_be_checked_without_a_database(
    bare: Tidings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, source in (("wrong.py", WRONG), ("needy.py", NEEDY)):
        (tmp_path / name).write_text(source)
    refused = bare("worker", "--check", "--load", str(tmp_path / "wrong.py"))
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "retry_base" in refused.err
    monkeypatch.setenv("TIDINGS_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    assert bare("worker", "--check", "--load", str(tmp_path / "needy.py")).out == "Handlers for thing.do.\n"


def test_what_the_setting_and_the_option_both_name_is_loaded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings(worker=WorkerSettings(load=("mine.handlers", "handlers.py")))
    load = with_handlers(settings, ["./handlers.py", str(tmp_path / "handlers.py"), "mine.handlers", "other.py"])
    assert load.worker.load == ("mine.handlers", str(tmp_path / "handlers.py"), str(tmp_path / "other.py"))
