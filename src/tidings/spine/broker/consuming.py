"""Messages in: each names a row. What waits is leased, and runs as if it had been found; the rest is dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from tidings.spine.broker.messages import row_named
from tidings.spine.broker.topology import FACTS, Queue
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.pump import Pump
from tidings.spine.outbox.settling import BREATH

if TYPE_CHECKING:
    from aio_pika.abc import AbstractChannel, AbstractIncomingMessage

log = structlog.get_logger("tidings.broker")

_AT_ONCE = 500


@dataclass
class Consumer:
    """One queue of ours, for as long as its channel is open."""

    queue: Queue
    pump: Pump
    prefetch: int
    arrived: asyncio.Queue[AbstractIncomingMessage] = field(default_factory=asyncio.Queue)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    async def begin(self, channel: AbstractChannel) -> None:
        await channel.set_qos(prefetch_count=self.prefetch)
        underlay = await channel.get_underlay_channel()
        underlay.on_consumer_cancel_callbacks.add(lambda frame: self.cancelled.set())
        queue = await channel.get_queue(self.queue.name, ensure=False)
        await queue.consume(self.arrived.put)

    async def run(self) -> None:
        """For ever. A message is acknowledged when its row is leased, or found to need nothing; never before."""
        while True:
            messages = [await self.arrived.get()]
            while len(messages) < _AT_ONCE and not self.arrived.empty():
                messages.append(self.arrived.get_nowait())
            await self._take(messages)
            for message in messages:
                await message.ack()

    async def _take(self, messages: Sequence[AbstractIncomingMessage]) -> None:
        """Until it is done: while the database is away, messages stay unacknowledged."""
        by_header = self.queue.exchange == FACTS
        named = [row_named(m.message_id, m.headers, self.queue.kind, by_header=by_header) for m in messages]
        ids = list({row for row in named if row is not None})
        while ids:
            try:
                await asyncio.shield(asyncio.create_task(self.pump.take(ids)))
                break
            except PASSING as error:
                log.warning("database is away", error=repr(error))
                await asyncio.sleep(BREATH.total_seconds())
