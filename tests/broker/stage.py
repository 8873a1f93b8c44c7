"""What the tests of the broker share: workers that run in this process, and what became of what was emitted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import uuid4

import asyncpg
from pydantic import SecretStr

from tests.broker.listening import NAMES
from tests.outbox.engines import running
from tidings.app.broker import brokering
from tidings.app.worker import deliveries
from tidings.kit.db import Role, open_pool
from tidings.kit.settings import BrokerSettings, OutboxSettings, Settings, WorkerSettings
from tidings.worker.loading import load
from tidings.worker.service import run_worker

Owner: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
NEVER = timedelta(hours=1)
"""A patience that nothing passes by: what happens within it, a message has told."""
LISTENING = "tests.broker.listening"


def with_broker(settings: Settings, url: str, **changes: Any) -> Settings:
    given = {"url": SecretStr(url), "patience": NEVER, "deadline": timedelta(seconds=2)} | changes
    return working_settings(settings).model_copy(update={"broker": BrokerSettings(**given)})


def working_settings(settings: Settings) -> Settings:
    """As they are, for a worker that listens as `listening.py` does, and looks often."""
    outbox = OutboxSettings(poll=timedelta(milliseconds=100), lease=timedelta(seconds=30))
    return settings.model_copy(update={"outbox": outbox, "worker": WorkerSettings(load=(LISTENING,))})


@asynccontextmanager
async def working(owner: Owner, *workers: Settings) -> AsyncIterator[None]:
    """Workers in this process, known to those who emit, until the block ends; raises what one of them fails with."""
    stop = asyncio.Event()
    running = [asyncio.create_task(run_worker(settings, stop)) for settings in workers]
    block = asyncio.current_task()
    assert block is not None
    for each in running:
        each.add_done_callback(lambda ended: None if stop.is_set() or ended.cancelled() else block.cancel())
    try:
        await until(lambda: are_known(owner, with_broker=any(each.broker.url for each in workers)))
        yield
    finally:
        stop.set()
        await asyncio.gather(*running)


async def are_known(owner: Owner, *, with_broker: bool) -> bool:
    """Whether facts are written for the listeners, and for the broker where there is one."""
    sources = {row["source"] for row in await owner.fetch("SELECT source FROM tidings.routes")}
    wanted = {f"listener:{name}" for name in NAMES} | ({"broker.publish"} if with_broker else set())
    return wanted <= sources


async def knowing_the_stream(owner: Owner) -> None:
    """Every fact from now on is for the broker, as a worker that has one makes known."""
    await owner.execute(
        "INSERT INTO tidings.routes (tenant, type, prefix, source) VALUES ('', '', true, 'broker.publish')"
    )


@asynccontextmanager
async def publishing_alone(settings: Settings) -> AsyncIterator[None]:
    """A worker that publishes facts, and does nothing else: what it publishes stays in the queues."""
    declared = load(settings.worker.load)
    async with brokering(settings, declared.listeners, "test") as broker, running(settings, *broker.kinds):
        yield


@asynccontextmanager
async def handing_out_alone(settings: Settings) -> AsyncIterator[None]:
    """A worker that hands out the deliveries that are due, and does nothing else: their messages stay in the queues."""
    pool = await open_pool(settings.database, Role.WORKER, name="handing out")
    try:
        async with (
            brokering(settings, (), "test") as broker,
            deliveries(settings, pool, uuid4(), broker.deliveries) as it,
        ):
            assert broker.runner is not None
            await broker.runner.publisher.declare(broker.runner.queues)
            broker.runner.presence.came()
            handing_out = asyncio.create_task(broker.runner.handing_out.run())
            await broker.handed_out(it).look()
            yield
            handing_out.cancel()
    finally:
        await pool.close()


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    """Waits for it; the timeout of the test is the limit."""
    while not await condition():
        await asyncio.sleep(0.02)


async def emit(owner: Owner, count: int = 1, type: str = "parcel.sent", tenant: str = "default") -> None:
    await owner.execute(
        """SELECT tidings.emit_many(array_agg($2::text), array_agg(jsonb_build_object('n', n)),
                                    tenants => array_agg($3::text)) FROM generate_series(1, $1) AS n""",
        count,
        type,
        tenant,
    )


async def open_rows(owner: Owner, tenant: str | None = None) -> dict[str, int]:
    """How many intents and deliveries are open, by kind or channel, without housekeeping, and without what a fact
    causes for a handler of its type: there is none here."""
    rows = await owner.fetch(
        """SELECT kind, count(*) FROM (SELECT kind, tenant FROM tidings.outbox WHERE id IS DISTINCT FROM fact_id
               UNION ALL SELECT channel, tenant FROM tidings.deliveries) o
           WHERE kind NOT LIKE 'tidings.%' AND tenant = coalesce($1, tenant) GROUP BY kind""",
        tenant,
    )
    return {row["kind"]: row["count"] for row in rows}


async def nothing_open(owner: Owner) -> bool:
    return not await open_rows(owner)


async def is_all_but(owner: Owner, kind: str) -> bool:
    """Whether nothing else is open."""
    return set(await open_rows(owner)) == {kind}


async def is_enqueued(owner: Owner, count: int, *, published: bool = True) -> bool:
    """Whether so many intents wait for messages, all of them published if asked for."""
    enqueued: int = await owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE status = 'enqueued'")
    return enqueued == count and (not published or "broker.publish" not in await open_rows(owner))


async def sent(owner: Owner) -> int:
    """How many sends have worked: a delivery that was sent twice counts twice."""
    count: int = await owner.fetchval("SELECT count(*) FROM tidings.delivery_attempts WHERE outcome = 'sent'")
    return count


async def heard(owner: Owner) -> dict[str, int]:
    """How many notices each listener has said."""
    rows = await owner.fetch("SELECT listener, count(*) FROM tidings.notices GROUP BY listener")
    return {row["listener"]: row["count"] for row in rows}


async def sandboxed(owner: Owner) -> int:
    """How many messages the sandbox has kept."""
    count: int = await owner.fetchval("SELECT count(*) FROM tidings.sandbox_messages")
    return count
