"""A webhook endpoint on this machine that answers as it is told, and remembers what it was sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class Endpoint:
    url: str
    answer: Callable[[int], tuple[int, dict[str, str]] | None]  # by how many came before; None: never answers
    received: list[dict[str, Any]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0

    @property
    def keys(self) -> list[str]:
        return [each["headers"]["webhook-id"] for each in self.received]


@asynccontextmanager
async def endpoint(
    answer: Callable[[int], tuple[int, dict[str, str]] | None] = lambda n: (200, {}), takes: float = 0.0
) -> AsyncIterator[Endpoint]:
    it = Endpoint("", answer)
    released = asyncio.Event()

    async def receive(request: web.Request) -> web.Response:
        body = await request.read()
        n = len(it.received)
        headers = {name.lower(): value for name, value in request.headers.items()}
        it.received.append({"headers": headers, "body": json.loads(body)})
        it.under_way += 1
        it.most_under_way = max(it.most_under_way, it.under_way)
        try:
            await asyncio.sleep(takes)
            answered = it.answer(n)
            if answered is None:
                await released.wait()
                return web.Response()
            return web.Response(status=answered[0], headers=answered[1], text="ok")
        finally:
            it.under_way -= 1

    app = web.Application()
    app.router.add_post("/hook", receive)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    it.url = f"http://127.0.0.1:{port}/hook"
    try:
        yield it
    finally:
        released.set()
        await runner.cleanup()
