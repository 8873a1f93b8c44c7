"""Everything that one fact caused, as a real worker left it."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from tests.support.pipeline import Owner, add_person, add_rule, drain, emit
from tidings.kit.errors import NotFound
from tidings.kit.settings import Settings
from tidings.spine.delivery.seeing.trace import Trace, Traces


async def traced(owner: Owner, fact: UUID) -> Trace:
    return await Traces(owner, "default").of(fact)


@pytest.mark.usefixtures("any_postgres")
async def test_the_whole_way_of_a_fact(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, "The owner", push="token")
    await add_rule(owner, name="Told", channels=["push", "email", "websocket"])
    await add_rule(owner, name="Not told", conditions={"field": "amount", "greater": 100})
    fact = await emit(owner, amount=40)
    await drain(sending)
    trace = await traced(owner, fact)
    assert [(intent.kind, intent.status) for intent in trace.intents] == [("notice.rules", "succeeded")]
    assert {(heard.rule, heard.told) for heard in trace.listeners} == {("Told", True), ("Not told", False)}
    (notice,) = trace.notices
    assert (notice.tally.people, notice.tally.sent, notice.tally.settled_at is None) == (1, 2, False)
    (notification,) = trace.notifications
    assert (notification.person_id, notification.person_name, notification.missing) == (person, "The owner", ["email"])
    assert {(one.channel, one.status, one.notice_id) for one in trace.deliveries} == {
        ("push", "sent", notice.id),
        ("websocket", "sent", notice.id),
    }
    assert [[each.outcome for each in one.tries] for one in trace.deliveries] == [["sent"], ["sent"]]
    assert [(one.channel, one.status, one.count) for one in trace.counts] == [
        ("push", "sent", 1),
        ("websocket", "sent", 1),
    ]
    assert [(one.type, one.notice_id) for one in trace.facts] == [("notice.settled", notice.id)]
    assert not trace.truncated


async def test_before_anything_was_done_the_intents_are_there(owner: Owner) -> None:
    await add_rule(owner)
    fact = await emit(owner)
    trace = await traced(owner, fact)
    assert [(intent.kind, intent.status) for intent in trace.intents] == [("notice.rules", "pending")]
    assert (trace.notices, trace.deliveries) == ([], [])


async def test_a_fact_that_was_emitted_because_of_it_is_found(owner: Owner) -> None:
    fact = await emit(owner)
    caused = await owner.fetchval(
        "SELECT tidings.emit('invoice.made', '{}', metadata => jsonb_build_object('causation_id', $1::text))", str(fact)
    )
    trace = await traced(owner, fact)
    assert [one.id for one in trace.facts] == [caused]
    assert [intent.kind for intent in trace.intents] == ["order.paid"]


async def test_a_broadcast_is_shown_by_its_counts_and_its_first_people(owner: Owner, sending: Settings) -> None:
    await owner.execute(
        """WITH made AS (INSERT INTO tidings.people (tenant, name)
               SELECT 'default', 'P' || n FROM generate_series(1, 250) n RETURNING id)
           INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
           SELECT 'default', id, 'push', 't' || id, id::text FROM made"""
    )
    await add_rule(owner)
    fact = await emit(owner)
    await drain(sending)
    trace = await traced(owner, fact)
    assert [(intent.kind, intent.notice_id is None) for intent in trace.intents] == [
        ("notice.rules", True),
        ("notice.fan_out", False),
    ]
    assert (len(trace.notifications), len(trace.deliveries), trace.truncated) == (100, 100, True)
    assert [(one.channel, one.status, one.open, one.count) for one in trace.counts] == [("push", "sent", False, 250)]


async def test_a_fact_that_is_not_there_or_not_ones_own_is_not_found(owner: Owner) -> None:
    with pytest.raises(NotFound):
        await traced(owner, uuid4())
    fact = await emit(owner)
    with pytest.raises(NotFound):
        await Traces(owner, "elsewhere").of(fact)
