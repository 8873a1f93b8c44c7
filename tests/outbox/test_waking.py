"""Nothing that is emitted is left to the poll, and the poll is there when the announcement is lost.

The poll is ten minutes in these tests: what is handled at all within the test's timeout was announced.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import asyncpg
import pytest

from tests.outbox.engines import KIND, Owner, eventually, kind, running, schedule, with_outbox
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.relay import Relay

NEVER = timedelta(minutes=10)


@asynccontextmanager
async def sleepers(settings: Settings, count: int, *kinds: str) -> AsyncIterator[tuple[list[Relay], set[object]]]:
    """Workers that never poll, and what they have handled."""
    handled: set[object] = set()

    async def handle(intent: Intent) -> None:
        handled.add(intent.id)

    settings = with_outbox(settings, poll=NEVER, lease=NEVER)
    async with AsyncExitStack() as stack:
        declared = [kind(handle, name) for name in kinds or (KIND,)]
        yield [await stack.enter_async_context(running(settings, *declared)) for _ in range(count)], handled


async def asleep(relays: list[Relay]) -> bool:
    return all(relay.sleeper.announced for relay in relays)


async def same(handled: set[object], expected: set[object]) -> bool:
    return handled >= expected


@pytest.mark.usefixtures("any_postgres")
async def test_a_sleeping_worker_is_woken_by_every_commit(settings: Settings, owner: Owner) -> None:
    async with sleepers(settings, 1) as (relays, handled):
        for _ in range(60):
            await eventually(lambda: asleep(relays))
            ids = await schedule(owner)
            await eventually(lambda ids=ids: same(handled, set(ids)))  # type: ignore[misc]


@pytest.mark.parametrize("way", ["emit_many", "schedule_many"])
@pytest.mark.parametrize("run_ats", ["", ", run_ats => NULL", ", run_ats => '{NULL}'"])
async def test_many_without_a_time_wake_the_worker_too(
    way: str, run_ats: str, settings: Settings, owner: Owner
) -> None:
    async with sleepers(settings, 1) as (relays, handled):
        await eventually(lambda: asleep(relays))
        ids = await owner.fetchval(f"SELECT tidings.{way}(ARRAY[$1], ARRAY['{{}}'::jsonb]{run_ats})", KIND)
        await eventually(lambda: same(handled, set(ids)))


async def test_workers_fall_asleep_and_emitters_commit_at_any_moment_and_nothing_is_left_lying(
    settings: Settings, pool: db.Pool
) -> None:
    """Two workers, eight emitters with pauses of about a worker's time to fall asleep, some committing late."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    dice = random.Random(seed)

    async def emit(count: int) -> set[object]:
        ids: set[object] = set()
        for _ in range(count):
            async with pool.acquire() as connection, connection.transaction():
                ids.add((await schedule(connection))[0])
                await asyncio.sleep(dice.choice([0, 0, 0.001, 0.02, 0.1]) * dice.random())
            await asyncio.sleep(dice.choice([0, 0.002, 0.02, 0.05]) * dice.random())
        return ids

    async with sleepers(settings, 2) as (_, handled):
        for _ in range(6):
            lots = await asyncio.gather(*(emit(20) for _ in range(8)))
            await eventually(lambda lots=lots: same(handled, set().union(*lots)))  # type: ignore[misc]


