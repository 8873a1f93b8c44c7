"""Bar 3: from the commit of one fact to its handler starting, on an idle system, beside bare NOTIFY."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from statistics import quantiles

import asyncpg

from bench.figures import Claim, Figure, Result
from bench.handlers import PORT_VARIABLE
from bench.plan import Bar, Plan
from bench.processes import next_line, running
from bench.server import connected
from bench.stamps import Stamps, stamps
from bench.workers import workers

_EMIT = "SELECT tidings.emit('bench.stamped', jsonb_build_object('n', $1::bigint))"
_NOTIFY = "SELECT pg_notify('bench', $1::bigint::text)"


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    url = await stack.enter_async_context(plan.server.database("bench_latency"))
    connection = await stack.enter_async_context(connected(url))
    received = await stack.enter_async_context(stamps())
    extra = {PORT_VARIABLE: str(received.port)}
    await _listener(stack, url, extra)
    await stack.enter_async_context(workers(url, extra=extra))
    samples: dict[str, list[float]] = {_NOTIFY: [], _EMIT: []}
    each = 40 if plan.quick else 100
    for turn in range(plan.rounds):
        for statement, found in samples.items():
            found += await _latencies(connection, statement, received, each)
        plan.say(f"  round {turn + 1} of {plan.rounds}: {_summary(samples[_NOTIFY])}, {_summary(samples[_EMIT])}")
    return _result(samples[_NOTIFY], samples[_EMIT])


async def _listener(stack: AsyncExitStack, url: str, extra: dict[str, str]) -> Process:
    process = await stack.enter_async_context(running((sys.executable, "-m", "bench.listener", url), extra))
    await next_line(process)
    return process


async def _latencies(
    connection: asyncpg.Connection[asyncpg.Record], statement: str, received: Stamps, count: int
) -> list[float]:
    """In ms, from just before COMMIT is sent. Between two, the workers have time to fall asleep."""
    found = []
    for _ in range(count):
        await asyncio.sleep(random.uniform(0.02, 0.06))
        number = random.getrandbits(40)
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute(statement, number)
        began = time.monotonic()
        await transaction.commit()
        found.append((await received.of(number) - began) * 1000)
    return found


def _percentile(samples: Sequence[float], percent: int) -> float:
    return quantiles(samples, n=100, method="inclusive")[percent - 1]


def _summary(samples: Sequence[float]) -> str:
    return f"p50 {_percentile(samples, 50):.2f} ms, p99 {_percentile(samples, 99):.2f} ms"


def _result(raw: Sequence[float], ours: Sequence[float]) -> Result:
    rows = [
        Figure(f"{name}, p{percent}", [_percentile(found, percent)], "ms", f"{len(found)} samples")
        for name, found in (("bare NOTIFY", raw), ("emit to handler", ours))
        for percent in (50, 99)
    ]
    over: Callable[[int], float] = partial(_over, raw, ours)
    claims = [
        Claim("p50 over bare NOTIFY", over(50), 10, " ms", at_least=False),
        Claim("p99 over bare NOTIFY", over(99), 50, " ms", at_least=False),
    ]
    how = [
        "One fact at a time, 20 to 60 ms apart; two idle workers, a handler that takes one intent.",
        "From just before COMMIT is sent until the handler (or the listening process) begins, by one clock.",
    ]
    return Result(how, rows, claims)


def _over(raw: Sequence[float], ours: Sequence[float], percent: int) -> float:
    return _percentile(ours, percent) - _percentile(raw, percent)


BAR = Bar("latency", "3. Waking: commit of one fact to its handler starting", _measure)
