"""The stream as others see it: with `pika` and nothing of ours."""

from __future__ import annotations

from datetime import datetime

from tests.broker.outside import bind, channel_to, taken
from tests.broker.stage import Owner, emit, nothing_open, until, with_broker, working
from tidings.kit.settings import Settings


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
    recorded = await owner.fetchrow("SELECT * FROM tidings.facts WHERE id = $1", fact)
    assert recorded is not None
    assert message.key == message.properties.type == "order.paid"
    assert message.properties.message_id == str(fact) == message.body["id"]
    assert message.properties.delivery_mode == 2
    assert message.properties.content_type == "application/json"
    assert message.properties.headers["tidings-tenant"] == message.body["tenant"] == "default"
    assert message.properties.headers["tidings-seq"] == message.body["seq"] == recorded["seq"]
    assert message.body["stream"] == {"type": "order", "id": "7"}
    assert message.body["streamVersion"] is None
    assert message.body["data"]["id"] == 7
    assert message.body["metadata"]["actor"] == "somebody"
    assert datetime.fromisoformat(message.body["occurredAt"]) == recorded["occurred_at"]


async def test_a_fact_that_nobody_is_bound_for_counts_as_published(
    settings: Settings, owner: Owner, broker_url: str
) -> None:
    async with working(owner, with_broker(settings, broker_url)):
        await emit(owner, 3, "nobody.cares")
        await until(lambda: nothing_open(owner))
    rows = await owner.fetch("SELECT status, attempts FROM tidings.outbox_finished WHERE kind = 'broker.publish'")
    assert [(row["status"], row["attempts"]) for row in rows] == [("succeeded", 1)] * 3
