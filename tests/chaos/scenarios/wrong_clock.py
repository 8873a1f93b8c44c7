"""Workers whose own clock is five minutes off, ahead or behind, or jumps back: times are the database's."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.chaos.clocks import Clock
from tests.chaos.provider import Send
from tests.chaos.report import Counts
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LEASE, World

NAME = "clock: five minutes off, jumping back"
_OFF = 300
_NARROW = {"TIDINGS_OUTBOX_CONCURRENCY": "6"}  # three of them have room for less than what is due at first
_OPEN = "SELECT count(*) FROM tidings.outbox WHERE kind = 'chaos.sent'"
_MISPLACED = """
SELECT count(*) FROM tidings.outbox WHERE kind = 'tidings.maintain'
    AND (due_at < now() - interval '5 seconds' OR due_at > now() + interval '65 seconds')
"""


@dataclass(frozen=True)
class Size:
    intents: int
    leases: int  # how long the slowest sends take


FULL = Size(intents=600, leases=8)
SHORT = Size(intents=60, leases=2)


async def run(world: World, size: Size) -> Counts:
    """A third is due now, a third in a moment, a third in two minutes; some sends take several leases."""
    third, all_at_work = size.intents // 3, asyncio.Event()
    early = _watch_for_early_sends(world, size, all_at_work)
    connection = await world.connect()
    now = await connection.fetchval("SELECT now()")
    await world.emit(connection, third)
    await world.emit(connection, third, run_at=now + timedelta(seconds=4))
    later = await world.emit(connection, third, run_at=now + timedelta(minutes=2))
    await connection.close()
    for key in later:
        del world.acknowledged[key]
    lives = []
    for number, offset in enumerate((_OFF, -_OFF, _OFF)):
        clock = Clock(world.processes.home / f"clock-{number}")
        clock.set(offset)
        lives.append(world.worker(**clock.environment, **_NARROW))
    await until(lambda: all(world.provider.by_life[life.number] for life in lives), "every worker is at work")
    clock.set(-_OFF)
    all_at_work.set()
    await world.until_all_arrived()
    await until(lambda: _is(world, _OPEN, third), "only what is not due is open")
    if early or {*later} & world.provider.ledger.keys():
        raise Violated(f"{len(early)} sent before they were due:\n{world.evidence.history(early[0])}")
    world.evidence.require_none_twice()
    if any(life.ended for life in lives):
        raise Violated("a worker did not survive its clock")
    if await world.count(_MISPLACED):
        raise Violated("what recurs was put where the worker's clock is")
    return {"workers": 3, "intents": len(world.acknowledged), "early": 0, "sent again": 0, "lost": 0}


def _watch_for_early_sends(world: World, size: Size, all_at_work: asyncio.Event) -> list[str]:
    """Nobody is answered before everybody is at work: a worker full to the brim leaves the rest to the others."""
    early: list[str] = []

    async def policy(send: Send) -> str:
        if not await world.count("SELECT (now() >= $1::timestamptz)::int", datetime.fromisoformat(send.due_at)):
            early.append(send.key)
        await all_at_work.wait()
        await asyncio.sleep(size.leases * LEASE if world.random.random() < 0.05 else 0)
        return "ok"

    world.provider.policy = policy
    return early


async def _is(world: World, query: str, wanted: int) -> bool:
    return await world.count(query) == wanted
