"""The data keys of an installation: read with the master key, made by the first who needs them, read again in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog

from tidings.kit import db
from tidings.kit.crypto import DataKeys, Keyring, new_key, open_keyring, unwrap, wrap
from tidings.kit.errors import Misconfigured, TidingsError
from tidings.kit.settings import Settings

log = structlog.get_logger("tidings.keys")

HASHING, SEALING = "hashing", "sealing"
READ_EVERY = 20.0  # seconds
_TRY_EVERY = 1.0  # seconds, while there are none
_PATIENCE = 2.0  # seconds

_READ = """
SELECT id, use, wrapped_by, wrapped, seals_from <= now() AS seals FROM tidings.data_keys
ORDER BY seals_from <= now() DESC, seals_from DESC, id
"""


async def unlocked(settings: Settings, connection: db.Connection | db.Pool) -> Keyring:
    """A ring with all its keys. Raises `Misconfigured` where the master key is not one of this database's."""
    keyring = open_keyring(settings)
    await unlock(keyring, connection)
    return keyring


async def unlock(keyring: Keyring, connection: db.Connection | db.Pool) -> None:
    """Reads the data keys into the ring; a database that has none gets its first."""
    rows = await connection.fetch(_READ)
    if not rows:
        await _begin(keyring, connection)
        rows = await connection.fetch(_READ)
    mine = [row for row in rows if row["wrapped_by"] == keyring.master.id]
    if not mine:
        raise Misconfigured(_another_key(rows, keyring))
    keyring.held = _opened(keyring, mine)


@asynccontextmanager
async def staying_unlocked(keyring: Keyring, pool: db.Pool) -> AsyncIterator[None]:
    """Reads the keys at once, or when the database is there; and again while this is open, for new ones.

    Whatever goes wrong, the keys that were read stay good; while none were, what needs them is `Locked`.
    """
    await _try_to_unlock(keyring, pool)
    keeping = asyncio.create_task(_keep_unlocked(keyring, pool))
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def _keep_unlocked(keyring: Keyring, pool: db.Pool) -> None:
    while True:
        await asyncio.sleep(_TRY_EVERY if keyring.held is None else READ_EVERY)
        await _try_to_unlock(keyring, pool)


async def _try_to_unlock(keyring: Keyring, pool: db.Pool) -> None:
    try:
        async with asyncio.timeout(_PATIENCE):
            await unlock(keyring, pool)
    except db.FAILING as error:
        log.warning("the data keys cannot be read now", error=repr(error))
    except TidingsError as error:
        log.error("the data keys cannot be opened", error=error.detail)


async def _begin(keyring: Keyring, connection: db.Connection | db.Pool) -> None:
    master = keyring.master
    offered = [(new_key(), HASHING), (new_key(), SEALING), (master, HASHING), (master, SEALING)]
    await connection.execute(
        "SELECT tidings.begin_data_keys($1, $2, $3, $4, $5)",
        [key.id for key, _ in offered],
        [use for _, use in offered],
        [key is master for key, _ in offered],
        master.id,
        [wrap(master, key, use) for key, use in offered],
    )


def _opened(keyring: Keyring, rows: list[Any]) -> DataKeys:
    opened = [(unwrap(keyring.master, row["wrapped"], row["use"]), row["use"]) for row in rows]
    (hashing,) = (key for key, use in opened if use == HASHING)
    return DataKeys(hashing, tuple(key for key, use in opened if use == SEALING))


def _another_key(rows: list[Any], keyring: Keyring) -> str:
    known = ", ".join(sorted({row["wrapped_by"].hex() for row in rows}))
    return (
        f"TIDINGS_MASTER_KEY: is not the one of this database: {keyring.master.id.hex()} is set, and it has {known};"
        " set that one, nothing that was kept can be read with another"
    )
