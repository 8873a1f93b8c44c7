"""The whole way through the broker: what is emitted is heard and sent by messages alone, each acknowledged."""

from __future__ import annotations

from tests.broker.listening import NAMES
from tests.broker.stage import Owner, emit, heard, nothing_open, sandboxed, until, with_broker, working
from tests.support.pipeline import add_person
from tests.support.rabbitmq import RabbitMQ
from tidings.kit.settings import Settings


async def test_facts_go_through_the_queues_of_their_listeners_and_deliveries_through_those_of_their_channels(
    settings: Settings, owner: Owner, node: RabbitMQ, broker_url: str
) -> None:
    await add_person(owner, push="token")
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 20)
        await until(lambda: nothing_open(owner))
    assert await heard(owner) == dict.fromkeys(NAMES, 20)
    assert await sandboxed(owner) == 40
