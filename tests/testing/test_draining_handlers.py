"""The helpers that we give to users for their own tests."""

from __future__ import annotations

import sys
import types
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from sqlalchemy import create_engine
from sqlalchemy.ext.asyncio import create_async_engine

import tidings
from tests.outbox.engines import Owner, kind, one_row, schedule
from tidings.kit import db
from tidings.kit.errors import WrongConnection
from tidings.spine.outbox.handlers import Shape
from tidings.testing import aassert_emitted, adrain_outbox, assert_emitted, drain_outbox

HOUR = timedelta(hours=1)


def test_draining_runs_what_is_due_and_what_that_causes(database_url: str) -> None:
    @tidings.handler("lead.created")
    async def welcome(intent: tidings.Intent) -> None:
        async with await psycopg.AsyncConnection.connect(database_url) as connection:
            await tidings.aemit(connection, "lead.welcomed", intent.data)

    @tidings.handler("lead.welcomed", transaction=True)
    async def count(connection: db.Connection, intents: Sequence[tidings.Intent]) -> None: ...

    with psycopg.connect(database_url) as connection:
        tidings.emit(connection, "lead.created", {"name": "Ada"})
        tidings.emit(connection, "lead.created", {"name": "Bob"})
        assert_emitted(connection, "lead.created", times=2)
        assert_emitted(connection, "lead.created", {"name": "Ada"}, times=1)
        connection.commit()
        assert drain_outbox(database_url, welcome, count) == {"succeeded": 4}
        assert_emitted(connection, "lead.welcomed", {"name": "Bob"})
        assert drain_outbox(database_url, welcome, count) == {}


async def test_draining_counts_every_outcome(database_url: str, owner: Owner) -> None:
    async def handle(intent: tidings.Intent) -> tidings.Again | None:
        match intent.data["n"]:
            case 1:
                raise ValueError("fails")
            case 2:
                raise tidings.Permanent("dies")
            case 3:
                return tidings.Again(datetime.now(UTC) + HOUR)
        return None

    await schedule(owner, 5)
    declared = kind(handle, retry_base=HOUR, retry_cap=HOUR)
    outcomes = await adrain_outbox(database_url, declared)
    assert outcomes == {"failed": 1, "dead": 1, "again": 1, "succeeded": 2}
    outcomes = await adrain_outbox(database_url, declared, ahead=2 * HOUR)
    assert outcomes == {"failed": 1, "again": 1}


async def test_what_falls_due_ahead_is_run_and_what_is_later_is_not(database_url: str, owner: Owner) -> None:
    (soon,) = await schedule(owner, ahead=HOUR)
    (later,) = await schedule(owner, ahead=3 * HOUR)
    due = (await one_row(owner, soon))["due_at"]
    assert await adrain_outbox(database_url, kind()) == {}
    assert await adrain_outbox(database_url, kind(), ahead=2 * HOUR) == {"succeeded": 1}
    assert (await one_row(owner, soon))["due_at"] == due
    assert (await one_row(owner, later))["status"] == "pending"


async def test_draining_ends_behind_a_dead_head_and_with_kinds_nobody_serves(database_url: str, owner: Owner) -> None:
    await owner.execute("INSERT INTO tidings.ordered_streams VALUES ('lead')")
    for _ in range(3):
        await owner.execute("SELECT tidings.emit('thing.do', '{}', 'lead', '1')")
    await schedule(owner, name="thing.unknown")

    async def refuse(intent: tidings.Intent) -> None:
        raise tidings.Permanent("no")

    assert await adrain_outbox(database_url, kind(refuse, ordered=True)) == {"dead": 1}


async def test_a_stream_is_drained_in_order(database_url: str, owner: Owner) -> None:
    await owner.execute("INSERT INTO tidings.ordered_streams VALUES ('lead')")
    for _ in range(10):
        await owner.execute("SELECT tidings.emit('thing.do', '{}', 'lead', '1')")
    versions: list[int | None] = []

    async def note(intents: Sequence[tidings.Intent]) -> None:
        versions.extend(intent.stream_version for intent in intents)

    assert await adrain_outbox(database_url, kind(note, shape=Shape.BATCH, ordered=True)) == {"succeeded": 10}
    assert versions == list(range(1, 11))


async def test_handlers_are_taken_from_modules_by_object_and_by_name(database_url: str, owner: Owner) -> None:
    @tidings.handler("thing.do")
    async def handle(intent: tidings.Intent) -> None: ...

    module = types.ModuleType("handlers_of_a_test")
    module.handle = module.alias = handle  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    for source in (module, module.__name__):
        await schedule(owner)
        assert await adrain_outbox(database_url, source) == {"succeeded": 1}
    del sys.modules[module.__name__]


async def test_what_was_emitted_is_asserted_on_every_kind_of_connection(database_url: str, owner: Owner) -> None:
    await owner.execute('SELECT tidings.emit(\'lead.created\', \'{"name": "Ada", "tags": ["a", "b"]}\')')
    plus = database_url.replace("postgresql://", "postgresql+psycopg://")
    with psycopg.connect(database_url) as connection:
        assert_emitted(connection, "lead.created", {"tags": ["b"]}, times=1)
    plain = create_engine(plus)
    with plain.connect() as connection:
        assert_emitted(connection, "lead.created", {"name": "Ada"}, times=1)
    plain.dispose()
    await aassert_emitted(owner, "lead.created", times=1)
    engine = create_async_engine(plus)
    async with engine.connect() as connection:
        await aassert_emitted(connection, "lead.created")
    await engine.dispose()


async def test_a_failure_says_what_was_there_instead(owner: Owner) -> None:
    with pytest.raises(
        AssertionError, match=r"expected lead\.created at least once in tenant default, found 0, and 0 of"
    ):
        await aassert_emitted(owner, "lead.created")
    await owner.execute("SELECT tidings.emit('lead.created', '{\"name\": \"Ada\"}')")
    with pytest.raises(AssertionError, match=r'with {"name": "Bob"} 2 times .* found 0, and 1 of .*{"name": "Ada"}'):
        await aassert_emitted(owner, "lead.created", {"name": "Bob"}, times=2)
    with pytest.raises(AssertionError):
        await aassert_emitted(owner, "lead.created", times=0)
    await aassert_emitted(owner, "lead.created", {"name": "Bob"}, times=0)


async def test_what_a_rolled_back_transaction_emitted_was_not(owner: Owner) -> None:
    transaction = owner.transaction()
    await transaction.start()
    await tidings.aemit(owner, "lead.created")
    await aassert_emitted(owner, "lead.created", times=1)
    await transaction.rollback()
    await aassert_emitted(owner, "lead.created", times=0)


async def test_the_wrong_kind_of_connection_is_told_so(owner: Owner, pool: db.Pool) -> None:
    with pytest.raises(WrongConnection, match="aassert_emitted"):
        assert_emitted(owner, "lead.created")
    with pytest.raises(WrongConnection, match="acquire"):
        await aassert_emitted(pool, "lead.created")
