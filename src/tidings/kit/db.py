"""Connections to PostgreSQL: pools by role, transactions by tenant, and which errors mean that it is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import asyncpg

from tidings.kit.settings import DatabaseSettings

if TYPE_CHECKING:
    Pool: TypeAlias = asyncpg.Pool[asyncpg.Record]
    Connection: TypeAlias = asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]
else:
    Pool = asyncpg.Pool
    Connection = asyncpg.Connection

SCHEMA = "tidings"


class Role(StrEnum):
    """Database roles. A connection takes one of them when it is opened."""

    OWNER = "tidings_owner"
    API = "tidings_api"
    WORKER = "tidings_worker"
    EMIT = "tidings_emit"


AWAY: tuple[type[BaseException], ...] = (
    OSError,
    asyncio.TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # what the driver makes of a connection that broke in the middle of an answer
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresSystemError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.IdleSessionTimeoutError,
)
"""What is raised when the database is away, read-only or full: try again, and charge nobody for it."""
FAILING: tuple[type[BaseException], ...] = (*AWAY, asyncpg.PostgresError)
"""Whatever a statement may fail with: for those who note it and go on."""


async def open_pool(
    settings: DatabaseSettings, role: Role, *, name: str, size: int | None = None, longest: timedelta | None = None
) -> Pool:
    """A pool whose connections act as `role`. Opens connections as they are needed.

    A statement that takes longer than `longest` raises TimeoutError (one of `AWAY`): a connection may have gone
    silent, and nobody would ever say so.
    """
    return await asyncpg.create_pool(
        settings.url,
        min_size=0,
        max_size=size or settings.pool_size,
        timeout=settings.connect_timeout.total_seconds(),
        command_timeout=None if longest is None else longest.total_seconds(),
        server_settings=_session(settings, role, name),
        reset=_nothing_to_reset,
    )


async def _nothing_to_reset(connection: Connection) -> None:
    """What we do leaves nothing behind: settings and locks are local to a transaction, and the pool rolls back one that
    was left open. Saves each use of a connection a round trip. Whoever lends a connection to others resets it."""


@asynccontextmanager
async def acquired(pool: Pool, within: float) -> AsyncIterator[Connection]:
    """A connection of the pool, or TimeoutError (one of `AWAY`) when all stay in use."""
    async with asyncio.timeout(within):
        connection = await pool.acquire()
    try:
        yield connection
    finally:
        await pool.release(connection)


async def connect(
    settings: DatabaseSettings, role: Role | None, *, name: str, longest: timedelta | None = None
) -> asyncpg.Connection[asyncpg.Record]:
    """One connection of its own, past any pooler: for LISTEN and session locks. `longest` as for a pool."""
    return await asyncpg.connect(
        settings.direct_url or settings.url,
        timeout=settings.connect_timeout.total_seconds(),
        command_timeout=None if longest is None else longest.total_seconds(),
        server_settings=_session(settings, role, name),
    )


def _session(settings: DatabaseSettings, role: Role | None, name: str) -> dict[str, str]:
    session = {"application_name": f"tidings {name}", "jit": "off"}
    if role is Role.API:
        session["statement_timeout"] = str(int(settings.statement_timeout.total_seconds() * 1000))
    if role is Role.WORKER:
        session["random_page_cost"] = "1.1"  # a batch is found by index, however small the table looks
    if role is not None:
        session["role"] = role.value
    return session


@asynccontextmanager
async def as_tenant(connection: Connection, tenant: str) -> AsyncIterator[None]:
    """One transaction that sees `tenant` and nothing else; commits on leaving, rolls back on raising."""
    async with connection.transaction():
        await connection.execute("SELECT set_config('tidings.tenant', $1, true)", tenant)
        yield


def is_gone(connection: Connection) -> bool:
    """Whether a connection of a pool is closed; the pool takes one that was lost away from whoever holds it."""
    try:
        return connection.is_closed()
    except asyncpg.InterfaceError:
        return True


def affected(status: str) -> int:
    """How many rows a command touched, from its tag (`UPDATE 3`)."""
    return int(status.rsplit(" ", 1)[1])
