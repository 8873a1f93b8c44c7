"""Somebody acts on a shared notice: until it is on every screen that is open, over two API processes."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from statistics import quantiles

import aiohttp
import asyncpg
import websockets
from websockets.asyncio.client import ClientConnection

from bench.apis import apis_on
from bench.figures import Claim, Figure, Result
from bench.plan import Bar, Plan
from bench.server import connected
from tidings.embedded.ports import LOOPBACK

_PEOPLE = 100
_PROCESSES = 2
_TELL = """
WITH said AS (
    INSERT INTO tidings.notices (id, tenant, listener, title, body, template, level, category, channels, audience,
        shared, matter, actions)
    VALUES (tidings.uuid7(), 'default', 'bench', 'A request', 'Please decide.', 'notice', 'warning', 'general',
        '{websocket}', '[]', true, $1, '{CONFIRMED,REJECTED}') RETURNING id
)
INSERT INTO tidings.notifications (id, tenant, notice_id, person_id, targets)
SELECT tidings.uuid7(), 'default', said.id, p.id, 1 FROM said, tidings.people p RETURNING person_id::text, id::text
"""
_PERSON = "INSERT INTO tidings.people (tenant, name) VALUES ('default', 'Somebody') RETURNING id::text"


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    url = await stack.enter_async_context(plan.server.database("bench_screens"))
    connection = await stack.enter_async_context(connected(url))
    people = [await connection.fetchval(_PERSON) for _ in range(_PEOPLE)]
    apis = apis_on(url)
    await apis.owned()
    key, ports = await apis.key("bench"), [await apis.start(stack) for _ in range(_PROCESSES)]
    http = await stack.enter_async_context(aiohttp.ClientSession(headers={"Authorization": f"Bearer {key}"}))
    screens = [await _screen(stack, port, key, person) for port in ports for person in people]
    each = 20 if plan.quick else 40
    found: list[float] = []
    last: list[float] = []
    for turn in range(plan.rounds):
        for n in range(each):
            took = await _acted(connection, http, random.choice(ports), screens, f"bench:{turn}:{n}")
            found += took
            last.append(max(took))
        plan.say(f"  round {turn + 1} of {plan.rounds}: p50 {_percentile(found, 50):.1f} ms, last {max(last):.1f} ms")
    return _result(found, last, len(screens))


async def _screen(stack: AsyncExitStack, port: int, key: str, person: str) -> ClientConnection:
    address = f"ws://{LOOPBACK}:{port}/v1/ws?person={person}"
    screen = await stack.enter_async_context(
        websockets.connect(address, additional_headers={"Authorization": f"Bearer {key}"}, proxy=None)
    )
    await screen.send('{"type": "hello"}')
    await screen.recv()
    return screen


async def _acted(
    connection: asyncpg.Connection[asyncpg.Record],
    http: aiohttp.ClientSession,
    port: int,
    screens: Sequence[ClientConnection],
    matter: str,
) -> list[float]:
    """How many ms after the request was begun each screen said who had acted."""
    told = dict(map(tuple, await connection.fetch(_TELL, matter)))
    person, notification = random.choice(list(told.items()))
    began = time.monotonic()
    waiting = [asyncio.create_task(_until_handled(screen, matter)) for screen in screens]
    address = f"http://{LOOPBACK}:{port}/v1/notifications/{notification}/actions?person={person}"
    async with http.post(address, json={"action": "CONFIRMED"}) as answer:
        if answer.status != 201:
            raise RuntimeError(await answer.text())
    return [(at - began) * 1000 for at in await asyncio.gather(*waiting)]


async def _until_handled(screen: ClientConnection, matter: str) -> float:
    while True:
        frame = json.loads(await screen.recv())
        if frame["type"] == "updated" and frame["data"]["matter"] == matter:
            return time.monotonic()


def _percentile(samples: Sequence[float], percent: int) -> float:
    return quantiles(samples, n=100, method="inclusive")[percent - 1]


def _result(found: Sequence[float], last: Sequence[float], screens: int) -> Result:
    rows = [
        *(
            Figure(f"a screen, p{percent}", [_percentile(found, percent)], "ms", f"{len(found)} samples")
            for percent in (50, 99)
        ),
        Figure("the last of all screens, p50", [_percentile(last, 50)], "ms", f"{len(last)} actions"),
        Figure("the last of all screens, at worst", [max(last)], "ms"),
    ]
    how = [
        f"{screens} websocket clients of {_PEOPLE} people over {_PROCESSES} API processes, all of them in one process.",
        "From just before one of those who were told posts CONFIRMED until each has read the frame that says who did.",
    ]
    return Result(how, rows, [Claim("the last of all screens, at worst", max(last), 1_000, " ms", at_least=False)])


BAR = Bar("screens", "An action on 200 screens", _measure)
