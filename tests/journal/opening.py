"""A transaction on each kind of connection that can be emitted on: committed on leaving, rolled back on raising."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg
import psycopg
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_scoped_session,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Session, scoped_session, sessionmaker
from sqlalchemy.pool import NullPool


@contextmanager
def engine_for(url: str, **options: Any) -> Iterator[sa.Engine]:
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"), poolclass=NullPool, **options)
    yield engine
    engine.dispose()


@asynccontextmanager
async def async_engine_for(url: str, driver: str, **options: Any) -> AsyncIterator[AsyncEngine]:
    engine = create_async_engine(url.replace("postgresql:", f"postgresql+{driver}:"), poolclass=NullPool, **options)
    yield engine
    await engine.dispose()


@asynccontextmanager
async def asyncpg_connection(url: str) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction():
            yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def asyncpg_pooled(url: str) -> AsyncIterator[Any]:
    async with (
        asyncpg.create_pool(url, min_size=0, max_size=1) as pool,
        pool.acquire() as connection,
        connection.transaction(),
    ):
        yield connection


@contextmanager
def psycopg_connection(url: str) -> Iterator[Any]:
    with psycopg.connect(url) as connection:
        yield connection


@contextmanager
def psycopg_autocommit(url: str) -> Iterator[Any]:
    """In autocommit, with a transaction begun on it, and with rows that are no tuples."""
    with (
        psycopg.connect(url, autocommit=True, row_factory=psycopg.rows.dict_row) as connection,
        connection.transaction(),
    ):
        yield connection


@asynccontextmanager
async def psycopg_async(url: str) -> AsyncIterator[Any]:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        yield connection


@contextmanager
def alchemy_connection(url: str) -> Iterator[Any]:
    with engine_for(url) as engine, engine.begin() as connection:
        yield connection


@contextmanager
def alchemy_session(url: str) -> Iterator[Any]:
    with engine_for(url) as engine, Session(engine) as session, session.begin():
        yield session


@contextmanager
def alchemy_scoped(url: str) -> Iterator[Any]:
    with engine_for(url) as engine:
        session = scoped_session(sessionmaker(engine))
        try:
            with session.begin():
                yield session
        finally:
            session.remove()


@asynccontextmanager
async def alchemy_async_connection(url: str) -> AsyncIterator[Any]:
    async with async_engine_for(url, "asyncpg") as engine, engine.begin() as connection:
        yield connection


@asynccontextmanager
async def alchemy_async_session(url: str) -> AsyncIterator[Any]:
    async with async_engine_for(url, "asyncpg") as engine, AsyncSession(engine) as session, session.begin():
        yield session


@asynccontextmanager
async def alchemy_async_psycopg(url: str) -> AsyncIterator[Any]:
    async with async_engine_for(url, "psycopg") as engine, AsyncSession(engine) as session, session.begin():
        yield session


@asynccontextmanager
async def alchemy_async_scoped(url: str) -> AsyncIterator[Any]:
    async with async_engine_for(url, "asyncpg") as engine:
        session = async_scoped_session(async_sessionmaker(engine), scopefunc=lambda: url)
        try:
            async with session.begin():
                yield session
        finally:
            await session.remove()
