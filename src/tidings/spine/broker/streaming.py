"""Facts out: the intent `broker.publish`, which every fact causes while somebody wants the stream.

The rows that hear of a fact are marked first, then it is published, then the intent settles. Who dies after the first
costs them the patience; who dies after the second has it published twice, under the same message id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import assert_never
from uuid import UUID

import structlog

from tidings.kit.db import Connection, Pool
from tidings.spine.broker.connecting import BrokerAway
from tidings.spine.broker.marking import Hearers
from tidings.spine.broker.messages import letter_of_fact
from tidings.spine.broker.presence import Presence
from tidings.spine.broker.publishing import NotTaken, Publisher, Refused, Reply, Returned, Taken
from tidings.spine.broker.topology import FACTS, Queue, is_bound
from tidings.spine.journal.reading import Fact, facts_of
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.handlers import Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Each, GivenBack, Outcome, Succeeded
from tidings.spine.outbox.settling import BREATH

log = structlog.get_logger("tidings.broker")

PUBLISH = "broker.publish"
_AT_ONCE = 200
_ROOM = timedelta(seconds=5)  # until a queue that is full is tried again
_ROUTE = """
INSERT INTO tidings.routes (tenant, type, prefix, source) VALUES ('', '', true, $1) ON CONFLICT DO NOTHING
"""


async def declare_stream(connection: Connection) -> None:
    """From now on every fact causes an intent to publish it."""
    await connection.execute(_ROUTE, PUBLISH)


@dataclass
class Streaming:
    pool: Pool
    publisher: Publisher
    presence: Presence
    hearers: Hearers
    queues: Mapping[str, Queue]  # by kind
    bound: set[tuple[str, str]] = field(default_factory=set)

    def kind(self) -> Kind:
        return Kind(PUBLISH, self.publish, Shape.BATCH, batch=_AT_ONCE)

    async def publish(self, intents: Sequence[Intent]) -> Each:
        """What is away, the database or the broker, costs no attempt."""
        try:
            facts = await facts_of(self.pool, [intent.fact_id for intent in intents if intent.fact_id])
            hearers = await self.hearers.mark(facts, apart_from=PUBLISH)
            replies = await self._published(facts, hearers)
        except PASSING as error:
            log.warning("database is away", error=repr(error))
            return Each([GivenBack(BREATH)] * len(intents))
        outcomes = {fact.id: self._outcome(reply) for fact, reply in zip(facts, replies, strict=True)}
        return Each([outcomes.get(intent.fact_id or intent.id, Succeeded()) for intent in intents])

    async def _published(self, facts: Sequence[Fact], hearers: Mapping[UUID, Mapping[str, UUID]]) -> Sequence[Reply]:
        try:
            await self._bind(facts, hearers)
        except BrokerAway as error:
            return [NotTaken(error.detail)] * len(facts)
        letters = [
            letter_of_fact(fact, FACTS, hearers[fact.id], mandatory=not hearers[fact.id].keys().isdisjoint(self.queues))
            for fact in facts
        ]
        return await self.publisher.publish(letters)

    async def _bind(self, facts: Sequence[Fact], hearers: Mapping[UUID, Mapping[str, UUID]]) -> None:
        """Rules come and go, and with them the types that they hear: their queue is bound when it is first needed."""
        for fact in facts:
            for kind in hearers[fact.id].keys() & self.queues.keys():
                queue, pair = self.queues[kind], (kind, fact.type)
                if pair not in self.bound and not is_bound(queue.keys, fact.type):
                    await self.publisher.bind(queue.name, FACTS, fact.type)
                self.bound.add(pair)

    def _outcome(self, reply: Reply) -> Outcome:
        match reply:
            case Taken():
                return Succeeded()
            case Refused():
                return GivenBack(_ROOM)
            case Returned():
                self.presence.went("a queue of ours is gone")
                return GivenBack(BREATH)
            case NotTaken(reason):
                self.presence.went(reason)
                return GivenBack(BREATH)
            case _:
                assert_never(reply)
