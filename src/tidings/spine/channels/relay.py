"""A guarded way out for code that opens its own sockets: it is given a port of loopback in place of the real one.

What it sends there is carried to the host that it asked for, at an address that the network guard has checked. TLS
passes through untouched: the two ends still see each other's names and certificates. What comes back is counted, and
at the end of the send everything is cut, so that whoever waits for a byte stops waiting.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from tidings.spine.channels.network import Network, Pinned
from tidings.spine.channels.places import ascii_host
from tidings.spine.channels.port import Deferred, Rejected

_MOST_BACK = 65_536  # bytes of answers over one connection; they may be compressed a thousandfold
_CHUNK = 65_536
_TLS_HANDSHAKE = 0x16


class NoWay(OSError):
    """The guard does not let it through, or the send is over."""


@dataclass
class _Carried:
    """What one connection has carried."""

    first: int | None = None  # byte that went out
    back: int = 0

    @property
    def may_have_sent(self) -> bool:
        """A greeting of TLS that nobody answers is no message."""
        return self.first is not None and (self.first != _TLS_HANDSHAKE or self.back > 0)


@dataclass
class Relay:
    """The way out of one send. `names`: the only hosts that it may ask for; None: any that the guard lets through."""

    network: Network
    ports: tuple[int, ...]
    names: frozenset[str] | None = None
    refused: Rejected | Deferred | None = None
    _closed: bool = False
    _carried: list[_Carried] = field(default_factory=list)
    _servers: list[asyncio.Server] = field(default_factory=list)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def may_have_sent(self) -> bool:
        return any(each.may_have_sent for each in self._carried)

    async def open(self, name: str, port: int) -> int:
        """The port of loopback that leads to this host and port. Raises `NoWay`."""
        pinned = await self._checked(name, port)
        if isinstance(pinned, Rejected | Deferred):
            self.refused = pinned
            raise NoWay(pinned.reason)
        server = await asyncio.start_server(partial(self._accept, pinned, port), "127.0.0.1", 0)
        self._servers.append(server)
        if self._closed:
            server.close()
            raise NoWay("the send is over")
        where: int = server.sockets[0].getsockname()[1]
        return where

    async def close(self) -> None:
        """Cuts everything. Nothing can be opened any more."""
        self._closed = True
        for server in self._servers:
            server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _checked(self, name: str, port: int) -> Pinned | Rejected | Deferred:
        host = ascii_host(name.strip("[]"))
        if self._closed:
            return Deferred("the send is over")
        if host is None or (self.names is not None and host not in self.names):
            return Rejected("the URL leads to another host")
        return self.network.refused_host(host, port, self.ports) or await self.network.resolve(host, port)

    async def _accept(
        self, pinned: Pinned, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._carry(pinned, port, reader, writer)
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _carry(
        self, pinned: Pinned, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if self._closed:
            return
        far_reader, far_writer = await _connected(pinned, port)
        carried = _Carried()
        self._carried.append(carried)
        out = asyncio.create_task(_out(reader, far_writer, carried))
        try:
            await _back(far_reader, writer, carried)
        finally:
            out.cancel()
            with suppress(OSError, asyncio.CancelledError):
                await out
            far_writer.transport.abort()


async def _connected(pinned: Pinned, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    for address in pinned.addresses[:-1]:
        with suppress(OSError):
            return await asyncio.open_connection(address, port)
    return await asyncio.open_connection(pinned.addresses[-1], port)


async def _out(reader: asyncio.StreamReader, far: asyncio.StreamWriter, carried: _Carried) -> None:
    while chunk := await reader.read(_CHUNK):
        carried.first = chunk[0] if carried.first is None else carried.first
        far.write(chunk)
        await far.drain()
    far.close()


async def _back(far: asyncio.StreamReader, writer: asyncio.StreamWriter, carried: _Carried) -> None:
    while carried.back < _MOST_BACK and (chunk := await far.read(_CHUNK)):
        carried.back += len(chunk)
        writer.write(chunk)
        await writer.drain()
