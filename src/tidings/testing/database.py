"""The database of a test, and connections to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from pydantic import SecretStr

from tidings.kit import db
from tidings.kit.settings import DatabaseSettings, Settings

KNOWN_KEY = SecretStr("A" * 43)
"""For a database that no secrets are kept in but those of tests, where no master key is set."""
_LEASE = timedelta(hours=1)  # nobody renews: what a test runs may sit in a debugger
_CONNECTIONS = 20


def settings_of(database: str | Settings) -> Settings:
    """As they are set, at this address, with leases that last and a master key."""
    settings = Settings(database=DatabaseSettings(url=database)) if isinstance(database, str) else database
    update: dict[str, object] = {"outbox": settings.outbox.model_copy(update={"lease": _LEASE})}
    if settings.master_key is None and settings.master_key_file is None:
        update["master_key"] = KNOWN_KEY
    return settings.model_copy(update=update)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[db.Pool]:
    """Connections that act as a worker's."""
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="testing", size=_CONNECTIONS)
    try:
        yield pool
    finally:
        await pool.close()
