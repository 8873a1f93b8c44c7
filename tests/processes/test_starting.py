"""Starting processes: once, whatever is down and however often it is tried."""

from __future__ import annotations

import json

from tests.support.organising import TENANT, Organiser, performing
from tests.support.temporal import DevServer, Stage, keyring_of_tests, stage_on, until
from tidings.kit import db
from tidings.kit.settings import Settings

_AGAIN = """
SELECT tidings.schedule_as('processes', ARRAY['process.start'], ARRAY[$2::text::jsonb], ARRAY[$1 || ' again'],
                           ARRAY[now()], 'default', NULL)
"""


async def try_again(pool: db.Pool, process: str, event: int) -> None:
    """Writes the intent once more, as if it had never been settled."""
    given = {"tenant": TENANT, "eventId": event, "startsAt": "2090-01-01T00:00:00Z", "endsAt": None}
    payload = {"process": process, "workflow": "EventWorkflow", "input": given}
    await pool.execute(_AGAIN, process, json.dumps(payload))


async def test_an_event_that_is_saved_while_temporal_is_down_gets_its_process_when_it_is_back(
    settings: Settings, pool: db.Pool, organiser: Organiser
) -> None:
    server = DevServer()
    event = await organiser.create()
    await organiser.announce(event)
    async with stage_on(server.address, settings, pool, keyring_of_tests(), performing(pool)) as stage:
        assert set(await stage.pass_on()) == {"givenback"}
        waiting = await pool.fetch(
            "SELECT attempts, status, last_error FROM tidings.outbox WHERE kind LIKE 'process.%'"
        )
        assert [tuple(row) for row in waiting] == [(0, "pending", None)] * 2
        server.start()
        try:
            await until(lambda: _has_started(stage, pool))
            async with stage.performed():
                await until(lambda: _has_heard(stage, organiser, event))
        finally:
            server.kill()
            stage.temporal.connected = None


async def _has_started(stage: Stage, pool: db.Pool) -> bool:
    await stage.pass_on()
    return bool(await pool.fetchval("SELECT bool_and(started_at IS NOT NULL) FROM tidings.processes"))


async def _has_heard(stage: Stage, organiser: Organiser, event: int) -> bool:
    await stage.pass_on()
    return await organiser.has_passed_on(event, [1])


async def test_started_twice_it_is_one(stage: Stage, pool: db.Pool, organiser: Organiser) -> None:
    """The worker died after Temporal had taken it, and before that was written."""
    event = await organiser.create()
    await stage.pass_on()
    process = f"event-{event}"
    first = await pool.fetchval("SELECT run_id FROM tidings.processes WHERE id = $1", process)
    await pool.execute("UPDATE tidings.processes SET started_at = NULL, run_id = NULL WHERE id = $1", process)
    await try_again(pool, process, event)
    assert await stage.pass_on() == {"succeeded": 1}
    again = await pool.fetchrow("SELECT run_id, started_at FROM tidings.processes WHERE id = $1", process)
    assert again is not None
    assert again["run_id"] == first
    assert again["started_at"] is not None
    assert (await (await stage.handle(process)).describe()).run_id == first


async def test_what_temporal_has_forgotten_is_not_started_again(
    stage: Stage, pool: db.Pool, organiser: Organiser
) -> None:
    event = await organiser.create()
    await pool.execute("UPDATE tidings.processes SET started_at = now()")
    assert await stage.pass_on() == {"succeeded": 1}
    client = await stage.temporal.client()
    assert [found async for found in client.list_workflows(f"WorkflowId = 'event-{event}'")] == []


async def test_what_nobody_asked_for_is_a_dead_letter(stage: Stage, pool: db.Pool) -> None:
    await try_again(pool, "event-0", 0)
    assert await stage.pass_on() == {"dead": 1}
