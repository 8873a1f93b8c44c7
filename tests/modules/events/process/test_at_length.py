"""Much of it: announcements by the hundred, joins by the thousand."""

from __future__ import annotations

import asyncio

import pytest
from temporalio.api.enums.v1 import EventType

from tests.support.organising import TENANT, Organiser
from tests.support.temporal import Stage, count, histories, until
from tidings.kit import db

pytestmark = pytest.mark.timeout(150)


async def test_each_of_250_announcements_is_passed_on_once_and_in_order_over_several_runs(
    stage: Stage, organiser: Organiser
) -> None:
    event = await organiser.create()
    async with stage.performed():
        await stage.pass_on()
        announcing = asyncio.create_task(_announce(organiser, event, 250))
        while not announcing.done():  # signals come while it continues as a new run
            await stage.pass_on()
        await announcing
        await stage.pass_on()
        await until(lambda: stage.says(f"event-{event}", notifications=251), within=100)
        status = await stage.status(f"event-{event}")
    assert status["continuedTimes"] >= 2
    assert (status["lastAct"], status["missingActs"]) == (250, [])
    assert await organiser.acts(event) == list(range(1, 251))
    assert len(await organiser.facts(event, "event.live")) == 1


async def _announce(organiser: Organiser, event: int, times: int) -> None:
    for number in range(times):
        await organiser.announce(event, f"Announcement {number}")


async def test_10_000_joins_at_once_are_few_signals(stage: Stage, organiser: Organiser, pool: db.Pool) -> None:
    event = await organiser.create()
    async with stage.performed():
        await stage.pass_on()
        async with pool.acquire() as connection, db.as_tenant(connection, TENANT):
            await connection.execute(
                """SELECT tidings.signal_process($1, 'participant_added', jsonb_build_object('subscriptionId', n), true)
                   FROM generate_series(1, 10000) AS n""",
                f"event-{event}",
            )
        done = await stage.pass_on()
        found = await histories(await stage.temporal.client(), f"event-{event}")
    assert done["succeeded"] == 10_000
    assert 0 < count(found, EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED) < 200
