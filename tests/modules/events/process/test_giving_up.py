"""Which failures count, and what becomes of the process then."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from temporalio.api.enums.v1 import EventType
from temporalio.testing import WorkflowEnvironment

from tests.support.organising import Organiser
from tests.support.pipeline import Owner
from tests.support.temporal import Stage, histories, leaping, until


async def test_a_broadcast_that_gives_up_is_on_record_and_the_process_goes_on(
    stage: Stage, organiser: Organiser
) -> None:
    """The database refuses a fact whose cause it does not know: three times, and no more."""
    event = await organiser.create()
    async with stage.performed():
        await stage.pass_on()
        handle = await stage.handle(f"event-{event}")
        told = {"act": 1, "factId": str(uuid4()), "title": "From nowhere", "body": "", "level": "info"}
        await handle.signal("send_manual_notification", told)
        for _ in range(2):
            await organiser.announce(event)
        await handle.signal("send_manual_notification", (await organiser.signals(event))[1]["argument"])
        await until(lambda: stage.says(f"event-{event}", notifications=3, failedBroadcasts=1, lastAct=2))
        (history,) = await histories(await stage.temporal.client(), f"event-{event}")
    assert await organiser.acts(event) == [2]
    started = [e for e in history.events if e.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED]
    assert sorted(e.activity_task_started_event_attributes.attempt for e in started) == [1, 1, 1, 3]


async def test_what_it_cannot_go_on_without_is_tried_until_it_works(
    skipping: WorkflowEnvironment, skipping_stage: Stage, organiser: Organiser, owner: Owner
) -> None:
    """The end of the event meets a database that refuses; what is announced later is passed on all the same."""
    event = await organiser.create()
    await owner.execute("ALTER FUNCTION tidings.set_reminders RENAME TO set_no_reminders")
    async with skipping_stage.performed():
        await skipping_stage.pass_on()
        await skipping.sleep(timedelta(days=2, hours=3, minutes=2))
        assert await organiser.status(event) == "active"
        await owner.execute("ALTER FUNCTION tidings.set_no_reminders RENAME TO set_reminders")
        async with leaping(skipping):
            result = await skipping.client.get_workflow_handle(f"event-{event}").result()
    assert result == "completed"
    assert await organiser.status(event) == "completed"
