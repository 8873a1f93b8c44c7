"""Whether the broker is there, for those who only want to know."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tidings.spine.broker.connecting import Broker, BrokerAway, close, is_open

if TYPE_CHECKING:
    from aio_pika.abc import AbstractConnection

_REST = 1.0  # seconds after a failed attempt in which nobody tries another


@dataclass
class Watch:
    """Keeps one connection, so that asking costs nothing while it stands."""

    broker: Broker
    connection: AbstractConnection | None = None
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    resting_until: float = 0.0
    found: str | None = None

    async def fault(self, within: float) -> str | None:
        """What is wrong with it, in words that name no address; None when it lets us in."""
        try:
            async with asyncio.timeout(within), self.asking:
                if not is_open(self.connection):
                    await self._connect()
        except TimeoutError:
            return "it does not answer"
        return self.found

    async def _connect(self) -> None:
        if time.monotonic() < self.resting_until:
            return
        await self.end()
        try:
            self.connection, self.found = await self.broker.connect("watch"), None
        except BrokerAway as error:
            self.connection, self.found = None, error.detail
            self.resting_until = time.monotonic() + _REST

    async def end(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            await close(connection)
