"""Messages that do harm: one of many that crashes or blocks its process, a kind that nobody serves, 100 MB."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass

import asyncpg

from tests.chaos.api import Api
from tests.chaos.processes import Life
from tests.chaos.provider import Send
from tests.chaos.report import Counts
from tests.chaos.waiting import Violated
from tests.chaos.world import World

NAME = "message: crashes, blocks, unknown kind, 100 MB"
_NEIGHBOURS = (
    "SELECT count(*) FROM tidings.outbox_finished WHERE status = 'succeeded' AND (attempts <> 1 OR crashes > 0)"
)


@dataclass(frozen=True)
class Size:
    batch: int
    kinds: tuple[str, ...]
    beside_a_blocker: int
    megabytes: int = 100


FULL = Size(batch=1_000, kinds=("chaos.bulk", "chaos.sent"), beside_a_blocker=200)
SHORT = Size(batch=200, kinds=("chaos.bulk",), beside_a_blocker=20)


async def run(world: World, size: Size) -> Counts:
    unknown = await _emit_unknown(world)
    crashes = sum([await _harm_among(world, size.batch, kind, "crash") for kind in size.kinds])
    await _harm_among(world, size.beside_a_blocker, "chaos.batched", "hang")
    if {*unknown} & world.provider.ledger.keys():
        raise Violated("a kind that nobody serves was sent")
    waiting = await world.fetch("SELECT status, attempts FROM tidings.outbox WHERE kind = 'chaos.unheard_of'")
    if [tuple(row) for row in waiting] != [("pending", 0)] * len(unknown):
        raise Violated("a kind that nobody serves does not simply wait")
    await _show_unserved(world)
    await _refuse(world, size.megabytes)
    await _refuse_over_http(world, size.megabytes)
    return {"batch": size.batch, "crashes": crashes, "dead": len(size.kinds) + 1, "neighbours charged": 0, "unknown": 3}


async def _emit_unknown(world: World) -> list[str]:
    connection = await world.connect()
    ids = await world.emit(connection, 3, "chaos.unheard_of")
    await connection.close()
    for key in ids:
        del world.acknowledged[key]
    return ids


async def _harm_among(world: World, count: int, kind: str, harm: str) -> int:
    """Of two workers, each started again whenever it dies. Returns how often the culprit was sent."""
    connection = await world.connect()
    ids = await world.emit(connection, count, kind)
    await connection.close()
    culprit = world.random.choice(ids)

    async def policy(send: Send) -> str:
        return harm if send.key == culprit else "ok"

    world.provider.policy = policy
    lives: list[Life] = []
    supervisors = [asyncio.create_task(_supervise(world, lives)) for _ in range(2)]
    try:
        await world.until_all_arrived()
        await world.until_settled(kind)
    finally:
        for supervisor in supervisors:
            supervisor.cancel()
        for life in lives:
            life.reap()
    await _judge(world, culprit, kind)
    return len(world.provider.ledger[culprit])


async def _supervise(world: World, lives: list[Life]) -> None:
    while True:
        life = world.worker()
        lives.append(life)
        await life.wait(guard=600)


async def _judge(world: World, culprit: str, kind: str) -> None:
    rows = await world.fetch(
        "SELECT id::text, last_error, crashes FROM tidings.outbox_finished WHERE status = 'dead' AND kind = $1", kind
    )
    if [row["id"] for row in rows] != [culprit] or rows[0]["crashes"] != 3 or not rows[0]["last_error"]:
        raise Violated(
            f"the dead are not the culprit alone, after three crashes: {rows}\n{world.evidence.history(culprit)}"
        )
    if charged := await world.count(_NEIGHBOURS):
        raise Violated(f"{charged} neighbours were charged for the crash of another")


async def _show_unserved(world: World) -> None:
    """The operator is told that nobody serves it."""
    life = world.processes.start(["outbox", "stats", "--json"], {"TIDINGS_DATABASE_URL": world.url})
    await life.wait()
    shown = life.log.read_text(encoding="utf-8")
    if "chaos.unheard_of" not in json.loads(shown)["kindsWithoutWorker"]:
        raise Violated(f"a kind that nobody serves is not shown as such: {shown}")


async def _refuse_over_http(world: World, megabytes: int) -> None:
    api = Api(world)
    await api.start()
    for chunked in (False, True):
        if (status := await api.post_bytes(megabytes * 1_000_000, chunked=chunked)) != 413:
            raise Violated(f"{megabytes} MB over HTTP got {status} instead of 413 (chunked: {chunked})")
    if not await api.is_ready():
        raise Violated("the API is not ready after it refused a large body")


async def _refuse(world: World, megabytes: int) -> None:
    connection = await world.connect()
    before = await connection.fetchval("SELECT count(*) FROM tidings.facts")
    try:
        await connection.execute(
            "SELECT tidings.emit('chaos.sent', jsonb_build_object('x', repeat('y', $1)))", megabytes * 1_000_000
        )
    except asyncpg.PostgresError as error:
        if error.sqlstate != "TD413":
            raise Violated(f"{megabytes} MB were refused with {error.sqlstate}: {error}") from error
    else:
        raise Violated(f"{megabytes} MB were accepted")
    if await connection.fetchval("SELECT count(*) FROM tidings.facts") != before:
        raise Violated("something was written of what was refused")
    await connection.close()
