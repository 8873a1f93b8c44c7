"""A PostgreSQL of the harness's own, with the settings a user would have, that can be killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg

from tests.chaos.waiting import free_port, until
from tests.support.postgres import settings_for
from tidings.embedded.binaries import find_binaries, readable_binaries
from tidings.embedded.runner import choose_runner
from tidings.migrations import migrate

_TEMPLATE = "chaos_template"
_NAMES = count(1)


@dataclass
class Cluster:
    """Durable by default: nothing here trades safety for speed but what is passed in `settings`."""

    home: Path
    programs: Path
    identity: dict[str, Any]
    port: int
    settings: dict[str, str]
    process: subprocess.Popen[bytes] | None = None

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    async def create(self) -> None:
        options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        command = [str(self.programs / "initdb"), "-D", str(self.home / "cluster"), *options]
        process = subprocess.Popen(command, cwd=self.home, stdout=subprocess.DEVNULL, **self.identity)
        try:
            while process.poll() is None:
                await asyncio.sleep(0.01)
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            raise RuntimeError("initdb failed")

    async def start(self) -> None:
        """Until it takes connections. What a killed one left behind may be in its way for a moment."""

        async def started() -> bool:
            if self.process is None or self.process.poll() is not None:
                self._launch()
            return await self._answers()

        await until(started, "PostgreSQL takes connections", guard=60)

    def _launch(self) -> None:
        settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "port": self.port, **self.settings}
        flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.home / "cluster", *flags],
                cwd=self.home,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self.identity,
            )

    async def _answers(self) -> bool:
        try:
            connection = await asyncpg.connect(self.url("postgres"), timeout=5)
        except asyncpg.TooManyConnectionsError:
            return True
        except (TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        connection.terminate()
        return True

    def backends(self) -> list[int]:
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text(encoding="ascii").split()] if children.exists() else []

    def kill(self) -> None:
        """kill -9 of every process of the server, as when the machine goes."""
        assert self.process is not None
        pids = [self.process.pid, *self.backends()]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    async def stop(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            await asyncio.to_thread(self.process.wait, 20)
        except subprocess.TimeoutExpired:
            self.kill()

    @asynccontextmanager
    async def database(self) -> AsyncIterator[str]:
        """The URL of a new migrated database, dropped on leaving where the server is there."""
        name = f"chaos_{next(_NAMES)}"
        await self.administer(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
        try:
            yield self.url(name)
        finally:
            if self.process is not None and self.process.poll() is None:
                await self.administer(f"DROP DATABASE {name} WITH (FORCE)")

    async def administer(self, *statements: str) -> None:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()


@asynccontextmanager
async def running_cluster(**settings: str) -> AsyncIterator[Cluster]:
    """A new cluster with one migrated template; gone with all its processes on leaving."""
    home = Path(tempfile.mkdtemp(prefix="tidings-chaos-"))
    runner = choose_runner(home / "cluster")
    if runner is not None:
        os.chown(home, runner.uid, runner.gid)
    identity = {} if runner is None else {"user": runner.uid, "group": runner.gid, "extra_groups": []}
    programs = Path(readable_binaries(find_binaries(), home, runner).program("postgres")).parent
    cluster = Cluster(home, programs, identity, free_port(), settings)
    try:
        await cluster.create()
        await cluster.start()
        await cluster.administer(f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0")
        await migrate(settings_for(cluster.url(_TEMPLATE)))
        yield cluster
    finally:
        await cluster.stop()
        shutil.rmtree(home, ignore_errors=True)
