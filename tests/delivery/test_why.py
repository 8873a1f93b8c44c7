"""Why somebody did or did not get something, each time from what a real worker left behind."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.pipeline import Owner, add_person, add_provider, add_rule, drain, emit
from tests.support.routing import TOPIC, add_integration, choose
from tidings.kit.errors import NotFound, ValidationFailed
from tidings.kit.settings import Settings
from tidings.spine.delivery.seeing.causes import Answer, Cause, Got
from tidings.spine.delivery.seeing.trace import Traces
from tidings.spine.delivery.seeing.why import Explanation, Why
from tidings.spine.notify.listeners import listener


async def asked(owner: Owner, person: object, fact: UUID) -> tuple[Answer, ...]:
    explanation = await Why(owner, "default").of_fact(str(person), fact)
    (matter,) = explanation.matters
    return matter.answers


async def the_answer(owner: Owner, person: object, fact: UUID) -> Answer:
    (answer,) = await asked(owner, person, fact)
    return answer


def words(answer: Answer) -> str:
    return " ".join(answer.sentences)


async def test_a_fact_that_is_not_there(owner: Owner) -> None:
    answer = await the_answer(owner, await add_person(owner), uuid4())
    assert (answer.cause, answer.got) == (Cause.FACT_UNKNOWN, Got.NO)


async def test_nobody_listens_to_such_facts(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner, "order.cancelled")
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert answer.cause is Cause.NO_RULE
    assert "facts of type order.paid" in words(answer)


async def test_a_condition_that_was_not_met_is_told_with_the_rule_and_the_value(
    owner: Owner, sending: Settings
) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner, name="Large orders", conditions={"field": "amount", "greater": 100})
    fact = await emit(owner, amount=40)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.about.rule, answer.about.rule_version) == (
        Cause.CONDITION_NOT_MET,
        "Large orders",
        1,
    )
    assert "'Large orders' (version 1)" in words(answer)
    assert "amount is 40, not greater than 100" in words(answer)


async def test_a_rule_that_changed_since_is_said_to_have(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    rule = await add_rule(owner, conditions={"field": "amount", "greater": 100})
    fact = await emit(owner, amount=40)
    await drain(sending)
    await owner.execute("UPDATE tidings.rules SET version = 2, body = body - 'conditions' WHERE id = $1", rule)
    assert "it is in version 2 now" in words(await the_answer(owner, person, fact))
    await owner.execute("DELETE FROM tidings.rules")
    answer = await the_answer(owner, person, fact)
    assert answer.cause is Cause.CONDITION_NOT_MET
    assert "deleted since" in words(answer)


async def test_a_rule_that_is_switched_off(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner, name="Quiet one")
    await owner.execute("UPDATE tidings.rules SET enabled = false")
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.about.rule) == (Cause.RULE_DISABLED, "Quiet one")


async def test_a_rule_that_came_after_the_fact(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    fact = await emit(owner)
    await add_rule(owner, name="Latecomer")
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.about.rule) == (Cause.RULE_CAME_LATER, "Latecomer")


async def test_a_fact_that_is_to_be_told_later_and_one_that_no_worker_prepares(owner: Owner) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner)
    later = await owner.fetchval("SELECT tidings.emit('order.paid', '{\"id\": 1}', run_at => now() + interval '1 day')")
    answer = await the_answer(owner, person, later)
    assert (answer.cause, answer.got) == (Cause.DUE_LATER, Got.NOT_YET)
    assert answer.at is not None
    assert (await the_answer(owner, person, await emit(owner))).cause is Cause.NO_WORKER


async def test_preparing_that_fails_and_then_is_given_up(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner, name="Broken", title="{{ data.amount / data.none }}")
    fact = await emit(owner, amount=1, none=0)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.got) == (Cause.PREPARING_FAILS, Got.NOT_YET)
    assert "rule 'Broken'" in words(answer)
    assert "tried again at" in words(answer)


async def test_a_listener_that_had_nothing_to_say(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")

    @listener("order.paid", name="silent")
    async def silent(fact: Any) -> None:
        return None

    await drain(sending, silent)
    fact = await emit(owner)
    await drain(sending, silent)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.about.listener) == (Cause.NOTHING_SAID, "silent")


async def test_somebody_who_is_not_in_the_audience_and_somebody_who_joined_later(
    owner: Owner, sending: Settings
) -> None:
    person = await add_person(owner, push="token", external_id="7")
    await add_rule(owner, name="Sales", audience=[{"by": "group", "values": ["sales"]}])
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, "7", fact)
    assert answer.cause is Cause.NOT_IN_AUDIENCE
    assert "group sales" in words(answer)
    group = await owner.fetchval(
        "INSERT INTO tidings.groups (tenant, external_id, name) VALUES ('default', 'sales', 'Sales') RETURNING id"
    )
    await owner.execute("INSERT INTO tidings.group_members VALUES ('default', $1, $2)", group, person)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.got) == (Cause.JOINED_LATER, Got.NO)


@pytest.mark.usefixtures("any_postgres")
async def test_no_address_on_one_channel_and_sent_on_another(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner, channels=["push", "email"])
    fact = await emit(owner)
    await drain(sending)
    answers = {answer.about.channel: answer for answer in await asked(owner, person, fact)}
    assert answers["email"].cause is Cause.NO_ADDRESS
    assert answers["push"].cause is Cause.SENT
    assert "receipt is sandbox:" in words(answers["push"])
    explanation = await Why(owner, "default").of_fact(str(person), fact)
    assert explanation.matters[0].got is Got.YES


REFUSING = {
    Cause.NOT_WANTED: """INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted)
        SELECT tenant, id, 'general', 'push', false FROM tidings.people""",
    Cause.SUPPRESSED: """INSERT INTO tidings.suppressions (tenant, kind, fingerprint, value, reason)
        SELECT tenant, kind, fingerprint, value, 'complained' FROM tidings.addresses""",
    Cause.ADDRESS_DISABLED: "UPDATE tidings.addresses SET disabled_at = now(), disabled_reason = 'gone'",
    Cause.ADDRESS_GONE: "DELETE FROM tidings.addresses",
    Cause.PERSON_GONE: "DELETE FROM tidings.people",
    Cause.NOTICE_CLOSED: "UPDATE tidings.notices SET closed_at = now(), closed_reason = 'handled'",
}


@pytest.mark.parametrize("cause", REFUSING)
async def test_what_was_not_wanted_any_more_when_it_was_to_be_sent(
    owner: Owner, sending: Settings, cause: Cause
) -> None:
    person = await add_person(owner, push="token", quiet_from=None)
    await add_rule(owner, channels=["push"])
    provider = await add_provider(owner, sending, "push", "sandbox", enabled=True)
    fact = await emit(owner)
    await owner.execute("UPDATE tidings.providers SET opened_at = now(), open_until = now() + interval '1 hour'")
    await drain(sending)
    await owner.execute(REFUSING[cause])
    await owner.execute("UPDATE tidings.providers SET opened_at = NULL, open_until = NULL WHERE id = $1", provider)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.got) == (cause, Got.NO)
    assert answer.about.channel == "push"


async def test_quiet_hours(owner: Owner, sending: Settings) -> None:
    now = await owner.fetchval("SELECT (now() AT TIME ZONE 'UTC')")
    hours = {"quiet_from": (now - timedelta(hours=1)).time(), "quiet_until": (now + timedelta(hours=2)).time()}
    person = await add_person(owner, push="token", timezone="UTC", **hours)
    await add_rule(owner)
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.got) == (Cause.QUIET_HOURS, Got.NOT_YET)
    assert "quiet hours until" in words(answer)
    assert answer.at is not None
    assert abs(answer.at - await owner.fetchval("SELECT now()") - timedelta(hours=2)) < timedelta(minutes=2)


async def test_a_provider_whose_circuit_is_open_and_one_that_is_off(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner)
    await add_provider(owner, sending, "push", "sandbox", name="main")
    await owner.execute(
        "UPDATE tidings.providers SET opened_at = now(), open_until = now() + interval '1 hour', last_error = 'down'"
    )
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.got) == (Cause.CIRCUIT_OPEN, Got.NOT_YET)
    assert "'main' keeps failing (down)" in words(answer)
    await owner.execute("UPDATE tidings.providers SET enabled = false")
    assert (await the_answer(owner, person, fact)).cause is Cause.PROVIDER_DISABLED
    await owner.execute("UPDATE tidings.providers SET enabled = true, opened_at = NULL, open_until = NULL")
    await owner.execute("UPDATE tidings.tenants SET suspended_at = now()")
    assert (await the_answer(owner, person, fact)).cause is Cause.TENANT_SUSPENDED


async def test_what_was_refused_by_the_provider(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner)
    await add_provider(owner, sending, "push", "none", name="none")
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.got) == (Cause.REJECTED, Got.NO)
    assert "no provider is set for push" in words(answer)


async def test_a_provider_that_fails_is_told_with_every_error(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner)
    await add_provider(owner, sending, "push", "fcm", config={})
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.got) == (Cause.WILL_RETRY, Got.NOT_YET)
    await owner.execute("UPDATE tidings.deliveries SET run_at = now(), max_attempts = 1")
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert answer.cause is Cause.FAILED
    assert words(answer).count("the configuration of the provider cannot be used") == 2


async def test_what_came_back(owner: Owner, sending: Settings) -> None:
    await add_person(owner, email="somebody@example.com")
    await add_rule(owner, channels=["email"])
    fact = await emit(owner)
    await drain(sending)
    await owner.execute("UPDATE tidings.deliveries_finished SET confirmed = 'bounced', confirmed_at = now()")
    answer = await the_answer(owner, "Somebody@Example.com", fact)
    assert (answer.cause, answer.got, answer.about.notification_id is None) == (Cause.BOUNCED, Got.NO, False)


async def test_a_delayed_notice_waits_for_its_time(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner, delay="2h")
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.got) == (Cause.DELAYED, Got.NOT_YET)


async def test_a_person_is_found_by_any_of_their_names_and_two_are_told_apart(owner: Owner) -> None:
    first = await add_person(owner, "first", external_id="ada", email="both@example.com")
    await add_person(owner, "second", email="both@example.com")
    why = Why(owner, "default")
    assert (await why.of_fact("ada", uuid4())).who.id == first
    with pytest.raises(ValidationFailed, match="2 people have this e-mail"):
        await why.of_fact("both@example.com", uuid4())
    with pytest.raises(NotFound):
        await why.of_fact("nobody", uuid4())
    with pytest.raises(NotFound):
        await Why(owner, "elsewhere").of_fact(str(first), uuid4())


async def test_a_category_over_a_time(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, push="token")
    await add_rule(owner, name="Told", category="orders")
    await add_rule(owner, "lead.created", name="Not told", category="orders", conditions={"field": "x", "equals": 1})
    await add_rule(owner, name="Other", category="other")
    facts = [await emit(owner), await emit(owner, "lead.created")]
    await drain(sending)
    explanation = await _over(owner, person, "orders")
    found = {matter.fact.id: matter.answers for matter in explanation.matters if matter.fact}
    assert {fact: [answer.cause for answer in answers] for fact, answers in found.items()} == {
        facts[0]: [Cause.SENT],
        facts[1]: [Cause.CONDITION_NOT_MET],
    }
    (other,) = (await Why(owner, "default").of_fact(str(person), facts[1], "other")).matters
    assert [answer.cause for answer in other.answers] == [Cause.NOTHING_HAPPENED]
    everything = await _over(owner, person, None)
    assert sum(len(matter.answers) for matter in everything.matters) == 3
    nothing = await _over(owner, person, "weather")
    assert [answer.cause for answer in nothing.matters[0].answers] == [Cause.NOTHING_HAPPENED]


async def _over(owner: Owner, person: UUID, category: str | None) -> Explanation:
    now = await owner.fetchval("SELECT clock_timestamp()")
    hour = timedelta(hours=1)
    return await Why(owner, "default").over(str(person), now - hour, now + hour, category)


async def test_where_they_chose_to_hear_of_a_topic_takes_the_place_of_the_channels(
    owner: Owner, sending: Settings
) -> None:
    person = await add_person(owner, "Ada", email="ada@example.com")
    phone = await add_integration(owner, sending, person, "phone")
    await choose(owner, person, [phone])
    await add_rule(owner, audience=[{"by": "topic", "values": [TOPIC]}], channels=["email"])
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.about.channel) == (Cause.SENT, "apprise")
    assert "Ada chose integrations for the topic event:7, in place of its channels." in words(answer)


async def test_integrations_that_are_gone_or_turned_off_are_told_as_such(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, "Ada", email="ada@example.com")
    off = await add_integration(owner, sending, person, "phone", active=False)
    await choose(owner, person, [off, uuid4()])
    await add_rule(owner, audience=[{"by": "topic", "values": [TOPIC]}], channels=["email"])
    fact = await emit(owner)
    await drain(sending)
    answer = await the_answer(owner, person, fact)
    assert (answer.cause, answer.got) == (Cause.NO_INTEGRATION, Got.NO)
    assert "None of those that Ada chose was there and in use when the notice was sent out." in words(answer)
    (traced,) = (await Traces(owner, "default").of(fact)).notifications
    assert (traced.routed, traced.targets, traced.missing) == (True, 0, [])
