"""A worker is frozen for longer than its lease, and wakes up with answers that are too late.

Each of its intents is then in one of two places: done by the other worker, or in that worker's hands right now. The
late answers are the worst there are: that the intent will never succeed.
"""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass

from tests.chaos.provider import Send
from tests.chaos.report import Counts
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LEASE, World

NAME = "worker: SIGSTOP for 1.6 leases"
_LEASES = 1.6


@dataclass(frozen=True)
class Size:
    rounds: int
    intents: int


FULL = Size(rounds=3, intents=60)
SHORT = Size(rounds=1, intents=20)


async def run(world: World, size: Size) -> Counts:
    for _ in range(size.rounds):
        await _freeze_one(world, size.intents)
    world.evidence.require_none_lost()
    if (dead := await world.finished("dead")) or await world.finished("succeeded") != {*world.acknowledged}:
        raise Violated(f"a late settle changed something: {len(dead)} dead")
    return {"rounds": size.rounds, "intents": len(world.acknowledged), "changed by a late settle": 0}


async def _freeze_one(world: World, count: int) -> None:
    """The first worker takes all, and gets no answer until it was frozen and let go again."""
    frozen, late, busy = asyncio.Event(), asyncio.Event(), asyncio.Event()
    first = world.worker(TIDINGS_OUTBOX_CONCURRENCY="100")
    sends = world.provider.by_life[first.number]

    async def policy(send: Send) -> str:
        if not frozen.is_set():
            await late.wait()
            return "permanent"
        if world.random.random() < 0.5:
            await busy.wait()
        return "ok"

    world.provider.policy = policy
    connection = await world.connect()
    ids = await world.emit(connection, count)
    await connection.close()
    await until(lambda: {send.key for send in sends} >= {*ids}, "the first worker holds everything")
    first.signal(signal.SIGSTOP)
    frozen.set()
    second = world.worker()
    await asyncio.sleep(LEASE * _LEASES)
    await until(lambda: any(s.life == second.number for key in ids for s in world.provider.ledger[key]), "a new lease")
    late.set()
    await asyncio.sleep(0)
    first.signal(signal.SIGCONT)
    await asyncio.sleep(LEASE)
    busy.set()
    await world.until_settled()
    if first.ended or second.ended:
        raise Violated("a worker did not survive the freeze")
    for life in (first, second):
        life.signal(signal.SIGTERM)
        await life.wait()
