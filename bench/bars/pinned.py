"""A transaction held open elsewhere: nothing can be vacuumed, and dead rows pile up in front of every lease."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from bench.figures import Claim, Result, share
from bench.plan import Bar, Plan
from bench.server import connected
from bench.workers import tidy, workers

_KIND = "bench.batch_1000"


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    url = await stack.enter_async_context(plan.server.database("bench_pinned"))
    count = plan.size(100_000)
    runs = {
        "nobody else": partial(_rate, url, count, False),
        "a transaction held open": partial(_rate, url, count, True),
    }
    free, pinned = (await plan.take_turns(runs)).values()
    how = [
        f"As bar 1 in batches of 1,000: {count:,} intents flow uncounted, VACUUM, then {count:,} more are measured.",
        "The transaction is opened before all that, so that VACUUM can remove nothing.",
    ]
    return Result(how, [free, pinned], [Claim("with a transaction held open", share(pinned, free), 80, " %")])


async def _rate(url: str, count: int, pin: bool) -> float:
    async with connected(url) as connection:
        await tidy(connection)
    async with AsyncExitStack() as stack:
        if pin:
            await stack.enter_async_context(_held_open(url))
        started = await stack.enter_async_context(workers(url))
        await started.settle_rate(_KIND, count)
        return await started.settle_rate(_KIND, count)


@asynccontextmanager
async def _held_open(url: str) -> AsyncIterator[None]:
    """A snapshot that stays, as of a report or a dump that runs for minutes."""
    async with connected(url) as connection, connection.transaction(isolation="repeatable_read"):
        await connection.fetchval("SELECT count(*) FROM tidings.tenants")
        yield


BAR = Bar("pinned", "A transaction held open elsewhere does not slow leasing down", _measure)
