"""From selectors to people: by SQL, in the order of their ids, a chunk at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.notify.audience import Selector, as_json


async def next_people(
    connection: Connection, tenant: str, selectors: Iterable[Selector], after: UUID | None, limit: int
) -> list[UUID]:
    """The next people of an audience whose fields have been resolved."""
    rows = await connection.fetch(
        "SELECT person FROM tidings.audience_of($1, $2::text::jsonb, $3, $4) AS person",
        tenant,
        json.dumps(as_json(selectors)),
        after,
        limit,
    )
    return [row["person"] for row in rows]
