"""Real `tidings worker` processes, with a Temporal that comes, goes and comes back."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.client import Client
from temporalio.service import RPCError

from tests.support.organising import Organiser
from tests.support.temporal import DevServer, count, histories, until
from tests.worker.processes import end, start, worker

pytestmark = pytest.mark.timeout(120)
_WITHOUT_TEMPORAL = """
import sys
import {module}
print([name for name in sys.modules if name.startswith("temporalio")])
"""


def at(server: DevServer) -> Mapping[str, str]:
    return {"TIDINGS_TEMPORAL_ADDRESS": server.address, "TIDINGS_TEMPORAL_TASK_QUEUE": f"queue-{server.port}"}


async def test_worker_and_temporal_killed_during_the_wait_the_event_still_ends_at_its_end(
    database_url: str, organiser: Organiser, tmp_path: Path
) -> None:
    server = DevServer(file=tmp_path / "temporal.db")
    server.start()
    start_at = datetime.now(UTC) + timedelta(seconds=10)
    event = await organiser.create(starts_at=start_at, ends_at=start_at + timedelta(seconds=4))
    first = await start(database_url, environment=at(server))
    try:
        client = await Client.connect(server.address)
        await until(lambda: _waits_for_its_end(client, event))
        await end(first)
        server.kill()
        async with worker(database_url, environment=at(server)):
            server.start()
            await until(lambda: organiser.is_completed(event))
    finally:
        await end(first)
        server.kill()
    assert datetime.now(UTC) >= start_at + timedelta(seconds=4)
    assert len(await organiser.facts(event, "event.live")) == 1
    assert len(await organiser.facts(event, "event.completed")) == 1


async def _waits_for_its_end(client: Client, event: int) -> bool:
    try:
        found = await histories(client, f"event-{event}")
    except RPCError:
        return False
    return count(found, EventType.EVENT_TYPE_TIMER_STARTED) > 0


async def _is_live(organiser: Organiser, event: int) -> bool:
    return bool(await organiser.facts(event, "event.live"))


async def test_a_worker_starts_without_temporal_takes_it_up_when_it_comes_and_stops_when_told(
    database_url: str, organiser: Organiser
) -> None:
    server = DevServer()
    event = await organiser.create()
    process = await start(database_url, environment=at(server))
    try:
        await until(lambda: _waits(organiser))
        server.start()
        await until(lambda: _is_live(organiser, event))
        await organiser.announce(event)
        await until(lambda: organiser.has_passed_on(event, [1]))
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(15):
            assert await process.wait() == 0
    finally:
        await end(process)
        server.kill()


async def test_a_worker_stops_when_told_while_temporal_is_away(database_url: str, organiser: Organiser) -> None:
    server = DevServer()
    server.start()
    event = await organiser.create()
    process = await start(database_url, environment={**at(server), "TIDINGS_WORKER_STOP_WITHIN": "5s"})
    try:
        await until(lambda: _is_live(organiser, event))
        server.kill()
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(15):
            assert await process.wait() == 0
    finally:
        await end(process)
        server.kill()


async def _waits(organiser: Organiser) -> bool:
    """Whether the start was tried in vain."""
    return bool(
        await organiser.pool.fetchval("SELECT run_at > due_at FROM tidings.outbox WHERE kind = 'process.start'")
    )


@pytest.mark.parametrize("module", ["tidings.api.application", "tidings.testing", "tidings.worker.service"])
def test_who_does_not_use_temporal_does_not_pay_for_its_import(module: str) -> None:
    program = _WITHOUT_TEMPORAL.format(module=module)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
