"""What a receipt changes, as the API's role, and what it does not."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import pytest

from tests.delivery.receipts.sent import ADDRESS, being_sent, confirmed, history, sent, suppressed
from tests.support.pipeline import Owner, add_provider
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.delivery.receipts.applying import Application
from tidings.spine.delivery.receipts.events import ORDER, Confirmed, Event

pytestmark = pytest.mark.usefixtures("any_postgres")


@pytest.fixture
async def api(sending: Settings) -> AsyncIterator[db.Pool]:
    pool = await db.open_pool(sending.database, db.Role.API, name="test", size=10)
    yield pool
    await pool.close()


@pytest.fixture
async def provider(owner: Owner, sending: Settings) -> UUID:
    return await add_provider(owner, sending, "email", "resend")


async def apply(api: db.Pool, provider: UUID, *events: Event, tenant: str = "default") -> list[Event]:
    async with api.acquire() as connection, db.as_tenant(connection, tenant):
        return await Application(connection, tenant, provider).apply(events)


async def test_what_counts_more_stays_in_whatever_order_it_is_told(owner: Owner, api: db.Pool, provider: UUID) -> None:
    for n, (first, second) in enumerate(itertools.product(Confirmed, repeat=2)):
        delivery = await sent(owner, provider, f"m-{n}")
        for told in (first, second):
            assert await apply(api, provider, Event(f"m-{n}", told)) == []
        assert await confirmed(owner, delivery) == max(first, second, key=ORDER.index)


async def test_told_again_nothing_changes(owner: Owner, api: db.Pool, provider: UUID) -> None:
    delivery = await sent(owner, provider, "m-1")
    for _ in range(3):
        await apply(api, provider, Event("m-1", Confirmed.BOUNCED, "no such mailbox"))
    assert await history(owner, delivery) == [("bounced", "no such mailbox")]
    assert await owner.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'notice.bounced'") == 1
    await owner.execute("DELETE FROM tidings.suppressions")
    await apply(api, provider, Event("m-1", Confirmed.BOUNCED))
    assert await suppressed(owner) == []  # whoever lifted it meant it


@pytest.mark.parametrize("told", [Confirmed.BOUNCED, Confirmed.COMPLAINED])
async def test_a_bounce_for_good_and_a_complaint_suppress_the_address(
    owner: Owner, api: db.Pool, provider: UUID, told: Confirmed
) -> None:
    delivery = await sent(owner, provider, "m-1", address="Somebody@Example.com")
    await apply(api, provider, Event("m-1", told, "why"))
    (row,) = await suppressed(owner)
    assert (row["kind"], row["value"].lower(), row["reason"], row["detail"]) == ("email", ADDRESS, told, "why")
    assert (row["tenant"], row["delivery_id"]) == ("default", delivery)


@pytest.mark.parametrize("told", [Confirmed.DELIVERED, Confirmed.READ, Confirmed.FAILED])
async def test_nothing_else_does(owner: Owner, api: db.Pool, provider: UUID, told: Confirmed) -> None:
    await sent(owner, provider, "m-1")
    await apply(api, provider, Event("m-1", told))
    assert await suppressed(owner) == []


async def test_a_number_is_suppressed_by_text_messages_and_not_by_whatsapp(
    owner: Owner, api: db.Pool, provider: UUID
) -> None:
    await sent(owner, provider, "w", channel="whatsapp", address="+390611111111")
    await apply(api, provider, Event("w", Confirmed.BOUNCED))
    assert await suppressed(owner) == []
    await sent(owner, provider, "s", channel="sms", address="+390611111111")
    await apply(api, provider, Event("s", Confirmed.BOUNCED))
    assert [(row["kind"], row["value"]) for row in await suppressed(owner)] == [("phone", "+390611111111")]


async def test_an_address_that_is_none_breaks_nothing(owner: Owner, api: db.Pool, provider: UUID) -> None:
    delivery = await sent(owner, provider, "m-1", address="not an address")
    await apply(api, provider, Event("m-1", Confirmed.BOUNCED))
    assert await confirmed(owner, delivery) == "bounced"


@pytest.mark.parametrize("told", [Confirmed.BOUNCED, Confirmed.COMPLAINED])
async def test_it_is_a_fact_that_names_the_person_and_no_address(
    owner: Owner, api: db.Pool, provider: UUID, told: Confirmed
) -> None:
    delivery = await sent(owner, provider, "m-1")
    await apply(api, provider, Event("m-1", told))
    row = await owner.fetchrow("SELECT * FROM tidings.facts WHERE type = $1", f"notice.{told}")
    assert row is not None
    data, metadata = json.loads(row["data"]), json.loads(row["metadata"])
    assert data["deliveryId"] == str(delivery)
    assert data.keys() == {"noticeId", "notificationId", "deliveryId", "personId", "channel"}
    assert metadata["depth"] == 1
    assert "@" not in row["data"]


async def test_at_the_end_of_a_chain_of_facts_the_receipt_counts_and_no_fact_follows(
    owner: Owner, api: db.Pool, provider: UUID
) -> None:
    delivery = await sent(owner, provider, "m-1")
    await owner.execute("""UPDATE tidings.facts SET metadata = '{"depth": 16}'""")
    await apply(api, provider, Event("m-1", Confirmed.BOUNCED))
    assert await confirmed(owner, delivery) == "bounced"
    assert await owner.fetchval("SELECT count(*) FROM tidings.facts WHERE type LIKE 'notice.%'") == 0


async def test_what_is_not_known_is_given_back(owner: Owner, api: db.Pool, provider: UUID, sending: Settings) -> None:
    other = await add_provider(owner, sending, "email", "resend", name="other")
    theirs = await sent(owner, other, "theirs")
    events = [Event("theirs", Confirmed.READ), Event("nobody's", Confirmed.READ)]
    assert await apply(api, provider, *events) == events
    assert await confirmed(owner, theirs) is None


async def test_what_is_told_of_a_held_delivery_is_in_its_history(owner: Owner, api: db.Pool, provider: UUID) -> None:
    delivery = await being_sent(owner, provider)
    event = Event("m-1", Confirmed.DELIVERED, delivery=delivery)
    await apply(api, provider, event)
    assert await history(owner, delivery) == []  # it is about to be settled, and will be told again
    await owner.execute("UPDATE tidings.deliveries SET status = 'held', lease_token = NULL")
    for _ in range(2):
        await apply(api, provider, event)
    assert await history(owner, delivery) == [("delivered", None)]


async def test_another_tenant_reaches_nothing(owner: Owner, api: db.Pool, provider: UUID) -> None:
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('other', 'Other')")
    delivery = await sent(owner, provider, "m-1")
    event = Event("m-1", Confirmed.READ)
    assert await apply(api, provider, event, tenant="other") == [event]
    assert await confirmed(owner, delivery) is None


async def test_many_at_once_in_opposite_orders_do_not_deadlock(owner: Owner, api: db.Pool, provider: UUID) -> None:
    for n in range(20):
        await sent(owner, provider, f"m-{n}")
    events = [Event(f"m-{n}", Confirmed.COMPLAINED) for n in range(20)]
    weaker = [Event(f"m-{n}", Confirmed.DELIVERED) for n in reversed(range(20))]
    await asyncio.gather(*(apply(api, provider, *some) for some in [events, weaker] * 4))
    states = await owner.fetchval("SELECT array_agg(DISTINCT confirmed) FROM tidings.deliveries_finished")
    assert states == ["complained"]


async def test_the_receipt_is_found_by_its_index(owner: Owner) -> None:
    plan = await owner.fetch(
        """EXPLAIN SELECT FROM unnest(ARRAY['a']) t(receipt)
           JOIN tidings.deliveries_finished d ON d.provider = $1 AND d.receipt = t.receipt""",
        uuid4(),
    )
    assert any("deliveries_finished_by_receipt" in row[0] for row in plan)
