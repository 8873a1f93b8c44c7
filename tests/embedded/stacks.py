"""A stack as another process, as `tidings up` is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from tidings.embedded import StackInfo, find_stack
from tidings.embedded.identity import birth, command_line

STANDIN = Path(__file__).with_name("standin.py")
SOURCES = Path(__file__).parents[2] / "src"
_MARKER = "TIDINGS_TEST_MARKER"


def until(holds: Callable[[], bool]) -> None:
    """Wait for something to become true; the test's own timeout is the limit."""
    while not holds():
        time.sleep(0.02)


@dataclass
class Stack:
    """Start it, stop it, kill it, and look at what there is of it."""

    data_dir: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    python: str = sys.executable
    identity: Mapping[str, Any] = field(default_factory=dict)
    marker: str = field(default_factory=lambda: uuid.uuid4().hex)

    def run(self, port: int = 0, **options: Any) -> subprocess.Popen[str]:
        inherited = {"PATH": os.defpath, "PYTHONPATH": str(SOURCES), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.Popen(
            [self.python, str(STANDIN), str(self.data_dir), str(port)],
            env={**inherited, **self.environment, _MARKER: self.marker},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd="/",
            **self.identity,
            **options,
        )

    def start(self) -> list[str]:
        """Run until it is ready; what it said until then."""
        self.process = self.run()
        assert self.process.stdout is not None
        said: list[str] = []
        while not (said and said[-1].startswith("READY")):
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read() if self.process.stderr else said
            said.append(line.strip())
        return said

    def stop(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        self.process.communicate()
        return self.process.returncode

    def kill_supervisor(self) -> None:
        """kill -9; whatever outlives it may still hold its pipes, so they are not read to their end."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()

    @property
    def info(self) -> StackInfo:
        info = find_stack(self.data_dir)
        assert info is not None
        return info

    def pids(self) -> list[int]:
        """Every live process that was started by this stack, the supervisor included."""
        wanted = f"{_MARKER}={self.marker}".encode()
        return [pid for pid in _all_pids() if wanted in _environment(pid) and birth(pid)] + self.postgres_pids()

    def postgres_pids(self) -> list[int]:
        """PostgreSQL gets a clean environment and is known by its directory; its helpers by their parent."""
        cluster = str((self.data_dir / "postgres").resolve() / "cluster")
        servers = [pid for pid in _all_pids() if cluster in command_line(pid) and birth(pid)]
        return servers + [pid for pid in _all_pids() if _parent(pid) in servers and birth(pid)]

    def temporal_pids(self) -> list[int]:
        home = str(self.data_dir / "temporal").encode()
        return [pid for pid in _all_pids() if b"HOME=" + home in _environment(pid) and birth(pid)]

    def kill_all(self) -> None:
        while left := (*self.pids(), *self.temporal_pids()):
            for pid in left:
                self._kill(pid)
        process: subprocess.Popen[str] | None = getattr(self, "process", None)
        if process:
            process.communicate()

    def _kill(self, pid: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    async def query(self, statement: str) -> Any:
        connection = await asyncpg.connect(self.info.database_url)
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()


def _all_pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
