"""Workers are told to stop, under load: with SIGTERM, while handlers are busy, slow, or the database is away."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass

from tests.chaos.processes import Life
from tests.chaos.provider import Send
from tests.chaos.report import Counts
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World

NAME = "worker: SIGTERM under load"
_PROMISED = 10.0
_GUARD = _PROMISED + 5  # what starting to look late costs on a busy machine


@dataclass(frozen=True)
class Size:
    stops: int
    intents: int


FULL = Size(stops=12, intents=6_000)
SHORT = Size(stops=3, intents=900)


async def run(world: World, size: Size) -> Counts:
    """With a lease of ten minutes, so that what is not given back stays away for all to see."""
    connection = await world.connect()
    stuck = world.random.sample(range(size.stops), k=max(1, size.stops // 10))
    for stop in range(size.stops):
        await world.emit(connection, size.intents // size.stops)
        await _stop_one(world, stop in stuck)
        if held := await world.count("SELECT count(*) FROM tidings.outbox WHERE status = 'processing'"):
            raise Violated(f"{held} are still leased after their worker has stopped")
    await connection.close()
    world.provider.policy = None
    last = world.worker(TIDINGS_OUTBOX_LEASE="600s")
    await world.until_all_arrived()
    await world.until_settled()
    await _end(last)
    world.evidence.require_none_invented()
    if charged := await world.count("SELECT count(*) FROM tidings.outbox_finished WHERE attempts <> 1 OR crashes > 0"):
        raise Violated(f"{charged} were charged for a stop that is not their fault")
    return {"stops": size.stops, "intents": len(world.acknowledged), "lost": 0, "left leased": 0}


async def _stop_one(world: World, stuck: bool) -> None:
    """At any moment after its first send; `stuck` is a provider that never answers."""

    async def policy(send: Send) -> str:
        await asyncio.sleep(60 if stuck else world.random.uniform(0, 0.1))
        return "ok"

    world.provider.policy = policy
    life = world.worker(TIDINGS_OUTBOX_LEASE="600s")
    sends = world.provider.by_life[life.number]
    await until(lambda: bool(sends), "the worker sends something")
    await asyncio.sleep(world.random.uniform(0, 0.3))
    await _end(life)


async def _end(life: Life) -> None:
    life.process.send_signal(signal.SIGTERM)
    try:
        code = await life.wait(_GUARD)
    except TimeoutError:
        raise Violated("a worker did not stop by itself within the ten seconds that it promises") from None
    if code != 0:
        raise Violated(f"a worker that was told to stop ended with {code}")
