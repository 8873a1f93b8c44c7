"""The stream as others see it: with `pika` and nothing of ours."""

from __future__ import annotations

from datetime import datetime

from tests.broker.outside import bind, channel_to, taken
from tests.broker.stage import Owner, emit, nothing_open, until, with_broker, working
from tests.support.pipeline import add_person
from tidings.kit.settings import Settings

SENDS = "notification-channel-send"
PERSISTENT = 2


async def test_a_fact_reaches_whoever_binds_a_queue(settings: Settings, owner: Owner, broker_url: str) -> None:
    with channel_to(broker_url) as channel:
        bind(channel, "theirs", "order.#")
        async with working(owner, with_broker(settings, broker_url)):
            fact = await owner.fetchval(
                """SELECT tidings.emit('order.paid', '{"id": 7, "sum": 12345678901234567890.10}', 'order', '7',
                                       metadata => '{"actor": "somebody"}')"""
            )
            await emit(owner, 1, "parcel.sent")
            await until(lambda: nothing_open(owner))
        (message,) = taken(channel, "theirs")
    recorded = await owner.fetchrow("SELECT seq, occurred_at FROM tidings.facts WHERE id = $1", fact)
    assert recorded is not None
    assert message.key == message.properties.type == "order.paid"
    assert message.properties.message_id == str(fact)
    assert (message.properties.delivery_mode, message.properties.content_type) == (PERSISTENT, "application/json")
    assert message.properties.headers == {"tidings-tenant": "default", "tidings-seq": recorded["seq"]}
    assert message.properties.timestamp == int(recorded["occurred_at"].timestamp())
    assert datetime.fromisoformat(message.body.pop("occurredAt")) == recorded["occurred_at"]
    assert message.body.pop("metadata")["actor"] == "somebody"
    assert message.body == {
        "id": str(fact),
        "seq": recorded["seq"],
        "tenant": "default",
        "type": "order.paid",
        "stream": {"type": "order", "id": "7"},
        "streamVersion": None,
        "data": {"id": 7, "sum": 12345678901234567890.10},
    }


async def test_the_message_of_a_delivery_names_it_and_says_nothing_of_whom_it_is_for_or_of_what(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    await add_person(owner, push="token")
    with channel_to(broker_url) as channel:
        channel.exchange_declare(SENDS, "direct", durable=True)  # as ours: another kind would be refused
        channel.queue_declare("theirs", durable=True)
        channel.queue_bind("theirs", SENDS, "push")
        async with working(owner, with_broker(settings, broker_url)):
            await emit(owner, 1)
            await until(lambda: nothing_open(owner))
        messages = taken(channel, "theirs")
    deliveries = {str(row["id"]) for row in await owner.fetch("SELECT id FROM tidings.deliveries_finished")}
    assert {message.properties.message_id for message in messages} == deliveries
    assert len(messages) == len(deliveries) == 2  # one for each listener
    for message in messages:
        assert message.body == {"id": message.properties.message_id, "tenant": "default", "channel": "push"}
        assert (message.key, message.properties.type) == ("push", "delivery")
        assert (message.properties.delivery_mode, message.properties.content_type) == (PERSISTENT, "application/json")
        assert not message.properties.headers


async def test_a_fact_that_nobody_is_bound_for_counts_as_published(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 3, "nobody.cares")
        await until(lambda: nothing_open(owner))
    rows = await owner.fetch("SELECT status, attempts FROM tidings.outbox_finished WHERE kind = 'broker.publish'")
    assert [(row["status"], row["attempts"]) for row in rows] == [("succeeded", 1)] * 3
