"""Emitting from Python: facts recorded on the caller's connection, inside the caller's transaction.

`emit` and `emit_many` are for connections that are called, `aemit` and `aemit_many` for those that are awaited:
SQLAlchemy, psycopg 3, asyncpg and Django. Each is one round trip to `tidings.emit` or `tidings.emit_many` in SQL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit import telemetry
from tidings.kit.callers import Call, aask, ask
from tidings.kit.callers.texts import NOTHING
from tidings.spine.journal.facts import NewFact

_ONE = Call(
    "tidings.emit",
    (
        ("type", "text"),
        ("data", "text::jsonb"),
        ("stream_type", "text"),
        ("stream_id", "text"),
        ("tenant", "text"),
        ("key", "text"),
        ("run_at", "text::timestamptz"),
        ("metadata", "text::jsonb"),
    ),
    "text",
)
_MANY = Call(
    "tidings.emit_many",
    (
        ("types", "text[]"),
        ("data", "text[]::jsonb[]"),
        ("stream_types", "text[]"),
        ("stream_ids", "text[]"),
        ("tenants", "text[]"),
        ("keys", "text[]"),
        ("run_ats", "text[]::timestamptz[]"),
        ("metadata", "text[]::jsonb[]"),
    ),
    "text[]",
)
_DEFAULTS = (None, None, "default", None, None, "{}")
"""Of what comes after a fact's type and data."""


def emit(
    connection: object,
    type: str,
    data: Mapping[str, Any] = NOTHING,
    *,
    stream: tuple[str, object] | None = None,
    tenant: str = "default",
    key: str | None = None,
    run_at: datetime | None = None,
    metadata: Mapping[str, Any] = NOTHING,
    own_transaction: bool = False,
) -> UUID:
    """Records a fact on a connection that is called, and returns its id. It commits with the caller's transaction.

    The same type, tenant, stream and key again record nothing and return the first one's id. Raises
    `WrongConnection` where no transaction is open, unless `own_transaction` says that the fact may commit alone.
    Under REPEATABLE READ a concurrent duplicate raises the driver's error 40001: roll back and try again.
    """
    fact = NewFact(type, data, stream, tenant, key, run_at, metadata)
    with _span([fact]):
        return UUID(ask(connection, "emit", _ONE, fact.row(), own_transaction=own_transaction))


async def aemit(
    connection: object,
    type: str,
    data: Mapping[str, Any] = NOTHING,
    *,
    stream: tuple[str, object] | None = None,
    tenant: str = "default",
    key: str | None = None,
    run_at: datetime | None = None,
    metadata: Mapping[str, Any] = NOTHING,
    own_transaction: bool = False,
) -> UUID:
    """As `emit`, on a connection that is awaited."""
    fact = NewFact(type, data, stream, tenant, key, run_at, metadata)
    with _span([fact]):
        return UUID(await aask(connection, "aemit", _ONE, fact.row(), own_transaction=own_transaction))


def emit_many(connection: object, facts: Sequence[NewFact], *, own_transaction: bool = False) -> list[UUID]:
    """Records thousands of facts in one round trip: all of them, or none. Returns their ids in the order given."""
    with _span(facts):
        return _ids(ask(connection, "emit_many", _MANY, _columns(facts), own_transaction=own_transaction))


async def aemit_many(connection: object, facts: Sequence[NewFact], *, own_transaction: bool = False) -> list[UUID]:
    """As `emit_many`, on a connection that is awaited."""
    with _span(facts):
        return _ids(await aask(connection, "aemit_many", _MANY, _columns(facts), own_transaction=own_transaction))


def _columns(facts: Sequence[NewFact]) -> list[list[str | None] | None]:
    """The arguments of `tidings.emit_many`. What no fact says anything about is left out."""
    rows = [fact.row() for fact in facts]
    types, data, *others = ([row[n] for row in rows] for n in range(len(_MANY.arguments)))
    told = zip(others, _DEFAULTS, strict=True)
    return [types, data, *(None if column.count(default) == len(column) else column for column, default in told)]


def _ids(texts: list[str] | None) -> list[UUID]:
    """No facts, no array."""
    return [UUID(text) for text in texts or ()]


def _span(facts: Sequence[NewFact]) -> AbstractContextManager[Any]:
    types, tenants = {str(fact.type) for fact in facts}, {str(fact.tenant) for fact in facts}
    return telemetry.emitting(_only(types) or "facts", _only(tenants) or "")


def _only(names: set[str]) -> str | None:
    return next(iter(names)) if len(names) == 1 else None
