"""What the tests of the broker share: workers that run in this process, and what became of what was emitted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, TypeAlias

import asyncpg
from pydantic import SecretStr

from tests.broker.listening import NAMES
from tidings.kit.settings import BrokerSettings, OutboxSettings, Settings, WorkerSettings
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
        await until(lambda: _are_known(owner, with_broker=any(each.broker.url for each in workers)))
        yield
    finally:
        stop.set()
        await asyncio.gather(*running)


async def _are_known(owner: Owner, *, with_broker: bool) -> bool:
    """Whether facts are written for the listeners, and for the broker where there is one."""
    sources = {row["source"] for row in await owner.fetch("SELECT source FROM tidings.routes")}
    wanted = {f"listener:{name}" for name in NAMES} | ({"broker.publish"} if with_broker else set())
    return wanted <= sources


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


async def open_rows(owner: Owner) -> dict[str, int]:
    """How many intents and deliveries are open, by kind or channel, without housekeeping."""
    rows = await owner.fetch(
        """SELECT kind, count(*) FROM (SELECT kind FROM tidings.outbox
               UNION ALL SELECT channel FROM tidings.deliveries) o WHERE kind NOT LIKE 'tidings.%' GROUP BY kind"""
    )
    return {row["kind"]: row["count"] for row in rows}


async def nothing_open(owner: Owner) -> bool:
    return not await open_rows(owner)


async def heard(owner: Owner) -> dict[str, int]:
    """How many notices each listener has said."""
    rows = await owner.fetch("SELECT listener, count(*) FROM tidings.notices GROUP BY listener")
    return {row["listener"]: row["count"] for row in rows}


async def sandboxed(owner: Owner) -> int:
    """How many messages the sandbox has kept."""
    count: int = await owner.fetchval("SELECT count(*) FROM tidings.sandbox_messages")
    return count
