"""HTTP endpoints on loopback, told apart by their paths. The ledger says what each was sent, and under which key."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.channels.servers.http_server import Answering, Reply, Request, _read, listening, orderly


@dataclass(frozen=True, slots=True)
class Hit:
    """One whole request. `nth` counts those for its path, from nought."""

    path: str
    key: str
    nth: int
    at: float
    request: Request


Behaviour: TypeAlias = Callable[[Hit], Awaitable[Answering] | Answering]
OK = Reply(200, b"ok")


def friendly(hit: Hit) -> Answering:
    return orderly(OK)


@dataclass
class Endpoint:
    """`behaviour` decides, after a request was accepted, how it is answered."""

    behaviour: Behaviour = friendly
    path_of: Callable[[Request], str] = lambda request: request.target
    key_in: str = "webhook-id"  # the header that has it
    hits: list[Hit] = field(default_factory=list)
    by_path: dict[str, list[Hit]] = field(default_factory=lambda: defaultdict(list))
    connections: int = 0  # that are open now
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while request := await _read(reader):
                answering = self.behaviour(self._accept(request))
                await (answering if callable(answering) else await answering)(writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # a sender that was killed may leave half a request
        finally:
            self.connections -= 1
            writer.close()

    def _accept(self, request: Request) -> Hit:
        path = self.path_of(request)
        hit = Hit(path, request.headers.get(self.key_in, ""), len(self.by_path[path]), time.monotonic(), request)
        self.hits.append(hit)
        self.by_path[path].append(hit)
        return hit


@asynccontextmanager
async def running_endpoint(
    behaviour: Behaviour = friendly, tls: ssl.SSLContext | None = None, **how: Any
) -> AsyncIterator[Endpoint]:
    endpoint = Endpoint(behaviour, **how)
    async with listening(endpoint.serve, tls) as endpoint.port:
        yield endpoint
