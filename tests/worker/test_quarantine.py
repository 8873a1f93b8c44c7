"""Suspects run in processes of their own: whatever one does, it is found out, and the others are not held up."""

from __future__ import annotations

import asyncio
import signal
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from tests.outbox.engines import (
    Lessee,
    Owner,
    eventually,
    kind,
    one_row,
    run_out,
    run_suspects_here,
    schedule,
    statuses,
    with_outbox,
)
from tests.outbox.links import link_to
from tests.worker.processes import restarted, worker
from tidings.app.worker import build_leases
from tidings.kit import db
from tidings.kit.settings import DatabaseSettings, Settings
from tidings.spine.outbox.intents import Intent
from tidings.worker.quarantine import Quarantine

QUIET = """
import tidings

@tidings.handler("thing.do")
async def handle(intent): ...
"""
SLOW_TO_LOAD = f"""
import time

time.sleep(1.5)
{QUIET}"""
LEAVING = """
import os
import tidings

@tidings.handler("thing.do")
async def handle(intent):
    with open({log!r}, "a") as log:
        log.write(f"{{intent.data['n']}} ")
    if intent.data["n"] == 1:
        os._exit(0)
"""
HANGING = """
import asyncio
import tidings

@tidings.handler("thing.do")
async def handle(intent):
    if intent.data["n"] <= {hanging}:
        await asyncio.Event().wait()
"""


KILLING = """
import os
import signal
import tidings

@tidings.handler("thing.do")
async def handle(intent):
    if intent.data["n"] == 1:
        os.killpg(0, signal.SIGKILL)
"""


async def make_suspects(owner: Owner, count: int = 1) -> None:
    """What a worker leaves behind that died."""
    await schedule(owner, count)
    await owner.execute("UPDATE tidings.outbox SET suspect = true WHERE kind = 'thing.do'")


async def has(owner: Owner, **expected: int) -> bool:
    return await statuses(owner) == expected


async def test_suspects_run_where_a_file_is_loaded_by_the_setting(
    database_url: str, owner: Owner, tmp_path: Path
) -> None:
    """The child inherits the setting, and is told by its option as well."""
    handlers = tmp_path / "quiet.py"
    handlers.write_text(QUIET)
    await make_suspects(owner)
    async with worker(database_url, environment={"TIDINGS_WORKER_LOAD": str(handlers)}):
        await eventually(lambda: has(owner, succeeded=1))


async def test_suspects_run_though_loading_takes_longer_than_a_lease(
    database_url: str, owner: Owner, tmp_path: Path
) -> None:
    handlers = tmp_path / "slow.py"
    handlers.write_text(SLOW_TO_LOAD)
    await make_suspects(owner)
    async with worker(database_url, str(handlers), environment={"TIDINGS_TEMPORAL_ADDRESS": "127.0.0.1:1"}):
        await eventually(lambda: has(owner, succeeded=1))


async def test_one_that_ends_its_process_as_if_all_were_well_is_dead_and_tried_after_the_others(
    database_url: str, owner: Owner, tmp_path: Path
) -> None:
    handlers, log = tmp_path / "leaving.py", tmp_path / "log"
    handlers.write_text(LEAVING.format(log=str(log)))
    await make_suspects(owner, 10)
    async with worker(database_url, str(handlers)):
        await eventually(lambda: has(owner, succeeded=9, dead=1))
    runs = log.read_text().split()
    assert sorted(runs, key=int) == ["1", "1", "1", *(str(n) for n in range(2, 11))]
    first = runs.index("1")
    assert runs[first + 1] != "1"


@pytest.mark.timeout(120)
async def test_one_that_takes_its_worker_with_it_is_dead_although_nobody_sees_it_crash(
    database_url: str, owner: Owner, tmp_path: Path
) -> None:
    handlers = tmp_path / "killing.py"
    handlers.write_text(KILLING)
    await make_suspects(owner, 5)
    async with restarted(database_url, str(handlers)) as codes:
        await eventually(lambda: has(owner, succeeded=4, dead=1))
    assert codes == [-signal.SIGKILL] * 3
    assert await owner.fetchval("SELECT max(crashes) FROM tidings.outbox_finished WHERE status = 'succeeded'") == 0


async def test_a_child_that_cannot_run_is_not_started_again_and_again(settings: Settings, pool: db.Pool) -> None:
    leases = build_leases(with_outbox(settings, lease=timedelta(hours=1)), pool, uuid4())
    quarantine = Quarantine(leases, ["no_such_module"], timedelta(seconds=10))
    quarantine.ensure()
    while quarantine.children:
        await asyncio.sleep(0.02)
    quarantine.ensure()
    assert not quarantine.children


@pytest.mark.parametrize("hanging", [1, 3])
async def test_those_that_hang_do_not_hold_up_the_others(
    hanging: int, database_url: str, owner: Owner, tmp_path: Path
) -> None:
    handlers = tmp_path / "hanging.py"
    handlers.write_text(HANGING.format(hanging=hanging))
    await make_suspects(owner, 10)
    async with worker(database_url, str(handlers)):
        await eventually(lambda: has(owner, succeeded=10 - hanging, processing=hanging))
        assert await owner.fetchval("SELECT max(crashes) FROM tidings.outbox") == 0


async def test_a_worker_has_four_children_at_most(database_url: str, owner: Owner, tmp_path: Path) -> None:
    handlers = tmp_path / "hanging.py"
    handlers.write_text(HANGING.format(hanging=10))
    await make_suspects(owner, 10)
    async with worker(database_url, str(handlers)):
        await eventually(lambda: has(owner, processing=4, pending=6))
        for _ in range(40):
            await asyncio.sleep(0.1)
            assert await has(owner, processing=4, pending=6)


async def test_what_has_lost_its_lease_is_abandoned(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def handle(_: Intent) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    await make_suspects(owner)
    short = with_outbox(settings, lease=timedelta(seconds=1))
    running = asyncio.create_task(run_suspects_here(short, pool, kind(handle)))
    await began.wait()
    other = Lessee.of(short, pool)
    while not await other.leases.rescue():
        await run_out(owner)
    await ended.wait()
    await running
    assert await statuses(owner) == {"pending": 1}


async def test_an_outage_that_outlasts_the_lease_costs_what_runs_alone_nothing(
    settings: Settings, pool: db.Pool, owner: Owner, database_url: str
) -> None:
    """The child lets go of it in time, and gives it back late; whoever is back first must not charge it for that."""
    began, ended = asyncio.Event(), asyncio.Event()

    async def handle(_: Intent) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    (given,) = await schedule(owner)
    await owner.execute("UPDATE tidings.outbox SET suspect = true")
    async with link_to(database_url) as (link, url):
        near = with_outbox(settings, lease=timedelta(seconds=1))
        far = near.model_copy(update={"database": DatabaseSettings(url=url)})
        away = await db.open_pool(far.database, db.Role.WORKER, name="quarantine")
        running = asyncio.create_task(run_suspects_here(far, away, kind(handle)))
        await began.wait()
        link.go_silent()
        await eventually(lambda: has_run_out(owner))
        assert await Lessee.of(with_outbox(settings), pool).leases.rescue() == 0
        await ended.wait()
        link.passing.set()
        await running
        await away.close()
    row = await one_row(owner, given)
    assert (row["status"], row["crashes"], row["attempts"], row["suspect"]) == ("pending", 0, 0, True)
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0


async def has_run_out(owner: Owner) -> bool:
    return bool(await owner.fetchval("SELECT bool_and(expires_at < now()) FROM tidings.leases"))
