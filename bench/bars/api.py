"""Bar 12: `POST /v1/facts` with everything on, beside FastAPI with one INSERT and nothing else."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial

from bench import plain_api
from bench.apis import apis_on, ready
from bench.figures import Claim, Result, share
from bench.plan import Bar, Plan
from bench.processes import next_line, running
from bench.server import connected
from tidings.embedded.ports import free_port

_CLIENTS = 32


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    seconds = 4 if plan.quick else 10
    plain, (ours, keys) = await _plain(plan, stack), await _ours(plan, stack)
    runs = {
        "FastAPI and one INSERT": partial(_rate, plain, seconds, keys),
        "ours, one key for all clients": partial(_rate, ours, seconds, keys[:1] * _CLIENTS),
        "ours, a key for each client": partial(_rate, ours, seconds, keys),
    }
    limit, one_key, many_keys = (await plan.take_turns(runs)).values()
    how = [
        f"{_CLIENTS} clients for {seconds} s from a process of their own; each server is one uvicorn process, uvloop.",
        "Ours: API key, rate limit (set high, so that it is counted and never reached), an Idempotency-Key a request.",
        "FastAPI and one INSERT: a model of the body, an asyncpg pool of 10, one row in one table.",
    ]
    claims = [
        Claim("one key for all clients, beside FastAPI and one INSERT", share(one_key, limit), 50, " %"),
        Claim("a key for each client, beside FastAPI and one INSERT", share(many_keys, limit), 50, " %"),
    ]
    return Result(how, [limit, one_key, many_keys], claims)


async def _plain(plan: Plan, stack: AsyncExitStack) -> int:
    url = await stack.enter_async_context(plan.server.database("bench_plain", ours=False))
    async with connected(url) as connection:
        await connection.execute(plain_api.TABLE)
    port = free_port()
    command = (sys.executable, "-m", "bench.plain_api", str(port))
    await ready(await stack.enter_async_context(running(command, {plain_api.URL_VARIABLE: url})), port)
    return port


async def _ours(plan: Plan, stack: AsyncExitStack) -> tuple[int, list[str]]:
    apis = apis_on(await stack.enter_async_context(plan.server.database("bench_api")))
    await apis.owned()
    keys = [await apis.key(f"bench {number}") for number in range(_CLIENTS)]
    return await apis.start(stack), keys


async def _rate(port: int, seconds: int, keys: Sequence[str]) -> float:
    async with running((sys.executable, "-m", "bench.load", str(port), str(seconds))) as clients:
        assert clients.stdin is not None
        clients.stdin.write("\n".join(keys).encode())
        clients.stdin.write_eof()
        found = json.loads(await next_line(clients))
    if found["refused"]:
        raise RuntimeError(f"not every request was answered with 201: {found['by']}")
    return float(found["rate"])


BAR = Bar("api", "12. API: POST /v1/facts", _measure)
