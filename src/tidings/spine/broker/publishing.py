"""Publishing with confirms: what the broker took, what it had no place for, and what it did not take in time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias
from uuid import uuid4

from tidings.spine.broker.connecting import Broker, BrokerAway, close, describe, failures, is_open, saying_why
from tidings.spine.broker.messages import Letter
from tidings.spine.broker.topology import Queue, declare

if TYPE_CHECKING:
    from aio_pika.abc import AbstractChannel, AbstractConnection, AbstractExchange

_NOWHERE = "tidings.nowhere"  # no queue has this name: whether a message is confirmed can be tried with it


@dataclass(frozen=True)
class Taken:
    """The broker has it: in its queues, or let go since nobody is bound."""


@dataclass(frozen=True)
class Returned:
    """Somebody of ours was to get it, and no queue is bound."""


@dataclass(frozen=True)
class Refused:
    """A queue that it was meant for is full. The others may have it."""


@dataclass(frozen=True)
class NotTaken:
    """The broker is away, or did not confirm it in time. It may have it all the same."""

    reason: str


Reply: TypeAlias = Taken | Returned | Refused | NotTaken


@dataclass
class Publisher:
    """A connection that is only published on: a broker that is short of memory stops reading from it, and only from it.

    Connects when it is first asked for, and again after whatever ended it.
    """

    broker: Broker
    name: str
    deadline: timedelta
    connection: AbstractConnection | None = None
    opened: AbstractChannel | None = None
    exchanges: dict[str, AbstractExchange] = field(default_factory=dict)
    connecting: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def publish(self, letters: Sequence[Letter]) -> list[Reply]:
        """All of them at once, in their order, within one deadline; a reply for each."""
        if not letters:
            return []
        try:
            async with asyncio.timeout(self.deadline.total_seconds()):
                await self.channel()
        except (BrokerAway, TimeoutError) as error:
            return [NotTaken(error.detail if isinstance(error, BrokerAway) else "it does not answer")] * len(letters)
        sending = [asyncio.ensure_future(self._publish(letter)) for letter in letters]
        await asyncio.wait(sending, timeout=self.deadline.total_seconds())
        for late in sending:
            late.cancel()
        await asyncio.wait(sending)
        return [NotTaken("it does not confirm") if each.cancelled() else each.result() for each in sending]

    async def try_out(self) -> None:
        """Raises `BrokerAway` unless it takes a message, be it one for nobody."""
        with saying_why():
            async with asyncio.timeout(self.deadline.total_seconds()):
                await self.channel()
                reply = await self._publish(Letter(uuid4(), "", _NOWHERE, "nothing", b"", mandatory=False))
        if not isinstance(reply, Taken):
            raise BrokerAway(reply.reason if isinstance(reply, NotTaken) else "it takes no messages")

    async def declare(self, queues: Sequence[Queue]) -> None:
        """All that is not there. Raises `BrokerAway` where it cannot."""
        with saying_why():
            async with asyncio.timeout(self.deadline.total_seconds()):
                await declare(await self.channel(), queues)

    async def bind(self, queue: str, exchange: str, key: str) -> None:
        """Raises `BrokerAway` where it cannot."""
        with saying_why():
            async with asyncio.timeout(self.deadline.total_seconds()):
                declared = await (await self.channel()).get_queue(queue, ensure=False)
                await declared.bind(exchange, key)

    async def channel(self) -> AbstractChannel:
        """Raises `BrokerAway` where there is none to be had."""
        async with self.connecting:
            if self.connection is None or not is_open(self.connection):
                await self.drop()
                self.connection = await self.broker.connect(self.name)
            if self.opened is None or self.opened.is_closed:
                with saying_why():
                    self.opened = await self.connection.channel(publisher_confirms=True, on_return_raises=False)
                self.exchanges = {"": self.opened.default_exchange}
            return self.opened

    async def _publish(self, letter: Letter) -> Reply:
        """Never raises what the broker fails with."""
        from aio_pika import DeliveryMode, Message
        from aio_pika.exceptions import DeliveryError
        from aiormq.abc import DeliveredMessage

        message = Message(
            letter.body,
            message_id=str(letter.id),
            type=letter.type,
            headers=letter.headers,
            timestamp=letter.written_at,
            content_type="application/json",
            delivery_mode=DeliveryMode.PERSISTENT,
            app_id="tidings",
        )
        try:
            exchange = await self._exchange(letter.exchange)
            answer = await exchange.publish(message, letter.key, mandatory=letter.mandatory)
        except DeliveryError:
            return Refused()
        except BrokerAway as error:
            return NotTaken(error.detail)
        except failures() as error:
            return NotTaken(describe(error))
        return Returned() if isinstance(answer, DeliveredMessage) else Taken()

    async def _exchange(self, name: str) -> AbstractExchange:
        if name not in self.exchanges:
            self.exchanges[name] = await (await self.channel()).get_exchange(name, ensure=False)
        return self.exchanges[name]

    async def drop(self) -> None:
        """Lets go of the connection; the next who asks gets another."""
        connection, self.connection, self.opened = self.connection, None, None
        if connection is not None:
            await close(connection)
