"""Bar 3, the other half: concurrent commits with `emit`, beside the same with `tidings.wake()` doing nothing."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import partial

from bench.figures import Claim, Result, share
from bench.pgbench import commit_rate
from bench.plan import Bar, Plan
from bench.server import connected
from bench.workers import tidy, workers

_SERVED = "SELECT tidings.emit('bench.batch_1000', '{\"n\": 1}');"
_UNSERVED = "SELECT tidings.emit('bench.unserved', '{\"n\": 1}');"
_NO_WAKE = "CREATE OR REPLACE FUNCTION tidings.wake() RETURNS void LANGUAGE plpgsql AS 'BEGIN END'"
_CLIENTS = 16


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    waking, silent = [
        await stack.enter_async_context(plan.server.database(f"bench_{name}")) for name in ("waking", "silent")
    ]
    async with connected(silent) as connection:
        await connection.execute(_NO_WAKE)
    seconds = 4 if plan.quick else 10
    runs = {
        f"{who}: {name}": partial(_rate, plan, url, script, seconds)
        for who, script in (("facts that workers handle", _SERVED), ("facts that no worker serves", _UNSERVED))
        for name, url in (("without any wake-up", silent), ("with wake-up", waking))
    }
    found = await plan.take_turns(runs)
    served_silent, served, unserved_silent, unserved = found.values()
    how = [
        f"pgbench, {_CLIENTS} clients for {seconds} s, each transaction one `tidings.emit`; two workers beside it.",
        "Without wake-up: `tidings.wake()` replaced by a function that does nothing.",
        "Facts that no worker serves keep the workers asleep, so that every commit must look who sleeps.",
    ]
    claims = [
        Claim("commits of facts that workers handle", share(served, served_silent), 70, " %"),
        Claim("commits of facts that no worker serves", share(unserved, unserved_silent), 70, " %"),
    ]
    return Result(how, list(found.values()), claims)


async def _rate(plan: Plan, url: str, script: str, seconds: int) -> float:
    async with connected(url) as connection:
        await connection.execute("TRUNCATE tidings.facts, tidings.outbox, tidings.outbox_finished, tidings.leases")
        await tidy(connection)
    async with workers(url):
        return await commit_rate(plan, url, script, _CLIENTS, seconds)


BAR = Bar("commits", "3. Waking: concurrent commits with emit", _measure)
