"""Counting is a recurring intent: one for any number of workers, every few seconds."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from tests.outbox.engines import Owner, eventually, now, running, with_outbox
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.testing import adrain_outbox
from tidings.worker.counting import KIND, begin_counting, counting
from tidings.worker.maintenance import begin_maintenance, maintenance


async def test_any_number_of_workers_begin_it_once(pool: db.Pool, owner: Owner) -> None:
    await asyncio.gather(*(begin_counting(pool) for _ in range(10)))
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = $1", KIND) == 1


async def test_what_is_emitted_is_in_the_figures_a_moment_later(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await owner.execute("SELECT tidings.emit('order.paid')")
    await begin_counting(pool)
    async with running(with_outbox(settings), counting()):
        await eventually(lambda: facts(owner, 1))


async def test_it_comes_back_in_seconds_once_it_has_caught_up(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await begin_counting(pool)
    before = await now(owner)
    assert (await adrain_outbox(settings, counting()))["again"] > 1
    run_at = await owner.fetchval("SELECT run_at FROM tidings.outbox WHERE kind = $1", KIND)
    assert before + timedelta(seconds=5) <= run_at <= await now(owner) + timedelta(seconds=5)


async def test_figures_are_kept_for_two_days(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await owner.execute(
        """INSERT INTO tidings.figures SELECT now() - days * interval '1 day', 'default', tidings.uuid7(), 1, 0, 0, 0, 0
           FROM unnest(ARRAY[1, 1.9, 2.1, 7]) days"""
    )
    await begin_maintenance(pool)
    await adrain_outbox(settings, maintenance(settings))
    assert await owner.fetchval("SELECT count(*) FROM tidings.figures") == 2


async def facts(owner: Owner, amount: int) -> bool:
    return bool(await owner.fetchval("SELECT sum(facts) = $1 FROM tidings.figures", amount))
