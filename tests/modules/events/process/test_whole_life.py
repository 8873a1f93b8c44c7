"""An event's process from its start to its end, with the waits skipped."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ActivityError, ApplicationError
from temporalio.testing import WorkflowEnvironment

from tests.support.organising import TENANT, Organiser
from tests.support.temporal import Stage, leaping, until
from tidings.kit import db


async def ended(skipping: WorkflowEnvironment, event: int) -> str:
    """How it ended, however far away that is."""
    async with leaping(skipping):
        result: str = await skipping.client.get_workflow_handle(f"event-{event}").result()
    return result


async def closed_at(skipping: WorkflowEnvironment, event: int) -> datetime:
    closed = (await skipping.client.get_workflow_handle(f"event-{event}").describe()).close_time
    assert closed is not None
    return closed


async def tell(stage: Stage, event: int, *signals: dict[str, Any]) -> None:
    handle = await stage.handle(f"event-{event}")
    for signal in signals:
        await handle.signal(signal["signal"], signal["argument"])


async def test_created_joined_moved_announced_and_over(
    skipping: WorkflowEnvironment, skipping_stage: Stage, organiser: Organiser
) -> None:
    event = await organiser.create()
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        for name in ("Ada", "Grace", "Alan"):
            last = await organiser.join(event, name)
        await organiser.leave(event, last)
        moved = datetime.now(UTC) + timedelta(days=9)
        await organiser.change(event, starts_at=moved, ends_at=moved + timedelta(hours=1), location="The barn")
        await organiser.announce(event, level="critical")
        await skipping_stage.pass_on()
        await skipping.sleep(timedelta(days=5))
        before = await skipping_stage.status(f"event-{event}")
        assert len(await organiser.reminders(event)) == 4
        assert await ended(skipping, event) == "completed"
    assert before | {"overAt": None} == {
        "status": "active",
        "participants": 2,
        "notifications": 3,
        "failedBroadcasts": 0,
        "lastAct": 2,
        "missingActs": [],
        "waitingActs": 0,
        "overAt": None,
        "continuedTimes": 0,
    }
    assert datetime.fromisoformat(before["overAt"]) == moved + timedelta(hours=1)
    updated, announced = await organiser.facts(event)
    assert (updated["kind"], updated["level"], updated["changes"]["location"]) == ("updated", "warning", "The barn")
    assert updated["event"]["name"] == "Summer party"
    assert (announced["kind"], announced["level"], announced["body"]) == ("announced", "critical", "Bring a coat.")
    assert updated["metadata"]["causation_id"] == updated["factId"]
    assert updated["metadata"]["workflow_id"] == f"event-{event}"
    assert [fact["event"]["name"] for fact in await organiser.facts(event, "event.live")] == ["Summer party"]
    assert await organiser.status(event) == "completed"
    assert await organiser.reminders(event) == []


async def test_cancelling_is_told_and_ends_it(
    skipping: WorkflowEnvironment, skipping_stage: Stage, organiser: Organiser
) -> None:
    event = await organiser.create()
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        await organiser.join(event, "Ada")
        await organiser.cancel(event)
        await skipping_stage.pass_on()
        assert await ended(skipping, event) == "cancelled"
    (fact,) = await organiser.facts(event)
    assert (fact["kind"], fact["level"], fact["event"]["name"]) == ("cancelled", "critical", "Summer party")
    assert await organiser.status(event) == "cancelled"
    assert await closed_at(skipping, event) < datetime.now(UTC) + timedelta(days=1)


async def test_without_an_end_it_is_over_a_day_after_its_start(
    skipping: WorkflowEnvironment, skipping_stage: Stage, organiser: Organiser
) -> None:
    start = datetime.now(UTC) + timedelta(days=3)
    event = await organiser.create(starts_at=start, ends_at=None)
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        assert await ended(skipping, event) == "completed"
    over = start + timedelta(hours=24)
    assert over <= await closed_at(skipping, event) < over + timedelta(minutes=1)


async def test_a_missing_event_fails_its_process_once(
    skipping: WorkflowEnvironment, skipping_stage: Stage, pool: db.Pool
) -> None:
    given = '{"tenant": "default", "eventId": 7, "startsAt": "2090-01-01T00:00:00Z", "endsAt": null}'
    async with pool.acquire() as connection, db.as_tenant(connection, TENANT):
        await connection.execute("SELECT tidings.start_process('event-7', 'EventWorkflow', $1::text::jsonb)", given)
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        with pytest.raises(WorkflowFailureError) as failure:
            await ended(skipping, 7)
    step = failure.value.cause
    assert isinstance(step, ActivityError)
    assert isinstance(step.cause, ApplicationError)
    assert (step.cause.type, step.cause.non_retryable) == ("EventMissing", True)


async def test_acts_are_passed_on_once_and_in_order_however_they_come(
    skipping: WorkflowEnvironment, skipping_stage: Stage, organiser: Organiser
) -> None:
    event = await organiser.create()
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        for number in range(1, 6):
            await organiser.announce(event, f"Announcement {number}")
        one, two, three, four, five = await organiser.signals(event)
        await tell(skipping_stage, event, three, one, one, five, two, three, four, two, five)
        await skipping_stage.pass_on()
        assert await ended(skipping, event) == "completed"
    assert [fact["title"] for fact in await organiser.facts(event)] == [f"Announcement {n}" for n in range(1, 6)]


async def test_an_act_that_is_missing_is_waited_for_and_then_gone_past(
    skipping: WorkflowEnvironment, skipping_stage: Stage, organiser: Organiser
) -> None:
    event = await organiser.create()
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        for number in range(1, 4):
            await organiser.announce(event, f"Announcement {number}")
        one, two, three = await organiser.signals(event)
        await tell(skipping_stage, event, one, three)
        await skipping.sleep(timedelta(seconds=50))
        assert await organiser.acts(event) == [1]
        await skipping.sleep(timedelta(seconds=20))
        await until(lambda: organiser.has_passed_on(event, [1, 3]))
        assert (await skipping_stage.status(f"event-{event}"))["missingActs"] == [2]
        await tell(skipping_stage, event, two, two)
        assert await ended(skipping, event) == "completed"
    assert await organiser.acts(event) == [1, 3, 2]


async def test_an_event_that_was_moved_is_not_over_though_nobody_told_its_process(
    skipping: WorkflowEnvironment, skipping_stage: Stage, organiser: Organiser
) -> None:
    event = await organiser.create()
    start = datetime.now(UTC) + timedelta(days=30)
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        await organiser.change(event, starts_at=start, ends_at=None)
        await skipping.sleep(timedelta(days=10))
        assert await organiser.status(event) == "active"
        assert await ended(skipping, event) == "completed"
    assert await closed_at(skipping, event) >= start + timedelta(hours=24)


async def test_what_was_announced_before_the_end_is_passed_on_though_it_comes_after(
    skipping: WorkflowEnvironment, skipping_stage: Stage, organiser: Organiser
) -> None:
    event = await organiser.create()
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        await organiser.announce(event, "Where the shoes are")
        await skipping.sleep(timedelta(days=2, hours=3, seconds=20))
        await until(lambda: organiser.is_completed(event))
        await skipping_stage.pass_on()
        assert await ended(skipping, event) == "completed"
    assert [fact["title"] for fact in await organiser.facts(event)] == ["Where the shoes are"]


async def test_what_makes_no_sense_is_passed_over(
    skipping: WorkflowEnvironment, skipping_stage: Stage, organiser: Organiser
) -> None:
    event = await organiser.create()
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        handle = await skipping_stage.handle(f"event-{event}")
        await handle.signal("participant_added", "whoever")
        await handle.signal("event_updated", {"act": "the first"})
        await handle.signal("no_such_signal", {})
        await handle.signal("cancel_event", {"act": 0, "factId": ""})
        odd = {"act": 10**9, "factId": "", "event": {"startsAt": "soon"}, "title": "", "body": "", "level": "info"}
        await handle.signal("send_manual_notification", odd)
        await organiser.announce(event)
        await skipping_stage.pass_on()
        assert await ended(skipping, event) == "completed"
    assert await organiser.acts(event) == [1]
