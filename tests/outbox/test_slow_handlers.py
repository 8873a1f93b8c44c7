"""Handlers that are slow, hang, or lose their connection hold up nobody but themselves."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from threading import Event
from typing import Any
from uuid import UUID

import pytest

from tests.outbox.engines import (
    KIND,
    Owner,
    add_tenants,
    eventually,
    kind,
    nothing,
    one_row,
    running,
    schedule,
    statuses,
    with_outbox,
)
from tests.outbox.links import Link, link_to
from tidings.kit import db
from tidings.kit.settings import DatabaseSettings, Settings
from tidings.spine.outbox.handlers import Shape
from tidings.spine.outbox.intents import Intent

SHORT = timedelta(seconds=1)
SLOW = "slow.do"


async def true(value: object) -> bool:
    return bool(value)


async def trickle(owner: Owner, count: int, name: str = SLOW) -> None:
    """One by one, so that each is leased by itself."""
    for _ in range(count):
        await schedule(owner, name=name)
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("shape", [Shape.BATCH, Shape.TRANSACTION])
@pytest.mark.parametrize("allowed", [1, 3])
async def test_no_more_batches_run_at_once_than_allowed(
    shape: Shape, allowed: int, settings: Settings, owner: Owner
) -> None:
    await add_tenants(owner, [f"t{n}" for n in range(8)])
    gate = asyncio.Event()
    running_now: Counter[str] = Counter()
    most = 0

    async def handle(*arguments: object) -> None:
        nonlocal most
        running_now["n"] += 1
        most = max(most, running_now["n"])
        await gate.wait()
        running_now["n"] -= 1

    declared = kind(handle, shape=shape, batch=100, concurrency=allowed)
    async with running(with_outbox(settings), declared):
        for n in range(8):
            await schedule(owner, tenant=f"t{n}")
            await asyncio.sleep(0.05)
        gate.set()
        await eventually(lambda: done(owner, 8))
    assert most == allowed


async def test_slow_transactions_leave_the_engine_its_connections(settings: Settings, owner: Owner) -> None:
    """Others are leased, run and settled, and every lease is renewed."""
    gate, began = asyncio.Event(), Counter[str]()

    async def slow(connection: db.Connection, intents: Sequence[Intent]) -> None:
        began["slow"] += 1
        await gate.wait()

    kinds = [kind(slow, name=f"slow.do_{n}", shape=Shape.TRANSACTION, concurrency=2) for n in range(6)]
    async with running(with_outbox(settings, lease=SHORT), *kinds, kind()):
        for declared in kinds:
            await trickle(owner, 2, declared.name)
        await schedule(owner)
        await eventually(lambda: done(owner, 1))
        await asyncio.sleep(2 * SHORT.total_seconds())
        assert await owner.fetchval("SELECT count(*) FROM tidings.leases WHERE expires_at < now()") == 0
        assert await owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE suspect") == 0
        gate.set()
        await eventually(lambda: done(owner, 13))
    assert began["slow"] >= 6


async def test_batches_that_hang_leave_a_run_to_the_other_tenants(settings: Settings, owner: Owner) -> None:
    await add_tenants(owner, ["hangs", "works"])

    async def handle(intents: Sequence[Intent]) -> None:
        if any(intent.tenant == "hangs" for intent in intents):
            await asyncio.Event().wait()

    async with running(with_outbox(settings), kind(handle, shape=Shape.BATCH, batch=10), stop_within=SHORT):
        await schedule(owner, 100, tenant="hangs")
        await asyncio.sleep(0.3)
        await schedule(owner, 20, tenant="works")
        await eventually(lambda: done(owner, 20))


async def test_functions_in_threads_do_not_keep_those_of_another_kind_waiting(settings: Settings, owner: Owner) -> None:
    gate = Event()
    hanging: list[UUID] = []

    def hang(intent: Intent) -> None:
        hanging.append(intent.id)
        gate.wait()

    def work(intent: Intent) -> None:
        pass

    async with running(with_outbox(settings), kind(hang, name=SLOW), kind(work)):
        await schedule(owner, 60, name=SLOW)
        await eventually(lambda: true(len(hanging) == 60))
        await schedule(owner)
        await eventually(lambda: done(owner, 1))
        gate.set()
        await eventually(lambda: done(owner, 61))


async def test_a_function_past_its_timeout_is_waited_for_and_never_runs_twice_at_once(
    settings: Settings, owner: Owner
) -> None:
    runs: list[UUID] = []

    def late(intent: Intent) -> None:
        runs.append(intent.id)
        time.sleep(0.5)

    async with running(with_outbox(settings), kind(late, timeout=timedelta(milliseconds=50))):
        ids = await schedule(owner, 40)
        await eventually(lambda: done(owner, 40))
    assert sorted(runs) == sorted(ids)


async def test_what_is_cancelled_while_a_batch_is_tried_one_by_one_is_not_run(settings: Settings, owner: Owner) -> None:
    began: list[str | None] = []
    first, gate = asyncio.Event(), asyncio.Event()

    async def handle(intents: Sequence[Intent]) -> None:
        if len(intents) > 1:
            raise ValueError("one by one, please")
        began.append(intents[0].key)
        first.set()
        await gate.wait()

    await schedule(owner, keys=["a", "b", "c"])
    async with running(with_outbox(settings), kind(handle, shape=Shape.BATCH)):
        await first.wait()
        cancelled = [
            await owner.fetchval("SELECT tidings.cancel($1, key => $2)", KIND, key)
            for key in ("a", "b", "c")
            if key != began[0]
        ]
        gate.set()
        await eventually(lambda: done(owner, 1))
    assert cancelled == [1, 1]
    assert len(began) == 1


@asynccontextmanager
async def far_worker(settings: Settings, owner: Owner, url: str, handle: Callable[..., Any]) -> AsyncIterator[Link]:
    """A worker whose way to the database is a link, with one intent in its hands."""
    async with link_to(url) as (link, through):
        database = DatabaseSettings(url=through, connect_timeout=SHORT)
        far = with_outbox(settings.model_copy(update={"database": database}), lease=SHORT)
        async with running(far, kind(handle), stop_within=SHORT):
            yield link


async def test_a_worker_that_cannot_renew_lets_go_before_somebody_else_may_have_it(
    settings: Settings, owner: Owner, database_url: str
) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def handle(intent: Intent) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with far_worker(settings, owner, database_url, handle) as link:
        [given] = await schedule(owner)
        await began.wait()
        link.cut()
        await ended.wait()
        async with running(with_outbox(settings, lease=SHORT), kind(nothing, name="other.do")):
            await eventually(lambda: is_suspect(owner, given))


async def test_connections_that_go_silent_are_replaced(settings: Settings, owner: Owner, database_url: str) -> None:
    """Nobody says that they are dead; new ones work."""
    async with far_worker(settings, owner, database_url, nothing) as link:
        await schedule(owner)
        await eventually(lambda: done(owner, 1))
        deaf = link.passing
        link.go_silent()
        link.passing = asyncio.Event()
        link.passing.set()
        await schedule(owner)
        await eventually(lambda: done(owner, 2))
        deaf.set()


async def test_a_handler_that_loses_its_connection_each_time_fails_alone(
    settings: Settings, owner: Owner, database_url: str
) -> None:
    """The server ends a transaction that is idle for too long; the neighbours in the batch lose nothing."""
    name = database_url.rsplit("/", 1)[1]
    await owner.execute(f"ALTER DATABASE {name} SET idle_in_transaction_session_timeout = '50ms'")

    async def handle(connection: db.Connection, intents: Sequence[Intent]) -> None:
        if any(intent.data["n"] == 3 for intent in intents):
            await asyncio.sleep(0.2)
        await connection.execute("SELECT 1")

    ids = await schedule(owner, 10)
    async with running(with_outbox(settings), kind(handle, shape=Shape.TRANSACTION, max_attempts=2)):
        await eventually(lambda: done(owner, 10))
    assert await statuses(owner) == {"succeeded": 9, "dead": 1}
    assert (await one_row(owner, ids[2]))["status"] == "dead"


class Odd(BaseException):
    """What a careless library may raise."""


@pytest.mark.parametrize("is_async", [True, False])
async def test_an_exception_that_is_no_exception_costs_an_attempt_like_any_other(
    is_async: bool, settings: Settings, owner: Owner
) -> None:
    async def handle(intent: Intent) -> None:
        raise Odd

    def plain(intent: Intent) -> None:
        raise Odd

    [given] = await schedule(owner)
    async with running(with_outbox(settings), kind(handle if is_async else plain, max_attempts=2)):
        await eventually(lambda: done(owner, 1))
    row = await one_row(owner, given)
    assert (row["status"], row["attempts"]) == ("dead", 2)
    assert "Odd" in row["last_error"]


async def test_a_failure_is_logged_with_where_it_happened(
    settings: Settings, owner: Owner, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async def handle(intent: Intent) -> None:
        raise ValueError("of this line")

    [given] = await schedule(owner)
    async with running(with_outbox(settings), kind(handle, max_attempts=1)):
        await eventually(lambda: done(owner, 1))
    said = "".join(capsys.readouterr()) + caplog.text
    assert "handler failed" in said
    assert str(given) in said
    assert "test_slow_handlers.py" in said


async def done(owner: Owner, count: int) -> bool:
    finished: int = await owner.fetchval("SELECT count(*) FROM tidings.outbox_finished")
    return finished >= count


async def is_suspect(owner: Owner, given: UUID) -> bool:
    return bool((await one_row(owner, given))["suspect"])
