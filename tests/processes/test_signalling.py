"""Telling processes things: what becomes of a signal, and how many there are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.support.organising import TENANT, Organiser
from tests.support.temporal import Stage, until
from tidings.kit import db
from tidings.spine.outbox.intents import Intent
from tidings.spine.processes.absence import patience
from tidings.spine.processes.signalling import messages


async def signal(pool: db.Pool, process: str) -> None:
    async with pool.acquire() as connection, db.as_tenant(connection, TENANT):
        await connection.execute("SELECT tidings.signal_process($1, 'anything', '{}')", process)


async def test_one_that_has_ended_need_not_be_told(stage: Stage, pool: db.Pool, organiser: Organiser) -> None:
    event = await organiser.create()
    async with stage.performed():
        await organiser.cancel(event)
        await until(lambda: _has_ended(stage, event))
    await signal(pool, f"event-{event}")
    assert await stage.pass_on() == {"succeeded": 1}


async def _has_ended(stage: Stage, event: int) -> bool:
    await stage.pass_on()
    return await stage.has_ended(f"event-{event}")


async def test_one_that_temporal_has_forgotten_need_not_be_told(stage: Stage, pool: db.Pool) -> None:
    await pool.execute(
        "INSERT INTO tidings.processes (id, tenant, workflow, started_at) VALUES ('gone', 'default', 'X', now())"
    )
    await signal(pool, "gone")
    assert await stage.pass_on() == {"succeeded": 1}


async def test_one_that_is_not_started_yet_is_waited_for_at_no_cost(stage: Stage, pool: db.Pool) -> None:
    await pool.execute("INSERT INTO tidings.processes (id, tenant, workflow) VALUES ('soon', 'default', 'X')")
    await signal(pool, "soon")
    assert set(await stage.pass_on()) == {"givenback"}
    row = await pool.fetchrow("SELECT attempts, status, run_at > now() AS later FROM tidings.outbox")
    assert row is not None
    assert tuple(row) == (0, "pending", True)


async def test_one_that_there_never_was_is_a_dead_letter(stage: Stage, pool: db.Pool) -> None:
    await signal(pool, "nobody")
    assert await stage.pass_on() == {"dead": 1}


async def test_one_of_another_tenant_is_not_there(stage: Stage, pool: db.Pool) -> None:
    await pool.execute("INSERT INTO tidings.tenants (id, name) VALUES ('acme', 'Acme')")
    await pool.execute(
        "INSERT INTO tidings.processes (id, tenant, workflow, started_at) VALUES ('theirs', 'acme', 'X', now())"
    )
    await signal(pool, "theirs")
    assert await stage.pass_on() == {"dead": 1}


def intent(number: int, **data: Any) -> Intent:
    made = Intent({"id": UUID(int=number)}, UUID(int=0))
    made._data = {"process": "event-1", "signal": "joined", "argument": number, "gather": False} | data
    return made


def test_what_is_gathered_goes_as_one_list_for_each_process_and_name() -> None:
    given = [
        intent(4, gather=True),
        intent(1, gather=True),
        intent(2),
        intent(3, gather=True, signal="left"),
        intent(5, gather=True, process="event-2"),
        intent(6),
    ]
    sent = [(message.process, message.signal, message.argument) for message in messages(given)]
    assert sent == [
        ("event-1", "joined", [1, 4]),
        ("event-1", "joined", 2),
        ("event-1", "left", [3]),
        ("event-2", "joined", [5]),
        ("event-1", "joined", 6),
    ]


@pytest.mark.parametrize(("waited", "wait"), [(0, 1), (5, 1), (60, 6), (86_400, 30)])
def test_the_longer_it_has_waited_the_longer_it_waits(waited: int, wait: int) -> None:
    now = datetime.now(UTC)
    assert patience(now - timedelta(seconds=waited), now) == timedelta(seconds=wait)
