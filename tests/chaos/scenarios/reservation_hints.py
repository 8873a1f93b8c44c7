"""Reservations through RabbitMQ: the worker is killed between marking and publishing, and between publishing and
settling, at both levels: of facts, and of deliveries.

The wire to the broker kills it at that very frame. Nobody is told twice, nothing is lost; what is sent again is
bounded by the provider's ledger, and what is published again comes under the id that it had.
"""

from __future__ import annotations

import signal
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.broker.outside import bind, channel_to, taken
from tests.broker.stage import knowing_the_stream
from tests.broker.wire import Wire, wire_to
from tests.chaos.gatherings import gathering, running_mails
from tests.chaos.mail_ledger import MailLedger
from tests.chaos.processes import Kill, Life
from tests.chaos.report import Counts
from tests.chaos.scenarios.reservation_deaths import LEASE, OPEN, judge
from tests.chaos.tenants import SENDING
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World
from tests.support.dining import lay
from tests.support.rabbitmq import rabbitmq

NAME = "reservations: kill -9 beside RabbitMQ, at each step"
_EXCHANGES = ("event-stream", "notification-channel-send")
_MOMENTS = ("marked and not published", "published and not settled")
_UNPUBLISHED = "SELECT count(*) FROM tidings.outbox WHERE kind = 'broker.publish'"
_FACTS = "SELECT id::text FROM tidings.facts WHERE type = 'reservation.requested'"


@dataclass(frozen=True)
class Size:
    reservations: int  # before each death
    rounds: int  # deaths at each point
    guard: float = 240


FULL = Size(reservations=10, rounds=3)
SHORT = Size(reservations=2, rounds=1, guard=60)


@dataclass
class Killer:
    """Kills the one worker at a frame, once it is armed."""

    world: World
    wire: Wire
    ledger: MailLedger
    broker: str
    life: Life | None = None
    unpublished: list[int] = field(default_factory=list)  # facts that may be published again, of each death

    def start(self) -> None:
        broker = {"TIDINGS_BROKER_URL": self.broker, "TIDINGS_BROKER_PATIENCE": "1s"}
        self.life = self.world.worker(**SENDING, **LEASE, **broker, TIDINGS_DELIVERY_DEFAULT_PROVIDER="sandbox")

    async def at(self, exchange: str, moment: str, guard: float) -> None:
        moments = self.wire.before_publish if moment == _MOMENTS[0] else self.wire.before_confirm
        moments[exchange] = self._kill
        self.start()
        life = self.life
        assert life is not None
        await until(lambda: life.ended, f"it is {moment} at {exchange}", guard)
        moments.clear()
        self.world.processes.kills.append(Kill(life.number, None, time.monotonic(), f"{moment} at {exchange}"))
        await self.ledger.died()
        self.unpublished.append(await self.world.count(_UNPUBLISHED))

    def _kill(self) -> None:
        assert self.life is not None
        self.life.signal(signal.SIGKILL)


async def run(world: World, size: Size) -> Counts:
    with rabbitmq() as node:
        url = node.new_url()
        with channel_to(url) as channel:
            bind(channel, "outside", "reservation.#")
        async with running_mails() as endpoint, gathering(world, endpoint) as there, wire_to(url) as (wire, through):
            killer = Killer(world, wire, MailLedger(world, endpoint), through)
            table = await lay(there.pool, there.owner, escalate_after=None)
            await knowing_the_stream(there.owner)
            asked = 0
            for _ in range(size.rounds):
                for exchange in _EXCHANGES:
                    for moment in _MOMENTS:
                        for _ in range(size.reservations):
                            await table.request(agency_id=table.agency)
                        asked += size.reservations
                        await killer.at(exchange, moment, size.guard)
            killer.start()
            await until(lambda: _is_over(world), "nothing is left open", size.guard)
            counts = await judge(world, killer.ledger, asked)
        with channel_to(url) as channel:
            outside = Counter(str(message.properties.message_id) for message in taken(channel, "outside"))
    return {**counts, "published again": await _published_again(world, outside, sum(killer.unpublished))}


async def _is_over(world: World) -> bool:
    return not await world.count(OPEN) and not await world.count(_UNPUBLISHED)


async def _published_again(world: World, outside: Counter[str], most: int) -> int:
    facts = {row["id"] for row in await world.fetch(_FACTS)}
    if outside.keys() != facts:
        raise Violated(f"of {len(facts)} facts {len(outside)} were published")
    again = outside.total() - len(outside)
    if again > most:
        raise Violated(f"{again} were published again, and {most} were not settled at a kill")
    return again
