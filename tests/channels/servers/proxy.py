"""A proxy that leads every CONNECT to one port of loopback, and remembers where it was meant to go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.channels.servers.http_server import listening


@dataclass
class Proxy:
    leads_to: int
    asked_for: list[str] = field(default_factory=list)
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked_for.append(head.split(b" ")[1].decode())
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.leads_to)
        out = asyncio.create_task(_carry(reader, far_writer))
        await _carry(far_reader, writer)
        await out


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while chunk := await reader.read(65_536):
            writer.write(chunk)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def proxy_to(port: int) -> AsyncIterator[Proxy]:
    proxy = Proxy(port)
    async with listening(proxy.serve) as proxy.port:
        yield proxy
