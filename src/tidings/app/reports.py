"""The parts that make reports, wired: they read as the API does, bound to one tenant, and write as a worker does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tidings.kit.db import Role, open_pool
from tidings.kit.settings import Settings

if TYPE_CHECKING:
    from tidings.spine.outbox.handlers import Kind


@asynccontextmanager
async def reporting(settings: Settings, name: str) -> AsyncIterator[Sequence[Kind]]:
    """The kinds of intents that make reports, for as long as it is open."""
    from tidings.kit.crypto import open_keyring
    from tidings.modules.reports.documents import Documents
    from tidings.modules.reports.generating import Generator
    from tidings.modules.reports.running import Running
    from tidings.spine.access.data_keys import staying_unlocked
    from tidings.spine.access.purposes import REPORTS

    writing = await open_pool(settings.database, Role.WORKER, name=f"{name}'s reports", longest=settings.outbox.lease)
    reading = await open_pool(settings.database, Role.API, name=f"{name}'s reading for reports")
    keyring = open_keyring(settings)
    try:
        async with staying_unlocked(keyring, writing):
            yield [Running(writing, Generator(reading), Documents(keyring.vault(REPORTS))).kind()]
    finally:
        writing.terminate()
        reading.terminate()
