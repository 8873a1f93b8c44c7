"""Bar 1, the other half: `emit_many` beside raw INSERTs into the same tables."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from functools import partial

import asyncpg

import tidings
from bench.figures import Claim, Result, share
from bench.intents import CHUNK, write_intents
from bench.plan import Bar, Plan
from bench.server import connected

_KIND = "bench.emitted"
_FACTS = """
WITH input AS (SELECT uuidv7() AS id, d::jsonb AS data FROM unnest($1::text[]) d),
facts AS (
    INSERT INTO tidings.facts (id, tenant, type, data, metadata)
    SELECT id, 'default', $2, data, '{}' FROM input RETURNING id
)
INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at)
SELECT id, 'default', $2, id, now(), now() FROM facts
"""


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    url = await stack.enter_async_context(plan.server.database("bench_emit"))
    connection = await stack.enter_async_context(connected(url))
    count = plan.size(100_000)
    runs = {
        "raw INSERTs into the same tables": partial(_raw, connection, count),
        "tidings.emit_many in SQL": partial(_ours, connection, count),
        "tidings.aemit_many in Python": partial(_from_python, connection, count),
    }
    found = await plan.take_turns(runs)
    limit, ours, python = found.values()
    how = [
        f"{count:,} facts of one tenant in transactions of {CHUNK:,}, one connection, tables emptied before each run."
    ]
    claims = [
        Claim("emit_many in SQL beside raw INSERTs", share(ours, limit), 50, " %"),
        Claim("aemit_many in Python beside raw INSERTs", share(python, limit), 50, " %"),
    ]
    return Result(how, [limit, ours, python], claims)


async def _raw(connection: asyncpg.Connection[asyncpg.Record], count: int) -> float:
    await _empty(connection)
    began = time.monotonic()
    for start in range(0, count, CHUNK):
        await connection.execute(_FACTS, [f'{{"n": {n}}}' for n in range(start, start + CHUNK)], _KIND)
    return count / (time.monotonic() - began)


async def _ours(connection: asyncpg.Connection[asyncpg.Record], count: int) -> float:
    await _empty(connection)
    began = time.monotonic()
    await write_intents(connection, _KIND, count)
    return count / (time.monotonic() - began)


async def _from_python(connection: asyncpg.Connection[asyncpg.Record], count: int) -> float:
    await _empty(connection)
    began = time.monotonic()
    for start in range(0, count, CHUNK):
        facts = [tidings.NewFact(_KIND, {"n": n}) for n in range(start, start + CHUNK)]
        async with connection.transaction():
            await tidings.aemit_many(connection, facts)
    return count / (time.monotonic() - began)


async def _empty(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    await connection.execute("TRUNCATE tidings.facts, tidings.outbox")
    await connection.execute("CHECKPOINT")


BAR = Bar("emitting", "1. Outbox: emit_many", _measure)
