"""Bar 1: lease, no-op handler, settle. Ours beside raw SQL at the same batch sizes, and beside the peers."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import partial

from bench import raw
from bench.figures import Claim, NotRun, Result, Row, share, times
from bench.peering import Peer, peers
from bench.plan import Bar, Plan
from bench.rounds import Run
from bench.workers import Workers, workers

_SIZES = {1000: 100_000, 100: 100_000, 10: 20_000, 1: 4_000}
_CONCURRENT = 50_000


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    raw_url = await stack.enter_async_context(plan.server.database("bench_raw", ours=False))
    ours = await stack.enter_async_context(workers(await stack.enter_async_context(plan.server.database("bench_ours"))))
    present = await stack.enter_async_context(peers(plan))
    runs = _runs(plan, raw_url, ours, [peer for peer in present if isinstance(peer, Peer)])
    found: dict[str, Row] = dict(await plan.take_turns(runs))
    found |= {missing.name: missing for missing in present if isinstance(missing, NotRun)}
    return Result(_how(plan, present), list(found.values()), _claims(found))


def _runs(plan: Plan, raw_url: str, ours: Workers, present: list[Peer]) -> dict[str, Run]:
    runs: dict[str, Run] = {}
    for batch, full in _SIZES.items():
        count = plan.size(full)
        runs[f"raw, batches of {batch}"] = partial(raw.settle_rate, raw_url, batch, count)
        runs[f"ours, batches of {batch}"] = partial(ours.settle_rate, f"bench.batch_{batch}", count)
    runs["ours, one at a time, 100 at once"] = partial(ours.settle_rate, "bench.one", plan.size(_CONCURRENT))
    return runs | {peer.name: partial(peer.settle_rate, plan.size(peer.jobs)) for peer in present}


def _claims(found: dict[str, Row]) -> list[Claim]:
    best, limit = found["ours, batches of 1000"], found["raw, batches of 1000"]
    claims = [Claim("settle, batches of 1,000, beside raw", share(best, limit), 50, " %")]
    for name, row in found.items():
        if name.startswith("PgQueuer"):
            claims.append(Claim("settle beside PgQueuer", times(best, row), 2, " ×"))
        if name.startswith("Celery"):
            claims.append(Claim("settle beside Celery", times(best, row), 30, " ×"))
    return claims


def _how(plan: Plan, present: list[Peer | NotRun]) -> list[str]:
    sizes = ", ".join(f"{plan.size(full):,} at {batch}" for batch, full in _SIZES.items())
    return [
        f"Intents by batch size: {sizes}; {plan.size(_CONCURRENT):,} one at a time.",
        "Raw: two processes, asyncpg and uvloop, one table: UPDATE with SKIP LOCKED … RETURNING, then UPDATE to done.",
        "Raw is timed from the word to go, with all connected, until the last process finds nothing left.",
        "Ours: two `tidings worker` processes with a no-op handler, started, idle, stopped while intents are written.",
        "Ours is timed from SIGCONT until a look every 20 ms finds nothing leased and nothing due.",
        *(f"{peer.name}: {plan.size(peer.jobs):,} jobs; {peer.how}" for peer in present if isinstance(peer, Peer)),
    ]


BAR = Bar("outbox", "1. Outbox: lease, no-op handler, settle", _measure)
