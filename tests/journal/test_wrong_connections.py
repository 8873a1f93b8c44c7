"""A connection that will not do is refused, with what to do instead; nothing is sent on it."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg
import psycopg
import pytest
import sqlalchemy as sa
from psycopg.rows import dict_row
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlalchemy.orm import Session, sessionmaker

import tidings
from tests.journal import opening
from tests.journal.djangos import DJANGO, django_connection
from tidings import NewFact, WrongConnection


def _refused(connection: Any, advice: str) -> None:
    with pytest.raises(WrongConnection, match=advice):
        tidings.emit(connection, "order.paid")
    with pytest.raises(WrongConnection, match=advice.replace("aemit", "aemit_many")):
        tidings.emit_many(connection, [NewFact("order.paid")])


async def _arefused(connection: Any, advice: str) -> None:
    with pytest.raises(WrongConnection, match=advice):
        await tidings.aemit(connection, "order.paid")
    with pytest.raises(WrongConnection, match=advice):
        await tidings.aemit_many(connection, [NewFact("order.paid")])


async def test_emit_on_an_asynchronous_connection_says_to_await(database_url: str) -> None:
    connections = (
        opening.asyncpg_connection,
        opening.asyncpg_pooled,
        opening.psycopg_async,
        opening.alchemy_async_connection,
        opening.alchemy_async_session,
        opening.alchemy_async_scoped,
    )
    for opened in connections:
        async with opened(database_url) as connection:
            _refused(connection, "is asynchronous: `await tidings.aemit")


async def test_aemit_on_a_synchronous_connection_says_not_to(database_url: str) -> None:
    connections = (
        opening.psycopg_connection,
        opening.alchemy_connection,
        opening.alchemy_session,
        opening.alchemy_scoped,
    )
    for opened in connections:
        with opened(database_url) as connection:
            await _arefused(connection, "is synchronous: call `tidings.emit")
    await _arefused(DJANGO, "is synchronous: call `tidings.emit")


async def test_asyncpg_needs_a_transaction(database_url: str, owner: asyncpg.Connection[asyncpg.Record]) -> None:
    await _arefused(owner, r"no transaction is open .* \(async with connection.transaction\(\):\)")
    await tidings.aemit(owner, "order.paid", own_transaction=True)
    assert await owner.fetchval("SELECT count(*) FROM tidings.facts") == 1


def test_psycopg_in_autocommit_needs_a_transaction(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True, row_factory=dict_row) as connection:
        _refused(connection, r"no transaction is open .* \(with connection.transaction\(\):\)")
        tidings.emit(connection, "order.paid", own_transaction=True)
        assert connection.execute("SELECT count(*) AS n FROM tidings.facts").fetchone() == {"n": 1}


async def test_psycopg_async_in_autocommit_needs_a_transaction(database_url: str) -> None:
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        await _arefused(connection, r"no transaction is open .* \(async with connection.transaction\(\):\)")
        await tidings.aemit_many(connection, [NewFact("order.paid")], own_transaction=True)
        async with connection.transaction():
            await tidings.aemit(connection, "order.paid")


def test_sqlalchemy_in_autocommit_is_refused(database_url: str) -> None:
    with opening.engine_for(database_url, isolation_level="AUTOCOMMIT") as engine:
        with engine.connect() as connection, Session(engine) as session:
            _refused(connection, "without isolation_level=AUTOCOMMIT")
            _refused(session, "without isolation_level=AUTOCOMMIT")
            tidings.emit(connection, "order.paid", own_transaction=True)
        with engine.connect() as other:
            assert other.scalar(sa.text("SELECT count(*) FROM tidings.facts")) == 1


@pytest.mark.parametrize("driver", ["asyncpg", "psycopg"])
async def test_async_sqlalchemy_in_autocommit_is_refused(database_url: str, driver: str) -> None:
    async with (
        opening.async_engine_for(database_url, driver, isolation_level="AUTOCOMMIT") as engine,
        engine.connect() as connection,
        AsyncSession(engine) as session,
    ):
        await _arefused(connection, "without isolation_level=AUTOCOMMIT")
        await _arefused(session, "without isolation_level=AUTOCOMMIT")
        await tidings.aemit(session, "order.paid", own_transaction=True)


async def test_django_outside_of_atomic_is_refused(database_url: str) -> None:
    def outside() -> int:
        with django_connection(database_url) as connection:
            _refused(connection, r"with transaction.atomic\(\):")
            tidings.emit(connection, "order.paid", own_transaction=True)
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM tidings.facts")
                return int(cursor.fetchone()[0])

    assert await asyncio.to_thread(outside) == 1


async def test_what_only_leads_to_a_connection_is_refused_with_how_to_get_one(database_url: str) -> None:
    async with (
        asyncpg.create_pool(database_url, min_size=0) as pool,
        opening.async_engine_for(database_url, "asyncpg") as engine,
    ):
        await _arefused(pool, r"pool.acquire\(\)")
        await _arefused(engine, r"engine.begin\(\)")
        await _arefused(async_sessionmaker(engine), r"make.begin\(\)")


def test_neither_an_engine_nor_a_cursor_nor_an_address_will_do(database_url: str) -> None:
    with opening.engine_for(database_url) as engine, psycopg.connect(database_url) as connection:
        _refused(engine, r"engine.begin\(\)")
        _refused(sessionmaker(engine), r"make.begin\(\)")
        _refused(connection.cursor(), "cursor.connection")
        _refused(database_url, "pass a connection or session")
        _refused(None, "pass a connection or session")


def test_another_database_will_not_do() -> None:
    with sa.create_engine("sqlite://").connect() as connection, pytest.raises(WrongConnection, match="sqlite"):
        tidings.emit(connection, "order.paid")


async def test_a_session_of_an_async_engine_may_emit_within_run_sync(database_url: str) -> None:
    async with opening.alchemy_async_session(database_url) as session:
        await session.run_sync(lambda sync: tidings.emit(sync, "order.paid"))


def test_a_connection_with_cursors_of_its_own_may_emit(database_url: str) -> None:
    with psycopg.connect(database_url, cursor_factory=psycopg.RawCursor) as connection:
        tidings.emit(connection, "order.paid", {"n": 1})


async def test_a_connection_with_codecs_of_its_own_may_emit(
    database_url: str, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    for name in ("json", "jsonb"):
        await owner.set_type_codec(name, encoder=repr, decoder=lambda _: "decoded", schema="pg_catalog")
    await owner.set_type_codec("uuid", encoder=str, decoder=str, schema="pg_catalog")
    async with owner.transaction():
        fact_id = await tidings.aemit(owner, "order.paid", {"n": 1})
    assert await owner.fetchval("SELECT data::text FROM tidings.facts WHERE id = $1", str(fact_id)) == '{"n": 1}'
