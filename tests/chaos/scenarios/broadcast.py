"""One fact for very many people, while all workers are killed at once again and again, and one is frozen."""

from __future__ import annotations

import asyncio

from tests.channels.servers.http_server import Answering
from tests.chaos.endpoint import Hit, friendly, running_endpoint
from tests.chaos.report import Counts
from tests.chaos.storm import Size, Storm, judge, rage, settled
from tests.chaos.tenants import FACT, add_tenant
from tests.chaos.world import World
from tests.support.pipeline import emit

NAME = "broadcast: kill -9 of all workers, SIGSTOP of one"
_TENANT = "broadcaster"

FULL = Size(people=100_000, workers=3, concurrency=100, lease=5, kills_in_fan_out=5, kills_in_sending=10, guard=600)
SHORT = Size(people=2_000, workers=2, concurrency=20, lease=3, kills_in_fan_out=1, kills_in_sending=1, guard=100)


async def run(world: World, size: Size) -> Counts:
    async def take_a_moment(hit: Hit) -> Answering:
        await asyncio.sleep(world.random.uniform(0, 0.02))
        return friendly(hit)

    async with running_endpoint(take_a_moment) as endpoint:
        owner = await world.connect()
        await add_tenant(owner, _TENANT, "webhook", [f"{endpoint.url}/{n}" for n in range(size.people)])
        storm = Storm(world, size, endpoint)
        storm.start()
        await emit(owner, FACT, _TENANT)
        await owner.close()
        await rage(storm)
        await settled(world, size.guard)
        return await judge(storm)
