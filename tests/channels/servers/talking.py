"""A server that reads each request and answers to it, for protocols in which the answer depends on the request."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.channels.servers.http_server import Reply, Request, _read, listening, orderly

Answer = Callable[[Request], Reply]


@dataclass
class TalkingServer:
    answer: Answer
    requests: list[Request] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await _read(reader):
                self.requests.append(request)
                await orderly(self.answer(request))(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def talking(answer: Answer, tls: ssl.SSLContext | None = None) -> AsyncIterator[TalkingServer]:
    server = TalkingServer(answer)
    async with listening(server.serve, tls) as server.port:
        yield server
