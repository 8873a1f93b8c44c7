"""Where what is said under a topic goes: to what each subscriber chose, and otherwise by the channels of the notice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

import tidings
from tests.support.pipeline import Owner, add_person, add_rule, drain, emit
from tests.support.routing import TOPIC, add_integration, choose, integrations_at
from tidings.app.worker import default_providers
from tidings.kit.settings import Settings
from tidings.spine.notify import fanning
from tidings.spine.notify.fanning import FanOut
from tidings.spine.notify.people.integrations import Changes

pytestmark = pytest.mark.usefixtures("any_postgres")
SUBSCRIBERS = tidings.Selector(tidings.By.TOPIC, (TOPIC,))
EVERYONE = tidings.Selector(tidings.By.EVERYONE)


@tidings.listener("order.paid", name="to the subscribers")
async def to_subscribers(fact: object) -> tidings.Notice:
    return tidings.Notice("Moved", "By an hour", [SUBSCRIBERS], ["email"])


@tidings.listener("order.paid", name="over both")
async def over_both(fact: object) -> tidings.Notice:
    return tidings.Notice("Moved", "By an hour", [SUBSCRIBERS], ["email", "apprise"])


@tidings.listener("order.paid", name="to everyone")
async def to_everyone(fact: object) -> tidings.Notice:
    return tidings.Notice("Moved", "By an hour", [EVERYONE], ["email"], topic=TOPIC)


async def sent(owner: Owner) -> list[tuple[str, UUID | None]]:
    """Channel and address of all that was sent."""
    rows = await owner.fetch("SELECT channel, address_id FROM tidings.deliveries_finished WHERE status = 'sent'")
    return [(row["channel"], row["address_id"]) for row in rows]


async def told(owner: Owner) -> list[tuple[int, bool, list[str]]]:
    rows = await owner.fetch("SELECT targets, routed, missing FROM tidings.notifications ORDER BY person_id")
    return [(row["targets"], row["routed"], row["missing"]) for row in rows]


@pytest.mark.parametrize(
    ("ids", "tags", "reached"),
    [
        (["phone"], [], {"phone"}),
        ([], ["home"], {"phone"}),
        ([], ["urgent"], {"phone", "desk"}),
        (["phone"], ["urgent"], {"phone", "desk"}),
        (["phone", "desk"], ["urgent", "home"], {"phone", "desk"}),
        (["desk"], ["nothing"], {"desk"}),
        (["old", "phone"], [], {"phone"}),
    ],
)
async def test_each_chosen_integration_in_use_is_told_once_and_nothing_else_is(
    owner: Owner, sending: Settings, ids: Sequence[str], tags: Sequence[str], reached: set[str]
) -> None:
    person = await add_person(owner, email="ada@example.com")
    known = {
        "phone": await add_integration(owner, sending, person, "phone", ["urgent", "home"]),
        "desk": await add_integration(owner, sending, person, "desk", ["urgent"]),
        "old": await add_integration(owner, sending, person, "old", ["urgent"], active=False),
    }
    await choose(owner, person, [known[name] for name in ids], tags)
    await emit(owner)
    await drain(sending, to_subscribers)
    assert sorted(await sent(owner)) == sorted(("apprise", known[name]) for name in reached)
    assert await told(owner) == [(len(reached), True, [])]
    tally = await owner.fetchrow("SELECT people, no_target, sent FROM tidings.tallies")
    assert tally is not None
    assert tuple(tally) == (1, 0, len(reached))


@pytest.mark.parametrize("choice", ["gone", "turned off", "no such tag", "somebody else's"])
async def test_a_choice_that_stands_for_nothing_is_no_target_and_does_not_fall_back(
    owner: Owner, sending: Settings, choice: str
) -> None:
    person, other = await add_person(owner, email="ada@example.com"), await add_person(owner, "other")
    off = await add_integration(owner, sending, person, "off", ["home"], active=False)
    theirs = await add_integration(owner, sending, other, "theirs", ["home"])
    chosen = {"gone": [uuid4()], "turned off": [off], "somebody else's": [theirs]}.get(choice, [])
    await choose(owner, person, chosen, ["nothing"] if choice == "no such tag" else [])
    await emit(owner)
    await drain(sending, to_subscribers)
    assert await sent(owner) == []
    assert await told(owner) == [(0, True, [])]
    settled = json.loads(await owner.fetchval("SELECT data::text FROM tidings.facts WHERE type = 'notice.settled'"))
    assert (settled["people"], settled["noTarget"]) == (1, 1)


async def test_without_a_choice_the_channels_count_and_integrations_are_used_if_theirs_is_among_them(
    owner: Owner, sending: Settings
) -> None:
    person = await add_person(owner, email="ada@example.com")
    phone = await add_integration(owner, sending, person, "phone", ["urgent"])
    await choose(owner, person)
    await emit(owner)
    await drain(sending, to_subscribers)
    assert [channel for channel, _ in await sent(owner)] == ["email"]
    await drain(sending, over_both)
    await emit(owner, type="order.paid")
    await drain(sending, over_both)
    assert ("apprise", phone) in await sent(owner)
    assert [routed for _, routed, _ in await told(owner)] == [False] * len(await told(owner))


async def test_who_is_not_subscribed_or_to_something_else_is_not_told_under_it(owner: Owner, sending: Settings) -> None:
    stranger = await add_person(owner, "stranger", email="eve@example.com")
    other = await add_person(owner, "other", email="bob@example.com")
    ada = await add_person(owner, "ada", email="ada@example.com")
    phones = [await add_integration(owner, sending, who, "phone", ["urgent"]) for who in (stranger, other, ada)]
    await choose(owner, other, tags=["urgent"], topic="event:8")
    await choose(owner, ada, tags=["urgent"])
    await emit(owner)
    await drain(sending, to_everyone)
    assert await sent(owner) == [("apprise", phones[2])]
    reasons = await owner.fetch("SELECT reason FROM tidings.delivery_attempts WHERE outcome = 'skipped'")
    assert [row["reason"] for row in reasons] == [f"the person is not subscribed to {TOPIC!r} any more"] * 2


async def test_a_rule_for_the_subscribers_of_one_topic_is_said_under_it(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, email="ada@example.com")
    phone = await add_integration(owner, sending, person, "phone")
    await choose(owner, person, [phone])
    await add_rule(owner, audience=[{"by": "topic", "field": "topic"}], channels=["email"])
    await emit(owner, topic=TOPIC)
    await drain(sending)
    assert await sent(owner) == [("apprise", phone)]
    assert await owner.fetchval("SELECT topic FROM tidings.notices") == TOPIC


@pytest.mark.parametrize(
    ("to", "topic", "said"),
    [
        ([SUBSCRIBERS], None, TOPIC),
        ([SUBSCRIBERS], "another", "another"),
        ([SUBSCRIBERS, EVERYONE], None, None),
        ([tidings.Selector(tidings.By.TOPIC, (TOPIC, "event:8"))], None, None),
        ([tidings.Selector(tidings.By.GROUP, (TOPIC,))], None, None),
    ],
)
def test_the_topic_of_a_notice_is_that_of_its_only_selector(
    to: Sequence[tidings.Selector], topic: str | None, said: str | None
) -> None:
    assert tidings.Notice("T", "B", to, ["email"], topic=topic).topic == said


async def test_one_that_is_turned_off_before_the_send_is_skipped(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner)
    phone = await add_integration(owner, sending, person, "phone")
    await choose(owner, person, [phone])
    notice = await say(owner)
    await FanOut(default_providers(sending)).reach(owner, [notice])
    await (await integrations_at(owner, sending)).change(person, phone, Changes(active=False))
    await drain(sending)
    row = await owner.fetchrow(
        "SELECT d.status, a.reason FROM tidings.deliveries_finished d JOIN tidings.delivery_attempts a"
        " ON a.delivery_id = d.id"
    )
    assert row is not None
    assert tuple(row) == ("skipped", "the address is not used any more: turned off by its owner")


async def say(owner: Owner, topic: str = TOPIC) -> UUID:
    notice: UUID = await owner.fetchval(
        """INSERT INTO tidings.notices
               (id, tenant, listener, title, body, template, level, category, channels, audience, topic)
           VALUES (gen_random_uuid(), 'default', 'test', 'T', 'B', 'notice', 'info', 'general', '{email}',
               $1::text::jsonb, $2) RETURNING id""",
        json.dumps([{"by": "topic", "values": [topic]}]),
        topic,
    )
    await owner.execute("INSERT INTO tidings.tallies (notice_id, tenant) VALUES ($1, 'default')", notice)
    return notice


MANY = """
WITH made AS (
    INSERT INTO tidings.people (tenant, name) SELECT 'default', g::text FROM generate_series(0, 9999) g
    RETURNING id, name
), mails AS (
    INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
    SELECT 'default', id, 'email', name || '@example.com', name || '@example.com' FROM made
), integrations AS (
    INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint, sealed, name, name_folded, tags)
    SELECT 'default', id, 'apprise', 'ntfys://…', kind, '\\x00', kind, kind, ARRAY[kind, 'any']
    FROM made, unnest(ARRAY['phone', 'desk']) AS k(kind)
)
INSERT INTO tidings.subscriptions (tenant, topic, person_id, tags)
SELECT 'default', 'event:7', id, CASE name::int % 4 WHEN 0 THEN '{}' WHEN 1 THEN '{phone}' WHEN 2 THEN '{any,phone}'
    ELSE '{nothing}' END::text[] FROM made
