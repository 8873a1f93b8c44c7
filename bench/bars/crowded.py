"""Bar 2: the same with millions of rows that are not due, and with a thousand tenants."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial

import asyncpg

from bench.figures import Claim, Result, share
from bench.intents import add_tenants
from bench.plan import Bar, Plan
from bench.server import connected
from bench.workers import workers

_KIND = "bench.batch_1000"
_CROWD = 1_000_000
_FUTURE = f"""
WITH facts AS (
    INSERT INTO tidings.facts (id, tenant, type, data, metadata)
    SELECT tidings.uuid7(), 'default', '{_KIND}', jsonb_build_object('n', n), '{{}}' FROM generate_series(1, $1::int) n
    RETURNING id
)
INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at)
SELECT id, 'default', '{_KIND}', id, t, t FROM (
    SELECT id, now() + interval '1 day' + random() * interval '30 days' AS t FROM facts) s
"""
_FINISHED = f"""
WITH facts AS (
    INSERT INTO tidings.facts (id, tenant, type, data, metadata)
    SELECT tidings.uuid7(), 'default', '{_KIND}', jsonb_build_object('n', n), '{{}}' FROM generate_series(1, $1::int) n
    RETURNING id
)
INSERT INTO tidings.outbox_finished (id, tenant, kind, fact_id, due_at, run_at, status, attempts, crashes, generation,
    created_at, updated_at)
SELECT id, 'default', '{_KIND}', id, now(), now(), 'succeeded', 1, 0, 0, now(), now() FROM facts
"""


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    count, crowd = plan.size(100_000), plan.size(_CROWD)
    names = ("bench_empty", "bench_crowded", "bench_shared")
    empty, crowded, shared = [await stack.enter_async_context(plan.server.database(name)) for name in names]
    async with connected(crowded) as connection:
        await _fill(connection, crowd)
    async with connected(shared) as connection:
        tenants = await add_tenants(connection, 1_000)
    runs = {
        "nothing else in the tables": partial(_rate, empty, count),
        f"{crowd:,} future and {crowd:,} finished rows": partial(_rate, crowded, count),
        "1,000 tenants": partial(_rate, shared, count, tenants),
    }
    alone, beside, many = (await plan.take_turns(runs)).values()
    how = [f"As bar 1 in batches of 1,000: {count:,} intents, two workers, started anew for each run."]
    claims = [
        Claim("with future and finished rows, beside empty tables", share(beside, alone), 90, " %"),
        Claim("with 1,000 tenants, beside one", share(many, alone), 70, " %"),
    ]
    return Result(how, [alone, beside, many], claims)


async def _fill(connection: asyncpg.Connection[asyncpg.Record], count: int) -> None:
    await connection.execute(_FUTURE, count)
    await connection.execute(_FINISHED, count)
    await connection.execute("VACUUM (ANALYZE)")


async def _rate(url: str, count: int, tenants: Sequence[str] = ("default",)) -> float:
    async with workers(url) as started:
        return await started.settle_rate(_KIND, count, tenants)


BAR = Bar("crowded", "2. Outbox with a million future and a million finished rows, and with 1,000 tenants", _measure)
