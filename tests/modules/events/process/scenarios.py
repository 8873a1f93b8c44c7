"""Lives of events whose histories are kept: whatever a process can go through should be in one of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from temporalio.testing import WorkflowEnvironment

from tests.support.organising import TENANT, Organiser
from tests.support.temporal import Stage, leaping


@dataclass(frozen=True)
class Scene:
    stage: Stage
    skipping: WorkflowEnvironment
    organiser: Organiser

    async def ended(self, event: int) -> None:
        async with leaping(self.skipping):
            await self.skipping.client.get_workflow_handle(f"event-{event}").result()

    async def tell(self, event: int, signal: str, argument: Mapping[str, Any]) -> None:
        await (await self.stage.handle(f"event-{event}")).signal(signal, argument)


async def moved_joined_announced_and_over(scene: Scene) -> int:
    event = await scene.organiser.create()
    await scene.stage.pass_on()
    await scene.organiser.join(event, "Ada")
    start = datetime.now(UTC) + timedelta(days=5)
    await scene.organiser.change(event, starts_at=start, ends_at=None)
    await scene.organiser.announce(event)
    await scene.stage.pass_on()
    await scene.ended(event)
    return event


async def cancelled(scene: Scene) -> int:
    event = await scene.organiser.create()
    await scene.stage.pass_on()
    await scene.organiser.cancel(event)
    await scene.stage.pass_on()
    await scene.ended(event)
    return event


async def moved_unheard(scene: Scene) -> int:
    """Its row was moved; the signal that says so comes after its time, or never."""
    event = await scene.organiser.create()
    await scene.stage.pass_on()
    start = datetime.now(UTC) + timedelta(days=5)
    await scene.organiser.change(event, starts_at=start, ends_at=None)
    await scene.ended(event)
    return event


async def one_act_missing(scene: Scene) -> int:
    event = await scene.organiser.create()
    await scene.stage.pass_on()
    for number in range(4):
        await scene.organiser.announce(event, f"Announcement {number}")
    first, second, third, _ = await scene.organiser.signals(event)
    for each in (third, first, first):
        await scene.tell(event, each["signal"], each["argument"])
    await scene.skipping.sleep(timedelta(minutes=2))
    await scene.tell(event, second["signal"], second["argument"])
    await scene.ended(event)
    return event


async def gave_up(scene: Scene) -> int:
    event = await scene.organiser.create()
    await scene.stage.pass_on()
    told = {"act": 1, "factId": str(uuid4()), "title": "From nowhere", "body": "", "level": "info"}
    await scene.tell(event, "send_manual_notification", told)
    await scene.ended(event)
    return event


async def continued(scene: Scene) -> int:
    event = await scene.organiser.create()
    await scene.organiser.pool.execute("DELETE FROM tidings.outbox WHERE kind = 'process.start'")
    await scene.organiser.pool.execute("UPDATE tidings.processes SET started_at = now()")
    start = datetime.now(UTC) + timedelta(days=2)
    given = {"tenant": TENANT, "eventId": event, "startsAt": start.isoformat(), "limits": {"notificationsARun": 2}}
    queue = scene.stage.temporal.settings.task_queue
    await scene.skipping.client.start_workflow("EventWorkflow", given, id=f"event-{event}", task_queue=queue)
    for number in range(4):
        await scene.organiser.announce(event, f"Announcement {number}")
    await scene.stage.pass_on()
    await scene.ended(event)
    return event


SCENARIOS: Mapping[str, Callable[[Scene], Awaitable[int]]] = {
    scenario.__name__: scenario
    for scenario in (moved_joined_announced_and_over, cancelled, moved_unheard, one_act_missing, gave_up, continued)
}
