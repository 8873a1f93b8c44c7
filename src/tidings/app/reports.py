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
    from tidings.modules.reports.generating import Generator
    from tidings.modules.reports.running import Running

    writing = await open_pool(settings.database, Role.WORKER, name=f"{name}'s reports", longest=settings.outbox.lease)
    reading = await open_pool(settings.database, Role.API, name=f"{name}'s reading for reports")
    try:
        yield [Running(writing, Generator(reading)).kind()]
    finally:
        writing.terminate()
        reading.terminate()
