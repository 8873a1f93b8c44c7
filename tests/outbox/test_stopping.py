"""Stopping: what runs finishes or is given back, in time, whatever the database does. No fault is silent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid4

import pytest

from tests.outbox.engines import KIND, Owner, close, eventually, kind, orphans, running, schedule, statuses, with_outbox
from tests.outbox.links import link_to
from tidings.app.worker import build_outbox, build_relay, open_pools
from tidings.kit import db
from tidings.kit.settings import DatabaseSettings, Settings
from tidings.spine.outbox.handlers import Handlers, Shape
from tidings.spine.outbox.intents import Intent

QUICKLY = timedelta(seconds=2)


async def true(value: object) -> bool:
    return bool(value)


async def test_a_stop_lets_short_runs_finish_and_gives_back_the_rest(settings: Settings, owner: Owner) -> None:
    released = asyncio.Event()

    async def handle(intent: Intent) -> None:
        if intent.data["n"] > 10:
            await asyncio.Event().wait()
        await released.wait()

    await schedule(owner, 50)
    async with running(with_outbox(settings), kind(handle), stop_within=QUICKLY) as relay:
        await eventually(lambda: true(relay.pumps[KIND].in_hand.total() == 50))
        asyncio.get_running_loop().call_later(0.3, released.set)
    assert await statuses(owner) == {"succeeded": 10, "pending": 40}
    rows = await owner.fetch("SELECT DISTINCT attempts, crashes, suspect FROM tidings.outbox")
    assert [tuple(row) for row in rows] == [(0, 0, False)]
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0
    assert await owner.fetchval("SELECT count(*) FROM tidings.workers") == 0


@pytest.mark.parametrize("shape", Shape)
async def test_a_stop_at_any_moment_leaves_nothing_in_hand(shape: Shape, settings: Settings, owner: Owner) -> None:
    """Also a lease that is under way is waited for, and given back."""
    settings = with_outbox(settings)
    await schedule(owner, 2_000)

    async def handle(*_: object) -> None:
        await asyncio.sleep(0.01)

    for pause in (0.0, 0.01, 0.03, 0.05, 0.08, 0.13):
        async with running(settings, kind(handle, shape=shape, batch=20)):
            await asyncio.sleep(pause)
        assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0
        assert set(await statuses(owner)) <= {"pending", "succeeded"}
    assert await orphans(owner) == 0


async def test_a_handler_that_will_not_be_cancelled_does_not_keep_the_worker(settings: Settings, owner: Owner) -> None:
    over = asyncio.Event()

    async def stubborn(intent: Intent) -> None:
        while not over.is_set():
            try:
                await over.wait()
            except asyncio.CancelledError:
                continue

    await schedule(owner)
    async with asyncio.timeout(15):
        async with running(with_outbox(settings), kind(stubborn), stop_within=QUICKLY) as relay:
            await eventually(lambda: true(relay.pumps[KIND].running))
    over.set()
    await asyncio.sleep(0.05)
    assert await orphans(owner) == 0


@pytest.mark.parametrize("fault", ["cut", "go_silent"])
@pytest.mark.parametrize("shape", Shape)
async def test_a_stop_ends_in_time_also_when_the_database_is_away(
    fault: str, shape: Shape, settings: Settings, owner: Owner, database_url: str
) -> None:
    async def handle(*_: object) -> None:
        await asyncio.sleep(0.02)

    await schedule(owner, 5_000)
    async with link_to(database_url) as (link, url):
        database = DatabaseSettings(url=url, connect_timeout=timedelta(seconds=2))
        through = with_outbox(settings.model_copy(update={"database": database}))
        handlers = Handlers().including([kind(handle, shape=shape, batch=50)])
        pools = await open_pools(through, handlers, "relay")
        relay = build_relay(
            through,
            pools,
            [build_outbox(through, pools.engine, uuid4(), handlers)],
            "test",
            lambda: None,
        )
        stop = asyncio.Event()
        run = asyncio.create_task(relay.run(stop, timedelta(seconds=1)))
        await eventually(lambda: true(relay.pumps[KIND].in_hand.total() > 0))
        getattr(link, fault)()
        await asyncio.sleep(0.3)
        stop.set()
        async with asyncio.timeout(10):
            await run
        pools.engine.terminate()
        pools.lending.terminate()
    assert await orphans(owner) == 0
    assert sum((await statuses(owner)).values()) == 5_000


async def test_work_goes_on_by_itself_after_the_database_was_away(
    settings: Settings, owner: Owner, database_url: str
) -> None:
    await owner.execute("CREATE TABLE seen (id uuid)")

    async def write(connection: db.Connection, intents: Sequence[Intent]) -> None:
        await connection.executemany("INSERT INTO seen VALUES ($1)", [(i.id,) for i in intents])

    settings = with_outbox(settings, lease=timedelta(seconds=20))
    async with running(settings, kind(write, shape=Shape.TRANSACTION, batch=10)):
        await owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^tidings'"
        )
        name = database_url.rsplit("/", 1)[1]
        await owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        await owner.execute("SET default_transaction_read_only = off")
        await owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^tidings'"
        )
        ids = await schedule(owner, 30)
        await asyncio.sleep(0.5)
        assert await owner.fetchval("SELECT count(*) FROM seen") == 0
        await owner.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        await owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^tidings'"
        )
        await eventually(lambda: seen(owner, 30))
    rows = await owner.fetch("SELECT attempts FROM tidings.outbox_finished WHERE id = ANY ($1)", ids)
    assert [row["attempts"] for row in rows] == [1] * 30


async def seen(owner: Owner, count: int) -> bool:
    return bool(await owner.fetchval("SELECT count(*) FROM tidings.outbox_finished") == count)


@pytest.mark.parametrize("broken", ["outbox", "leases"])
async def test_a_fault_that_will_not_pass_ends_the_worker_and_is_raised(
    broken: str, settings: Settings, owner: Owner
) -> None:
    """Not a worker that is alive and does nothing."""
    handlers = Handlers().including([kind()])
    pools = await open_pools(settings, handlers, "relay")
    relay = build_relay(
        with_outbox(settings),
        pools,
        [build_outbox(with_outbox(settings), pools.engine, uuid4(), handlers)],
        "test",
        lambda: None,
    )
    run = asyncio.create_task(relay.run(asyncio.Event(), QUICKLY))
    await schedule(owner, 5)
    await eventually(lambda: seen(owner, 5))
    await schedule(owner, 5)
    await owner.execute(f"ALTER TABLE tidings.{broken} RENAME TO gone")
    done, _ = await asyncio.wait([run], timeout=20)
    assert done
    assert run.exception() is not None
    await close(pools)


async def test_bookkeeping_is_empty_when_all_is_done(settings: Settings, owner: Owner) -> None:
    """Nothing grows with what has been handled."""
    failing = {"n": 0}

    async def handle(intent: Intent) -> None:
        failing["n"] += 1
        if failing["n"] % 3 == 0:
            raise ValueError("now and then")

    await schedule(owner, 500)
    async with running(with_outbox(settings, max_attempts=50), kind(handle)) as relay:
        await eventually(lambda: seen(owner, 500))
        pump = relay.pumps[KIND]
        await eventually(lambda: true(not pump.held))
        assert (pump.in_hand, pump.held, pump.running, pump.settler.waiting.qsize()) == ({}, {}, {}, 0)
        await eventually(lambda: true(not pump.queue.since))
        assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0
