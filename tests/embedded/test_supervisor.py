"""The supervisor, with children small enough to see through."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from tests.embedded.stacks import SOURCES, until
from tidings.embedded.errors import ChildFailed
from tidings.embedded.identity import birth
from tidings.embedded.process import Child
from tidings.embedded.record import Record, Started, end_survivors
from tidings.embedded.supervisor import Supervisor, supervising, wait_before_restart

SLEEP = "import time; time.sleep(600)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); {SLEEP}"
PARENT = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {SLEEP!r}]).pid, flush=True); {SLEEP}"


SUPERVISOR = f"""
import asyncio, pathlib, sys
from tidings.embedded.process import Child
from tidings.embedded.supervisor import supervising

async def main():
    async with supervising(pathlib.Path(sys.argv[1]), print) as supervisor:
        await supervisor.start(Child("sleeper", (sys.executable, "-c", {SLEEP!r})))
        print(supervisor.record.started[0].pid, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


@dataclass
class Bench:
    """A supervisor, what it said, and children that run lines of Python."""

    directory: Path
    supervisor: Supervisor
    said: list[str] = field(default_factory=list)

    def child(self, name: str, code: str, **options: object) -> Child:
        log = self.directory / f"{name}.log"
        return Child(name, (sys.executable, "-c", code, name), dict(os.environ), log=log, **options)  # type: ignore[arg-type]

    def output(self, name: str) -> str:
        log = self.directory / f"{name}.log"
        return log.read_text().strip() if log.exists() else ""

    def has_output(self, name: str) -> Callable[[int], Awaitable[bool]]:
        async def ready(pid: int) -> bool:
            return bool(self.output(name))

        return ready

    def pids(self, name: str) -> list[int]:
        return [each.pid for each in self.supervisor.record.started if each.name == name]


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    said: list[str] = []
    async with supervising(tmp_path / "processes.json", said.append) as supervisor:
        yield Bench(tmp_path, supervisor, said)


async def test_a_child_that_dies_is_started_again_and_said_so_in_one_line(bench: Bench) -> None:
    await bench.supervisor.start(bench.child("sleeper", SLEEP))
    (first,) = bench.pids("sleeper")
    os.kill(first, signal.SIGKILL)
    while len(bench.said) < 2:
        await asyncio.sleep(0.01)
    assert bench.said[0] == "sleeper ended (signal 9); starting it again in 0.1 s"
    assert bench.said[1].startswith("sleeper is running again")
    assert bench.pids("sleeper") not in ([], [first])


async def test_children_stop_last_started_first(bench: Bench) -> None:
    order = bench.directory / "order"
    code = f"import signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM]); print('up', flush=True); \
signal.sigwait([signal.SIGTERM]); open({str(order)!r}, 'a').write(sys.argv[1])"
    for name in "abc":
        await bench.supervisor.start(bench.child(name, code, ready=bench.has_output(name)))
    await bench.supervisor.stop()
    assert order.read_text() == "cba"


async def test_a_child_that_does_not_stop_in_time_is_killed(bench: Bench) -> None:
    deaf = bench.child("deaf", DEAF, ready=bench.has_output("deaf"), stop_within=timedelta(milliseconds=50))
    await bench.supervisor.start(deaf)
    (pid,) = bench.pids("deaf")
    await bench.supervisor.stop()
    assert birth(pid) is None
    assert bench.said == ["deaf did not stop in time; killing it"]


async def test_a_second_request_to_stop_waits_for_nobody(bench: Bench) -> None:
    deaf = bench.child("deaf", DEAF, ready=bench.has_output("deaf"), stop_within=timedelta(hours=1))
    await bench.supervisor.start(deaf)
    (pid,) = bench.pids("deaf")
    bench.supervisor.request_stop()
    bench.supervisor.request_stop()
    await bench.supervisor.stop()
    assert birth(pid) is None


async def test_the_children_of_a_child_that_dies_go_with_it(bench: Bench) -> None:
    await bench.supervisor.start(bench.child("parent", PARENT, ready=bench.has_output("parent")))
    (parent,), grandchild = bench.pids("parent"), int(bench.output("parent"))
    assert birth(grandchild)
    os.kill(parent, signal.SIGKILL)
    while birth(grandchild):
        await asyncio.sleep(0.01)


async def test_a_child_that_ends_before_it_is_ready_fails_the_start_with_its_last_words(bench: Bench) -> None:
    async def never(pid: int) -> bool:
        return False

    with pytest.raises(ChildFailed, match=r"hasty did not start: exit code 3; .*hasty\.log: out of luck"):
        await bench.supervisor.start(bench.child("hasty", "print('out of luck'); exit(3)", ready=never))


async def test_a_program_that_is_not_there_fails_the_start(bench: Bench) -> None:
    with pytest.raises(ChildFailed, match="ghost cannot be run: /nowhere/ghost: No such file"):
        await bench.supervisor.start(Child("ghost", ("/nowhere/ghost",)))


def _sleeper(environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", SLEEP], start_new_session=True, env=environment)


async def test_what_an_earlier_run_left_is_ended_first(tmp_path: Path) -> None:
    record = Record(tmp_path / "processes.json")
    left, unrecorded = _sleeper(), _sleeper(record.marker)
    record.with_process("left", left.pid, signal.SIGTERM)
    said: list[str] = []
    async with supervising(record.path, said.append):
        assert (left.wait(), unrecorded.wait()) == (-signal.SIGTERM, -signal.SIGTERM)
    assert len(said) == 1
    assert f"left (pid {left.pid})" in said[0]


async def test_a_process_that_merely_has_the_pid_of_one_left_behind_is_spared(tmp_path: Path) -> None:
    with _sleeper() as innocent:
        recorded = Started("left", innocent.pid, "another boot/1", signal.SIGTERM)
        assert await end_survivors(Record(tmp_path / "processes.json", started=(recorded,))) == ()
        assert innocent.poll() is None
        innocent.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of their parent's death")
def test_kill_9_of_the_supervisor_takes_its_children_along(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SUPERVISOR, str(tmp_path / "processes.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(SOURCES)}) as supervisor:
        assert supervisor.stdout is not None
        sleeper = int(supervisor.stdout.readline())
        assert birth(sleeper)
        supervisor.kill()
    until(lambda: birth(sleeper) is None)


def test_restarts_slow_down_and_recover_after_a_steady_life() -> None:
    waits = [0.0]
    for _ in range(9):
        waits.append(wait_before_restart(waits[-1], lived=1))
    assert waits[1:5] == [0.1, 0.2, 0.4, 0.8]
    assert waits[-1] == 10.0
    assert wait_before_restart(10.0, lived=30) == 0.1
