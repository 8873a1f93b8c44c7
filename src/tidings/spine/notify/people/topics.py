"""Topics that people asked to hear about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.kit.db import Connection, affected
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of


@dataclass(frozen=True)
class Subscription:
    topic: str
    created_at: datetime


@dataclass(frozen=True)
class Topics:
    connection: Connection
    tenant: str

    async def of(self, person_id: UUID, after: str | None, limit: int) -> Page[Subscription]:
        """A person's topics, in their order."""
        rows = await self.connection.fetch(
            """SELECT topic, created_at FROM tidings.subscriptions
               WHERE tenant = $1 AND person_id = $2 AND ($3::text IS NULL OR topic > $3) ORDER BY topic LIMIT $4""",
            self.tenant,
            person_id,
            after,
            limit + 1,
        )
        return page_of([Subscription(*row) for row in rows], limit, lambda found: found.topic)

    async def subscribe(self, person_id: UUID, topic: str) -> None:
        """Once is enough."""
        found = await self.connection.fetchval(
            """WITH person AS (SELECT id FROM tidings.people WHERE tenant = $1 AND id = $2),
                    new AS (INSERT INTO tidings.subscriptions (tenant, topic, person_id)
                            SELECT $1, $3, id FROM person ON CONFLICT DO NOTHING)
               SELECT id FROM person""",
            self.tenant,
            person_id,
            topic,
        )
        if found is None:
            raise NotFound("There is no such person.")

    async def unsubscribe(self, person_id: UUID, topic: str) -> None:
        status = await self.connection.execute(
            "DELETE FROM tidings.subscriptions WHERE tenant = $1 AND person_id = $2 AND topic = $3",
            self.tenant,
            person_id,
            topic,
        )
        if not affected(status):
            raise NotFound("There is no such subscription.")
