"""A provider on loopback. Its ledger says, for each idempotency key, what was accepted, when, and from whom."""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Send:
    """One accepted send. `life` is one run of one worker, `pid` the process of it that sent."""

    key: str
    tenant: str
    due_at: str
    life: int
    pid: int
    at: float


Policy: TypeAlias = Callable[[Send], Awaitable[str]]
"""Decides, after a send was accepted, what the sender is told."""


@dataclass
class Provider:
    policy: Policy | None = None
    ledger: dict[str, list[Send]] = field(default_factory=lambda: defaultdict(list))
    sends: list[Send] = field(default_factory=list)
    by_life: dict[int, list[Send]] = field(default_factory=lambda: defaultdict(list))
    address: str = ""
    answering: set[asyncio.Task[None]] = field(default_factory=set)
    talking: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.talking.add(task)
        try:
            while line := await reader.readline():
                self._accept(json.loads(line), writer)
        except (ConnectionError, json.JSONDecodeError, asyncio.CancelledError):
            pass  # a sender that was killed may leave half a line
        finally:
            self.talking.discard(task)
            writer.close()

    def _accept(self, message: dict[str, str], writer: asyncio.StreamWriter) -> None:
        n = int(message["n"])
        send = Send(
            message["key"],
            message["tenant"],
            message["due_at"],
            int(message["life"]),
            int(message["pid"]),
            time.monotonic(),
        )
        self.sends.append(send)
        self.ledger[send.key].append(send)
        self.by_life[send.life].append(send)
        if self.policy is None:
            return self._answer(writer, n, "ok")
        task = asyncio.create_task(self._decide(self.policy, send, writer, n))
        self.answering.add(task)
        task.add_done_callback(self.answering.discard)
        return None

    async def _decide(self, policy: Policy, send: Send, writer: asyncio.StreamWriter, n: int) -> None:
        self._answer(writer, n, await policy(send))

    def _answer(self, writer: asyncio.StreamWriter, n: int, verdict: str) -> None:
        if not writer.is_closing():
            writer.write(json.dumps([n, verdict]).encode() + b"\n")


@asynccontextmanager
async def running_provider() -> AsyncIterator[Provider]:
    provider = Provider()
    server = await asyncio.start_server(provider.serve, "127.0.0.1", 0, limit=1 << 20)
    host, port = server.sockets[0].getsockname()
    provider.address = f"{host}:{port}"
    try:
        yield provider
    finally:
        server.close()
        for task in (*provider.answering, *provider.talking):
            task.cancel()
        await asyncio.gather(*provider.answering, *provider.talking, return_exceptions=True)
        await server.wait_closed()
