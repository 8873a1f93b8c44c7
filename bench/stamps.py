"""Moments that other processes report over UDP, by the number they belong to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from bench.handlers import STAMP

_LONGEST = 10.0


@dataclass
class Stamps(asyncio.DatagramProtocol):
    port: int = 0
    waiting: dict[int, asyncio.Future[float]] = field(default_factory=dict)

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        number, moment = STAMP.unpack(data)
        future = self._future(number)
        if not future.done():
            future.set_result(moment)

    async def of(self, number: int) -> float:
        """The moment reported for this number, which may have come already."""
        try:
            return await asyncio.wait_for(self._future(number), _LONGEST)
        finally:
            del self.waiting[number]

    def _future(self, number: int) -> asyncio.Future[float]:
        return self.waiting.setdefault(number, asyncio.get_running_loop().create_future())


@asynccontextmanager
async def stamps() -> AsyncIterator[Stamps]:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.create_datagram_endpoint(Stamps, local_addr=("127.0.0.1", 0))
    protocol.port = transport.get_extra_info("sockname")[1]
    try:
        yield protocol
    finally:
        transport.close()
