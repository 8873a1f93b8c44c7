"""An event with people around it, for tests of the module: made through its own services, each in a transaction."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from tests.support.pipeline import Owner, add_person, kept
from tidings.kit.db import Pool, as_tenant
from tidings.kit.settings import Settings
from tidings.modules.events.events import Announcement, Events
from tidings.modules.events.model import Choice, Event, Subscription
from tidings.modules.events.subscriptions import Subscriptions
from tidings.testing import adrain

TENANT = "default"


@dataclass(frozen=True)
class Party:
    settings: Settings
    pool: Pool
    owner: Owner

    @asynccontextmanager
    async def events(self) -> AsyncIterator[Events]:
        async with self.pool.acquire() as connection, as_tenant(connection, TENANT):
            yield Events(connection, TENANT)

    @asynccontextmanager
    async def subscriptions(self) -> AsyncIterator[Subscriptions]:
        async with self.pool.acquire() as connection, as_tenant(connection, TENANT):
            yield Subscriptions(connection, TENANT)

    async def now(self) -> datetime:
        moment: datetime = await self.owner.fetchval("SELECT date_trunc('second', now())")
        return moment

    async def create(self, **columns: Any) -> Event:
        given = {"name": "Picnic", "timezone": "Europe/Rome", "starts_at": await self.now() + timedelta(days=7)}
        async with self.events() as events:
            return await events.create(given | columns)

    async def change(self, event: Event, **columns: Any) -> Event:
        async with self.events() as events:
            return await events.change(event.id, columns, None)

    async def cancel(self, event: Event) -> Event:
        async with self.events() as events:
            return await events.cancel(event.id)

    async def announce(self, event: Event, title: str, level: str = "info", ids: list[int] | None = None) -> UUID:
        async with self.events() as events:
            return await events.announce(event.id, Announcement(title, "Words", level, ids))

    async def person(self, name: str = "Ada", **columns: Any) -> UUID:
        return await add_person(self.owner, name, **{"email": f"{name.lower()}@example.com"} | columns)

    async def join(self, event: Event, person: UUID, *offsets: int, **choice: Any) -> Subscription:
        async with self.subscriptions() as subscriptions:
            return await subscriptions.join(event.id, person, Choice(offsets or None, **choice))

    async def leave(self, known: Subscription) -> None:
        async with self.subscriptions() as subscriptions:
            await subscriptions.leave(known.event_id, known.id)

    async def drain(self, ahead: timedelta | None = None) -> None:
        """Does what a worker would; with `ahead`, what falls due until then as well."""
        await adrain(self.settings, ahead=ahead)

    async def reminders(self) -> dict[str, datetime]:
        """Those to come, by key."""
        rows = await self.owner.fetch("SELECT key, due_at FROM tidings.outbox WHERE kind = 'event.remind' ORDER BY key")
        return {row["key"]: row["due_at"] for row in rows}

    async def mails(self) -> list[dict[str, Any]]:
        return [message for message in await kept(self.owner, self.settings) if message["channel"] == "email"]

    async def facts(self, type: str) -> list[dict[str, Any]]:
        rows = await self.owner.fetch("SELECT data FROM tidings.facts WHERE type = $1 ORDER BY seq", type)
        return [json.loads(row["data"]) for row in rows]

    async def broadcast(self, event: Event, kind: str, level: str = "warning", **data: Any) -> UUID:
        """What the process does of an act."""
        async with self.events() as events:
            shown = await self._snapshot(events, event)
            about = {"eventId": event.id, "kind": kind, "level": level, "event": shown}
            fact: UUID = await events.connection.fetchval(
                "SELECT tidings.emit_own('events', 'event.broadcast', $1::text::jsonb, 'event', $2, NULL, '{}')",
                json.dumps({**about, **data}),
                str(event.id),
            )
            return fact

    @staticmethod
    async def _snapshot(events: Events, event: Event) -> dict[str, Any]:
        from tidings.modules.events.snapshot import snapshot

        return snapshot(await events.row(event.id))
