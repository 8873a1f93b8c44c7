"""Bar 6: webhooks to a provider that takes 5 ms, and to one that takes 200 ms, with another channel beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from statistics import quantiles

from bench.figures import Claim, Figure, Result, times
from bench.plan import Bar, Plan
from bench.senders import Senders, add_people, add_provider, add_rule, emit, endpoint, senders
from bench.server import connected

_SENDS, _SLOW_SENDS = 20_000, 5_000
_CONCURRENCY = 100
_PROBES, _EVERY = 100, 0.02
_UNDER_WAY = "SELECT EXISTS (SELECT FROM tidings.deliveries WHERE tenant = 'default' AND status = 'processing')"
_LATENCY = """
SELECT extract(epoch FROM d.finished_at - d.created_at)::float8 AS seconds FROM tidings.deliveries_finished d
WHERE d.tenant = 'other'
"""


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    sends, slow_sends = plan.size(_SENDS), plan.size(_SLOW_SENDS)
    fast = await _world(plan, stack, "bench_fast", 5, sends, 250)
    slow = await _world(plan, stack, "bench_slow", 200, slow_sends, _CONCURRENCY)
    hung = await _world(plan, stack, "bench_hung", -1, slow_sends, _CONCURRENCY)
    rates = await plan.take_turns(
        {
            "webhooks, provider answers in 5 ms": partial(_rate, fast, sends),
            f"webhooks, 200 ms, {_CONCURRENCY} at once": partial(_rate, slow, slow_sends),
        }
    )
    beside: dict[str, list[float]] = {"alone": [], "beside 200 ms": [], "beside one that hangs": []}
    for turn in range(plan.rounds):
        beside["alone"] += await _latencies(hung, 0)
        beside["beside 200 ms"] += await _latencies(slow, slow_sends)
        beside["beside one that hangs"] += await _latencies(hung, slow_sends)
        plan.say(
            f"  round {turn + 1} of {plan.rounds}: " + ", ".join(f"{k} p99 {_p99(v):.0f} ms" for k, v in beside.items())
        )
    rows = [Figure(f"another tenant's push, {name}, p99", [_p99(v)], "ms", f"{len(v)}") for name, v in beside.items()]
    limit = _CONCURRENCY / 0.2
    claims = [
        Claim("webhooks a second, a worker, 5 ms", rates["webhooks, provider answers in 5 ms"].median, 2_000, "/s"),
        Claim("webhooks at 200 ms, of what the concurrency allows", _share(rates, limit), 100, " %", at_least=False),
        Claim("others' p99 beside 200 ms", times(rows[1], rows[0]), 2, " ×", at_least=False),
        Claim("others' p99 beside one that hangs", times(rows[2], rows[0]), 2, " ×", at_least=False),
    ]
    how = [
        f"One worker. {sends:,} (5 ms) and {slow_sends:,} (200 ms) people with a webhook each, one fact for all.",
        f"From the fact's commit until the notice is settled; 250 at once (5 ms), {_CONCURRENCY} (200 ms, hanging).",
        f"Beside it: {_PROBES} facts of another tenant, one every {_EVERY * 1000:.0f} ms, a push each to the sandbox;",
        "from the delivery's row to its end, by the database's clock, in turns with nothing else going on.",
    ]
    return Result(how, [*rates.values(), *rows], claims)


async def _world(
    plan: Plan, stack: AsyncExitStack, name: str, milliseconds: float, people: int, concurrency: int
) -> Senders:
    url = await stack.enter_async_context(plan.server.database(name))
    hook = await stack.enter_async_context(endpoint(milliseconds))
    async with connected(url) as connection:
        await connection.execute("INSERT INTO tidings.tenants (id, name) VALUES ('other', 'Other')")
    await add_people(url, people, "webhook", hook)
    await add_people(url, 1, "push", tenant="other")
    await add_provider(url, "webhook", "webhook", {})
    await add_rule(url, "webhook", {"by": "everyone"})
    await add_rule(url, "push", {"by": "everyone"}, tenant="other")
    return await stack.enter_async_context(senders(url, 1, TIDINGS_DELIVERY_CONCURRENCY=str(concurrency)))


async def _rate(ours: Senders, people: int) -> float:
    return await ours.told(1) * people


async def _latencies(ours: Senders, webhooks: int) -> list[float]:
    """In ms, of another tenant's pushes while the webhooks are under way, or nothing is."""
    await ours.clear()
    async with connected(ours.url) as connection:
        if webhooks:
            await emit(connection, 1, 1)
            while not await connection.fetchval(_UNDER_WAY):
                await asyncio.sleep(0.01)
            await asyncio.sleep(1)
        began = time.monotonic()
        for n in range(_PROBES):
            await asyncio.sleep(max(0.0, began + n * _EVERY - time.monotonic()))
            await connection.execute("""SELECT tidings.emit('order.paid', '{"orderId": 1}', tenant => 'other')""")
        while len(rows := await connection.fetch(_LATENCY)) < _PROBES:
            await asyncio.sleep(0.05)
        return [row["seconds"] * 1000 for row in rows]


def _p99(samples: Sequence[float]) -> float:
    return quantiles(samples, n=100, method="inclusive")[98]


def _share(found: dict[str, Figure], limit: float) -> float:
    return found[f"webhooks, 200 ms, {_CONCURRENCY} at once"].median / limit * 100


BAR = Bar("webhooks", "6. Webhooks: a fast provider, a slow one, one that hangs", _measure)
