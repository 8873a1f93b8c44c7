"""A test of users' own: from a fact to what somebody was told, without a worker, and what is said where it was not."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

import tidings
from tests.delivery.post_office import Mailer, mailer
from tests.outbox.engines import Owner
from tests.support.pipeline import add_provider, sending_settings
from tidings.testing import (
    aadd_person,
    aadd_rule,
    aassert_told,
    add_person,
    add_rule,
    adrain,
    assert_told,
    atold,
    drain,
    told,
)

RULE = {
    "factType": "order.paid",
    "audience": [{"by": "everyone"}],
    "title": "Order {{ data.id }} is paid",
    "body": "Thank you, {{ data.by }}.",
    "channels": ["email"],
}


@tidings.listener("order.paid")
async def tell_the_owner(fact: Any) -> tidings.Notice | None:
    if fact.data["id"] == 13:
        return None
    owners = tidings.Selector(tidings.By.EXTERNAL_ID, ("owner",))
    return tidings.Notice(f"Order {fact.data['id']} is paid", "Good.", [owners], ["push", "websocket"])


@tidings.handler("order.paid")
async def thank(intent: tidings.Intent) -> None: ...


async def emitted(owner: Owner, id: int = 7, type: str = "order.paid") -> UUID:
    async with owner.transaction():
        return await tidings.aemit(owner, type, {"id": id, "by": "the buyer"})


def test_a_listener_tells_the_one_it_names_in_a_test_of_plain_functions(database_url: str) -> None:
    person = add_person(database_url, "The owner", external_id="owner", push="device-1")
    add_person(database_url, "Somebody else", push="device-2")
    with psycopg.connect(database_url) as connection:
        tidings.emit(connection, "order.paid", {"id": 7})
    assert drain(database_url, tell_the_owner, thank) == {"succeeded": 1}
    (by_push,) = assert_told(database_url, "owner", channel="push", title="Order 7", body="Good", times=1)
    assert (by_push.person_id, by_push.to, by_push.external_id) == (person, "device-1", "owner")
    for known_as in ("The owner", person, str(person), "device-1"):
        assert_told(database_url, known_as, channel="push")
    assert_told(database_url, "owner", channel="websocket")
    assert_told(database_url, "Somebody else", times=0)
    assert [each.channel for each in told(database_url)] == ["push", "websocket"]


def test_a_rule_tells_everyone_in_its_own_words_and_a_mail_has_a_page(database_url: str) -> None:
    add_person(database_url, "The owner", email="owner@example.com")
    add_rule(database_url, RULE)
    with psycopg.connect(database_url) as connection:
        tidings.emit(connection, "order.paid", {"id": 7, "by": "the buyer"})
    drain(database_url)
    (mail,) = assert_told(database_url, "owner@example.com", body="Thank you, the buyer.")
    assert mail.title == "Order 7 is paid"
    assert mail.html is not None
    assert "Thank you, the buyer." in mail.html


async def test_a_listener_hears_of_what_was_emitted_before_it_was_known_and_once(
    database_url: str, owner: Owner
) -> None:
    await aadd_person(database_url, "The owner", external_id="owner", push="device-1")
    await emitted(owner)
    for _ in range(3):
        await adrain(database_url, tell_the_owner)
    await emitted(owner, 8)
    await adrain(database_url, tell_the_owner)
    await aassert_told(database_url, "owner", channel="push", times=2)


async def test_each_of_several_facts_has_its_own(database_url: str, owner: Owner) -> None:
    await aadd_person(database_url, "The owner", email="owner@example.com")
    await aadd_rule(database_url, RULE)
    first, second = await emitted(owner, 1), await emitted(owner, 2)
    await adrain(database_url)
    await aassert_told(database_url, fact=first, title="Order 1", times=1)
    await aassert_told(database_url, fact=second, title="Order 1", times=0)
    assert len(await atold(database_url)) == 2


async def test_groups_and_topics_of_a_person_are_what_audiences_go_by(database_url: str, owner: Owner) -> None:
    await aadd_person(database_url, "In the kitchen", email="kitchen@example.com", groups=["kitchen"])
    await aadd_person(database_url, "At the door", email="door@example.com", topics=["orders"])
    await aadd_person(database_url, "Elsewhere", email="elsewhere@example.com")
    by_group = {"by": "group", "values": ["kitchen"]}
    await aadd_rule(database_url, {**RULE, "audience": [by_group, {"by": "topic", "values": ["orders"]}]})
    await emitted(owner)
    await adrain(database_url)
    assert {each.person for each in await atold(database_url)} == {"In the kitchen", "At the door"}


async def test_nothing_leaves_whatever_provider_is_set_unless_asked_for(database_url: str, owner: Owner) -> None:
    server: Mailer
    async with mailer() as server:
        settings = sending_settings(database_url)
        await add_provider(owner, settings, "email", "resend", config=server.config)
        await aadd_person(settings, "The owner", email="owner@example.com")
        await aadd_rule(settings, RULE)
        await emitted(owner, 1)
        await adrain(settings)
        assert server.keys == []
        await emitted(owner, 2)
        await adrain(settings, sandbox=False)
        assert len(server.keys) == 1
    await aassert_told(settings, "The owner", times=2)


async def failure(database_url: str, *person: str, **expected: Any) -> str:
    with pytest.raises(AssertionError) as raised:
        await aassert_told(database_url, *person, **expected)
    return str(raised.value)


async def test_a_failure_says_what_was_told_instead(database_url: str, owner: Owner) -> None:
    await aadd_person(database_url, "The owner", external_id="owner", email="owner@example.com")
    await aadd_rule(database_url, RULE)
    await emitted(owner)
    await adrain(database_url)
    said = await failure(database_url, "owner", channel="push", title="Order 8", times=2)
    assert said.splitlines() == [
        "expected 'owner' to be told by push, with 'Order 8' in the title 2 times in tenant default, found 0",
        "told, the newest first:",
        said.splitlines()[2],
    ]
    assert said.splitlines()[2].startswith("  The owner (owner) by email: 'Order 7 is paid', ")
    assert "found 1" in await failure(database_url, "owner", times=0)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (None, "No rule and no listener"),
        ({**RULE, "channels": ["sms"]}, "The owner had no address for the channel sms"),
        ({**RULE, "audience": [{"by": "group", "values": ["kitchen"]}]}, "The owner is not among them"),
        ({**RULE, "conditions": {"field": "id", "greater": 100}}, "id is 7, not greater than 100"),
        ({**RULE, "delay": "1h"}, "It is delayed by its rule"),
    ],
)
async def test_where_nobody_was_told_a_failure_says_why(
    database_url: str, owner: Owner, rule: dict[str, Any] | None, reason: str
) -> None:
    await aadd_person(database_url, "The owner", external_id="owner", email="owner@example.com")
    if rule is not None:
        await aadd_rule(database_url, rule)
    fact = await emitted(owner)
    await adrain(database_url)
    for expected in ({}, {"fact": fact}):
        assert reason in await failure(database_url, "owner", **expected)
    assert reason in await failure(database_url)


async def test_a_listener_with_nothing_to_say_and_one_that_fails_are_named(database_url: str, owner: Owner) -> None:
    @tidings.listener("order.lost")
    async def fails(fact: Any) -> tidings.Notice:
        raise ValueError("not today")

    await aadd_person(database_url, "The owner", external_id="owner")
    silent, lost = await emitted(owner, 13), await emitted(owner, type="order.lost")
    await adrain(database_url, tell_the_owner, fails)
    assert "the listener had nothing to say" in (await failure(database_url, "owner", fact=silent)).lower()
    assert "not today" in await failure(database_url, "owner", fact=lost)


async def test_nobody_of_that_name_and_no_fact_at_all_are_told_apart(database_url: str) -> None:
    assert (await failure(database_url)).endswith("there are no people in tenant default")
    await aadd_person(database_url, "The owner", external_id="owner")
    said = await failure(database_url, "the woner")
    assert said.endswith("nobody in tenant default is known as 'the woner'; there are: The owner (owner)")
    assert "was the transaction committed?" in await failure(database_url, "owner")


async def test_what_cannot_be_a_person_or_a_rule_is_refused(database_url: str) -> None:
    with pytest.raises(ValueError, match="one e-mail address"):
        await aadd_person(database_url, "The owner", email="nobody")
    with pytest.raises(TypeError, match="mail"):
        await aadd_person(database_url, "The owner", mail="owner@example.com")
    with pytest.raises(tidings.ValidationFailed, match="audience"):
        await aadd_rule(database_url, {"factType": "order.paid"})
