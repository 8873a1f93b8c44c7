"""From a fact to notices: every listener by itself, each once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import tidings
from tests.support.pipeline import Owner, add_person, add_rule, drain, emit, kept
from tidings.kit.settings import Settings

EVERYONE = tidings.Selector(tidings.By.EVERYONE)


def notice(title: str = "Heard", **more: Any) -> tidings.Notice:
    return tidings.Notice(title, "of it", [EVERYONE], ["push"], **more)


async def verdicts(owner: Owner) -> dict[str, tuple[bool, str]]:
    rows = await owner.fetch("SELECT listener, told, verdict FROM tidings.processed_by")
    return {row["listener"]: (row["told"], row["verdict"]) for row in rows}


async def test_a_rule_turns_a_fact_into_a_message_for_everybody_it_names(owner: Owner, sending: Settings) -> None:
    await add_person(owner, push="token-1")
    await add_rule(owner, title="Order {{ data.id }}: {{ data.total | money('EUR') }}")
    await emit(owner, id=12, total=40)
    await drain(sending)
    (message,) = await kept(owner, sending)
    assert (message["to"], message["subject"]) == ("token-1", "Order 12: €40.00")


async def test_a_condition_that_is_not_met_is_recorded_in_words_and_tells_nobody(
    owner: Owner, sending: Settings
) -> None:
    await add_person(owner, push="token-1")
    rule = await add_rule(owner, conditions={"field": "total", "greater": 100})
    await emit(owner, total=40)
    await drain(sending)
    told, verdict = (await verdicts(owner))[f"rule:{rule}"]
    assert not told
    assert "40" in verdict
    assert "100" in verdict
    assert await kept(owner, sending) == []


async def test_one_listener_that_fails_stops_no_other_and_is_tried_again_alone(owner: Owner, sending: Settings) -> None:
    await add_person(owner, push="token-1")
    calls: list[str] = []

    @tidings.listener("order.paid", name="breaks at first")
    async def breaks(fact: Any) -> tidings.Notice:
        calls.append("breaks")
        if calls.count("breaks") == 1:
            raise ValueError("not today")
        return notice("Second try")

    @tidings.listener("order.*", name="works")
    async def works(fact: Any) -> list[tidings.Notice]:
        calls.append("works")
        return [notice("One"), notice("Two")]

    patient = sending.outbox.model_copy(update={"retry_base": timedelta(hours=1)})  # not within the same drain
    sending = sending.model_copy(update={"outbox": patient})
    await drain(sending, breaks, works)  # makes the listeners known
    await emit(owner)
    await drain(sending, breaks, works)
    assert {m["subject"] for m in await kept(owner, sending)} == {"One", "Two"}
    rows = await owner.fetch("SELECT kind, last_error FROM tidings.outbox")
    ((kind, error),) = ((row["kind"], row["last_error"]) for row in rows)  # the other listener's is done
    assert kind == "notice.listener.breaks at first"
    assert "breaks at first" in error
    assert "not today" in error
    await owner.execute("UPDATE tidings.outbox SET run_at = now()")
    await drain(sending, breaks, works)
    assert calls.count("works") == 1
    assert {m["subject"] for m in await kept(owner, sending)} == {"One", "Two", "Second try"}
    assert set(await verdicts(owner)) >= {"breaks at first", "works"}  # modules hear of what was settled, too


async def test_a_listener_that_takes_batches_is_called_once_for_many_facts(owner: Owner, sending: Settings) -> None:
    sizes: list[int] = []

    @tidings.listener("order.paid", batch=True)
    async def many(facts: list[Any]) -> list[tidings.Notice | None]:
        sizes.append(len(facts))
        return [notice(f"Order {fact.data['id']}") if fact.data["id"] % 2 else None for fact in facts]

    await add_person(owner, push="token-1")
    await drain(sending, many)
    for n in range(10):
        await emit(owner, id=n)
    await drain(sending, many)
    assert sum(sizes) == 10
    assert len(sizes) < 10
    assert len(await kept(owner, sending)) == 5


async def test_a_fact_of_a_type_with_a_rule_and_no_handler_leaves_no_intent_waiting_for_one(
    owner: Owner, sending: Settings
) -> None:
    await add_rule(owner)
    await emit(owner)
    assert await owner.fetchval("SELECT array_agg(kind) FROM tidings.outbox") == ["notice.rules"]


async def test_a_handler_and_a_rule_of_one_type_each_have_an_intent(owner: Owner) -> None:
    await owner.execute("INSERT INTO tidings.kinds (kind) VALUES ('order.paid')")
    await add_rule(owner, "order.*")
    await emit(owner)
    await owner.fetch("SELECT tidings.emit_many(ARRAY['order.paid', 'order.late'], ARRAY['{}', '{}']::jsonb[])")
    kinds = await owner.fetchval("SELECT array_agg(kind ORDER BY kind) FROM tidings.outbox")
    assert kinds == ["notice.rules"] * 3 + ["order.paid"] * 2


async def test_a_rule_that_is_turned_off_or_deleted_routes_nothing_any_more(owner: Owner) -> None:
    off, gone = await add_rule(owner), await add_rule(owner)
    await owner.execute("UPDATE tidings.rules SET enabled = false WHERE id = $1", off)
    await owner.execute("DELETE FROM tidings.rules WHERE id = $1", gone)
    await emit(owner)
    assert await owner.fetchval("SELECT array_agg(kind) FROM tidings.outbox") == ["order.paid"]


async def test_a_rule_of_another_tenant_hears_nothing(owner: Owner, sending: Settings) -> None:
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('other', 'Other')")
    await add_person(owner, tenant="other", push="token-1")
    await add_rule(owner, tenant="other")
    await emit(owner)
    await drain(sending)
    assert await kept(owner, sending) == []
    await emit(owner, tenant="other")
    await drain(sending)
    assert len(await kept(owner, sending)) == 1


async def test_what_is_delayed_is_a_notice_at_once_and_reaches_who_is_there_when_it_is_due(
    owner: Owner, sending: Settings
) -> None:
    await add_rule(owner, delay="15m")
    await emit(owner)
    await drain(sending)
    await add_person(owner, "Came later", push="token-1")
    assert await owner.fetchval("SELECT count(*) FROM tidings.notices") == 1
    assert await kept(owner, sending) == []
    await owner.execute("UPDATE tidings.outbox SET run_at = now()")
    await drain(sending)
    assert len(await kept(owner, sending)) == 1


async def test_a_rule_whose_words_cannot_be_rendered_is_an_error_that_names_it_and_the_part(
    owner: Owner, sending: Settings
) -> None:
    await add_person(owner, push="token-1")
    await add_rule(owner, name="broken", title="{{ data.nothing.here }}")
    await add_rule(owner, name="fine")
    await emit(owner)
    await drain(sending)
    assert len(await kept(owner, sending)) == 1
    error = await owner.fetchval("SELECT last_error FROM tidings.outbox WHERE kind = 'notice.rules'")
    assert error == "rule 'broken': title, line 1: there is no 'nothing' here"


async def test_a_rule_that_cannot_be_read_stops_no_other(owner: Owner, sending: Settings) -> None:
    await add_person(owner, push="token-1")
    await add_rule(owner, name="unreadable", channels=["pigeon"])
    await add_rule(owner, name="fine")
    await emit(owner)
    await drain(sending)
    assert len(await kept(owner, sending)) == 1
    assert "'unreadable'" in await owner.fetchval("SELECT last_error FROM tidings.outbox")


async def test_a_delay_is_counted_from_when_the_fact_was_due(owner: Owner, sending: Settings) -> None:
    await add_rule(owner, delay="15m")
    await emit(owner)
    await owner.execute("UPDATE tidings.outbox SET due_at = now() - interval '10 minutes'")
    await drain(sending)
    left = await owner.fetchval("SELECT run_at - now() FROM tidings.notices")
    assert timedelta(minutes=4) < left < timedelta(minutes=6)
