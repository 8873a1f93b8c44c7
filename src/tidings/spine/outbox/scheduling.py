"""Scheduling from Python: intents that no fact caused, and moving or cancelling any intent by its key.

The plain names are for connections that are called, those with an `a` for connections that are awaited. All of them
act inside the caller's transaction, and raise `WrongConnection` where none is open unless `own_transaction` is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from tidings.kit.callers import aask, ask
from tidings.kit.callers.texts import NOTHING
from tidings.spine.outbox.requests import (
    CANCEL,
    MOVE,
    SCHEDULE,
    SCHEDULE_MANY,
    NewIntent,
    Target,
    many,
    one,
)


def schedule(
    connection: object,
    kind: str,
    payload: Mapping[str, Any] = NOTHING,
    *,
    key: str | None = None,
    run_at: datetime | None = None,
    tenant: str = "default",
    max_attempts: int | None = None,
    own_transaction: bool = False,
) -> UUID:
    """Records an intent that runs at `run_at`, or now, and returns its id.

    One with the same key that is still open, or finished and still blocking, is left as it is, and its id returned.
    """
    arguments = one(NewIntent(kind, payload, key, run_at), tenant, max_attempts)
    return UUID(ask(connection, "schedule", SCHEDULE, arguments, own_transaction=own_transaction))


async def aschedule(
    connection: object,
    kind: str,
    payload: Mapping[str, Any] = NOTHING,
    *,
    key: str | None = None,
    run_at: datetime | None = None,
    tenant: str = "default",
    max_attempts: int | None = None,
    own_transaction: bool = False,
) -> UUID:
    """As `schedule`, on a connection that is awaited."""
    arguments = one(NewIntent(kind, payload, key, run_at), tenant, max_attempts)
    return UUID(await aask(connection, "aschedule", SCHEDULE, arguments, own_transaction=own_transaction))


def schedule_many(
    connection: object,
    intents: Sequence[NewIntent],
    *,
    tenant: str = "default",
    max_attempts: int | None = None,
    own_transaction: bool = False,
) -> list[UUID]:
    """Records thousands of intents in one round trip: all of them, or none. Returns their ids in the order given."""
    arguments = many(intents, tenant, max_attempts)
    return _ids(ask(connection, "schedule_many", SCHEDULE_MANY, arguments, own_transaction=own_transaction))


async def aschedule_many(
    connection: object,
    intents: Sequence[NewIntent],
    *,
    tenant: str = "default",
    max_attempts: int | None = None,
    own_transaction: bool = False,
) -> list[UUID]:
    """As `schedule_many`, on a connection that is awaited."""
    arguments = many(intents, tenant, max_attempts)
    return _ids(await aask(connection, "aschedule_many", SCHEDULE_MANY, arguments, own_transaction=own_transaction))


def move(
    connection: object,
    kind: str,
    *,
    key: str | None = None,
    prefix: str | None = None,
    run_at: datetime | None = None,
    shift: timedelta | None = None,
    tenant: str = "default",
    own_transaction: bool = False,
) -> int:
    """Moves the open intents of a key, or of all keys that begin with `prefix`, and returns how many.

    To a time (`run_at`), or by a `shift` from when each was due; a shift of a day is 24 hours. What is being handled
    meanwhile runs again at its new time.
    """
    arguments = Target(kind, key, prefix, tenant).moved(run_at, shift)
    return int(ask(connection, "move", MOVE, arguments, own_transaction=own_transaction))


async def amove(
    connection: object,
    kind: str,
    *,
    key: str | None = None,
    prefix: str | None = None,
    run_at: datetime | None = None,
    shift: timedelta | None = None,
    tenant: str = "default",
    own_transaction: bool = False,
) -> int:
    """As `move`, on a connection that is awaited."""
    arguments = Target(kind, key, prefix, tenant).moved(run_at, shift)
    return int(await aask(connection, "amove", MOVE, arguments, own_transaction=own_transaction))


def cancel(
    connection: object,
    kind: str,
    *,
    key: str | None = None,
    prefix: str | None = None,
    tenant: str = "default",
    reason: str | None = None,
    own_transaction: bool = False,
) -> int:
    """Cancels the open intents of a key, or of all keys that begin with `prefix`, and returns how many.

    They stay readable, with the reason, and their keys may be used again.
    """
    arguments = Target(kind, key, prefix, tenant).cancelled(reason)
    return int(ask(connection, "cancel", CANCEL, arguments, own_transaction=own_transaction))


async def acancel(
    connection: object,
    kind: str,
    *,
    key: str | None = None,
    prefix: str | None = None,
    tenant: str = "default",
    reason: str | None = None,
    own_transaction: bool = False,
) -> int:
    """As `cancel`, on a connection that is awaited."""
    arguments = Target(kind, key, prefix, tenant).cancelled(reason)
    return int(await aask(connection, "acancel", CANCEL, arguments, own_transaction=own_transaction))


def _ids(texts: list[str] | None) -> list[UUID]:
    """No intents, no array."""
    return [UUID(text) for text in texts or ()]
