"""The API is killed around its commits, its clients' connections are cut: a fact is there once, or not at all."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from tests.chaos.api import Api, Reply
from tests.chaos.report import Counts
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LONG_LEASE, World

NAME = "API: kill -9 around COMMIT, connection cut"
_RECORDED = "SELECT id::text FROM tidings.facts WHERE data ->> 'marker' = $1"


@dataclass(frozen=True)
class Size:
    kills: int
    clients: int
    cuts: int


FULL = Size(kills=20, clients=8, cuts=60)
SHORT = Size(kills=3, clients=6, cuts=6)


@dataclass
class Ledger:
    """What the clients were told, and what they gave up on."""

    told: dict[str, set[str]] = field(default_factory=dict)  # marker → ids in replies
    abandoned: set[str] = field(default_factory=set)

    def note(self, marker: str, reply: Reply) -> None:
        if reply.status == 201:
            self.told.setdefault(marker, set()).add(reply.fact)
        elif reply.status != 503 or "retry-after" not in reply.headers:
            raise Violated(f"{reply.status} for {marker}: {reply.body}")


async def run(world: World, size: Size) -> Counts:
    api, ledger = Api(world), Ledger()
    await api.start()
    world.worker(**LONG_LEASE)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        for client in range(size.clients):
            tasks.create_task(_post_until(stop, api, ledger, f"client-{client}"))
        for _ in range(size.kills):
            await _kill_once(world, api, ledger)
        stop.set()
    await _cut(world, api, ledger, size.cuts)
    return await _judge(world, ledger, size)


def _body(marker: str) -> dict[str, Any]:
    return {"type": "chaos.sent", "data": {"marker": marker}}


async def _post_until(stop: asyncio.Event, api: Api, ledger: Ledger, name: str) -> None:
    """Each fact until it is acknowledged, with the same key; one in ten is given up when no reply came."""
    number = 0
    while not stop.is_set():
        number += 1
        marker = f"{name}-{number}"
        while (reply := await api.post(_body(marker), marker)) is None or reply.status != 201:
            if reply is not None:
                ledger.note(marker, reply)
            elif api.world.random.random() < 0.1:
                ledger.abandoned.add(marker)
                break
            await asyncio.sleep(0.05)
        else:
            ledger.note(marker, reply)


async def _kill_once(world: World, api: Api, ledger: Ledger) -> None:
    """Soon after some reply, so that the requests that follow it are on their way."""
    replies = len(ledger.told)
    await until(lambda: len(ledger.told) > replies + world.random.randint(1, 20), "the API replies")
    await asyncio.sleep(world.random.uniform(0, 0.02))
    assert api.life is not None
    await world.processes.kill(api.life, "around a commit")
    await api.start()


async def _cut(world: World, api: Api, ledger: Ledger, cuts: int) -> None:
    """The client is gone when its fact is committed, and comes back with the same key, twice."""
    for number in range(cuts):
        marker = f"cut-{number}"
        _, writer = await asyncio.open_connection("127.0.0.1", api.port)
        writer.write(api.raw(_body(marker), marker))
        await until(lambda marker=marker: _is_recorded(world, marker), "the fact is committed")  # type: ignore[misc]
        writer.transport.abort()
        replies = [await api.post(_body(marker), marker) for _ in range(2)]
        if any(reply is None or reply.status != 201 for reply in replies):
            raise Violated(f"the retry of {marker} got {replies}")
        first, second = (reply for reply in replies if reply is not None)
        if first.body != second.body or first.headers.get("idempotent-replayed") != "true":
            raise Violated(f"the retry of {marker} did not get the stored reply: {first}, {second}")
        ledger.note(marker, first)


async def _is_recorded(world: World, marker: str) -> bool:
    return bool(await world.fetch(_RECORDED, marker))


async def _judge(world: World, ledger: Ledger, size: Size) -> Counts:
    rows = await world.fetch("SELECT id::text, data ->> 'marker' AS marker FROM tidings.facts")
    recorded: dict[str, set[str]] = {}
    for row in rows:
        recorded.setdefault(row["marker"], set()).add(row["id"])
    for marker, ids in ledger.told.items():
        if recorded.get(marker) != ids or len(ids) != 1:
            raise Violated(f"{marker}: told {ids}, recorded {recorded.get(marker)}")
    if unasked := recorded.keys() - ledger.told.keys() - ledger.abandoned:
        raise Violated(f"{len(unasked)} facts that nobody posted")
    if several := [marker for marker, ids in recorded.items() if len(ids) > 1]:
        raise Violated(f"{len(several)} recorded more than once, such as {several[0]}")
    world.acknowledged.update((row["id"], 0.0) for row in rows)  # a fact that is there must have its intent
    await world.until_all_arrived()
    world.evidence.require_none_invented()
    world.evidence.require_none_twice()
    return {
        "kills": size.kills,
        "cuts": size.cuts,
        "acknowledged": len(ledger.told),
        "recorded": len(recorded),
        "lost": 0,
        "recorded twice": 0,
    }
