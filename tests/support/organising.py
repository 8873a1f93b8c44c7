"""What organisers and those who join do, and what was recorded of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from tidings.kit import db
from tidings.modules.events.events import Announcement, Events
from tidings.modules.events.model import Choice
from tidings.modules.events.process.activities import EventActivities
from tidings.modules.events.process.workflow import EventWorkflow
from tidings.modules.events.subscriptions import Subscriptions
from tidings.spine.processes.running import Performing

TENANT = "default"


def performing(pool: db.Pool) -> Performing:
    return Performing([EventWorkflow], EventActivities(pool).all())


@dataclass(frozen=True)
class Organiser:
    pool: db.Pool

    async def create(self, name: str = "Summer party", **columns: Any) -> int:
        """In two days, for three hours, but for what is given."""
        start = columns.pop("starts_at", datetime.now(UTC) + timedelta(days=2))
        whole = {"name": name, "starts_at": start, "ends_at": start + timedelta(hours=3), "timezone": "Europe/Paris"}
        async with self._transaction() as connection:
            return (await Events(connection, TENANT).create(whole | columns)).id

    async def change(self, event: int, **columns: Any) -> None:
        async with self._transaction() as connection:
            await Events(connection, TENANT).change(event, columns, None)

    async def announce(self, event: int, title: str = "News", body: str = "Bring a coat.", level: str = "info") -> None:
        async with self._transaction() as connection:
            await Events(connection, TENANT).announce(event, Announcement(title, body, level, None))

    async def cancel(self, event: int) -> None:
        async with self._transaction() as connection:
            await Events(connection, TENANT).cancel(event)

    async def join(self, event: int, name: str) -> int:
        async with self._transaction() as connection:
            person = await connection.fetchval(
                "INSERT INTO tidings.people (tenant, name) VALUES ($1, $2) RETURNING id", TENANT, name
            )
            return (await Subscriptions(connection, TENANT).join(event, person, Choice())).id

    async def leave(self, event: int, subscription: int) -> None:
        async with self._transaction() as connection:
            await Subscriptions(connection, TENANT).leave(event, subscription)

    async def signals(self, event: int) -> list[dict[str, Any]]:
        """What the process is still to be told."""
        rows = await self.pool.fetch(
            """SELECT payload FROM tidings.outbox
               WHERE kind = 'process.signal' AND payload ->> 'process' = $1 ORDER BY id""",
            f"event-{event}",
        )
        return [json.loads(row["payload"]) for row in rows]

    async def facts(self, event: int, type: str = "event.broadcast") -> list[dict[str, Any]]:
        """In the order in which they were recorded."""
        rows = await self.pool.fetch(
            "SELECT id, data, metadata FROM tidings.facts WHERE type = $1 AND stream_id = $2 ORDER BY seq",
            type,
            str(event),
        )
        return [{**json.loads(row["data"]), "metadata": json.loads(row["metadata"])} for row in rows]

    async def acts(self, event: int) -> list[int]:
        """The numbers of the acts that were passed on, in order."""
        return [fact["act"] for fact in await self.facts(event)]

    async def has_passed_on(self, event: int, acts: Sequence[int]) -> bool:
        return await self.acts(event) == list(acts)

    async def is_completed(self, event: int) -> bool:
        return await self.status(event) == "completed"

    async def status(self, event: int) -> str:
        status: str = await self.pool.fetchval("SELECT status FROM tidings.events WHERE id = $1", event)
        return status

    async def reminders(self, event: int) -> Sequence[str]:
        rows = await self.pool.fetch(
            "SELECT key FROM tidings.outbox WHERE kind = 'event.remind' AND payload ->> 'event' = $1", str(event)
        )
        return [row["key"] for row in rows]

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[db.Connection]:
        async with self.pool.acquire() as connection, db.as_tenant(connection, TENANT):
            yield connection
