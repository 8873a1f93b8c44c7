"""One call on the caller's connection, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tidings.kit.callers.calls import Call
from tidings.kit.callers.drivers import AsyncCaller, SyncCaller
from tidings.kit.callers.recognising import async_caller, sync_caller
from tidings.kit.callers.refusals import refusal_in
from tidings.kit.errors import WrongConnection


def ask(connection: object, name: str, call: Call, arguments: Sequence[Any], *, own_transaction: bool) -> Any:
    """The function's result. Raises our errors for what the database refuses, and `WrongConnection` as it says.

    `name` is the Python function that was called; errors speak of it.
    """
    caller = sync_caller(connection, name)
    if not own_transaction and not caller.in_transaction():
        raise _autocommit(name, caller)
    try:
        return caller.ask(call, arguments)
    except Exception as error:
        if refusal := refusal_in(error, call.document):
            raise refusal from error
        raise


async def aask(connection: object, name: str, call: Call, arguments: Sequence[Any], *, own_transaction: bool) -> Any:
    """As `ask`, for connections that are awaited."""
    caller = async_caller(connection, name)
    if not own_transaction and not await caller.in_transaction():
        raise _autocommit(name, caller)
    try:
        return await caller.ask(call, arguments)
    except Exception as error:
        if refusal := refusal_in(error, call.document):
            raise refusal from error
        raise


def _autocommit(name: str, caller: SyncCaller | AsyncCaller) -> WrongConnection:
    return WrongConnection(
        f"{name}: no transaction is open on this connection, so this would not commit together with your own rows: "
        f"begin one ({caller.begin}), or pass own_transaction=True"
    )
