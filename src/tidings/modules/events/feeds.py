"""A person's own calendar, behind an address that nobody guesses, and that they can replace or take away."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.crypto import Hasher
from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.modules.events.snapshot import COLUMNS, snapshot

PATH = "/calendar"
PURPOSE = "calendar feeds"
_MOST = 1_000
_TOKEN_BYTES = 32

# Those that somebody joined or organises; what has long been over is in their calendar already.
_EVENTS = f"""
SELECT {COLUMNS}, o.name AS organiser FROM tidings.events e LEFT JOIN tidings.people o ON o.id = e.organiser_id
WHERE e.tenant = $1 AND coalesce(e.ends_at, e.starts_at) > now() - interval '90 days'
    AND (e.organiser_id = $2 OR EXISTS (SELECT FROM tidings.event_subscriptions s
    WHERE s.event_id = e.id AND s.person_id = $2 AND s.confirmed_at IS NOT NULL AND s.left_at IS NULL))
ORDER BY e.starts_at, e.id LIMIT {_MOST}
"""


@dataclass(frozen=True)
class Feed:
    created_at: datetime
    read_at: datetime | None


@dataclass(frozen=True)
class Feeds:
    connection: Connection
    tenant: str
    hasher: Hasher

    async def of(self, person_id: UUID) -> Feed:
        row = await self.connection.fetchrow(
            "SELECT created_at, read_at FROM tidings.calendar_feeds WHERE tenant = $1 AND person_id = $2",
            self.tenant,
            person_id,
        )
        if row is None:
            raise NotFound("You have no calendar feed.")
        return Feed(*row)

    async def make(self, person_id: UUID) -> str:
        """The token of its address, told now and never again. One that was there before is good no more."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        await self.connection.execute(
            """INSERT INTO tidings.calendar_feeds AS f (person_id, tenant, hash) VALUES ($2, $1, $3)
               ON CONFLICT (person_id) DO UPDATE SET hash = excluded.hash, created_at = now(), read_at = NULL""",
            self.tenant,
            person_id,
            self.hasher.hash(token),
        )
        return token

    async def revoke(self, person_id: UUID) -> None:
        await self.of(person_id)
        await self.connection.execute(
            "DELETE FROM tidings.calendar_feeds WHERE tenant = $1 AND person_id = $2", self.tenant, person_id
        )


async def calendar_events(
    connection: Connection, tenant: str, person_id: UUID
) -> tuple[list[Mapping[str, Any]], dict[int, str | None]]:
    """The events of a person's calendar, and who organises each."""
    rows = await connection.fetch(_EVENTS, tenant, person_id)
    return [snapshot(row) for row in rows], {row["id"]: row["organiser"] for row in rows}
