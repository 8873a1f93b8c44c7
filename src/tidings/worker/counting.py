"""Counting, as a recurring intent like any other: the figures of the last minutes, by one worker at a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from tidings.kit.db import Connection, Pool
from tidings.spine.delivery.overview.figures import recount
from tidings.spine.outbox.handlers import KeyPolicy, Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again

KIND = "tidings.count"
_EVERY = timedelta(seconds=5)


def counting() -> Kind:
    """Counts, and comes back: at once while it is behind, else in a few seconds."""

    async def count(connection: Connection, intents: Sequence[Intent]) -> Again:
        now, more = await recount(connection)
        return Again(now + (timedelta(0) if more else _EVERY))

    return Kind(KIND, count, Shape.TRANSACTION, KeyPolicy.REARM, concurrency=1, batch=1)


async def begin_counting(pool: Pool) -> None:
    """Makes sure that it is scheduled; any number of workers may call this."""
    await pool.execute(
        """SELECT tidings.schedule_as('tidings', ARRAY[$1], ARRAY['{}'::jsonb], ARRAY['count'], ARRAY[now()],
                                      'default', NULL)""",
        KIND,
    )
