"""Figures are what the rows say, however often and however late they are counted; and counting them is cheap."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest

from tests.delivery.overview.rows import PROVIDER, buried, ended, facts
from tests.outbox.engines import Owner, add_tenants, now
from tests.outbox.test_plans import buffers, explain
from tidings.kit import db
from tidings.spine.delivery.overview.figures import RECOUNT, Minute, minutes_of, recount

MINUTE = timedelta(minutes=1)


async def counted(pool: db.Pool) -> bool:
    async with pool.acquire() as connection, connection.transaction():
        return (await recount(connection))[1]


async def all_counted(pool: db.Pool) -> None:
    while await counted(pool):
        pass


async def minute_now(owner: Owner) -> datetime:
    minute: datetime = await owner.fetchval("SELECT date_trunc('minute', now(), 'UTC')")
    return minute


async def minutes(owner: Owner, tenant: str = "default") -> dict[int, tuple[int, ...]]:
    """What is not zero, by how many minutes ago."""
    found = await minutes_of(owner, tenant, 60)
    assert [b.at - a.at for a, b in pairwise(found)] == [MINUTE] * 59
    shown = {n: _values(minute) for n, minute in enumerate(reversed(found))}
    return {ago: values for ago, values in shown.items() if any(values)}


def _values(minute: Minute) -> tuple[int, ...]:
    return minute.facts, minute.sent, minute.skipped, minute.failed, minute.dead


@pytest.mark.usefixtures("any_postgres")
async def test_each_thing_is_in_its_minute_and_its_tenant(pool: db.Pool, owner: Owner) -> None:
    await add_tenants(owner, ["acme"])
    at = await minute_now(owner)
    await facts(owner, "default", at, 3)
    await facts(owner, "default", at - MINUTE, 2)
    await facts(owner, "acme", at - MINUTE, 5)
    await facts(owner, "default", at - timedelta(microseconds=1))
    await ended(owner, "default", at - MINUTE, "sent", 4)
    await ended(owner, "default", at - MINUTE, "sent", 2, UUID(int=9))
    await ended(owner, "default", at, "skipped", 2)
    await ended(owner, "acme", at, "failed")
    await buried(owner, "default", at, 2)
    await buried(owner, "default", at, 1, "tidings.maintain")
    await all_counted(pool)
    assert await minutes(owner) == {0: (3, 0, 2, 0, 2), 1: (3, 6, 0, 0, 0)}
    assert await minutes(owner, "acme") == {0: (0, 0, 0, 1, 0), 1: (5, 0, 0, 0, 0)}


async def test_counting_again_changes_nothing_and_what_comes_late_is_counted(pool: db.Pool, owner: Owner) -> None:
    at = await minute_now(owner)
    await facts(owner, "default", at - 2 * MINUTE, 2)
    await all_counted(pool)
    before = await owner.fetch("SELECT *, xmin FROM tidings.figures")
    assert not await counted(pool)
    assert await owner.fetch("SELECT *, xmin FROM tidings.figures") == before
    await facts(owner, "default", at - MINUTE)
    await counted(pool)
    assert [values for _, values in sorted((await minutes(owner)).items())] == [(1, 0, 0, 0, 0), (2, 0, 0, 0, 0)]


async def test_what_was_retried_is_not_counted_any_more(pool: db.Pool, owner: Owner) -> None:
    at = await minute_now(owner)
    await ended(owner, "default", at, "failed", 3)
    await buried(owner, "default", at)
    await all_counted(pool)
    await owner.execute("DELETE FROM tidings.deliveries_finished")
    await owner.execute("DELETE FROM tidings.outbox_finished")
    await counted(pool)
    assert await minutes(owner) == {}


async def test_where_nobody_counted_for_hours_it_goes_on_from_there(pool: db.Pool, owner: Owner) -> None:
    at = await minute_now(owner)
    await all_counted(pool)
    await facts(owner, "default", at - 50 * MINUTE, 7)
    await facts(owner, "default", at - timedelta(hours=3), 7)
    await owner.execute("UPDATE tidings.counted SET until = now() - interval '4 hours'")
    assert await counted(pool)  # a part of it at a time
    await all_counted(pool)
    assert sorted((await minutes(owner)).values()) == [(7, 0, 0, 0, 0)]
    assert await owner.fetchval("SELECT sum(facts) FROM tidings.figures") == 14


async def test_a_clock_that_was_ahead_does_no_harm(pool: db.Pool, owner: Owner) -> None:
    await all_counted(pool)
    await owner.execute("UPDATE tidings.counted SET until = now() + interval '1 hour'")
    await facts(owner, "default", await now(owner))
    await counted(pool)
    assert list((await minutes(owner)).values()) == [(1, 0, 0, 0, 0)]


async def test_what_is_new_is_summarised_except_where_it_is_being_written(pool: db.Pool, owner: Owner) -> None:
    await facts(owner, "default", await now(owner), 30_000)
    await all_counted(pool)
    blocks = await owner.fetchval("SELECT pg_relation_size('tidings.facts') / 8192")
    reached = await owner.fetchval("SELECT facts_to FROM tidings.counted")
    assert blocks - 128 < reached <= blocks
    assert await owner.fetchval("SELECT brin_summarize_range('tidings.facts_by_time', $1)", reached - 1) == 0
    assert await owner.fetchval("SELECT brin_summarize_range('tidings.facts_by_time', $1)", reached) == 1


async def test_counting_waits_for_nobody_who_works_on_the_tables(pool: db.Pool, owner: Owner) -> None:
    await facts(owner, "default", await now(owner), 30_000)
    async with owner.transaction():
        await owner.execute("LOCK TABLE tidings.facts IN SHARE UPDATE EXCLUSIVE MODE")  # as a vacuum does
        await all_counted(pool)
    assert list((await minutes(owner)).values()) == [(30_000, 0, 0, 0, 0)]


@pytest.mark.timeout(120)
async def test_a_recount_reads_the_last_minutes_only_whatever_else_is_there(pool: db.Pool, owner: Owner) -> None:
    """With the statistics of an empty table, and with true ones."""
    at = await now(owner)
    amount, apart = 100_000, timedelta(milliseconds=50)
    for table in ("facts", "deliveries_finished"):
        await owner.execute(f"ALTER TABLE tidings.{table} SET UNLOGGED")
    await facts(owner, "default", at - amount * apart, amount, apart)
    await ended(owner, "default", at - amount * apart, "sent", amount, PROVIDER, apart)
    await buried(owner, "default", at - timedelta(hours=1), 50_000)
    await owner.execute("UPDATE tidings.counted SET until = now()")
    await all_counted(pool)
    await owner.execute("SET enable_seqscan = off")
    for analyze in (False, True):
        if analyze:
            await owner.execute("ANALYZE tidings.facts, tidings.deliveries_finished")
        plan = await explain(owner, RECOUNT, at - 3 * MINUTE, at)
        assert plan["Tuples Inserted"] + plan["Conflicting Tuples"] >= 6
        assert buffers(plan) < 1_000, plan
