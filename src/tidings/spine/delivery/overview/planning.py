"""How the statements of the overview are planned."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tidings.kit.db import Connection


@asynccontextmanager
async def by_index(connection: Connection) -> AsyncIterator[None]:
    """What runs here goes by an index, in the caller's transaction. Without statistics, or with old ones, the planner
    would read a million rows for the last few; and what is asked for again and again must never cost that."""
    await connection.execute("SET LOCAL enable_seqscan = off")
    yield
    await connection.execute("SET LOCAL enable_seqscan TO DEFAULT")
