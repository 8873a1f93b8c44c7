"""RabbitMQ is stopped and killed in mid-stream, again and again: what goes through it waits, goes on, is done once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tests.broker.outside import bind, channel_to, taken
from tests.chaos.report import Counts
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LONG_LEASE, World
from tests.support.rabbitmq import RabbitMQ, rabbitmq

NAME = "RabbitMQ: stopped in mid-stream"
_LISTENING = "tests.broker.listening"
_LISTENERS = 2
_TYPE = "parcel.sent"
_EVERYONE = """
WITH one AS (INSERT INTO tidings.people (tenant, name) VALUES ('default', 'Everyone') RETURNING id)
INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
SELECT 'default', id, 'push', 'token', 'token' FROM one
"""
_KNOWN = "SELECT count(DISTINCT source) = 3 FROM tidings.routes WHERE source ~ '^(broker.publish|listener:parcels.*)$'"
_OPEN = """
SELECT (SELECT count(*) FROM tidings.outbox WHERE fact_id <> id) + (SELECT count(*) FROM tidings.deliveries)
"""
_HEARD = "SELECT count(*) FROM tidings.notices"
_SENT = "SELECT count(*) FROM tidings.delivery_attempts WHERE outcome = 'sent'"
_SENT_AGAIN = """
SELECT count(*) FROM (SELECT FROM tidings.delivery_attempts WHERE outcome = 'sent'
                      GROUP BY delivery_id HAVING count(*) > 1) again
"""


@dataclass(frozen=True)
class Size:
    ends: int
    facts: int  # around each of them
    workers: int


FULL = Size(ends=6, facts=300, workers=2)
SHORT = Size(ends=2, facts=40, workers=1)


async def run(world: World, size: Size) -> Counts:
    with rabbitmq() as node:
        return await _play(world, size, node)


async def _play(world: World, size: Size, node: RabbitMQ) -> Counts:
    url = node.new_url()
    with channel_to(url) as channel:
        bind(channel, "outside", "parcel.#")
    await world.execute(_EVERYONE)
    broker = {"TIDINGS_BROKER_URL": url, "TIDINGS_BROKER_PATIENCE": "3s", "TIDINGS_WORKER_LOAD": _LISTENING}
    lives = [
        world.worker(**LONG_LEASE, **broker, TIDINGS_DELIVERY_DEFAULT_PROVIDER="sandbox") for _ in range(size.workers)
    ]

    async def known() -> bool:
        return bool((await world.fetch(_KNOWN))[0][0])

    async def all_done() -> bool:
        return not await world.count(_OPEN)

    await until(known, "the worker makes itself known")
    emitter = await world.connect()
    for number in range(size.ends):
        await world.emit(emitter, size.facts, _TYPE)
        await asyncio.sleep(world.random.uniform(0, 0.5))
        await asyncio.to_thread(node.kill if number % 2 else node.stop)
        await world.emit(emitter, size.facts, _TYPE)
        await asyncio.to_thread(node.start)
    await until(all_done, "everything is heard, sent and published", guard=120)
    await emitter.close()
    assert not any(life.ended for life in lives)
    with channel_to(url) as channel:
        outside = [message.properties.message_id for message in taken(channel, "outside")]
    facts = len(world.acknowledged)
    if missing := world.acknowledged.keys() - set(outside):
        raise Violated(f"{len(missing)} facts were never published")
    heard, sent, again = [await world.count(query) for query in (_HEARD, _SENT, _SENT_AGAIN)]
    if (heard, sent, again) != (facts * _LISTENERS, facts * _LISTENERS, 0):
        raise Violated(f"of {facts} facts came {heard} notices and {sent} sends, {again} of them again")
    return {
        "ends": size.ends,
        "facts": facts,
        "lost": 0,
        "handled again": again,
        "published again": len(outside) - facts,
    }
