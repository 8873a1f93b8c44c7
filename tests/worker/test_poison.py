"""An intent that crashes its worker ends dead, and takes none of its neighbours with it."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from tests.outbox.engines import Owner, eventually, one_row, orphans, schedule, statuses
from tests.worker.processes import restarted, worker

CRASHING = """
import os
import tidings

@tidings.handler("thing.do", batch=1000)
async def handle(intents):
    if any(intent.data["n"] == 500 for intent in intents):
        os._exit(77)
"""
SLOW = """
import asyncio
import tidings

@tidings.handler("thing.do")
async def handle(intent):
    await asyncio.sleep(0.2 if intent.data["n"] > 1 else 60)
"""


async def has(owner: Owner, **expected: int) -> bool:
    return await statuses(owner) == expected


@pytest.mark.timeout(120)
async def test_one_that_crashes_its_worker_in_a_batch_of_a_thousand_is_dead_and_the_999_lose_nothing(
    database_url: str, owner: Owner, tmp_path: Path
) -> None:
    handlers = tmp_path / "crashing.py"
    handlers.write_text(CRASHING)
    ids = await schedule(owner, 1_000)
    async with restarted(database_url, str(handlers)) as codes:
        await eventually(lambda: has(owner, succeeded=999, dead=1))
    rows = [await one_row(owner, given) for given in ids]
    poison = rows.pop(499)
    assert (poison["status"], poison["crashes"], poison["attempts"]) == ("dead", 3, 0)
    assert "crashed its worker" in poison["last_error"]
    assert {(row["attempts"], row["crashes"]) for row in rows} == {(1, 0)}
    assert codes == [77]
    assert await orphans(owner) == 0


async def test_a_worker_that_is_told_to_stop_charges_no_crash_to_the_suspect_it_runs(
    database_url: str, owner: Owner, tmp_path: Path
) -> None:
    handlers = tmp_path / "slow.py"
    handlers.write_text(SLOW)
    (given,) = await schedule(owner)
    await owner.execute("UPDATE tidings.outbox SET suspect = true")
    short = {"TIDINGS_WORKER_STOP_WITHIN": "2s"}
    for _ in range(2):
        async with worker(database_url, str(handlers), environment=short) as process:
            await eventually(lambda: has(owner, processing=1))
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(10):
                assert await process.wait() == 0
        await eventually(lambda: free(owner))
    row = await one_row(owner, given)
    assert (row["attempts"], row["crashes"], row["suspect"]) == (0, 0, True)


async def free(owner: Owner) -> bool:
    """Given back, or in a lease that has run out and charges nobody."""
    return bool(
        await owner.fetchval(
            """SELECT NOT EXISTS (SELECT FROM tidings.leases l JOIN tidings.outbox o ON o.lease_token = l.token
                                  WHERE o.kind = 'thing.do' AND (l.alone OR l.expires_at > now()))"""
        )
    )


async def test_a_stop_under_load_finishes_or_gives_back_everything(
    database_url: str, owner: Owner, tmp_path: Path
) -> None:
    handlers = tmp_path / "slow.py"
    handlers.write_text(SLOW)
    await schedule(owner, 300)
    async with worker(database_url, str(handlers), environment={"TIDINGS_WORKER_STOP_WITHIN": "3s"}) as process:
        await eventually(lambda: some_done(owner))
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(15):
            assert await process.wait() == 0
        assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0
    found = await statuses(owner)
    assert sum(found.values()) == 300
    assert set(found) <= {"succeeded", "pending"}
    rows = await owner.fetch("SELECT DISTINCT attempts, crashes, suspect FROM tidings.outbox WHERE kind = 'thing.do'")
    assert {tuple(row) for row in rows} <= {(0, 0, False)}


async def some_done(owner: Owner) -> bool:
    return (await statuses(owner)).get("succeeded", 0) > 20
