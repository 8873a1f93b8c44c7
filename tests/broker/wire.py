"""A way to the broker that understands what passes: it can be cut, go silent, or do something at a certain frame."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

_METHOD = 1
_PUBLISH, _ACK = bytes((0, 60, 0, 40)), bytes((0, 60, 0, 80))
_HEAD, _TAIL = 7, 1


@dataclass
class Wire:
    """Passes frames on between its own port and the broker's, unless told otherwise."""

    target: tuple[str, int]
    passing: asyncio.Event = field(default_factory=asyncio.Event)
    writers: set[asyncio.StreamWriter] = field(default_factory=set)
    port: int = 0
    server: asyncio.Server | None = None
    before_publish: dict[str, Callable[[], None]] = field(default_factory=dict)
    before_confirm: dict[str, Callable[[], None]] = field(default_factory=dict)
    """What to do when a message to this exchange is about to reach the broker, and when it is about to be confirmed.
    Whatever it is, that frame is not passed on, and the connection ends."""

    async def open(self) -> None:
        self.passing.set()
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """All connections break, and no new ones are taken, until it is opened again."""
        if self.server is not None:
            self.server.close()
        for writer in self.writers:
            writer.transport.abort()
        self.writers.clear()

    def go_silent(self) -> None:
        """Nothing gets through, and nobody is told."""
        self.passing.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            up, down = await asyncio.open_connection(*self.target)
        except OSError:
            writer.close()
            return
        self.writers |= {writer, down}
        published: set[str] = set()
        with suppress(OSError, asyncio.IncompleteReadError):
            down.write(await reader.readexactly(8))  # the greeting is no frame
            await asyncio.gather(
                self._pass(reader, down, lambda frame: self._to_broker(frame, published)),
                self._pass(up, writer, lambda frame: self._from_broker(frame, published)),
            )

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ends: Callable[[bytes], bool]
    ) -> None:
        try:
            while True:
                head = await reader.readexactly(_HEAD)
                frame = head + await reader.readexactly(int.from_bytes(head[3:]) + _TAIL)
                await self.passing.wait()
                if ends(frame):
                    return
                writer.write(frame)
                await writer.drain()
        finally:
            writer.close()

    def _to_broker(self, frame: bytes, published: set[str]) -> bool:
        if frame[0] != _METHOD or frame[_HEAD : _HEAD + 4] != _PUBLISH:
            return False
        name = _HEAD + 6  # after class, method, and two bytes that mean nothing
        exchange = frame[name + 1 : name + 1 + frame[name]].decode()
        published.add(exchange)
        return _done(self.before_publish.get(exchange))

    def _from_broker(self, frame: bytes, published: set[str]) -> bool:
        if frame[0] != _METHOD or frame[_HEAD : _HEAD + 4] != _ACK:
            return False
        return any(_done(self.before_confirm.get(exchange)) for exchange in sorted(published))


def _done(action: Callable[[], None] | None) -> bool:
    if action is None:
        return False
    action()
    return True


@asynccontextmanager
async def wire_to(url: str) -> AsyncIterator[tuple[Wire, str]]:
    """A wire to this broker, and the URL that goes through it."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    wire = Wire((parts.hostname, parts.port))
    await wire.open()
    try:
        yield wire, urlunsplit(parts._replace(netloc=f"{parts.username}:{parts.password}@127.0.0.1:{wire.port}"))
    finally:
        wire.passing.set()
        wire.cut()
        await asyncio.sleep(0.05)
