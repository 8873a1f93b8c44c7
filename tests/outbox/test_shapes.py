"""How handlers are called, and whose fault it is when they fail."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

import tidings
from tests.outbox.engines import (
    KIND,
    Owner,
    eventually,
    kind,
    one_row,
    orphans,
    running,
    schedule,
    statuses,
    with_outbox,
)
from tidings.kit import db
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import Settings
from tidings.spine.outbox.handlers import REGISTERED, Handlers, KeyPolicy, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Permanent

Records = list[Any]


async def has(owner: Owner, **expected: int) -> bool:
    return await statuses(owner) == expected


async def test_an_intent_tells_its_handler_what_it_needs(settings: Settings, owner: Owner) -> None:
    await owner.execute("INSERT INTO tidings.ordered_streams VALUES ('lead')")
    fact_id = await owner.fetchval(
        """SELECT tidings.emit('lead.created', '{"lead_id": 7}', 'lead', '7', key => 'lead:7',
                               metadata => '{"correlation_id": "c1", "actor": "ada"}')"""
    )
    (scheduled,) = await schedule(owner, keys=["remind"])
    seen: dict[str, Intent] = {}

    async def see(intent: Intent) -> None:
        seen[intent.kind] = intent

    async with running(with_outbox(settings), kind(see), kind(see, "lead.created")):
        await eventually(lambda: has(owner, succeeded=2))
    fact, plain = seen["lead.created"], seen[KIND]
    assert (fact.id, fact.fact_id, fact.key, fact.data) == (fact_id, fact_id, "lead:7", {"lead_id": 7})
    assert (fact.stream, fact.stream_version, fact.tenant, fact.attempt) == (("lead", "7"), 1, "default", 1)
    assert (fact.correlation_id, fact.metadata["actor"]) == ("c1", "ada")
    assert fact.occurred_at is not None
    assert (plain.id, plain.fact_id, plain.stream, plain.data) == (scheduled, None, None, {"n": 1})
    assert (plain.occurred_at, plain.metadata, plain.correlation_id) == (None, {}, str(scheduled))


async def test_a_batch_handler_is_called_with_lists_up_to_its_size(settings: Settings, owner: Owner) -> None:
    sizes: list[int] = []

    async def handle(intents: Sequence[Intent]) -> None:
        sizes.append(len(intents))

    await schedule(owner, 95)
    async with running(with_outbox(settings), kind(handle, shape=Shape.BATCH, batch=10)):
        await eventually(lambda: has(owner, succeeded=95))
    assert sum(sizes) == 95
    assert max(sizes) == 10


@pytest.mark.parametrize("shape", [Shape.BATCH, Shape.TRANSACTION])
async def test_a_batch_that_fails_is_tried_one_by_one(shape: Shape, settings: Settings, owner: Owner) -> None:
    async def handle(*arguments: Any) -> None:
        if any(intent.id == bad for intent in arguments[-1]):
            raise Permanent("bad")

    ids = await schedule(owner, 20)
    bad = ids[7]
    async with running(with_outbox(settings), kind(handle, shape=shape, batch=20)):
        await eventually(lambda: has(owner, succeeded=19, dead=1))
    assert {(await one_row(owner, given))["attempts"] for given in ids} == {1}
    assert (await one_row(owner, bad))["last_error"] == "Permanent: bad"
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases WHERE expires_at < now()") == 0


async def test_what_a_transaction_handler_writes_commits_with_the_settling_or_not_at_all(
    settings: Settings, owner: Owner
) -> None:
    await owner.execute("CREATE TABLE written (id uuid, attempt int)")

    async def write(connection: db.Connection, intents: Sequence[Intent]) -> None:
        await connection.executemany("INSERT INTO written VALUES ($1, $2)", [(i.id, i.attempt) for i in intents])
        if any(intent.attempt < 3 for intent in intents):
            raise ValueError("not yet")

    ids = await schedule(owner, 30)
    async with running(with_outbox(settings), kind(write, shape=Shape.TRANSACTION, batch=7)):
        await eventually(lambda: has(owner, succeeded=30))
    rows = await owner.fetch("SELECT id, attempt FROM written")
    assert sorted((row["id"], row["attempt"]) for row in rows) == sorted((given, 3) for given in ids)


async def test_a_transaction_handler_acts_as_the_user_in_the_url(settings: Settings, owner: Owner) -> None:
    roles: list[tuple[str, str]] = []

    async def look(connection: db.Connection, intents: Sequence[Intent]) -> None:
        row = await connection.fetchrow("SELECT current_user, session_user")
        assert row is not None
        roles.append((row[0], row[1]))

    await schedule(owner, 1)
    async with running(with_outbox(settings), kind(look, shape=Shape.TRANSACTION)):
        await eventually(lambda: has(owner, succeeded=1))
    assert roles == [("postgres", "postgres")]


@pytest.mark.parametrize("shape", [Shape.ONE, Shape.BATCH])
async def test_a_plain_function_runs_in_a_thread(shape: Shape, settings: Settings, owner: Owner) -> None:
    threads: list[bool] = []

    def handle(_: object) -> None:
        threads.append(threading.current_thread() is threading.main_thread())

    await schedule(owner, 3)
    async with running(with_outbox(settings), kind(handle, shape=shape)):
        await eventually(lambda: has(owner, succeeded=3))
    assert threads
    assert not any(threads)


async def hang(*_: object) -> None:
    await asyncio.Event().wait()


async def no_file(*_: object) -> None:
    raise FileNotFoundError("letter.txt")


async def slow_peer(*_: object) -> None:
    raise TimeoutError("the peer did not answer")


async def cancelled_inside(*_: object) -> None:
    task = asyncio.create_task(asyncio.sleep(60))
    task.cancel()
    await task


async def leave(*_: object) -> None:
    sys.exit(3)


async def stop_iteration(*_: object) -> None:
    next(iter(()))


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize(
    ("handler", "error"),
    [
        (hang, "TimeoutError: took longer than 0:00:00.050000"),
        (no_file, "FileNotFoundError: letter.txt"),
        (slow_peer, "TimeoutError: the peer did not answer"),
        (cancelled_inside, "RuntimeError: something that it waited for was cancelled"),
        (leave, "RuntimeError: called sys.exit(3)"),
        (stop_iteration, "RuntimeError: coroutine raised StopIteration"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_a_handlers_own_failures_cost_attempts_until_it_is_dead(
    handler: Callable[..., Any], error: str, shape: Shape, settings: Settings, owner: Owner
) -> None:
    """None of these is the database's fault, though some look like it."""
    (given,) = await schedule(owner)
    declared = kind(handler, shape=shape, timeout=timedelta(milliseconds=50), max_attempts=2)
    async with running(with_outbox(settings), declared):
        await eventually(lambda: has(owner, dead=1))
    row = await one_row(owner, given)
    assert (row["attempts"], row["last_error"]) == (2, error)
    assert await orphans(owner) == 0


