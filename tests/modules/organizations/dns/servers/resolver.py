"""A resolver on loopback, over UDP and TCP, that answers as it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import cast

from dnslib import CNAME, QTYPE, RCODE, RR, A, DNSRecord  # type: ignore[import-untyped]

from tests.channels.servers.http_server import listening

_TRIES = 20
_TO = "app.example.com"


class Says(Enum):
    WHAT_IT_KNOWS = auto()  # addresses; NXDOMAIN while it has none
    NOTHING_OF_THAT_KIND = auto()  # the name is there, and has no A record
    SERVFAIL = auto()
    REFUSED = auto()
    NONSENSE = auto()
    FOREIGN_ID = auto()  # an answer to a question that nobody asked
    NOTHING = auto()
    IT_TOO_LATE = auto()
    TOO_MUCH_FOR_UDP = auto()  # the answer comes over TCP only


@dataclass
class Resolver:
    """`late` is how long it takes to say it too late."""

    says: Says = Says.WHAT_IT_KNOWS
    addresses: list[str] = field(default_factory=list)
    late: float = 1
    questions: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def server(self) -> str:
        return f"127.0.0.1:{self.port}"

    def answers(self, wire: bytes, *, tcp: bool) -> bytes | None:
        request = DNSRecord.parse(wire)
        self.questions.append(str(request.q.qname))
        reply = request.reply()
        match self.says:
            case Says.NOTHING:
                return None
            case Says.NONSENSE:
                return b"\x00" * 3 if tcp else wire[:2] + b"nonsense"
            case Says.SERVFAIL:
                reply.header.rcode = RCODE.SERVFAIL
            case Says.REFUSED:
                reply.header.rcode = RCODE.REFUSED
            case Says.FOREIGN_ID:
                self._add(request, reply)
                reply.header.id = (request.header.id + 1) % 65_536
            case Says.TOO_MUCH_FOR_UDP if not tcp:
                reply.header.tc = 1
            case Says.NOTHING_OF_THAT_KIND:
                pass
            case _ if not self.addresses:
                reply.header.rcode = RCODE.NXDOMAIN
            case _:
                self._add(request, reply)
        packed: bytes = reply.pack()
        return packed

    def _add(self, request: DNSRecord, reply: DNSRecord) -> None:
        """As a resolver answers where a name leads to another one."""
        reply.add_answer(RR(request.q.qname, QTYPE.CNAME, rdata=CNAME(_TO), ttl=60))
        for address in self.addresses:
            reply.add_answer(RR(_TO, QTYPE.A, rdata=A(address), ttl=60))

    async def answer(self, wire: bytes, send: Callable[[bytes], None], *, tcp: bool) -> None:
        said = self.answers(wire, tcp=tcp)
        if self.says is Says.IT_TOO_LATE:
            await asyncio.sleep(self.late)
        if said is not None:
            send(said)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                length = int.from_bytes(await reader.readexactly(2))
                wire = await reader.readexactly(length)
                await self.answer(wire, lambda said: writer.write(len(said).to_bytes(2) + said), tcp=True)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self.answering: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        task = asyncio.create_task(
            self._resolver.answer(data, lambda said: self._transport.sendto(said, addr), tcp=False)
        )
        self.answering.add(task)
        task.add_done_callback(self.answering.discard)


@asynccontextmanager
async def resolver(*addresses: str, says: Says = Says.WHAT_IT_KNOWS) -> AsyncIterator[Resolver]:
    """One that knows these addresses, whatever the name."""
    server = Resolver(says, list(addresses))
    transport, datagrams = await _bound(server)
    server.port = transport.get_extra_info("sockname")[1]
    try:
        async with listening(server.serve, port=server.port):
            yield server
    finally:
        transport.close()
        for task in list(datagrams.answering):
            task.cancel()
        await asyncio.gather(*datagrams.answering, return_exceptions=True)


async def _bound(server: Resolver) -> tuple[asyncio.DatagramTransport, _Datagrams]:
    """Listening on a port that is free for TCP as well, so far as can be known."""
    for _ in range(_TRIES):
        transport, datagrams = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _Datagrams(server), local_addr=("127.0.0.1", 0)
        )
        try:
            async with listening(server.serve, port=transport.get_extra_info("sockname")[1]):
                return transport, datagrams
        except OSError:
            transport.close()
    raise OSError("no port is free for both UDP and TCP")
