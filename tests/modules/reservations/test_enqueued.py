"""What RabbitMQ holds of a matter when somebody acts on it: its messages come, and nothing of it is sent."""

from __future__ import annotations

from pika.adapters.blocking_connection import BlockingChannel  # type: ignore[import-untyped]

from tests.broker.outside import channel_to, depth
from tests.broker.stage import handing_out_alone, knowing_the_stream, until, with_broker
from tests.outbox.engines import running
from tests.support.dining import Table
from tests.support.pipeline import Owner, kept
from tests.support.transports import ThroughRabbitMQ
from tidings.app.worker import build_notify
from tidings.kit.settings import Settings

QUEUES = {"email": 2, "push": 2, "sms": 1, "websocket": 2}
"""How many messages there are of one request, of those who may act on it: the manager and the admin."""
ASKED = """
SELECT d.status, count(*) FROM tidings.deliveries_finished d JOIN tidings.notices n ON n.id = d.notice_id
WHERE n.actions <> '{}' GROUP BY 1
"""
WHY = """
SELECT DISTINCT t.reason FROM tidings.delivery_attempts t JOIN tidings.deliveries_finished d ON d.id = t.delivery_id
WHERE d.status = 'skipped'
"""


async def test_what_is_enqueued_when_somebody_acts_is_skipped_and_not_sent(
    settings: Settings, table: Table, owner: Owner, broker_url: str
) -> None:
    await owner.execute("DELETE FROM tidings.people WHERE id = $1", table.agent)
    await knowing_the_stream(owner)
    reservation = await table.request()
    await heard(settings, owner)
    await owner.execute("DELETE FROM tidings.deliveries WHERE person_id = $1", table.customer)
    asked = sum(QUEUES.values())
    async with handing_out_alone(with_broker(settings, broker_url)):
        with channel_to(broker_url) as channel:
            await until(lambda: are_published(channel))
    assert await statuses(owner) == {"enqueued": asked}
    await table.act(reservation, table.admin, "CONFIRMED")
    await ThroughRabbitMQ(settings, broker_url, owner)()
    with channel_to(broker_url) as channel:
        assert {depth(channel, f"tidings.send.{each}") for each in QUEUES} == {0}
    assert {row["status"]: row["count"] for row in await owner.fetch(ASKED)} == {"skipped": asked}
    assert [row["reason"] for row in await owner.fetch(WHY)] == [
        "the notice was closed: handled by The admin: CONFIRMED"
    ]
    sent = [each["subject"] for each in await kept(owner, settings) if each["channel"] == "email"]
    assert sent == ["Confirmed: Da Rosa"]  # to the customer


async def heard(settings: Settings, owner: Owner) -> None:
    """The listeners have said what they have to say, and none of it is on its way."""
    async with running(settings, *build_notify(settings, ())):
        await until(lambda: all_listened(owner))


async def all_listened(owner: Owner) -> bool:
    return not await owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.listener.%'")


async def are_published(channel: BlockingChannel) -> bool:
    return {each: depth(channel, f"tidings.send.{each}") for each in QUEUES} == QUEUES


async def statuses(owner: Owner) -> dict[str, int]:
    """Of the deliveries that are open."""
    rows = await owner.fetch("SELECT status, count(*) FROM tidings.deliveries GROUP BY 1")
    return {row["status"]: row["count"] for row in rows}
