"""A stack that runs: what it is made of, and how it is found."""

from __future__ import annotations

import base64
import json
import stat
import subprocess
from pathlib import Path
from urllib.request import urlopen

from tests.embedded.conftest import as_root
from tests.embedded.stacks import Stack
from tidings.embedded.temporal import find_temporal


async def test_its_database_can_be_reached_and_is_utf8(running: Stack) -> None:
    assert await running.query("SHOW server_encoding") == "UTF8"
    assert await running.query("SELECT upper('ä') || current_database()") == "Ätidings"


async def test_its_database_keeps_default_durability(running: Stack) -> None:
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        assert await running.query(f"SHOW {name}") == "on"


async def test_its_database_listens_on_loopback_alone_and_asks_for_a_password(running: Stack) -> None:
    assert await running.query("SHOW listen_addresses") == "127.0.0.1"
    assert await running.query("SELECT bool_and(auth_method = 'scram-sha-256') FROM pg_hba_file_rules")


def test_its_temporal_is_healthy(running: Stack) -> None:
    command = [find_temporal(), "operator", "cluster", "health", "--address", running.info.temporal_address]
    assert "SERVING" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_its_temporal_has_a_ui(running: Stack) -> None:
    assert running.info.temporal_ui
    with urlopen(running.info.temporal_ui) as answer:
        assert answer.status == 200


def test_its_api_is_ready(running: Stack) -> None:
    with urlopen(f"{running.info.api_url}/readyz") as answer:
        assert answer.status == 200


def test_it_can_be_found_by_its_directory(running: Stack) -> None:
    assert running.info.pid == running.process.pid
    assert json.loads((running.data_dir / "stack.json").read_text())["database_url"] == running.info.database_url


def test_its_secrets_are_readable_by_their_owner_alone(running: Stack) -> None:
    for name in ("stack.json", "master.key", "postgres.password", "processes.json"):
        assert stat.S_IMODE((running.data_dir / name).stat().st_mode) == 0o600, name


def test_its_master_key_is_32_bytes(running: Stack) -> None:
    assert running.info.master_key_file
    assert len(base64.urlsafe_b64decode(Path(running.info.master_key_file).read_text())) == 32


def test_a_second_start_is_refused_in_one_line_that_names_directory_and_holder(running: Stack) -> None:
    second = running.run()
    _, complaint = second.communicate()
    assert second.returncode == 1
    assert complaint.splitlines() == [f"Tidings already runs on {running.data_dir} (pid {running.process.pid})"]


@as_root
def test_no_process_of_postgresql_is_roots(running: Stack) -> None:
    pids = running.postgres_pids()
    assert len(pids) > 1
    assert all(Path(f"/proc/{pid}").stat().st_uid != 0 for pid in pids)
