"""The connections that can be called on: what each needs to run one statement, and whether a transaction is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from tidings.kit.callers.calls import Call
from tidings.kit.errors import WrongConnection

_IDLE = 0  # psycopg's status of a connection that is in no transaction
_STYLES = {"numeric_dollar": "numbered", "pyformat": "formatted", "format": "formatted"}


class SyncCaller(Protocol):
    """A connection whose statements are called."""

    begin: ClassVar[str]  # how a transaction is begun on it

    def in_transaction(self) -> bool: ...

    def ask(self, call: Call, arguments: Sequence[Any]) -> Any: ...


class AsyncCaller(Protocol):
    """A connection whose statements are awaited."""

    begin: ClassVar[str]  # how a transaction is begun on it

    async def in_transaction(self) -> bool: ...

    async def ask(self, call: Call, arguments: Sequence[Any]) -> Any: ...


@dataclass(frozen=True)
class Asyncpg:
    begin: ClassVar = "async with connection.transaction():"
    connection: Any

    async def in_transaction(self) -> bool:
        return bool(self.connection.is_in_transaction())

    async def ask(self, call: Call, arguments: Sequence[Any]) -> Any:
        return await self.connection.fetchval(call.numbered, *arguments)


@dataclass(frozen=True)
class Psycopg:
    begin: ClassVar = "with connection.transaction():"
    connection: Any

    def in_transaction(self) -> bool:
        return _psycopg_in_transaction(self.connection)

    def ask(self, call: Call, arguments: Sequence[Any]) -> Any:
        """With a plain cursor of our own: the connection's may have other parameters and other rows."""
        from psycopg import Cursor
        from psycopg.rows import tuple_row

        with Cursor(self.connection, row_factory=tuple_row) as cursor:
            row = cursor.execute(call.formatted, arguments).fetchone()
        return row and row[0]


@dataclass(frozen=True)
class AsyncPsycopg:
    begin: ClassVar = "async with connection.transaction():"
    connection: Any

    async def in_transaction(self) -> bool:
        return _psycopg_in_transaction(self.connection)

    async def ask(self, call: Call, arguments: Sequence[Any]) -> Any:
        from psycopg import AsyncCursor
        from psycopg.rows import tuple_row

        async with AsyncCursor(self.connection, row_factory=tuple_row) as cursor:
            await cursor.execute(call.formatted, arguments)
            row = await cursor.fetchone()
        return row and row[0]


@dataclass(frozen=True)
class SqlAlchemy:
    """A `Connection`, or whatever can give one: a `Session` gives that of its transaction."""

    begin: ClassVar = "an engine or connection without isolation_level=AUTOCOMMIT"
    connect: Callable[[], Any]

    def in_transaction(self) -> bool:
        return _alchemy_in_transaction(self.connect())

    def ask(self, call: Call, arguments: Sequence[Any]) -> Any:
        connection = self.connect()
        return connection.exec_driver_sql(_in_style_of(connection, call), tuple(arguments)).scalar_one()


@dataclass(frozen=True)
class AsyncSqlAlchemy:
    """An `AsyncConnection`, or whatever can give one."""

    begin: ClassVar = "an engine or connection without isolation_level=AUTOCOMMIT"
    connect: Callable[[], Awaitable[Any]]

    async def in_transaction(self) -> bool:
        return _alchemy_in_transaction((await self.connect()).sync_connection)

    async def ask(self, call: Call, arguments: Sequence[Any]) -> Any:
        connection = await self.connect()
        result = await connection.exec_driver_sql(_in_style_of(connection, call), tuple(arguments))
        return result.scalar_one()


@dataclass(frozen=True)
class Django:
    begin: ClassVar = "with transaction.atomic():"
    connection: Any

    def in_transaction(self) -> bool:
        return bool(self.connection.in_atomic_block or not self.connection.get_autocommit())

    def ask(self, call: Call, arguments: Sequence[Any]) -> Any:
        if self.connection.vendor != "postgresql":
            raise WrongConnection(f"this Django connection is to {self.connection.vendor}: pass the one to PostgreSQL")
        with self.connection.cursor() as cursor:
            cursor.execute(call.formatted, list(arguments))
            return cursor.fetchone()[0]


def _psycopg_in_transaction(connection: Any) -> bool:
    """Without autocommit the driver begins one with the next statement."""
    return not connection.autocommit or int(connection.info.transaction_status) != _IDLE


def _alchemy_in_transaction(connection: Any) -> bool:
    """Without autocommit SQLAlchemy begins one with the next statement."""
    return not getattr(connection.connection.dbapi_connection, "autocommit", False)


def _in_style_of(connection: Any, call: Call) -> str:
    dialect = connection.dialect
    style = _STYLES.get(dialect.paramstyle) if dialect.name == "postgresql" else None
    if style is None:
        raise WrongConnection(
            f"this SQLAlchemy connection is of {dialect.name}+{dialect.driver}: "
            "use postgresql+asyncpg or postgresql+psycopg"
        )
    return str(getattr(call, style))
