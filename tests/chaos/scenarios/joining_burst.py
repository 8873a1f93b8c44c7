"""Very many join an event at once, each in a transaction of their own: the process hears of it in a few signals."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from pydantic import SecretStr
from temporalio.api.enums.v1 import EventType
from temporalio.client import Client

from tests.chaos.gatherings import TENANT, Gathering, gathering
from tests.chaos.report import Counts
from tests.chaos.tenants import MASTER_KEY, SENDING
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LONG_LEASE, World
from tests.support.postgres import settings_for
from tests.support.temporal import DevServer, count, histories
from tidings.modules.events.model import DEFAULT_OFFSETS, Event
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import PROCESSES
from tidings.spine.processes.codec import sealing_converter

NAME = "events: a burst of joins"
_MOST_SIGNALS = 200
_AT_ONCE = 20
_PEOPLE = """
INSERT INTO tidings.people (tenant, name) SELECT $1, 'Person ' || n FROM generate_series(1, $2::int) n RETURNING id
"""
_DIFFERENT = """
SELECT count(*) FROM (SELECT key::text, due_at FROM tidings.wanted_reminders($1, NULL)) w
FULL JOIN (SELECT key::text, due_at FROM tidings.outbox WHERE kind = 'event.remind') o USING (key, due_at)
WHERE w IS NULL OR o IS NULL
"""


@dataclass(frozen=True)
class Size:
    joins: int
    guard: float


FULL = Size(joins=10_000, guard=300)
SHORT = Size(joins=1_000, guard=100)


async def run(world: World, size: Size) -> Counts:
    temporal = DevServer()
    try:
        await asyncio.to_thread(temporal.start)
        async with gathering(world) as there:
            event = await there.create(await there.now() + timedelta(days=7))
            people = [row["id"] for row in await there.owner.fetch(_PEOPLE, TENANT, size.joins)]
            world.worker(**SENDING, **LONG_LEASE, TIDINGS_TEMPORAL_ADDRESS=temporal.address)
            started = "SELECT count(*) FROM tidings.processes WHERE started_at IS NOT NULL"

            async def is_started() -> bool:
                return bool(await world.count(started))

            await until(is_started, "the process is started", size.guard)
            await _join_all(there, event.id, people)
            await _told(world, size)
            return await _judge(world, there, event, temporal, size)
    finally:
        temporal.kill()


async def _join_all(there: Gathering, event: int, people: list[UUID]) -> None:
    turns = asyncio.Semaphore(_AT_ONCE)

    async def join(person: UUID) -> None:
        async with turns:
            await there.join(event, person)

    await asyncio.gather(*map(join, people))


async def _told(world: World, size: Size) -> None:
    waiting = "SELECT count(*) FROM tidings.outbox WHERE kind = 'process.signal'"

    async def is_told() -> bool:
        return not await world.count(waiting)

    await until(is_told, "the process has heard of all", size.guard)


async def _judge(world: World, there: Gathering, event: Event, temporal: DevServer, size: Size) -> Counts:
    """By the rows, by what Temporal recorded, and by what the process says of itself."""
    reminders = await world.count("SELECT count(*) FROM tidings.outbox WHERE kind = 'event.remind'")
    if reminders != size.joins * len(DEFAULT_OFFSETS):
        raise Violated(f"{reminders} reminders for {size.joins} who joined")
    if different := await world.count(_DIFFERENT, event.id):
        raise Violated(f"{different} reminders are not what they should be")
    settings = settings_for(world.url).model_copy(update={"master_key": SecretStr(MASTER_KEY)})
    vault = (await unlocked(settings, there.owner)).vault(PROCESSES)
    client = await Client.connect(temporal.address, data_converter=sealing_converter(vault))
    signals = count(await histories(client, event.process), EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
    if not 0 < signals < _MOST_SIGNALS:
        raise Violated(f"{signals} signals for {size.joins} who joined")

    async def has_counted() -> bool:
        status = await client.get_workflow_handle(event.process).query("status")
        return bool(status["participants"] == size.joins)

    await until(has_counted, "the process has counted them all", size.guard)
    return {"joins": size.joins, "reminders": reminders, "signals": signals}
