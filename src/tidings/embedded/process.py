"""One child process: in a session of its own, tied to the life of this process, reaped when it ends."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import IO, Any

from tidings.embedded.runner import Runner

_PR_SET_PDEATHSIG = 1


async def _at_once(pid: int) -> bool:
    return True


@dataclass(frozen=True)
class Child:
    """What to run, how to tell that it is ready, and how to stop it."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    directory: Path | None = None
    log: Path | None = None
    """Where its output goes; without one, where ours goes."""
    runner: Runner | None = None
    ready: Callable[[int], Awaitable[bool]] = _at_once
    start_within: timedelta = timedelta(seconds=60)
    stop_signal: signal.Signals = signal.SIGTERM
    stop_within: timedelta = timedelta(seconds=15)


@dataclass(frozen=True)
class Process:
    """A started child. `exited` is done, with the exit code, once it and all of its group have ended."""

    pid: int
    exited: asyncio.Future[int]

    def signal(self, number: signal.Signals) -> None:
        """Signal the child alone; its own children are its to stop."""
        if not self.exited.done():
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL the child and its whole group."""
        if not self.exited.done():
            kill_group(self.pid)


def kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def spawn(child: Child, stdin: bytes = b"") -> Process:
    """Start it now. Not a coroutine, so that a cancellation cannot come between the start and its record."""
    log = child.log.open("ab") if child.log else None
    try:
        started = _popen(child, log)
    finally:
        if log:
            log.close()
    _feed(started, stdin)
    return Process(started.pid, _when_exited(started))


def _popen(child: Child, log: IO[bytes] | None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        list(child.command),
        env=dict(child.environment),
        cwd=child.directory,
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=log and subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=_tied_to_parent(child.stop_signal),
        **_identity(child.runner),
    )


def _identity(runner: Runner | None) -> dict[str, Any]:
    return {} if runner is None else {"user": runner.uid, "group": runner.gid, "extra_groups": []}


def _tied_to_parent(number: signal.Signals) -> Callable[[], None] | None:
    """Have the kernel send the child its stop signal when we die, however we die; Linux only.

    The kernel means the thread that forked, not the process: `spawn` is called in the event loop's thread,
    which lasts as long as the supervisor does. Credentials are changed before this runs and would reset it.
    Other threads may hold locks at the fork; this takes none, its one C function is loaded before.
    """
    if sys.platform != "linux":
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return tie


def _feed(started: subprocess.Popen[bytes], stdin: bytes) -> None:
    assert started.stdin is not None
    with suppress(BrokenPipeError), started.stdin as pipe:
        pipe.write(stdin)


def _when_exited(started: subprocess.Popen[bytes]) -> asyncio.Future[int]:
    loop = asyncio.get_running_loop()
    exited: asyncio.Future[int] = loop.create_future()

    def tell(code: int) -> None:
        if not exited.done():
            exited.set_result(code)

    def wait() -> None:
        code = _reap(started)
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(tell, code)

    Thread(target=wait, name=f"reaper of {started.pid}", daemon=True).start()
    return exited


def _reap(started: subprocess.Popen[bytes]) -> int:
    """Wait for the end, end what is left of the group, then reap: until then the pid cannot be reused."""
    if hasattr(os, "waitid"):
        os.waitid(os.P_PID, started.pid, os.WEXITED | os.WNOWAIT)
        kill_group(started.pid)
    return started.wait()