async def test_a_transaction_that_stays_open_while_workers_fall_asleep_wakes_them_when_it_commits(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    async with sleepers(settings, 2) as (relays, handled):
        await eventually(lambda: asleep(relays))
        async with pool.acquire() as connection, connection.transaction():
            late = await schedule(connection)
            for _ in range(5):
                others = await schedule(owner, 3)
                await eventually(lambda others=others: same(handled, set(others)))  # type: ignore[misc]
            assert late[0] not in handled
        await eventually(lambda: same(handled, set(late)))


async def test_when_the_one_who_keeps_the_lock_leaves_another_takes_over(settings: Settings, owner: Owner) -> None:
    async with sleepers(settings, 1) as (left, handled):
        async with sleepers(settings, 1, KIND, "thing.other") as (right, _):
            await eventually(lambda: asleep([*left, *right]))
        await eventually(lambda: asleep(left))
        ids = await schedule(owner)
        await eventually(lambda: same(handled, set(ids)))
    async with sleepers(settings, 1) as (first, _), sleepers(settings, 1) as (second, handled):
        await eventually(lambda: asleep([*first, *second]))
        await first[0].sleeper.awake()
        first[0].sleeper.woken.set()
        await eventually(lambda: asleep([*first, *second]))
        await schedule(owner)
        await eventually(lambda: all_done(owner))


async def all_done(owner: Owner) -> bool:
    return not await owner.fetchval("SELECT EXISTS (SELECT FROM tidings.outbox)")


async def test_a_time_that_comes_wakes_the_worker(settings: Settings, owner: Owner) -> None:
    async with sleepers(settings, 1) as (relays, handled):
        ids = await schedule(owner, ahead=timedelta(seconds=1))
        await eventually(lambda: asleep(relays))
        assert not handled
        await eventually(lambda: same(handled, set(ids)))


async def test_moving_something_to_now_wakes_the_worker(settings: Settings, owner: Owner) -> None:
    (given,) = await schedule(owner, keys=["k"], ahead=timedelta(hours=1))
    async with sleepers(settings, 1) as (relays, handled):
        await eventually(lambda: asleep(relays))
        await owner.execute("SELECT tidings.move('thing.do', key => 'k', run_at => now())")
        await eventually(lambda: same(handled, {given}))


async def test_nobody_asleep_means_no_notify(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    heard: list[object] = []
    listener = await asyncpg.connect(settings.database.url)
    await listener.add_listener("tidings_outbox", lambda *_: heard.append(1))
    await schedule(owner, 5)
    await listener.execute("SELECT 1")
    assert heard == []
    await listener.close()


@pytest.mark.parametrize("count", [1, 2])
async def test_a_listening_connection_that_is_lost_is_opened_again(
    count: int, settings: Settings, owner: Owner
) -> None:
    async with sleepers(settings, count) as (relays, handled):
        for _ in range(5):
            await eventually(lambda: asleep(relays))
            killed = 0
            while killed < count:  # one that was killed before may not have noticed yet, and seem asleep
                killed += await owner.fetchval(
                    """SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                       WHERE datname = current_database() AND application_name = 'tidings sleeper'"""
                )
                await asyncio.sleep(0.01)
            await eventually(lambda: listening(owner, count))
            await eventually(lambda: asleep(relays))
            ids = await schedule(owner)
            await eventually(lambda ids=ids: same(handled, set(ids)))  # type: ignore[misc]


async def listening(owner: Owner, count: int) -> bool:
    there: int = await owner.fetchval(
        """SELECT count(*) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'tidings sleeper'"""
    )
    return there == count


async def test_without_a_listening_connection_the_poll_delivers(settings: Settings, owner: Owner) -> None:
    """The direct URL leads nowhere, as behind a pooler that was set up wrongly."""
    database = settings.database.model_copy(update={"direct_url": "postgresql://postgres@127.0.0.1:1/nothing"})
    settings = with_outbox(settings.model_copy(update={"database": database}))
    ids = await schedule(owner, 5)
    async with running(settings, kind()):
        ids += await schedule(owner, 5)
        await eventually(lambda: all_done(owner))


async def test_a_listening_connection_that_nobody_answers_keeps_nobody_waiting(
    settings: Settings, owner: Owner
) -> None:
    callers: list[asyncio.StreamWriter] = []
    silent = await asyncio.start_server(lambda reader, writer: callers.append(writer), "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    there = {"direct_url": f"postgresql://postgres@127.0.0.1:{port}/x", "connect_timeout": timedelta(hours=1)}
    settings = settings.model_copy(update={"database": settings.database.model_copy(update=there)})
    async with running(with_outbox(settings), kind()):
        for _ in range(3):
            await schedule(owner)
            await eventually(lambda: all_done(owner))
    silent.close()
    for caller in callers:
        caller.close()
        await caller.wait_closed()
