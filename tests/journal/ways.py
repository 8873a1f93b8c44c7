"""Every way of emitting, behind one face: a transaction that gives a function to emit with.

To add a way, write a `Transaction` for it and enter it in `WAYS`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg
import pytest

import tidings
from tests.api.world import api_settings, running, token
from tests.journal import opening
from tests.journal.djangos import django_alias_transaction, django_transaction
from tidings.kit.callers import refusal_in
from tidings.kit.errors import Forbidden, NotFound, TidingsError, TooLarge, ValidationFailed
from tidings.spine.journal.facts import NewFact

Emit: TypeAlias = Callable[[NewFact], Awaitable[UUID]]
Transaction: TypeAlias = Callable[[str], AbstractAsyncContextManager[Emit]]


@dataclass(frozen=True)
class Way:
    """`begin(database_url)` opens a transaction; leaving it commits, raising rolls back.

    A way that commits each fact by itself (HTTP, the command line) is not `transactional`. `stamps` are the metadata
    that a way sets itself, whatever the caller says. One that `conceals` says no more than that there is no such thing.
    """

    begin: Transaction
    transactional: bool = True
    stamps: frozenset[str] = frozenset()
    conceals: bool = False


@asynccontextmanager
async def _sql(url: str) -> AsyncIterator[Emit]:
    """The contract itself, with JSON as any program may write it; the server's answer in our words."""
    statement = """SELECT tidings.emit($1, $2::text::jsonb, stream_type => $3, stream_id => $4, tenant => $5, key => $6,
        run_at => $7::text::timestamptz, metadata => $8::text::jsonb)"""

    async def emit(fact: NewFact) -> UUID:
        try:
            found: UUID = await connection.fetchval(statement, *_as_sql(fact))
        except asyncpg.PostgresError as error:
            raise refusal_in(error) or error from error
        return found

    async with opening.asyncpg_connection(url) as connection:
        yield emit


def _as_sql(fact: NewFact) -> list[Any]:
    stream_type, stream_id = fact.stream or (None, None)
    return [
        fact.type,
        json.dumps(fact.data),
        stream_type,
        None if stream_id is None else str(stream_id),
        fact.tenant,
        fact.key,
        None if fact.run_at is None else fact.run_at.isoformat(),
        json.dumps({} if fact.metadata is None else fact.metadata),
    ]


def _arguments(fact: NewFact) -> dict[str, Any]:
    fields = ("stream", "tenant", "key", "run_at", "metadata")
    return {name: getattr(fact, name) for name in fields}


def one(connection: Any, fact: NewFact) -> UUID:
    return tidings.emit(connection, fact.type, fact.data, **_arguments(fact))


def one_of_many(connection: Any, fact: NewFact) -> UUID:
    return tidings.emit_many(connection, [fact])[0]


async def aone(connection: Any, fact: NewFact) -> UUID:
    return await tidings.aemit(connection, fact.type, fact.data, **_arguments(fact))


async def aone_of_many(connection: Any, fact: NewFact) -> UUID:
    return (await tidings.aemit_many(connection, [fact]))[0]


def called(
    open: Callable[[str], AbstractContextManager[Any]], emit: Callable[[Any, NewFact], UUID] = one
) -> Transaction:
    """A way whose connection is called: in a thread of its own, as such programs run."""

    @asynccontextmanager
    async def begin(url: str) -> AsyncIterator[Emit]:
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as thread:
            transaction = open(url)
            connection = await loop.run_in_executor(thread, transaction.__enter__)
            try:
                yield lambda fact: loop.run_in_executor(thread, emit, connection, fact)
            except BaseException as error:
                await loop.run_in_executor(thread, transaction.__exit__, type(error), error, error.__traceback__)
                raise
            else:
                await loop.run_in_executor(thread, transaction.__exit__, None, None, None)

    return begin


def awaited(
    open: Callable[[str], AbstractAsyncContextManager[Any]], emit: Callable[[Any, NewFact], Awaitable[UUID]] = aone
) -> Transaction:
    """A way whose connection is awaited."""

    @asynccontextmanager
    async def begin(url: str) -> AsyncIterator[Emit]:
        async with open(url) as connection:
            yield lambda fact: emit(connection, fact)

    return begin


