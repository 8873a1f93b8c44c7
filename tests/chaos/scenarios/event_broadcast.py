"""One announcement to all subscribers of an event, by mail, while all workers are killed again and again.

It takes the whole way: through the process of the event, whose steps the same workers run.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta

from tests.channels.servers.http_server import Answering
from tests.chaos.endpoint import Hit
from tests.chaos.gatherings import address_of, gathering, running_mails, taking
from tests.chaos.memory import Watch
from tests.chaos.report import Counts
from tests.chaos.storm import Size, Storm, judge, rage, settled
from tests.chaos.waiting import Violated
from tests.chaos.world import World
from tests.support.temporal import DevServer

NAME = "events: a broadcast, kill -9 of all workers"
_BESIDES = 1  # the inbox of each
_MOST_GROWTH = 50  # MB

FULL = Size(people=100_000, workers=2, concurrency=100, lease=5, kills_in_fan_out=2, kills_in_sending=2, guard=600)
SHORT = Size(
    people=2_000, workers=1, concurrency=20, lease=3, kills_in_fan_out=0, kills_in_sending=1, guard=100, freezes=0
)


async def run(world: World, size: Size) -> Counts:
    async def take_a_moment(hit: Hit) -> Answering:
        await asyncio.sleep(world.random.uniform(0, 0.02))
        return taking(hit)

    temporal = DevServer(file=world.processes.home / "temporal.db")
    try:
        await asyncio.to_thread(temporal.start)
        async with running_mails(take_a_moment) as endpoint, gathering(world, endpoint) as there:
            await there.people([address_of(n) for n in range(size.people)])
            event = await there.create(await there.now() + timedelta(days=2))
            await there.join_all(event.id, 3_600)
            settings = {"TIDINGS_TEMPORAL_ADDRESS": temporal.address}
            storm = Storm(world, size, endpoint, settings, _BESIDES)
            storm.start()
            await there.announce(event.id, "The doors open at six")
            async with Watch(storm.lives_now) as watch:
                await rage(storm)
                await settled(world, size.guard)
            counts = await judge(storm)
    finally:
        temporal.kill()
    if watch.growth > _MOST_GROWTH:
        raise Violated(f"the memory of a worker grew by {watch.growth:.0f} MB")
    return {**counts, "MB that a worker grew by": round(watch.growth)}
