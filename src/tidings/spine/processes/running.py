"""Running processes: a worker of Temporal's, for as long as there is a Temporal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import version
from typing import Any

import structlog
from temporalio.client import Client
from temporalio.worker import Worker

from tidings.kit.crypto import Keyring
from tidings.spine.processes.connecting import Temporal
from tidings.spine.processes.health import fault_of

log = structlog.get_logger("tidings.processes")

_TRY_EVERY = 1.0  # seconds
_PATIENCE = 5.0  # seconds


@dataclass(frozen=True)
class Performing:
    """What processes there are, and what they can call."""

    workflows: Sequence[type]
    activities: Sequence[Callable[..., Any]]


@dataclass(frozen=True)
class ProcessRunner:
    temporal: Temporal
    keyring: Keyring
    performing: Performing

    async def run(self, stop: asyncio.Event, within: timedelta) -> None:
        """Until `stop` is set. Begins when Temporal and the data keys are there, and again after whatever ends it."""
        said = None
        while not stop.is_set():
            fault = await self._fault()
            if fault is None:
                said = None
                await self._perform(stop, within)
            elif fault != said:
                log.warning("processes wait", reason=fault, temporal=self.temporal.settings.address)
                said = fault
            await _pause(stop)

    async def _fault(self) -> str | None:
        if self.keyring.held is None:
            return "the data keys are not open"
        return await fault_of(self.temporal, _PATIENCE)

    async def _perform(self, stop: asyncio.Event, within: timedelta) -> None:
        worker = build_worker(self.temporal, await self.temporal.client(), self.performing, within * 0.5)
        log.info("processes run", task_queue=self.temporal.settings.task_queue)
        running, stopping = asyncio.create_task(worker.run()), asyncio.create_task(stop.wait())
        try:
            await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            await _stopped(worker, running, within)


def build_worker(temporal: Temporal, client: Client, performing: Performing, within: timedelta) -> Worker:
    """A worker that has not begun yet. It is told our version: else it reads all code there is, for a second or two."""
    return Worker(
        client,
        task_queue=temporal.settings.task_queue,
        workflows=performing.workflows,
        activities=performing.activities,
        build_id=f"tidings-{version('tidings')}",
        max_concurrent_activities=temporal.settings.activities,
        graceful_shutdown_timeout=within,
    )


async def _stopped(worker: Worker, running: asyncio.Task[None], within: timedelta) -> None:
    """Lets activities finish in that time; one that hangs beyond it is left to Temporal, which tries it elsewhere."""
    if running.done():
        if not running.cancelled() and (error := running.exception()):
            log.warning("processes stopped, beginning again", error=repr(error))
        return
    shutdown = asyncio.create_task(worker.shutdown())
    _, late = await asyncio.wait([shutdown, running], timeout=within.total_seconds())
    for task in late:
        log.warning("processes did not stop in time")
        task.cancel()
    await asyncio.gather(shutdown, running, return_exceptions=True)


async def _pause(stop: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_TRY_EVERY):
            await stop.wait()