"""


async def test_ten_thousand_are_reached_once_in_chunks_though_one_is_cut_off(owner: Owner, sending: Settings) -> None:
    """A quarter chose nothing, a quarter one integration, a quarter two, and a quarter what is not there."""
    await owner.execute(MANY)
    notice = await say(owner)
    fan_out = FanOut(default_providers(sending))
    rounds = 0
    while await fan_out.reach(owner, [notice], 3_000):
        transaction = owner.transaction()
        await transaction.start()
        await fan_out.reach(owner, [notice], 3_000)
        await transaction.rollback()
        rounds += 1
    assert rounds == 3
    rows = await owner.fetch("SELECT channel, count(*), count(DISTINCT address_id) FROM tidings.deliveries GROUP BY 1")
    assert {tuple(row) for row in rows} == {("email", 2_500, 2_500), ("apprise", 7_500, 7_500)}
    tally = await owner.fetchrow("SELECT people, no_target, open, complete FROM tidings.tallies")
    assert tally is not None
    assert tuple(tally) == (10_000, 2_500, 10_000, True)


async def test_choices_are_found_by_an_index_however_many_subscribe(owner: Owner) -> None:
    """Also where a worker has prepared its statements, and plans for notices that it does not know."""
    await owner.execute(MANY)
    await owner.execute("ANALYZE")
    await owner.execute("SET plan_cache_mode = force_generic_plan")
    plan = await owner.fetch(f"EXPLAIN {fanning._FAN_OUT}", [await say(owner)], 10, timedelta(hours=1))
    looks = [row[0] for row in plan if "on subscriptions s" in row[0]]
    assert len(looks) == 1
    assert "Index" in looks[0]


async def test_who_is_the_first_to_choose_while_a_chunk_is_reached_is_sent_to(owner: Owner, sending: Settings) -> None:
    """A provider is there before anybody has chosen: what was counted as a target is a delivery."""
    person = await add_person(owner, email="ada@example.com")
    phone = await add_integration(owner, sending, person, "phone")
    await choose(owner, person)
    notice, defaults = await say(owner), default_providers(sending)
    await owner.execute(fanning._PROVIDE, [notice], list(defaults), list(defaults.values()))
    await owner.execute("UPDATE tidings.subscriptions SET address_ids = ARRAY[$1::uuid]", phone)
    await owner.fetch(fanning._FAN_OUT, [notice], 10, timedelta(hours=1))
    assert await owner.fetchval("SELECT count(*) FROM tidings.deliveries") == 1
    assert await owner.fetchval("SELECT open FROM tidings.tallies") == 1
