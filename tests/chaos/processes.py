"""Real processes of Tidings, each in a process group of its own, so that none outlives the harness."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

HANDLERS = Path(__file__).with_name("handlers.py")


@dataclass(frozen=True)
class Kill:
    """One kill -9: of a single process, or of all processes of a life (`pid` is None)."""

    life: int
    pid: int | None
    at: float
    where: str

    def hit(self, life: int, pid: int) -> bool:
        return self.life == life and self.pid in (None, pid)

    def __str__(self) -> str:
        target = "all processes" if self.pid is None else f"process {self.pid}"
        return f"kill -9 of {target} of life {self.life} {self.where}"


@dataclass
class Life:
    """One run of one program, from its start to its end, with the children it has."""

    number: int
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    def signal(self, number: signal.Signals) -> None:
        """To the whole group, as a terminal or a freezer would."""
        os.killpg(self.pid, number)

    async def wait(self, guard: float = 60) -> int:
        """Its exit code. The guard is against hanging."""
        async with asyncio.timeout(guard):
            while self.process.poll() is None:
                await asyncio.sleep(0.01)
        return self.process.returncode

    def reap(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.process.wait()


def _surroundings() -> dict[str, str]:
    """Our environment, without what would configure Tidings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}


def _groups() -> Iterator[tuple[int, int]]:
    """Every process that is not a zombie, with its process group."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, group = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[:3]
            if state != "Z":
                yield int(stat.parent.name), int(group)


@dataclass
class Processes:
    """All that were started, and everything that was killed."""

    home: Path
    lives: list[Life] = field(default_factory=list)
    kills: list[Kill] = field(default_factory=list)

    def start(self, arguments: Sequence[str], environment: Mapping[str, str], wrapper: Sequence[str] = ()) -> Life:
        number = len(self.lives) + 1
        log = self.home / f"life-{number}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*wrapper, sys.executable, "-m", "tidings", *arguments],
                env={**_surroundings(), **environment, "CHAOS_LIFE": str(number)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        life = Life(number, process, log)
        self.lives.append(life)
        return life

    async def command(self, arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str]:
        """How a program that ends by itself did, and what it said."""
        life = self.start(arguments, environment)
        return await life.wait(), life.log.read_text(encoding="utf-8")

    async def kill(self, life: Life, where: str, *, alone: bool = False) -> Kill:
        """kill -9, recorded; `alone` spares the children of the process."""
        kill = Kill(life.number, life.pid if alone else None, time.monotonic(), where)
        self.kills.append(kill)
        with suppress(ProcessLookupError):
            (os.kill if alone else os.killpg)(life.pid, signal.SIGKILL)
        await life.wait()
        return kill

    def orphans(self) -> list[int]:
        """Processes that have outlived the one that started them."""
        ended = {life.pid for life in self.lives if life.ended}
        return [pid for pid, group in _groups() if group in ended]

    def reap(self) -> None:
        for life in self.lives:
            life.reap()

    def logs(self, lines: int = 15) -> str:
        """The ends of the logs that hold anything, newest last."""
        written = [life for life in self.lives if life.log.stat().st_size][-6:]
        tails = (life.log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:] for life in written)
        return "\n".join(
            f"--- log of life {life.number}\n" + "\n".join(tail) for life, tail in zip(written, tails, strict=True)
        )
