"""What a worker does while there is a broker: declares, consumes, hands out, and finds out when it goes and comes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import structlog

from tidings.spine.broker.connecting import Broker, BrokerAway, failures, saying_why, until_it_ends
from tidings.spine.broker.consuming import Consumer
from tidings.spine.broker.handing_out import HandingOut
from tidings.spine.broker.presence import Presence
from tidings.spine.broker.publishing import Publisher
from tidings.spine.broker.topology import Queue, declare
from tidings.spine.outbox.pump import Pump

log = structlog.get_logger("tidings.broker")

_TRY_EVERY = 1.0  # seconds


@dataclass(frozen=True)
class BrokerRunner:
    broker: Broker
    publisher: Publisher
    presence: Presence
    queues: Sequence[Queue]
    handing_out: HandingOut

    async def run(self, pumps: Mapping[str, Pump], stop: asyncio.Event) -> None:
        """Until `stop` is set. Begins when the broker is there, and again after whatever ends it."""
        handing_out = asyncio.create_task(self._hand_out())
        try:
            while not stop.is_set():
                try:
                    await self._serve(pumps, stop)
                except BrokerAway as error:
                    self.presence.went(error.detail)
                await _pause(stop)
        finally:
            handing_out.cancel()
            await asyncio.gather(handing_out, return_exceptions=True)
            await self.publisher.drop()

    async def _hand_out(self) -> None:
        """For ever: without it deliveries would wait for messages that nobody sends."""
        while True:
            try:
                await self.handing_out.run()
            except Exception as error:
                log.exception("handing out failed, and begins again", error=repr(error))
                self.presence.went("handing out failed")  # until it has taken a message again
                await asyncio.sleep(_TRY_EVERY)

    async def _serve(self, pumps: Mapping[str, Pump], stop: asyncio.Event) -> None:
        """Until `stop` is set, the connection ends, or a queue that is consumed is gone."""
        async with self.broker.connected("consumers") as connection:
            consumers = [
                Consumer(queue, pumps[queue.kind], self.broker.settings.prefetch)
                for queue in self.queues
                if queue.kind in pumps
            ]
            with saying_why():
                await declare(await connection.channel(), self.queues)
                for consumer in consumers:
                    await consumer.begin(await connection.channel(publisher_confirms=False))
            ends = [stop.wait(), until_it_ends(connection), *(each.cancelled.wait() for each in consumers)]
            await _first_of([*ends, self._keep_in_touch(), *(each.run() for each in consumers)])
        if not stop.is_set():
            self.presence.went("the connection ended")

    async def _keep_in_touch(self) -> None:
        """For ever: while the broker takes no messages, finds out when it does, and declares again what may be gone."""
        while True:
            if not self.presence.there:
                try:
                    await self.publisher.declare(self.queues)
                    await self.publisher.try_out()
                except BrokerAway as error:
                    self.presence.went(error.detail)
                else:
                    self.presence.came()
            await asyncio.sleep(_TRY_EVERY)


async def _first_of(waits: Sequence[Awaitable[object]]) -> None:
    """Until one of them ends; the others are given up, and what one fails with is the end of them all."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception) and not isinstance(error, failures()):
            raise error


async def _pause(stop: asyncio.Event) -> None:
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(stop.wait(), _TRY_EVERY)
