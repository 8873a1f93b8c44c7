"""What may have crashed a worker is run in a process of its own, one intent at a time, with nothing beside it.

So the one that crashes is known for certain, its neighbours lose nothing, and the worker itself goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

import structlog

from tidings.kit import db
from tidings.kit.settings import OutboxSettings
from tidings.spine.outbox.handlers import Handlers
from tidings.spine.outbox.leases import Leases
from tidings.spine.outbox.pump import Pump

log = structlog.get_logger("tidings.quarantine")


@dataclass
class Quarantine:
    """Keeps one child process running for as long as there are suspects."""

    leases: Leases
    load: Sequence[str]
    child: asyncio.Task[None] | None = None

    def ensure(self) -> None:
        if self.child is None or self.child.done():
            self.child = asyncio.create_task(self._run_child())

    async def _run_child(self) -> None:
        worker = uuid4()
        options = [f"--load={name}" for name in self.load]
        command = [sys.executable, "-m", "tidings", "worker", f"--quarantine={worker}", *options]
        process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.DEVNULL)
        log.info("running suspects alone", pid=process.pid)
        try:
            if await process.wait() != 0:
                log.warning("a suspect crashed its process", code=process.returncode)
                with contextlib.suppress(*db.AWAY):
                    await self.leases.expire(worker)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def close(self) -> None:
        if self.child is not None:
            self.child.cancel()
            await asyncio.gather(self.child, return_exceptions=True)


async def run_suspects(leases: Leases, handlers: Handlers, settings: OutboxSettings, stop: asyncio.Event) -> None:
    """Leases and runs suspects one by one until there are none. This is what the child process does."""
    pumps = {kind.name: Pump(kind, settings, leases) for kind in handlers}
    settlers = [asyncio.create_task(pump.run()) for pump in pumps.values()]
    renewing = asyncio.create_task(_renew(leases, pumps.values(), settings))
    try:
        while not stop.is_set() and (intent := await leases.lease_suspect(pumps)):
            pump = pumps[intent.kind]
            pump.begin([intent])
            while pump.held:
                await asyncio.sleep(0.001)
    finally:
        for task in (renewing, *settlers):
            task.cancel()
        await asyncio.gather(renewing, *settlers, return_exceptions=True)


async def _renew(leases: Leases, pumps: Iterable[Pump], settings: OutboxSettings) -> None:
    while True:
        await asyncio.sleep(settings.lease.total_seconds() / 3)
        tokens: list[UUID] = [token for pump in pumps for token in pump.held]
        with contextlib.suppress(*db.AWAY):
            await leases.renew(tokens)
