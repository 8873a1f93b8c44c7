"""What may have crashed a worker is run in a process of its own, one intent at a time, with nothing else in it.

So the one that crashes is known for certain, its neighbours lose nothing, and the worker itself goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from uuid import UUID, uuid4

import structlog

from tidings.kit import db
from tidings.kit.settings import OutboxSettings
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.keeping import Keeper
from tidings.spine.outbox.leases import Leases
from tidings.spine.outbox.pump import Pump
from tidings.spine.outbox.relay import Source

log = structlog.get_logger("tidings.quarantine")

_MOST_CHILDREN = 4
_SHORTEST_LOOK, _LONGEST_LOOK = 0.001, 0.05  # seconds
_NEXT_TRY = 0.1  # seconds
_LAST_WORDS = 0.5  # seconds for what is good to do on leaving, and not necessary


@dataclass
class Quarantine:
    """Keeps child processes running for as long as there are suspects, each of which runs one at a time.

    One child is enough as a rule. When suspects still wait after a lease's time, another is started beside it, up to
    four: one that hangs, or takes long, must not hold up the others.
    """

    leases: Leases
    load: Sequence[str]
    stop_within: timedelta
    children: dict[asyncio.Task[None], UUID] = field(default_factory=dict)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    started: float = 0.0
    resting_until: float = 0.0

    def ensure(self) -> None:
        """Suspects wait: starts a child for them, if it is time for one."""
        now, lease = time.monotonic(), self.leases.duration.total_seconds()
        wanted = not self.children or (len(self.children) < _MOST_CHILDREN and now - self.started > lease)
        if wanted and now >= self.resting_until and not self.stopping.is_set():
            self.started = now
            worker = uuid4()
            child = asyncio.create_task(self._run_child(worker, list(self.children.values())))
            self.children[child] = worker
            child.add_done_callback(self._ended)

    def _ended(self, child: asyncio.Task[None]) -> None:
        del self.children[child]
        if not child.cancelled() and (error := child.exception()):
            log.error("cannot run suspects", exc_info=error)
            self._rest()

    def _rest(self) -> None:
        """After a child that could not run: the next would do no better."""
        self.resting_until = time.monotonic() + self.leases.duration.total_seconds()

    async def _run_child(self, worker: UUID, beside: Sequence[UUID]) -> None:
        options = [f"--load={name}" for name in self.load]
        command = [sys.executable, "-m", "tidings", "worker", f"--quarantine={worker}", *options]
        try:
            if beside:
                await self.leases.accompany(beside)
            process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE)
        except PASSING as error:
            log.warning("cannot run suspects", error=repr(error))
            self._rest()
            return
        log.info("running suspects alone", pid=process.pid)
        stopped = await self._wait(process)
        with contextlib.suppress(*PASSING):
            async with asyncio.timeout(_LAST_WORDS):
                self._account(process, await self.leases.expire(worker, crashed=not stopped), stopped)

    async def _wait(self, process: Process) -> bool:
        """Until it ends, or has to: it gives back what it holds when told to stop. Returns whether it was told to."""
        ending, stopped = asyncio.create_task(process.wait()), asyncio.create_task(self.stopping.wait())
        await asyncio.wait([ending, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if ending.done():
            return False
        process.terminate()
        _, late = await asyncio.wait([ending], timeout=self.stop_within.total_seconds())
        if late:
            process.kill()
            await ending
        return True

    def _account(self, process: Process, held: int, stopped: bool) -> None:
        """One that ended while it held something was crashed by it, whatever its exit code says."""
        if held and not stopped:
            log.warning("a suspect crashed its process", code=process.returncode)
        elif process.returncode and not stopped:
            log.error("cannot run suspects", code=process.returncode)
            self._rest()

    async def close(self) -> None:
        """Stops the children; what they were running is not charged with that."""
        self.stopping.set()
        await asyncio.gather(*self.children, return_exceptions=True)


@dataclass
class Cell:
    """Leases and runs suspects one by one, alone: what a child does."""

    sources: Sequence[Source]
    settings: OutboxSettings
    stop: asyncio.Event
    stop_within: timedelta
    lending: db.Pool | None = None
    pumps: dict[str, Pump] = field(default_factory=dict)
    leaving: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        for source in self.sources:
            self.pumps |= source.pumps(self.settings, asyncio.Event(), self.lending)

    async def run(self) -> None:
        """Until none waits, it has to stop, it lost a lease, or the database is away. Raises what it fails with."""
        working = asyncio.create_task(self._work())
        tending = [asyncio.create_task(pump.run()) for pump in self.pumps.values()]
        tending += [asyncio.create_task(self._renew()), asyncio.create_task(self.keeper.let_go_in_time())]
        try:
            await asyncio.wait([working, *tending], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (working, *tending):
                task.cancel()
            ended, _ = await asyncio.wait([working, *tending], timeout=_LAST_WORDS)
        for task in ended:
            if not task.cancelled():
                task.result()

    async def _work(self) -> None:
        try:
            while not self._ends() and await self._some_wait():
                while not self._ends() and await self._run_next():
                    pass
                await asyncio.sleep(_NEXT_TRY)  # a limit may hold up what is left
        except PASSING as error:
            log.warning("cannot run suspects", error=repr(error))
            await self._give_back_what_was_not_heard_of()

    async def _some_wait(self) -> bool:
        for source in self.sources:
            await source.leases.bury(source.handlers)
        return any([await source.lanes.suspects(source.handlers.kinds) for source in self.sources])

    async def _run_next(self) -> bool:
        """Whether there was one that may run now."""
        began = time.monotonic()
        for source in self.sources:
            if suspect := await source.leases.lease_suspect(source.handlers.kinds):
                await self._run_alone(suspect, began)
                return True
        return False

    def _ends(self) -> bool:
        return self.stop.is_set() or self.leaving.is_set()

    async def _run_alone(self, intent: Leased, leased_at: float) -> None:
        pump, pause = self.pumps[intent.kind], _SHORTEST_LOOK
        pump.begin([intent], leased_at)
        while pump.held and not self.stop.is_set():
            await asyncio.sleep(pause)
            pause = min(pause * 1.1, _LONGEST_LOOK)
        if pump.held:
            await pump.stop(self.stop_within * 0.6)

    async def _give_back_what_was_not_heard_of(self) -> None:
        """The connection may have broken after a lease was written and before we heard of it."""
        with contextlib.suppress(*PASSING):
            async with asyncio.timeout(_LAST_WORDS):
                await self._leases.expire(self._leases.worker, crashed=False)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self.settings.lease.total_seconds() / 3)
            with contextlib.suppress(*PASSING):
                await self.keeper.renew()

    @cached_property
    def keeper(self) -> Keeper:
        return Keeper(self._leases, self.pumps, self._leave)

    @property
    def _leases(self) -> Leases:
        """A lease is a lease, whatever table its rows are of."""
        return self.sources[0].leases

    def _leave(self, pump: Pump) -> None:
        """What is left of it here, such as a thread, must not run beside another: this is the last that we run."""
        log.warning("lost a lease, abandoning what ran under it", kind=pump.kind.name)
        self.leaving.set()


def stop_with_parent(stop: asyncio.Event) -> None:
    """The worker holds the other end of standard input: when it is gone, however it went, its child must go too."""
    loop = asyncio.get_running_loop()

    def orphaned() -> None:
        loop.remove_reader(sys.stdin)
        stop.set()

    loop.add_reader(sys.stdin, orphaned)


async def exit_when_blocked(lease: timedelta) -> None:
    """Ends the process, saying where it was, when a suspect blocks the event loop for as long as its lease lasts.

    Nothing renews the lease then, so that it is charged with a crash; but a process that never ends would keep all
    other suspects waiting.
    """
    try:
        while True:
            faulthandler.dump_traceback_later(lease.total_seconds(), exit=True)
            await asyncio.sleep(lease.total_seconds() / 3)
    finally:
        faulthandler.cancel_dump_traceback_later()
