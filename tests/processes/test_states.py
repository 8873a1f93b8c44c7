"""How a process stands, and whether Temporal is there: a closed set of answers, whatever is down."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from tests.support.organising import Organiser
from tests.support.temporal import DevServer, Stage, free_port, keyring_of_tests, until
from tidings.kit import db
from tidings.kit.settings import Settings, TemporalSettings
from tidings.spine.access.purposes import PROCESSES
from tidings.spine.processes.connecting import Temporal
from tidings.spine.processes.health import fault_of
from tidings.spine.processes.states import Away, Ended, NotStarted, Processes, Running


@pytest.fixture
async def asking(settings: Settings) -> AsyncIterator[db.Connection]:
    """As the API does, for a tenant."""
    connection = await db.connect(settings.database, db.Role.API, name="test")
    async with db.as_tenant(connection, "default"):
        yield connection
    await connection.close()


def temporal_at(address: str | None, **settings: object) -> Temporal:
    given = {"address": address, "patience": timedelta(seconds=2)} | settings
    return Temporal(TemporalSettings.model_validate(given), keyring_of_tests().vault(PROCESSES))


async def test_not_started_then_running_then_ended(
    stage: Stage, pool: db.Pool, organiser: Organiser, settings: Settings
) -> None:
    event = await organiser.create()
    process, processes = f"event-{event}", Processes(stage.temporal)

    async def state(tenant: str = "default") -> object:
        connection = await db.connect(settings.database, db.Role.API, name="test")
        try:
            async with db.as_tenant(connection, tenant):
                return await processes.state(connection, process)
        finally:
            await connection.close()

    assert await state() == NotStarted()
    await stage.pass_on()
    async with stage.performed():
        running = await state()
        assert isinstance(running, Running)
        assert running.state["status"] == "active"
        assert await state("another") == NotStarted()
        await organiser.cancel(event)
        await stage.pass_on()
        await until(lambda: stage.has_ended(process))
    assert await state() == Ended("completed")
    assert await processes.asked("event-that-temporal-forgot") == Ended("forgotten")


async def test_nobody_answers_where_no_worker_runs_it_or_temporal_is_away(
    stage: Stage, organiser: Organiser, asking: db.Connection
) -> None:
    event = await organiser.create()
    await stage.pass_on()
    assert isinstance(await Processes(stage.temporal).asked(f"event-{event}"), Away)
    away = Processes(temporal_at(f"127.0.0.1:{free_port()}"))
    assert isinstance(await away.state(asking, f"event-{event}"), NotStarted | Away)
    assert await away.asked("event-1") == Away("Temporal cannot be reached")
    assert isinstance(await Processes(temporal_at(None)).asked("event-1"), Away)


async def test_its_health_is_that_of_our_namespace(temporal_server: DevServer) -> None:
    assert await fault_of(temporal_at(temporal_server.address), 3) is None
    elsewhere = temporal_at(temporal_server.address, namespace="elsewhere")
    assert await fault_of(elsewhere, 3) == "Temporal has no namespace elsewhere"
    assert await fault_of(temporal_at(f"127.0.0.1:{free_port()}"), 3) == "Temporal cannot be reached"


async def test_a_connection_is_made_when_it_can_be_and_not_tried_at_every_call() -> None:
    server = DevServer()
    temporal = temporal_at(server.address)
    assert await fault_of(temporal, 3) == "Temporal cannot be reached"
    assert temporal.resting_until > 0
    server.start()
    try:
        await until(lambda: _is_well(temporal))
    finally:
        server.kill()


async def _is_well(temporal: Temporal) -> bool:
    return await fault_of(temporal, 3) is None


async def test_a_namespace_that_is_not_there_says_nothing_of_what_is_in_it(temporal_server: DevServer) -> None:
    """Or whoever mends what ended processes left would take all of them for ended."""
    elsewhere = Processes(temporal_at(temporal_server.address, namespace="elsewhere"))
    assert await elsewhere.asked("event-1") == Away("Temporal has no such namespace")
