"""Stacks that are stopped, killed and started again."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path
from urllib.request import urlopen

import asyncpg
import pytest

from tests.embedded.conftest import as_root
from tests.embedded.stacks import Stack, until
from tidings.embedded import find_stack
from tidings.embedded.stopping import stop_stack

SITE_PACKAGES = Path(asyncpg.__file__).parents[1]
SYSTEM_PYTHON = Path(f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}")


def _answers(url: str) -> bool:
    try:
        with urlopen(url) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_signal_leaves_no_process_and_no_announcement(stack: Stack, number: signal.Signals) -> None:
    stack.start()
    assert stack.pids()
    assert stack.temporal_pids()
    assert stack.stop(number) == 0
    assert stack.pids() == stack.temporal_pids() == []
    assert find_stack(stack.data_dir) is None
    assert not (stack.data_dir / "stack.json").exists()


def test_it_can_be_stopped_from_another_terminal(stack: Stack) -> None:
    stack.start()
    assert stop_stack(stack.data_dir)
    assert stack.process.wait() == 0
    assert stack.pids() == stack.temporal_pids() == []
    assert not stop_stack(stack.data_dir)


async def test_what_is_killed_comes_back_with_its_data(stack: Stack) -> None:
    stack.start()
    await stack.query("CREATE TABLE kept AS SELECT 1 AS one")
    killed = stack.postgres_pids()[0]
    os.kill(killed, signal.SIGKILL)
    until(lambda: stack.postgres_pids()[:1] not in ([], [killed]))
    api = next(pid for pid in stack.pids() if b"\0api\0" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(api, signal.SIGKILL)
    until(lambda: _answers(f"{stack.info.api_url}/readyz"))
    assert await _patiently(stack, "SELECT one FROM kept") == 1


async def _patiently(stack: Stack, statement: str) -> object:
    while True:
        try:
            return await stack.query(statement)
        except (OSError, asyncpg.CannotConnectNowError):
            continue


async def test_after_kill_9_the_next_start_works_with_the_same_data_and_ports(stack: Stack) -> None:
    stack.start()
    await stack.query("CREATE TABLE kept AS SELECT 1 AS one")
    before = stack.info
    stack.kill_supervisor()
    assert find_stack(stack.data_dir) is None
    stack.start()
    assert await stack.query("SELECT one FROM kept") == 1
    assert stack.info.database_url == before.database_url
    assert stack.info.temporal_address == before.temporal_address
    stack.stop(signal.SIGTERM)
    assert stack.pids() == stack.temporal_pids() == []


@as_root
@pytest.mark.skipif(not SYSTEM_PYTHON.exists(), reason=f"no {SYSTEM_PYTHON} that an ordinary user can run")
async def test_an_ordinary_user_can_run_it(open_dir: Path) -> None:
    home = open_dir / "home of nobody"
    home.mkdir()
    os.chown(home, 65534, 65534)
    paths = os.pathsep.join((str(Path(__file__).parents[2] / "src"), str(SITE_PACKAGES)))
    identity = {"user": 65534, "group": 65534, "extra_groups": []}
    environment = {"PYTHONPATH": paths, "HOME": "", "PATH": f"{os.defpath}:{SITE_PACKAGES.parents[2] / 'bin'}"}
    stack = Stack(home / "data", environment, str(SYSTEM_PYTHON), identity)
    try:
        stack.start()
        assert await stack.query("SELECT 1") == 1
        assert stack.stop(signal.SIGTERM) == 0
        assert stack.pids() == stack.temporal_pids() == []
    finally:
        stack.kill_all()


@as_root
async def test_root_can_run_it_where_nobody_else_can_look(open_dir: Path) -> None:
    closed = open_dir / "closed"
    closed.mkdir(mode=0o700)
    stack = Stack(closed / "data")
    try:
        stack.start()
        assert await stack.query("SELECT 1") == 1
        assert closed.stat().st_mode & 0o777 == 0o700
    finally:
        stack.kill_all()


def test_servers_of_your_own_replace_the_embedded_ones(stack: Stack) -> None:
    theirs = {"TIDINGS_DATABASE_URL": "postgresql://db.example/app", "TIDINGS_TEMPORAL_ADDRESS": "t.example:7233"}
    stack.environment = theirs
    stack.start()
    assert stack.info.database_url == theirs["TIDINGS_DATABASE_URL"]
    assert stack.info.temporal_address == theirs["TIDINGS_TEMPORAL_ADDRESS"]
    assert stack.postgres_pids() == stack.temporal_pids() == []
    assert stack.stop(signal.SIGTERM) == 0


def test_a_migration_that_fails_stops_all_that_was_started(stack: Stack) -> None:
    stack.environment = {"TIDINGS_TEST_FAIL": "yes"}
    process = stack.run()
    _, complaint = process.communicate()
    assert (process.returncode, complaint) == (1, "the migration failed\n")
    assert stack.pids() == stack.temporal_pids() == []


def test_a_taken_port_is_refused_in_one_line_that_names_the_setting(stack: Stack) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = stack.run(port=taken.getsockname()[1])
        _, complaint = process.communicate()
    assert process.returncode == 1
    assert len(complaint.splitlines()) == 1
    assert "TIDINGS_API_PORT" in complaint
