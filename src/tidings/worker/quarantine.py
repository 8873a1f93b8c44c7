"""What may have crashed a worker is run in a process of its own, one intent at a time, with nothing beside it.

So the one that crashes is known for certain, its neighbours lose nothing, and the worker itself goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import sys
from asyncio.subprocess import Process
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID, uuid4

import structlog

from tidings.kit.settings import OutboxSettings
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.handlers import Handlers
from tidings.spine.outbox.leases import Leases
from tidings.spine.outbox.pump import Pump

log = structlog.get_logger("tidings.quarantine")

_LAST_WORDS = 0.5  # seconds for what is good to do on leaving, and not necessary


@dataclass
class Quarantine:
    """Keeps one child process running for as long as there are suspects."""

    leases: Leases
    load: Sequence[str]
    stop_within: timedelta
    child: asyncio.Task[None] | None = None
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    def ensure(self) -> None:
        if not self.stopping.is_set() and (self.child is None or self.child.done()):
            self.child = asyncio.create_task(self._run_child())

    async def _run_child(self) -> None:
        worker = uuid4()
        options = [f"--load={name}" for name in self.load]
        command = [sys.executable, "-m", "tidings", "worker", f"--quarantine={worker}", *options]
        try:
            process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE)
        except OSError as error:
            log.warning("cannot run suspects", error=repr(error))
            return
        log.info("running suspects alone", pid=process.pid)
        crashed = await self._wait(process)
        with contextlib.suppress(*PASSING):
            async with asyncio.timeout(_LAST_WORDS):
                await self.leases.expire(worker, crashed=crashed)

    async def _wait(self, process: Process) -> bool:
        """Until it ends, or has to: it gives back what it holds when told to stop. Whether a suspect crashed it."""
        ending, stopped = asyncio.create_task(process.wait()), asyncio.create_task(self.stopping.wait())
        await asyncio.wait([ending, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if ending.done():
            if process.returncode:
                log.warning("a suspect crashed its process", code=process.returncode)
            return process.returncode != 0
        process.terminate()
        _, late = await asyncio.wait([ending], timeout=self.stop_within.total_seconds())
        if late:
            process.kill()
            await ending
        return False

    async def close(self) -> None:
        """Stops the child; what it was running is not charged with that."""
        self.stopping.set()
        if self.child is not None:
            await asyncio.gather(self.child, return_exceptions=True)


async def run_suspects(
    leases: Leases, handlers: Handlers, settings: OutboxSettings, stop: asyncio.Event, stop_within: timedelta
) -> None:
    """Leases and runs suspects one by one until there are none, or the database is away: what the child does."""
    pumps = {kind.name: Pump(kind, settings, leases) for kind in handlers}
    tasks = [asyncio.create_task(pump.run()) for pump in pumps.values()]
    tasks.append(asyncio.create_task(_renew(leases, pumps.values(), settings)))
    try:
        await leases.bury(handlers)
        while not stop.is_set() and (intent := await leases.lease_suspect(pumps)):
            pump = pumps[intent.kind]
            pump.begin([intent])
            while pump.held and not stop.is_set():
                await asyncio.sleep(0.001)
            if pump.held:
                await pump.stop(stop_within * 0.6)
    except PASSING as error:
        log.warning("cannot run suspects", error=repr(error))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_LAST_WORDS)


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


async def _renew(leases: Leases, pumps: Iterable[Pump], settings: OutboxSettings) -> None:
    while True:
        await asyncio.sleep(settings.lease.total_seconds() / 3)
        tokens: list[UUID] = [token for pump in pumps for token in pump.held]
        with contextlib.suppress(*PASSING):
            await leases.renew(tokens)