@pytest.mark.parametrize(
    "statement",
    ["SELECT 1/0", "SET LOCAL statement_timeout = 1; SELECT pg_sleep(5)", "ROLLBACK", "DROP TABLE tidings.facts_"],
)
async def test_sql_that_a_transaction_handler_gets_wrong_is_its_own_failure(
    statement: str, settings: Settings, owner: Owner
) -> None:
    async def wrong(connection: db.Connection, intents: Sequence[Intent]) -> None:
        await connection.execute(statement)

    await schedule(owner)
    async with running(with_outbox(settings), kind(wrong, shape=Shape.TRANSACTION, max_attempts=2)):
        await eventually(lambda: has(owner, dead=1))
    assert await orphans(owner) == 0


async def test_cancelling_a_batch_that_runs_one_by_one_gives_back_all_its_room(
    settings: Settings, owner: Owner
) -> None:
    started = asyncio.Event()

    async def handle(connection: db.Connection, intents: Sequence[Intent]) -> None:
        if len(intents) > 1:
            raise ValueError("one by one, please")
        started.set()
        await asyncio.Event().wait()

    await schedule(owner, 10)
    async with running(with_outbox(settings), kind(handle, shape=Shape.TRANSACTION)) as relay:
        pump = relay.pumps[KIND]
        await started.wait()
        pump.stopping = True
        pump.abandon(set(pump.held))
        await eventually(lambda: true(not pump.held and not pump.in_hand and not pump.running))
    assert await statuses(owner) == {"pending": 10}
    assert {row["attempts"] for row in await owner.fetch("SELECT attempts FROM tidings.outbox")} == {0}


async def true(value: bool) -> bool:
    return value


@pytest.mark.parametrize("shape", Shape)
async def test_what_a_handler_emits_names_its_fact_as_the_cause(shape: Shape, settings: Settings, owner: Owner) -> None:
    cause = await owner.fetchval("SELECT tidings.emit('lead.created')")

    async def handle(*arguments: Any) -> None:
        async with settings_pool.acquire() as connection, connection.transaction():
            await tidings.aemit(connection, "lead.welcomed")

    settings_pool = await db.open_pool(settings.database, db.Role.WORKER, name="test")
    try:
        async with running(with_outbox(settings), kind(handle, "lead.created", shape)):
            await eventually(lambda: has(owner, succeeded=1, pending=1))
    finally:
        await settings_pool.close()
    metadata = await owner.fetchval(
        "SELECT metadata::jsonb ->> 'causation_id' FROM tidings.facts WHERE type = 'lead.welcomed'"
    )
    assert metadata == str(cause)


async def test_what_a_batch_of_several_emits_names_none_of_them(settings: Settings, owner: Owner) -> None:
    await owner.execute("SELECT tidings.emit('lead.created') FROM generate_series(1, 2)")

    async def handle(intents: Sequence[Intent]) -> None:
        async with pool.acquire() as connection, connection.transaction():
            await tidings.aemit(connection, "lead.welcomed")

    pool = await db.open_pool(settings.database, db.Role.WORKER, name="test")
    try:
        async with running(with_outbox(settings), kind(handle, "lead.created", Shape.BATCH)):
            await eventually(lambda: has(owner, succeeded=2, pending=1))
    finally:
        await pool.close()
    assert await owner.fetchval("SELECT metadata FROM tidings.facts WHERE type = 'lead.welcomed'") == "{}"


def test_declaring_a_handler_leaves_the_function_as_it_was() -> None:
    @tidings.handler("a.b", "c.d", keys="rearm", batch=5, max_attempts=2)
    async def handle(intents: Sequence[Intent]) -> None: ...

    declared = getattr(handle, REGISTERED)
    assert [(k.name, k.shape, k.keys, k.batch) for k in declared] == [
        ("a.b", Shape.BATCH, KeyPolicy.REARM, 5),
        ("c.d", Shape.BATCH, KeyPolicy.REARM, 5),
    ]


def test_a_handler_must_name_its_kinds_and_a_transaction_be_awaited() -> None:
    with pytest.raises(Misconfigured, match="at least one kind"):
        tidings.handler()(hang)
    with pytest.raises(Misconfigured, match="async def"):
        tidings.handler("a.b", transaction=True)(print)


def test_two_handlers_of_one_kind_are_refused() -> None:
    with pytest.raises(Misconfigured, match="two handlers for the kind"):
        Handlers().including([kind(), kind()])
