"""The peer of reminders: a Temporal Schedule for each, on the development server as `tidings up` runs it."""

from __future__ import annotations

import asyncio
import atexit
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from temporalio.client import (
    Client,
    Schedule,
    ScheduleActionStartWorkflow,
    ScheduleCalendarSpec,
    ScheduleRange,
    ScheduleSpec,
    ScheduleState,
    ScheduleUpdate,
)

from tidings.embedded.ports import free_port
from tidings.embedded.supervisor import Supervisor
from tidings.embedded.temporal import open_temporal

AT_ONCE = 32
"""Calls under way at a time. Of 1 to 64 tried on a busy machine, 32 and 64 were the fastest, and no different."""
_NAMESPACE = "default"

atexit.register(time.sleep, 0.1)  # or the process aborts at exit now and then (temporalio/sdk-python#300)


@dataclass(frozen=True)
class Schedules:
    """Reminders of one event, two for each subscriber, each a Schedule under the name that our intents have as key."""

    client: Client
    amount: int

    async def create(self, start: datetime) -> float:
        """Seconds that it took; so do the others."""
        return await self._each(lambda n: self._create(n, start))

    async def remove(self) -> float:
        return await self._each(lambda n: self.client.get_schedule_handle(_name(n)).delete())

    async def move(self, start: datetime) -> float:
        """As the source does it: each is deleted and created again."""

        async def moved(n: int) -> None:
            await self.client.get_schedule_handle(_name(n)).delete()
            await self._create(n, start)

        return await self._each(moved)

    async def update(self, start: datetime) -> float:
        """What the source might have done instead."""
        return await self._each(
            lambda n: self.client.get_schedule_handle(_name(n)).update(lambda _: ScheduleUpdate(_schedule(n, start)))
        )

    async def _create(self, n: int, start: datetime) -> None:
        await self.client.create_schedule(_name(n), _schedule(n, start))

    async def _each(self, do: Callable[[int], Awaitable[object]]) -> float:
        turns = asyncio.Semaphore(AT_ONCE)

        async def in_turn(n: int) -> None:
            async with turns:
                await do(n)

        began = time.monotonic()
        await asyncio.gather(*map(in_turn, range(self.amount)))
        return time.monotonic() - began


@asynccontextmanager
async def schedules(supervisor: Supervisor, home: Path, amount: int) -> AsyncIterator[Schedules]:
    """On a server of its own, kept in a file."""
    port, ui, http = free_port(), free_port(), free_port()
    temporal = open_temporal(home, _NAMESPACE, port, ui, http)
    await supervisor.start(temporal.server())
    yield Schedules(await Client.connect(temporal.address, namespace=_NAMESPACE), amount)


def _name(n: int) -> str:
    return f"event-1-sub-{n // 2}-reminder-{_offset(n)}s"


def _offset(n: int) -> int:
    return 3_600 if n % 2 else 86_400


def _schedule(n: int, start: datetime) -> Schedule:
    """Once, so long before the start."""
    at = start - timedelta(seconds=_offset(n))
    once = ScheduleCalendarSpec(
        second=[ScheduleRange(at.second)],
        minute=[ScheduleRange(at.minute)],
        hour=[ScheduleRange(at.hour)],
        day_of_month=[ScheduleRange(at.day)],
        month=[ScheduleRange(at.month)],
        year=[ScheduleRange(at.year)],
    )
    remind = ScheduleActionStartWorkflow("Remind", n, id=f"{_name(n)}-run", task_queue="reminders")
    return Schedule(remind, ScheduleSpec([once]), state=ScheduleState(limited_actions=True, remaining_actions=1))
