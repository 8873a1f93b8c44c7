"""The connection that listens is cut, again and again: the poll delivers, and the worker listens anew."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tests.chaos.report import Counts
from tests.chaos.waiting import until
from tests.chaos.world import LONG_LEASE, World

NAME = "LISTEN: connection dropped"
_LISTENING = "application_name = 'tidings sleeper' AND datname = current_database()"
_CUT = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {_LISTENING}"


@dataclass(frozen=True)
class Size:
    cuts: int


FULL = Size(cuts=80)
SHORT = Size(cuts=15)


async def run(world: World, size: Size) -> Counts:
    life = world.worker(**LONG_LEASE)
    emitter, cutter = await world.connect(), await world.connect()

    async def listens() -> bool:
        return bool(await cutter.fetchval(f"SELECT count(*) = 1 FROM pg_stat_activity WHERE {_LISTENING}"))

    cuts = 0
    while cuts < size.cuts:
        await until(listens, "the worker listens again")
        await asyncio.sleep(world.random.uniform(0, 0.05))
        emitted_first = world.random.random() < 0.5
        if emitted_first:
            await world.emit(emitter, 1)
        cuts += len(await cutter.fetch(_CUT))
        if not emitted_first:
            await world.emit(emitter, 1)
        await world.until_all_arrived(guard=30)
    await until(listens, "the worker listens again")
    await world.until_settled()
    assert not life.ended
    world.evidence.require_none_twice()
    for connection in (emitter, cutter):
        await connection.close()
    return {"cuts": cuts, "intents": len(world.acknowledged), "lost": 0, "sent again": 0}
