"""Which kind of connection something is, by the names of its classes; or what to pass instead of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from tidings.kit.callers.drivers import (
    AsyncCaller,
    Asyncpg,
    AsyncPsycopg,
    AsyncSqlAlchemy,
    Django,
    Psycopg,
    SqlAlchemy,
    SyncCaller,
)
from tidings.kit.errors import WrongConnection


def _itself(connection: Any) -> Callable[[], Awaitable[Any]]:
    async def give() -> Any:
        return connection

    return give


_SYNC: dict[str, Callable[[Any], SyncCaller]] = {
    "psycopg.Connection": Psycopg,
    "sqlalchemy.orm.session.Session": lambda session: SqlAlchemy(session.connection),
    "sqlalchemy.orm.scoping.scoped_session": lambda session: SqlAlchemy(session.connection),
    "sqlalchemy.engine.base.Connection": lambda connection: SqlAlchemy(lambda: connection),
    "django.utils.connection.ConnectionProxy": Django,
    "django.db.backends.base.base.BaseDatabaseWrapper": Django,
}

_ASYNC: dict[str, Callable[[Any], AsyncCaller]] = {
    "asyncpg.connection.Connection": Asyncpg,
    "asyncpg.pool.PoolConnectionProxy": Asyncpg,
    "psycopg.AsyncConnection": AsyncPsycopg,
    "sqlalchemy.ext.asyncio.session.AsyncSession": lambda session: AsyncSqlAlchemy(session.connection),
    "sqlalchemy.ext.asyncio.scoping.async_scoped_session": lambda session: AsyncSqlAlchemy(session.connection),
    "sqlalchemy.ext.asyncio.engine.AsyncConnection": lambda connection: AsyncSqlAlchemy(_itself(connection)),
}

_ADVICE = {
    "asyncpg.pool.Pool": "`async with pool.acquire() as connection, connection.transaction():`, and pass `connection`",
    "asyncpg.transaction.Transaction": "pass the connection that the transaction is of",
    "psycopg_pool.base.BasePool": "take a connection: `with pool.connection() as connection:`, and pass that",
    "psycopg._cursor_base.BaseCursor": "pass the connection that the cursor is of (`cursor.connection`)",
    "psycopg.transaction.BaseTransaction": "pass the connection that the transaction is of",
    "psycopg2.extensions.connection": "psycopg 2 alone is not supported: use psycopg 3, SQLAlchemy or Django",
    "sqlalchemy.engine.base.Engine": "begin a transaction: `with engine.begin() as connection:`, and pass `connection`",
    "sqlalchemy.ext.asyncio.engine.AsyncEngine": "`async with engine.begin() as connection:`, and pass `connection`",
    "sqlalchemy.orm.session.sessionmaker": "open a session: `with make.begin() as session:`, and pass `session`",
    "sqlalchemy.ext.asyncio.session.async_sessionmaker": "`async with make.begin() as session:`, and pass `session`",
    "sqlalchemy.engine.base.Transaction": "pass the connection that the transaction is of",
    "django.db.utils.ConnectionHandler": "pass one of them: `connections['default']`",
}
_ANY = "pass a connection or session of SQLAlchemy, psycopg 3, asyncpg or Django"


def sync_caller(connection: object, name: str) -> SyncCaller:
    """How to call on this connection, or `WrongConnection` with what to do instead. `name` is what was called."""
    for known in _names(connection):
        if known in _SYNC:
            return _SYNC[known](connection)
        if known in _ASYNC:
            raise _wrong(connection, name, f"is asynchronous: `await tidings.a{name}(…)`")
    raise _wrong(connection, name, f"will not do: {_advice(connection)}")


def async_caller(connection: object, name: str) -> AsyncCaller:
    """How to await on this connection, or `WrongConnection` with what to do instead. `name` is what was called."""
    for known in _names(connection):
        if known in _ASYNC:
            return _ASYNC[known](connection)
        if known in _SYNC:
            plain = name.removeprefix("a")
            raise _wrong(connection, name, f"is synchronous: call `tidings.{plain}(…)`, without await")
    raise _wrong(connection, name, f"will not do: {_advice(connection)}")


def _names(connection: object) -> Iterator[str]:
    return (f"{kind.__module__}.{kind.__qualname__}" for kind in type(connection).__mro__)


def _advice(connection: object) -> str:
    return next((_ADVICE[name] for name in _names(connection) if name in _ADVICE), _ANY)


def _wrong(connection: object, name: str, advice: str) -> WrongConnection:
    kind = type(connection)
    owner = kind.__module__.partition(".")[0]
    article = "an" if owner[:1] in "aeiou" else "a"
    return WrongConnection(f"{name}: {article} {owner} {kind.__qualname__} {advice}")
