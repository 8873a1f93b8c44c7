"""PostgreSQL is there and of no use: connections cut, read-only, none to be had. Nobody starts anything anew."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import asyncpg

from tests.chaos.api import Api
from tests.chaos.processes import Life
from tests.chaos.report import Counts
from tests.chaos.verdict import Outage
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World

NAME = "PostgreSQL: connections cut, read-only, exhausted"
CLUSTER: dict[str, str] = {"max_connections": "30", "superuser_reserved_connections": "3"}
_CLIENTS = 4
_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'tidings %'"


@dataclass(frozen=True)
class Size:
    rounds: int


FULL = Size(rounds=3)
SHORT = Size(rounds=1)


@dataclass
class Client:
    """Posts one fact after the other, each until it is acknowledged, and counts what it is told."""

    api: Api
    statuses: Counter[int] = field(default_factory=Counter)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def post(self, name: str) -> None:
        number = 0
        while not self.stop.is_set():
            number += 1
            await self._post_one(f"{name}-{number}")
            await asyncio.sleep(0.01)

    async def _post_one(self, marker: str) -> None:
        while True:
            reply = await self.api.post({"type": "chaos.sent", "data": {"marker": marker}}, marker)
            if reply is None:
                raise Violated("the API did not answer")
            self.statuses[reply.status] += 1
            if reply.status == 201:
                self.api.world.acknowledged[reply.fact] = time.monotonic()
                return
            if reply.status != 503 or "retry-after" not in reply.headers:
                raise Violated(f"{reply.status} with {reply.headers}: {reply.body}")
            await asyncio.sleep(0.05)


async def run(world: World, size: Size) -> Counts:
    """The API and the worker have no more rights than a user's own: what is reserved for superusers is not for them."""
    await world.execute("CREATE ROLE plain LOGIN", "GRANT tidings_api, tidings_worker TO plain")
    plain = {"TIDINGS_DATABASE_URL": world.url.replace("postgres@", "plain@"), "TIDINGS_OUTBOX_LEASE": "5s"}
    worker = world.worker(**plain)
    api = Api(world, {"TIDINGS_DATABASE_URL": plain["TIDINGS_DATABASE_URL"], "TIDINGS_DATABASE_POOL_SIZE": "2"})
    lives = [worker, await api.start()]
    client = Client(api)
    async with asyncio.TaskGroup() as tasks:
        for number in range(_CLIENTS):
            tasks.create_task(client.post(f"client-{number}"))
        for _ in range(size.rounds):
            for fault in (_cut, _read_only, _exhausted, _pool_in_use):
                await _suffer(world, fault(world))
        client.stop.set()
    await world.until_all_arrived()
    await world.until_settled()
    return _judge(world, client, lives, size)


async def _suffer(world: World, fault: Awaitable[None]) -> None:
    began = time.monotonic()
    await fault
    world.outages.append(Outage(began, time.monotonic()))
    known = len(world.acknowledged)
    await until(lambda: len(world.acknowledged) > known, "the API takes facts again")
    await world.until_all_arrived()


def _judge(world: World, client: Client, lives: list[Life], size: Size) -> Counts:
    if any(life.ended for life in lives):
        raise Violated("the API or the worker did not outlive what ailed PostgreSQL")
    if not client.statuses[503]:
        raise Violated("the API never said that the database is away")
    world.evidence.require_none_lost()
    world.evidence.require_none_invented()
    world.evidence.duplicates()
    return {
        "rounds": size.rounds,
        "acknowledged": client.statuses[201],
        "503": client.statuses[503],
        "lost": 0,
        "sent again": world.evidence.repeated(),
    }


async def _cut(world: World) -> None:
    for _ in range(5):
        await world.execute(_CUT)
        await asyncio.sleep(world.random.uniform(0, 0.2))


async def _read_only(world: World) -> None:
    await world.cluster.administer("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    try:
        await asyncio.sleep(2)
    finally:
        await world.cluster.administer(
            "SET default_transaction_read_only = off",
            "ALTER SYSTEM RESET default_transaction_read_only",
            "SELECT pg_reload_conf()",
        )


async def _exhausted(world: World) -> None:
    """Others take every connection there is."""
    async with _greedy(world) as greedy:
        for _ in range(10):
            await world.execute(_CUT)
            await greedy.take_all()
            await asyncio.sleep(0.2)


async def _pool_in_use(world: World) -> None:
    """Every connection of the API waits for a lock that somebody holds."""
    connection = await world.connect()
    async with connection.transaction():
        await connection.execute("LOCK TABLE tidings.facts")
        await asyncio.sleep(3)
    await connection.close()


@dataclass
class _Greedy:
    url: str
    taken: list[asyncpg.Connection[asyncpg.Record]] = field(default_factory=list)

    async def take_all(self) -> None:
        try:
            while True:
                self.taken.append(await asyncpg.connect(self.url))
        except asyncpg.TooManyConnectionsError:
            return


@asynccontextmanager
async def _greedy(world: World) -> AsyncIterator[_Greedy]:
    greedy = _Greedy(world.url.replace("postgres@", "plain@"))
    try:
        yield greedy
    finally:
        for connection in greedy.taken:
            connection.terminate()
