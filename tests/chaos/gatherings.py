"""Events with subscribers who hear of them by mail: through Resend on loopback, which is given our keys."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from tests.channels.servers.http_server import Answering, Reply, Request, orderly
from tests.chaos.endpoint import Behaviour, Endpoint, Hit, running_endpoint
from tests.chaos.tenants import add_people, add_provider
from tests.chaos.world import World
from tests.support.pipeline import Owner
from tests.support.postgres import settings_for
from tidings.kit import db
from tidings.modules.events.events import Announcement, Events
from tidings.modules.events.model import Choice, Event
from tidings.modules.events.reminders import Reminders
from tidings.modules.events.subscriptions import Subscriptions

TENANT = "default"
TAKEN = Reply(200, b'{"id": "taken"}')
_CONNECTIONS = 20
_SUBSCRIBE = """
WITH joined AS (
    INSERT INTO tidings.event_subscriptions (tenant, event_id, person_id, offsets, confirmed_at)
    SELECT tenant, $1, id, $2, now() FROM tidings.people WHERE tenant = $3 RETURNING person_id
)
INSERT INTO tidings.subscriptions (tenant, topic, person_id) SELECT $3, 'event:' || $1::bigint, person_id FROM joined
"""


def taking(hit: Hit) -> Answering:
    return orderly(TAKEN)


@asynccontextmanager
async def running_mails(behaviour: Behaviour = taking) -> AsyncIterator[Endpoint]:
    """A Resend. Its paths are the recipients."""
    async with running_endpoint(behaviour, path_of=recipient_of, key_in="idempotency-key") as endpoint:
        yield endpoint


def recipient_of(request: Request) -> str:
    recipient: str = json.loads(request.body)["to"][0]
    return recipient.rpartition("<")[2].rstrip(">")


def subject_of(hit: Hit) -> str:
    subject: str = json.loads(hit.request.body)["subject"]
    return subject


def address_of(n: int, kind: str = "person") -> str:
    return f"{kind}-{n}@example.com"


@dataclass(frozen=True)
class Gathering:
    """What organisers and subscribers do, each a transaction of the API's."""

    pool: db.Pool
    owner: Owner

    async def people(self, addresses: Sequence[str]) -> list[UUID]:
        await add_people(self.owner, TENANT, "email", addresses)
        rows = await self.owner.fetch(
            "SELECT person_id FROM tidings.addresses WHERE value = ANY ($1) ORDER BY value", list(addresses)
        )
        return [row["person_id"] for row in rows]

    async def create(self, starts_at: datetime, ends_at: datetime | None = None, name: str = "A party") -> Event:
        columns = {"name": name, "starts_at": starts_at, "ends_at": ends_at, "timezone": "UTC"}
        async with self.events() as events:
            return await events.create(columns)

    async def move(self, event: int, starts_at: datetime) -> None:
        async with self.events() as events:
            await events.change(event, {"starts_at": starts_at}, None)

    async def cancel(self, event: int) -> None:
        async with self.events() as events:
            await events.cancel(event)

    async def announce(self, event: int, title: str) -> None:
        async with self.events() as events:
            await events.announce(event, Announcement(title, "Words", "info", None))

    async def join(self, event: int, person: UUID, *offsets: int) -> int:
        async with self.subscriptions() as subscriptions:
            return (await subscriptions.join(event, person, Choice(offsets or None))).id

    async def join_all(self, event: int, *offsets: int) -> None:
        """Everybody there is, without a welcome."""
        await self.owner.execute(_SUBSCRIBE, event, list(offsets), TENANT)
        async with self.events() as events:
            await events.set_reminders(event, None, "")

    async def remind_at(self, event: int, person: UUID, at: datetime) -> None:
        async with self.subscriptions() as subscriptions:
            known = await subscriptions.of_person(event, person)
            await Reminders(subscriptions.connection, TENANT).remind_at(known, at, at + timedelta(days=1))

    @asynccontextmanager
    async def events(self) -> AsyncIterator[Events]:
        async with self.pool.acquire() as connection, db.as_tenant(connection, TENANT):
            yield Events(connection, TENANT)

    @asynccontextmanager
    async def subscriptions(self) -> AsyncIterator[Subscriptions]:
        async with self.pool.acquire() as connection, db.as_tenant(connection, TENANT):
            yield Subscriptions(connection, TENANT)

    async def now(self) -> datetime:
        """By the database, whose clock decides what is due."""
        moment: datetime = await self.pool.fetchval("SELECT clock_timestamp()")
        return moment


@asynccontextmanager
async def gathering(world: World, endpoint: Endpoint | None = None) -> AsyncIterator[Gathering]:
    """With an endpoint, mails go there."""
    owner = await world.connect()
    pool = await db.open_pool(settings_for(world.url).database, db.Role.API, name="chaos", size=_CONNECTIONS)
    try:
        if endpoint is not None:
            await add_provider(owner, TENANT, "email", **_resend(endpoint))
        yield Gathering(pool, owner)
    finally:
        pool.terminate()
        await owner.close()


def _resend(endpoint: Endpoint) -> dict[str, Any]:
    config = {"apiKey": "re_chaos", "baseUrl": endpoint.url, "fromAddress": "tidings@example.com"}
    return {"type": "resend", "config": config}
