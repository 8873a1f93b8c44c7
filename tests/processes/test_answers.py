"""What is away costs a step of a process nothing; an answer does."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.organising import TENANT, Organiser, performing
from tests.support.temporal import Stage, free_port, until
from tidings.kit import db
from tidings.kit.settings import DatabaseSettings

_ONE_ANSWER = {"attempts": 1, "firstWait": 0.05, "longestWait": 0.05, "deadline": 600}


@pytest.fixture
async def nowhere() -> AsyncIterator[db.Pool]:
    """Connections to a database that is away."""
    settings = DatabaseSettings(url=f"postgresql://nobody@127.0.0.1:{free_port()}/none")
    pool = await db.open_pool(settings, db.Role.WORKER, name="test")
    yield pool
    await pool.close()


async def test_a_database_that_is_away_is_waited_for_however_few_attempts_there_are(
    stage: Stage, organiser: Organiser, pool: db.Pool, nowhere: db.Pool
) -> None:
    event = await organiser.create()
    await pool.execute("DELETE FROM tidings.outbox WHERE kind = 'process.start'")
    given = {"tenant": TENANT, "eventId": event, "startsAt": "2090-01-01T00:00:00Z", "endsAt": None}
    given["limits"] = {"notifying": _ONE_ANSWER, "otherWork": _ONE_ANSWER}
    client = await stage.temporal.client()
    process, queue = f"event-{event}", stage.temporal.settings.task_queue
    await client.start_workflow("EventWorkflow", given, id=process, task_queue=queue)
    async with stage.performed(performing(nowhere)):
        await until(lambda: _tried(stage, process, 4))
    async with stage.performed():
        await until(lambda: stage.says(process, notifications=1, failedBroadcasts=0))
    await (await stage.handle(process)).terminate()


async def _tried(stage: Stage, process: str, times: int) -> bool:
    pending = (await (await stage.handle(process)).describe()).raw_description.pending_activities
    return any(each.attempt >= times for each in pending)
