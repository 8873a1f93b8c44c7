"""Two workers are killed with -9 at random, again and again, while facts are committed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from uuid import UUID

from tests.chaos.processes import Kill, Life
from tests.chaos.provider import Send
from tests.chaos.report import Counts
from tests.chaos.verdict import require_once
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World

NAME = "worker: kill -9 at random"
IN_HAND = 10 + 10 + 1  # one by one, a batch, and one alone in quarantine
ONE_BY_ONE = {"TIDINGS_OUTBOX_CONCURRENCY": "10"}
KINDS = ("chaos.sent", "chaos.sent", "chaos.sent", "chaos.batched", "chaos.booked")


@dataclass(frozen=True)
class Size:
    kills: int
    intents: int
    guard: float


FULL = Size(kills=1_000, intents=50_000, guard=1_800)
SHORT = Size(kills=15, intents=2_000, guard=150)


@dataclass
class Storm:
    world: World
    size: Size
    booked: set[str] = field(default_factory=set)
    open_after: dict[Kill, frozenset[str]] = field(default_factory=dict)
    ended: bool = False

    @property
    def kills(self) -> int:
        return len(self.world.processes.kills)

    async def emit(self) -> None:
        """Keeps some work waiting until the last kill; now and then a transaction is rolled back."""
        connection = await self.world.connect()
        emitted = 0
        while emitted < self.size.intents:
            allowed = self.size.intents * (self.kills + 3) // self.size.kills
            if emitted >= min(allowed, self.size.intents):
                await asyncio.sleep(0.01)
                continue
            count = min(self.world.random.randint(1, 25), self.size.intents - emitted)
            kind = self.world.random.choice(KINDS)
            if self.world.random.random() < 0.05:
                await self.world.emit(connection, count, kind, roll_back=True)
            ids = await self.world.emit(connection, count, kind)
            if kind == "chaos.booked":
                self.booked.update(ids)
                for key in ids:
                    del self.world.acknowledged[key]
            emitted += count
        await connection.close()

    async def haunt(self) -> None:
        """Keeps one worker running and kills it again and again."""
        while self.kills < self.size.kills:
            life = self.world.worker(**ONE_BY_ONE)
            kill = await self._kill_somewhere(life)
            rows = await self.world.fetch("SELECT id FROM tidings.outbox")
            self.open_after[kill] = frozenset(str(UUID(bytes=row["id"].bytes)) for row in rows)

    async def _kill_somewhere(self, life: Life) -> Kill:
        """After so many sends, soon after one was accepted; or at any moment, be it while it starts."""
        alone = self.world.random.random() < 0.3
        pause = self.world.random.uniform(0, 0.03)
        if self.world.random.random() < 0.5:
            await asyncio.sleep(self.world.random.uniform(0, 0.6))
            return await self.world.processes.kill(life, "at any moment", alone=alone)
        sends, wanted = self.world.provider.by_life[life.number], self.world.random.randint(1, 60)
        await _until_sent_or_quiet(sends, wanted, life)
        await asyncio.sleep(pause)
        return await self.world.processes.kill(life, f"{pause * 1000:.1f} ms after its send {len(sends)}", alone=alone)


async def _until_sent_or_quiet(sends: list[Send], wanted: int, life: Life) -> None:
    """It may be that there is less to do than wanted."""
    await until(lambda: bool(sends) or life.ended, "a worker that was started sends something", guard=60)
    known, waited = 0, 0
    while len(sends) < wanted and waited < 10:
        waited = waited + 1 if len(sends) == known else 0
        known = len(sends)
        await asyncio.sleep(0.01)


async def run(world: World, size: Size) -> Counts:
    await world.execute("CREATE TABLE booked (intent text)")

    async def take_a_moment(send: Send) -> str:
        await asyncio.sleep(world.random.uniform(0, 0.02))
        return "ok"

    world.provider.policy = take_a_moment
    storm = Storm(world, size)
    async with asyncio.timeout(size.guard), asyncio.TaskGroup() as tasks:
        for coroutine in (storm.emit(), storm.haunt(), storm.haunt()):
            tasks.create_task(coroutine)
    survivors = [world.worker(**ONE_BY_ONE), world.worker(**ONE_BY_ONE)]
    await world.until_all_arrived(size.guard)
    await world.until_settled(guard=size.guard)
    await until(lambda: not world.processes.orphans(), "what a killed worker had started is gone")
    if any(life.ended for life in survivors):
        raise Violated("a worker that nobody killed ended by itself")
    return await _judge(world, storm)


async def _judge(world: World, storm: Storm) -> Counts:
    evidence = world.evidence
    evidence.require_none_lost()
    evidence.require_none_invented()
    duplicates = evidence.duplicates()
    for kill, keys in duplicates.items():
        if revived := keys - storm.open_after[kill]:
            key = next(iter(revived))
            raise Violated(f"sent again although it was settled when its sender was killed:\n{evidence.history(key)}")
        if len(keys) > IN_HAND:
            raise Violated(f"{len(keys)} sent again after {kill}; it had at most {IN_HAND} in hand")
    if dead := await world.finished("dead"):
        raise Violated(f"{len(dead)} are dead, such as\n{evidence.history(next(iter(dead)))}")
    booked = [row["intent"] for row in await world.fetch("SELECT intent FROM booked")]
    require_once(booked, storm.booked, "booked in the transaction that settles")
    return {
        "kills": len(world.processes.kills),
        "intents": storm.size.intents,
        "lost": 0,
        "sent again": evidence.repeated(),
        "most by one kill": max(map(len, duplicates.values())),
        "booked twice": 0,
    }
