"""The broker, wired: which queues there are, what goes through it, and what a worker runs while there is one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tidings.app.worker import all_listeners
from tidings.kit.db import Pool, Role, open_pool
from tidings.kit.settings import Settings
from tidings.spine.outbox.handlers import Kind
from tidings.spine.outbox.leases import Look, whole
from tidings.spine.outbox.relay import Source

if TYPE_CHECKING:
    from tidings.spine.broker.handing_out import HandingOut
    from tidings.spine.broker.health import Watch
    from tidings.spine.broker.running import BrokerRunner
    from tidings.spine.broker.topology import Queue
    from tidings.spine.notify.listeners import Listener
    from tidings.spine.outbox.pump import Pump


def queues_of(settings: Settings, listeners: Sequence[Listener]) -> list[Queue]:
    """One for each listener, one for the rules of all tenants, one for each channel."""
    from tidings.spine.broker.topology import FACTS, SENDS, Queue, binding_of
    from tidings.spine.channels.port import Channel
    from tidings.spine.notify.kinds import RULES, kind_of

    return [
        *(
            Queue(f"tidings.listener.{each.name}", FACTS, tuple(map(binding_of, each.types)), kind_of(each.name))
            for each in all_listeners(settings, listeners)
        ),
        Queue("tidings.rules", FACTS, (), RULES),
        *(Queue(f"tidings.send.{channel}", SENDS, (channel.value,), channel.value) for channel in Channel),
    ]


def build_watch(settings: Settings) -> Watch | None:
    """What knows whether the broker is there; None where none is set."""
    if settings.broker.url is None:
        return None
    from tidings.spine.broker.connecting import Broker
    from tidings.spine.broker.health import Watch

    return Watch(Broker(settings.broker))


@dataclass(frozen=True)
class Brokering:
    """What a worker does with a broker; nothing, where none is set."""

    kinds: Sequence[Kind] = ()
    intents: Look = whole
    deliveries: Look = whole
    runner: BrokerRunner | None = None
    handing_out: HandingOut | None = None

    def handed_out(self, source: Source) -> Source:
        """The source of deliveries, which go out as messages where there is a broker."""
        if self.handing_out is None:
            return source
        from tidings.spine.broker.looking import HandedOut

        return HandedOut(source.leases, source.handlers, self.handing_out)

    async def declare(self, pool: Pool) -> None:
        """Makes known to every transaction that emits that somebody wants the stream."""
        if self.runner is not None:
            from tidings.spine.broker.streaming import declare_stream

            async with pool.acquire() as connection:
                await declare_stream(connection)

    async def run(self, pumps: Mapping[str, Pump], stop: asyncio.Event) -> None:
        if self.runner is not None:
            await self.runner.run(pumps, stop)


@asynccontextmanager
async def brokering(settings: Settings, listeners: Sequence[Listener], name: str) -> AsyncIterator[Brokering]:
    """For as long as it is open. It connects when it is run, or first asked to publish; nobody waits for that."""
    if settings.broker.url is None:
        yield Brokering()
        return
    from tidings.spine.broker.connecting import Broker
    from tidings.spine.broker.handing_out import HandingOut
    from tidings.spine.broker.looking import looking_at_deliveries, looking_at_intents
    from tidings.spine.broker.marking import Hearers
    from tidings.spine.broker.presence import Presence, WhenAway
    from tidings.spine.broker.publishing import Publisher
    from tidings.spine.broker.running import BrokerRunner
    from tidings.spine.broker.streaming import Streaming
    from tidings.spine.broker.topology import FACTS
    from tidings.spine.delivery.table import DELIVERIES
    from tidings.spine.notify.kinds import is_told
    from tidings.spine.outbox.leasing import OUTBOX

    patience = settings.broker.patience
    broker, presence = Broker(settings.broker), Presence(WhenAway(settings.broker.when_away))
    publisher = Publisher(broker, f"{name}, publishing", settings.broker.deadline)
    queues = queues_of(settings, listeners)
    heard = {queue.kind: queue for queue in queues if queue.exchange == FACTS}
    pool = await open_pool(settings.database, Role.WORKER, name=f"{name}'s broker", longest=settings.outbox.lease)
    streaming = Streaming(pool, publisher, presence, Hearers(pool, OUTBOX, frozenset(heard), patience), heard)
    handing_out = HandingOut(pool, DELIVERIES, publisher, presence, patience)
    try:
        yield Brokering(
            [streaming.kind()],
            looking_at_intents(presence, OUTBOX, is_told, patience),
            looking_at_deliveries(presence, DELIVERIES),
            BrokerRunner(broker, publisher, presence, queues, handing_out),
            handing_out,
        )
    finally:
        await publisher.drop()
        pool.terminate()