@asynccontextmanager
async def _command_line(url: str) -> AsyncIterator[Emit]:
    """`tidings emit`, called as Typer calls it."""
    from tidings.cli import emitting

    def emit(fact: NewFact) -> UUID:
        sql = _as_sql(fact)
        stream = None if fact.stream is None else f"{sql[2] or ''}" + ("" if sql[3] is None else f"/{sql[3]}")
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as out:
            patch.setenv("TIDINGS_DATABASE_URL", url)
            emitting.emit(fact.type, sql[1], stream, fact.key, fact.tenant, sql[6], sql[7])
        return UUID(out.getvalue().strip())

    yield lambda fact: asyncio.to_thread(emit, fact)


@asynccontextmanager
async def _http(url: str) -> AsyncIterator[Emit]:
    """`POST /v1/facts` as an operator, over a real socket; the problem it answers with, in our words."""
    errors: dict[int, type[TidingsError]] = {403: Forbidden, 404: NotFound, 413: TooLarge, 422: ValidationFailed}

    async def emit(fact: NewFact) -> UUID:
        operator = client.acting(token("default", "operator"), **{"Tidings-Tenant": fact.tenant})
        answer = await operator.call(
            "POST", "/v1/facts", data=json.dumps(_as_body(fact)), headers={"Content-Type": "application/json"}
        )
        if answer.status == 201:
            return UUID(answer.json["data"]["id"])
        named = "".join(f"{fault['field']}: {fault['message']}" for fault in answer.json.get("errors", [])[:1])
        raise errors[answer.status](named or answer.json["detail"])

    async with running(api_settings(url)) as client:
        yield emit


def _as_body(fact: NewFact) -> dict[str, Any]:
    body = {"type": fact.type, "data": fact.data, "key": fact.key, "metadata": fact.metadata}
    if fact.stream is not None:
        stream_id = fact.stream[1]
        body["stream"] = {"type": fact.stream[0], "id": None if stream_id is None else str(stream_id)}
    if fact.run_at is not None:
        body["runAt"] = fact.run_at.isoformat()
    return body


WAYS: dict[str, Way] = {
    "SQL": Way(_sql),
    "POST /v1/facts": Way(_http, transactional=False, stamps=frozenset({"actor", "correlation_id"}), conceals=True),
    "tidings emit": Way(_command_line, transactional=False),
    "emit on psycopg": Way(called(opening.psycopg_connection)),
    "emit on psycopg in autocommit": Way(called(opening.psycopg_autocommit)),
    "emit on a SQLAlchemy connection": Way(called(opening.alchemy_connection)),
    "emit on a SQLAlchemy session": Way(called(opening.alchemy_session)),
    "emit on a scoped SQLAlchemy session": Way(called(opening.alchemy_scoped)),
    "emit on Django": Way(called(django_transaction)),
    "emit on a named connection of Django": Way(called(django_alias_transaction)),
    "emit_many on psycopg": Way(called(opening.psycopg_connection, one_of_many)),
    "emit_many on a SQLAlchemy session": Way(called(opening.alchemy_session, one_of_many)),
    "emit_many on Django": Way(called(django_transaction, one_of_many)),
    "aemit on asyncpg": Way(awaited(opening.asyncpg_connection)),
    "aemit on asyncpg's pool": Way(awaited(opening.asyncpg_pooled)),
    "aemit on psycopg": Way(awaited(opening.psycopg_async)),
    "aemit on a SQLAlchemy connection": Way(awaited(opening.alchemy_async_connection)),
    "aemit on a SQLAlchemy session": Way(awaited(opening.alchemy_async_session)),
    "aemit on a SQLAlchemy session over psycopg": Way(awaited(opening.alchemy_async_psycopg)),
    "aemit on a scoped SQLAlchemy session": Way(awaited(opening.alchemy_async_scoped)),
    "aemit_many on asyncpg": Way(awaited(opening.asyncpg_connection, aone_of_many)),
    "aemit_many on psycopg": Way(awaited(opening.psycopg_async, aone_of_many)),
    "aemit_many on a SQLAlchemy session": Way(awaited(opening.alchemy_async_session, aone_of_many)),
}
