"""A way to the database that can be cut, or go silent, as networks do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit


@dataclass
class Link:
    """Passes bytes on between its own port and the database's."""

    target: tuple[str, int]
    writers: set[asyncio.StreamWriter] = field(default_factory=set)
    passing: asyncio.Event = field(default_factory=asyncio.Event)
    server: asyncio.Server | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up, down = await asyncio.open_connection(*self.target)
        self.writers |= {writer, down}
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(self._pump(reader, down), self._pump(up, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                await self.passing.wait()
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()

    def go_silent(self) -> None:
        """Nothing gets through, and nobody is told."""
        self.passing.clear()

    def cut(self) -> None:
        """All connections break, and no new ones are taken."""
        assert self.server is not None
        self.server.close()
        for writer in self.writers:
            writer.transport.abort()


@asynccontextmanager
async def link_to(url: str) -> AsyncIterator[tuple[Link, str]]:
    """A link to this database, and the URL that goes through it."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    link = Link((parts.hostname, parts.port))
    link.passing.set()
    link.server = await asyncio.start_server(link.serve, "127.0.0.1", 0)
    port = link.server.sockets[0].getsockname()[1]
    try:
        yield link, urlunsplit(parts._replace(netloc=f"{parts.username}@127.0.0.1:{port}"))
    finally:
        link.cut()
        link.passing.set()
        await asyncio.sleep(0.05)
