"""Through the broker: what is emitted is heard and sent by messages, each acknowledged; the row is what counts."""

from __future__ import annotations

import json
from uuid import uuid4

import pika  # type: ignore[import-untyped]

from tests.broker.listening import NAMES, runs
from tests.broker.outside import bind, channel_to, depth, taken
from tests.broker.stage import (
    Owner,
    emit,
    heard,
    is_all_but,
    nothing_open,
    sandboxed,
    sent,
    until,
    with_broker,
    working,
)
from tests.support.pipeline import add_person, add_rule
from tidings.kit.settings import Settings

QUEUE = f"tidings.listener.{NAMES[0]}"


async def test_facts_go_through_the_queues_of_their_listeners_and_deliveries_through_those_of_their_channels(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    await add_person(owner, push="token")
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 20)
        await until(lambda: nothing_open(owner))
    assert await heard(owner) == dict.fromkeys(NAMES, 20)
    assert await sent(owner) == await sandboxed(owner) == 40


async def test_each_message_is_acknowledged(settings: Settings, owner: Owner, broker_url: str) -> None:
    await add_person(owner, push="token")
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 20)
        await until(lambda: nothing_open(owner))
    with channel_to(broker_url) as channel:  # what a consumer that is gone had not acknowledged is back in its queue
        assert [depth(channel, queue) for queue in (QUEUE, "tidings.rules", "tidings.send.push")] == [0, 0, 0]


async def test_the_rules_of_a_tenant_hear_through_a_queue_that_is_bound_when_it_is_needed(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    await add_person(owner, push="token")
    async with working(owner, with_broker(settings, broker_url)):
        rule = await add_rule(owner, "order.*", title="Order {{ data.n }} is paid")
        await emit(owner, 3, "order.paid")
        await emit(owner, 1, "nobody.cares")
        await until(lambda: nothing_open(owner))
    assert await heard(owner) == {f"rule:{rule}": 3}
    assert await sent(owner) == 3


async def test_a_message_that_comes_twice_changes_nothing(settings: Settings, owner: Owner, broker_url: str) -> None:
    await add_person(owner, push="token")
    runs.clear()
    with channel_to(broker_url) as channel:
        channel.exchange_declare("notification-channel-send", "direct", durable=True)
        bind(channel, "copies", "parcel.sent")
        channel.queue_declare("sends", durable=True)
        channel.queue_bind("sends", "notification-channel-send", "push")
        async with working(owner, with_broker(settings, broker_url)):
            await emit(owner, 5)
            await until(lambda: nothing_open(owner))
            copies = [("event-stream", message) for message in taken(channel, "copies")]
            copies += [("notification-channel-send", message) for message in taken(channel, "sends")]
            for exchange, copy in copies:
                channel.basic_publish(exchange, copy.key, json.dumps(copy.body).encode(), copy.properties)
            await emit(owner, 1, "parcel.lost")  # behind them, in the same queues
            await until(lambda: nothing_open(owner))
    assert len(copies) == 5 + 10
    assert set(runs.values()) == {1}
    assert await heard(owner) == {NAMES[0]: 5, NAMES[1]: 6}
    assert await sent(owner) == 11


async def test_a_message_that_names_nothing_is_dropped(settings: Settings, owner: Owner, broker_url: str) -> None:
    """Done, unknown, or no message of ours at all: nobody fails, and nothing stays in the queue."""
    await add_person(owner, push="token")
    kind = f"notice.listener.{NAMES[0]}"
    strange = [
        pika.BasicProperties(),
        pika.BasicProperties(headers={"tidings-rows": {kind: str(uuid4())}}),
        pika.BasicProperties(headers={"tidings-rows": {kind: "no id"}}),
        pika.BasicProperties(headers={"tidings-rows": {kind: 7}}),
        pika.BasicProperties(headers={"tidings-rows": ["a", "list"]}),
        pika.BasicProperties(message_id=str(uuid4())),
        pika.BasicProperties(message_id="\N{GRINNING FACE}" * 60),
    ]
    with channel_to(broker_url) as channel:
        async with working(owner, with_broker(settings, broker_url)):
            await emit(owner, 1)  # once that is done the queues are there
            await until(lambda: nothing_open(owner))
            for properties in strange:
                for queue in (QUEUE, "tidings.rules", "tidings.send.push"):
                    channel.basic_publish("", queue, b"\xff\x00 no JSON", properties)
            await emit(owner, 1)
            await until(lambda: nothing_open(owner))
        assert [depth(channel, queue) for queue in (QUEUE, "tidings.rules", "tidings.send.push")] == [0, 0, 0]
    assert await sent(owner) == 4


async def test_a_message_cannot_have_one_queue_do_what_is_another_ones(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    """What a message names is leased only by those who serve its kind."""
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 1)  # once that is done the queues are there
        await until(lambda: nothing_open(owner))
        await owner.execute("SELECT tidings.schedule('thing.do', '{}', run_at => now())")
        row = await owner.fetchval("SELECT id FROM tidings.outbox WHERE kind = 'thing.do'")
        with channel_to(broker_url) as channel:
            kind = f"notice.listener.{NAMES[0]}"
            headers = {"tidings-rows": {kind: str(row)}}
            channel.basic_publish("", QUEUE, b"{}", pika.BasicProperties(headers=headers))
        await emit(owner, 1)
        await until(lambda: is_all_but(owner, "thing.do"))
    assert await owner.fetchval("SELECT status FROM tidings.outbox WHERE id = $1", row) == "pending"
