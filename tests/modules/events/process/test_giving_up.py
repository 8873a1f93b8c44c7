"""Which failures count, and what becomes of the process then."""

from __future__ import annotations

from uuid import uuid4

from temporalio.api.enums.v1 import EventType

from tests.support.organising import Organiser
from tests.support.temporal import Stage, histories, until


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
