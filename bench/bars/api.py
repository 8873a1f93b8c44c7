"""Bar 12: `POST /v1/facts` with everything on, beside FastAPI with one INSERT and nothing else."""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import sys
from asyncio.subprocess import Process
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial

from bench import plain_api
from bench.figures import Claim, Result, share
from bench.plan import Bar, Plan
from bench.processes import next_line, output_of, running
from bench.server import connected
from tidings.embedded.ports import LOOPBACK, free_port
from tidings.embedded.probes import http_ok

_CLIENTS = 32
_TIDINGS = (sys.executable, "-m", "tidings")


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
    await _ready(await stack.enter_async_context(running(command, {plain_api.URL_VARIABLE: url})), port)
    return port


async def _ours(plan: Plan, stack: AsyncExitStack) -> tuple[int, list[str]]:
    url, port = await stack.enter_async_context(plan.server.database("bench_api")), free_port()
    settings = {
        "TIDINGS_DATABASE_URL": url,
        "TIDINGS_MASTER_KEY": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "TIDINGS_API_PORT": str(port),
        "TIDINGS_API_RATE_LIMIT": "100000000",
        "TIDINGS_TEMPORAL_ADDRESS": f"{LOOPBACK}:{free_port()}",
    }
    owner = ("--email=operator@localhost", "--operator", f"--password={secrets.token_urlsafe()}")
    await output_of((*_TIDINGS, "user", "create", *owner), settings)
    keys = [await _key(settings, number) for number in range(_CLIENTS)]
    await _ready(await stack.enter_async_context(running((*_TIDINGS, "api"), settings)), port, "/healthz")
    return port, keys


async def _key(settings: Mapping[str, str], number: int) -> str:
    out = await output_of((*_TIDINGS, "key", "create", f"--name=bench {number}", "--json"), settings)
    return str(json.loads(out)["secret"])


async def _ready(process: Process, port: int, path: str = "/readyz") -> None:
    while not await http_ok(LOOPBACK, port, path):
        if process.returncode is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        await asyncio.sleep(0.05)


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
