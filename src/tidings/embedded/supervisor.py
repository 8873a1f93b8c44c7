"""Keeps child processes running: started in order, restarted when they die, stopped in reverse order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tidings.embedded.errors import ChildFailed
from tidings.embedded.files import last_line, rotate
from tidings.embedded.process import Child, Process, spawn
from tidings.embedded.record import Record, end_survivors, read_record
from tidings.embedded.signals import on_stop_signal

Announce = Callable[[str], None]

_LOOK_EVERY = 0.02
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 10.0
_STEADY_AFTER = 30.0


def wait_before_restart(previous: float, lived: float) -> float:
    """Seconds before the next start: doubling up to a limit, and from the beginning after a steady life."""
    return _FIRST_WAIT if lived >= _STEADY_AFTER or not previous else min(previous * 2, _LONGEST_WAIT)


@dataclass
class _Kept:
    child: Child
    process: Process
    keeper: asyncio.Task[None] | None = None


@dataclass
class Supervisor:
    """Promises that every child it started has ended when `stop` returns, its group with it."""

    record: Record
    announce: Announce
    stop_requested: asyncio.Event = field(default_factory=asyncio.Event)
    _kept: list[_Kept] = field(default_factory=list)
    _hurry: asyncio.Event = field(default_factory=asyncio.Event)

    async def start(self, child: Child) -> None:
        """Start it and wait until it is ready; from then on it is kept running. `ChildFailed` when it ends first."""
        if child.log:
            rotate(child.log)
        kept = _Kept(child, self._spawn(child))
        self._kept.append(kept)
        if not await self._becomes_ready(kept):
            raise ChildFailed(self._why(kept))
        kept.keeper = asyncio.create_task(self._keep(kept), name=f"keeper of {child.name}")

    async def complete(self, child: Child, stdin: bytes = b"") -> None:
        """Run it to its end; `ChildFailed` unless it exits with 0."""
        kept = _Kept(child, self._spawn(child, stdin))
        self._kept.append(kept)
        await asyncio.shield(kept.process.exited)
        self._kept.remove(kept)
        if kept.process.exited.result() != 0:
            raise ChildFailed(self._why(kept))

    def request_stop(self) -> None:
        """Ask for the end; asked again, wait no longer for children that are being stopped: kill them."""
        if self.stop_requested.is_set():
            self._hurry.set()
        self.stop_requested.set()

    async def stop(self) -> None:
        """Stop all, the last started first, and end whatever else inherited this run's token."""
        self.stop_requested.set()
        for kept in self._kept:
            if kept.keeper:
                kept.keeper.cancel()
        while self._kept:
            await self._end(self._kept[-1])
            self._kept.pop()
        await end_survivors(self.record)

    def _spawn(self, child: Child, stdin: bytes = b"") -> Process:
        marked = replace(child, environment={**child.environment, **self.record.marker})
        try:
            process = spawn(marked, stdin)
        except OSError as error:
            raise ChildFailed(f"{child.name} cannot be run: {child.command[0]}: {error.strerror}") from None
        self._note(child, process)
        return process

    def _note(self, child: Child, process: Process) -> None:
        """Record it; a full disk is no reason to go without the child, whose token would betray it anyway."""
        try:
            self.record = self.record.with_process(child.name, process.pid, child.stop_signal)
        except OSError as error:
            self.announce(f"cannot record {child.name} in {self.record.path}: {error.strerror}")

    async def _becomes_ready(self, kept: _Kept) -> bool:
        deadline = time.monotonic() + kept.child.start_within.total_seconds()
        while not kept.process.exited.done() and time.monotonic() < deadline:
            if await kept.child.ready(kept.process.pid):
                return True
            await asyncio.sleep(_LOOK_EVERY)
        return False

    async def _keep(self, kept: _Kept) -> None:
        wait, began = 0.0, time.monotonic()
        while True:
            code = await asyncio.shield(kept.process.exited)
            wait = wait_before_restart(wait, time.monotonic() - began)
            self.announce(f"{kept.child.name} ended ({_ending(code)}); starting it again in {wait:.1f} s")
            await asyncio.sleep(wait)
            began = time.monotonic()
            await self._restart(kept)

    async def _restart(self, kept: _Kept) -> None:
        try:
            kept.process = self._spawn(kept.child)
        except ChildFailed as error:
            self.announce(str(error))
            return
        if await self._becomes_ready(kept):
            self.announce(f"{kept.child.name} is running again (pid {kept.process.pid})")
        else:
            kept.process.kill()

    async def _end(self, kept: _Kept) -> None:
        kept.process.signal(kept.child.stop_signal)
        hurry = asyncio.create_task(self._hurry.wait())
        either: set[asyncio.Future[Any]] = {kept.process.exited, hurry}
        patience = kept.child.stop_within.total_seconds()
        await asyncio.wait(either, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        hurry.cancel()
        if not kept.process.exited.done():
            self.announce(f"{kept.child.name} did not stop in time; killing it")
            kept.process.kill()
        await asyncio.shield(kept.process.exited)

    def _why(self, kept: _Kept) -> str:
        exited, log = kept.process.exited, kept.child.log
        ending = _ending(exited.result()) if exited.done() else f"not ready within {kept.child.start_within}"
        return f"{kept.child.name} did not start: {ending}" + (f"; {log}: {last_line(log)}" if log else "")


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


@asynccontextmanager
async def supervising(state: Path, announce: Announce) -> AsyncIterator[Supervisor]:
    """A supervisor whose children have all ended when the block is left, which a stop signal requests.

    Whatever a previous run left in `state` is ended first; the caller holds the lock that makes it a previous one.
    """
    await _end_previous(state, announce)
    supervisor = Supervisor(Record(state).save(), announce)
    with on_stop_signal(supervisor.request_stop):
        try:
            yield supervisor
        finally:
            await _uncancelled(supervisor)
            supervisor.record.forget()


async def _end_previous(state: Path, announce: Announce) -> None:
    previous = read_record(state)
    if previous and (found := await end_survivors(previous)):
        names = ", ".join(f"{each.name} (pid {each.pid})" for each in found)
        announce(f"Stopped what an earlier run had left: {names}")


async def _uncancelled(supervisor: Supervisor) -> None:
    """Stop to the end even when cancelled: a cancellation makes it hurry."""
    stopping = asyncio.create_task(supervisor.stop())
    while not stopping.done():
        try:
            await asyncio.wait({stopping})
        except asyncio.CancelledError:
            supervisor.request_stop()
    stopping.result()
