"""PostgreSQL is killed with -9, again and again, under emitters and workers that nobody starts anew."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from dataclasses import dataclass, field

import asyncpg

from tests.chaos.processes import Life
from tests.chaos.report import Counts
from tests.chaos.verdict import Outage, require_once
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World

NAME = "PostgreSQL: kill -9 under load"
CLUSTER: dict[str, str] = {"max_connections": "60"}
AWAY = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


@dataclass(frozen=True)
class Size:
    kills: int
    emitters: int


FULL = Size(kills=10, emitters=4)
SHORT = Size(kills=2, emitters=3)


@dataclass
class Load:
    """Emitters that do not give up: what no commit returned for is emitted again, with the same keys."""

    world: World
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    booked: set[str] = field(default_factory=set)
    retries: int = 0

    async def emit(self, name: str) -> None:
        connection, number = await self.world.connect(), 0
        while not self.stop.is_set():
            number += 1
            keys = [f"{name}-{number}-{n}" for n in range(self.world.random.randint(1, 10))]
            kind = self.world.random.choice(("chaos.sent", "chaos.sent", "chaos.booked"))
            connection = await self._acknowledged(connection, keys, kind)
            await asyncio.sleep(0.005)
        await connection.close()

    async def _acknowledged(
        self, connection: asyncpg.Connection[asyncpg.Record], keys: list[str], kind: str
    ) -> asyncpg.Connection[asyncpg.Record]:
        while True:
            try:
                if connection.is_closed():
                    connection = await self.world.connect()
                ids = await self.world.emit(connection, len(keys), kind, keys=keys)
                if kind == "chaos.booked":
                    self.booked.update(ids)
                    for key in ids:
                        del self.world.acknowledged[key]
                return connection
            except AWAY:
                self.retries += 1
                connection.terminate()
                await asyncio.sleep(0.05)


async def run(world: World, size: Size) -> Counts:
    await world.execute("CREATE TABLE booked (intent text)")
    lives = [world.worker(TIDINGS_OUTBOX_LEASE="3s"), world.worker(TIDINGS_OUTBOX_LEASE="3s")]
    load = Load(world)
    async with asyncio.TaskGroup() as tasks:
        for emitter in range(size.emitters):
            tasks.create_task(load.emit(f"emitter-{emitter}"))
        await _until_more_arrives(world)
        for _ in range(size.kills):
            await asyncio.sleep(world.random.uniform(0, 0.5))
            await _kill(world)
            await _until_more_arrives(world)
        load.stop.set()
    await world.until_all_arrived()
    await world.until_settled()
    if any(life.ended for life in lives):
        raise Violated("a worker did not outlive PostgreSQL")
    await _stop_while_away(world, lives)
    evidence = world.evidence
    evidence.require_none_invented()
    evidence.duplicates()
    if charged := await world.count("SELECT count(*) FROM tidings.outbox_finished WHERE attempts <> 1 OR crashes > 0"):
        raise Violated(f"{charged} were charged for a database that was away")
    recorded = await world.fetch("SELECT id::text FROM tidings.facts")
    booked = [row["intent"] for row in await world.fetch("SELECT intent FROM booked")]
    require_once(booked, load.booked, "booked in the transaction that settles")
    if absent := world.acknowledged.keys() - {row["id"] for row in recorded}:
        raise Violated(f"{len(absent)} acknowledged and not there any more:\n{evidence.history(next(iter(absent)))}")
    return {
        "kills": size.kills,
        "acknowledged": len(world.acknowledged),
        "retried commits": load.retries,
        "lost": 0,
        "sent again": evidence.repeated(),
        "booked": len(booked),
        "booked twice": 0,
    }


async def _stop_while_away(world: World, lives: list[Life]) -> None:
    """Workers that hold something are told to stop while there is nobody to give it back to."""
    connection = await world.connect()
    await world.emit(connection, 200)
    began = time.monotonic()
    world.cluster.kill()
    connection.terminate()
    for life in lives:
        life.process.send_signal(signal.SIGTERM)
    for life in lives:
        try:
            await life.wait(guard=15)
        except TimeoutError:
            raise Violated("a worker did not stop by itself while the database was away") from None
    await world.cluster.start()
    world.outages.append(Outage(began, time.monotonic()))
    world.worker()
    await world.until_all_arrived()
    await world.until_settled()


async def _kill(world: World) -> None:
    """The whole server, which the harness starts again; or one backend, after which it starts itself again."""
    began = time.monotonic()
    if world.random.random() < 0.7:
        world.cluster.kill()
        await asyncio.sleep(world.random.uniform(0, 0.5))
    else:
        os.kill(await _some_backend(world), signal.SIGKILL)
    await world.cluster.start()
    world.outages.append(Outage(began, time.monotonic()))


async def _some_backend(world: World) -> int:
    rows = await world.fetch("SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'tidings %' ORDER BY pid")
    return int(world.random.choice(rows)["pid"])


async def _until_more_arrives(world: World) -> None:
    """What was committed after this moment is sent."""
    known = set(world.acknowledged)
    await until(
        lambda: any(
            key not in known and key in world.provider.ledger for key in list(world.acknowledged)[len(known) :]
        ),
        "something that was committed since then arrives",
    )
