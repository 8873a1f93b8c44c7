"""A restaurant with everybody around it, through the module's own services, each in a transaction of the tenant's."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from tests.support.pipeline import Owner, add_person
from tidings.kit.db import Connection, Pool, as_tenant
from tidings.modules.reservations.effect import ReservationEffect
from tidings.modules.reservations.model import UserType
from tidings.modules.reservations.places import Agencies, Restaurants
from tidings.modules.reservations.reservations import Reservations
from tidings.spine.notify.inbox import Inbox
from tidings.spine.notify.matters.model import Action, Deed
from tidings.spine.notify.matters.settling import Matters, Outcome

TENANT = "default"
EFFECTS = {"reservation": ReservationEffect()}


@dataclass(frozen=True)
class Table:
    """Who sits around it: one of each kind, but for what is added."""

    pool: Pool
    owner: Owner
    restaurant: int
    staff: UUID  # the group
    agency: int
    customer: UUID
    manager: UUID
    admin: UUID
    agent: UUID

    async def add(self, name: str, user_type: UserType, **columns: Any) -> UUID:
        return await somebody(self.owner, name, user_type, self.staff, **columns)

    async def request(self, **columns: Any) -> int:
        """In three days, for four, but for what is given."""
        given = {
            "restaurant_id": self.restaurant,
            "customer_id": self.customer,
            "agency_id": None,
            "party_size": 4,
            "time": await self.now() + timedelta(days=3),
            "note": None,
        }
        async with self.reservations() as reservations:
            return await reservations.create(given | columns)

    async def cancel(self, reservation: int) -> None:
        async with self.reservations() as reservations:
            await reservations.cancel(reservation, self.customer)

    async def reopen(self, reservation: int) -> None:
        async with self.reservations() as reservations:
            await reservations.reopen(reservation)

    async def act(self, reservation: int, person: UUID, action: str, **deed: Any) -> Outcome:
        async with self.transaction() as connection:
            return await self.act_on(connection, reservation, person, action, **deed)

    @staticmethod
    async def act_on(connection: Connection, reservation: int, person: UUID, action: str, **deed: Any) -> Outcome:
        """By whoever it is, on their newest copy of a notice about it that can be acted on."""
        copy: UUID = await connection.fetchval(
            """SELECT m.id FROM tidings.notifications m JOIN tidings.notices n ON n.id = m.notice_id
               WHERE m.person_id = $1 AND n.actions <> '{}'
                 AND (n.properties ->> 'reservationId')::bigint = $2 ORDER BY m.id DESC LIMIT 1""",
            person,
            reservation,
        )
        return await Matters(connection, TENANT, EFFECTS).act(
            copy, person, "user:somebody", Deed(Action(action), **deed)
        )

    async def read(self, person: UUID) -> None:
        async with self.transaction() as connection:
            await Inbox(connection, TENANT, person).read_all()

    async def status(self, reservation: int) -> str:
        status: str = await self.owner.fetchval("SELECT status FROM tidings.reservations WHERE id = $1", reservation)
        return status

    async def facts(self, reservation: int) -> list[str]:
        rows = await self.owner.fetch(
            "SELECT type FROM tidings.facts WHERE stream_type = 'reservation' AND stream_id = $1 ORDER BY seq",
            str(reservation),
        )
        return [row["type"].removeprefix("reservation.") for row in rows]

    async def now(self) -> datetime:
        moment: datetime = await self.owner.fetchval("SELECT date_trunc('second', now())")
        return moment

    async def told(self, person: UUID) -> list[dict[str, Any]]:
        """What somebody was told, oldest first, with the channels and what became of each."""
        rows = await self.owner.fetch(
            """SELECT n.title, n.body, n.level, n.listener, n.matter, n.actions, n.shared,
                   n.filed, m.read_at, m.archived_at,
                   (SELECT jsonb_object_agg(d.channel, d.status) FROM (
                        SELECT channel, status FROM tidings.deliveries WHERE notification_id = m.id
                        UNION ALL SELECT channel, status FROM tidings.deliveries_finished
                        WHERE notification_id = m.id) d)::text AS channels
               FROM tidings.notifications m JOIN tidings.notices n ON n.id = m.notice_id
               WHERE m.person_id = $1 ORDER BY m.id""",
            person,
        )
        return [{**row, "channels": json.loads(row["channels"] or "{}")} for row in rows]

    async def titles(self, person: UUID) -> list[str]:
        """But for what only says on other channels what the inbox shows anyway."""
        return [each["title"] for each in await self.told(person) if not each["filed"]]

    @asynccontextmanager
    async def reservations(self) -> AsyncIterator[Reservations]:
        async with self.transaction() as connection:
            yield Reservations(connection, TENANT, "user:somebody")

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        async with self.pool.acquire() as connection, as_tenant(connection, TENANT):
            yield connection


async def somebody(owner: Owner, name: str, user_type: UserType, group: UUID | None = None, **columns: Any) -> UUID:
    """With every address that needs no sealing; a restaurant's user is of its group."""
    slug = name.lower().replace(" ", "-")
    addresses = {
        "email": f"{slug}@example.com",
        "push": f"device-of-{slug}",
        "phone": f"+3902{abs(hash(slug)) % 10**9}",
    }
    person = await add_person(owner, name, **addresses | {"user_type": str(user_type)} | columns)
    if group is not None and user_type in (UserType.RESTAURANT_USER, UserType.AGENCY_USER):
        await owner.execute(
            "INSERT INTO tidings.group_members (tenant, group_id, person_id) VALUES ($1, $2, $3)",
            TENANT,
            group,
            person,
        )
    return person


async def lay(pool: Pool, owner: Owner, **columns: Any) -> Table:
    """A restaurant in Rome whose staff are told in English, unless it is said otherwise."""
    place = {"timezone": "Europe/Rome", "locale": None, "escalate_after": timedelta(minutes=15), "escalate_times": 2}
    async with pool.acquire() as connection, as_tenant(connection, TENANT):
        restaurant = await Restaurants(connection, TENANT).create("Da Rosa", None, place | columns)
        agency = await Agencies(connection, TENANT).create("City Tables", None)
    return Table(
        pool,
        owner,
        restaurant.id,
        restaurant.group_id,
        agency.id,
        await somebody(owner, "A guest", UserType.CUSTOMER),
        await somebody(owner, "The manager", UserType.RESTAURANT_USER, restaurant.group_id),
        await somebody(owner, "The admin", UserType.ADMIN_USER),
        await somebody(owner, "An agent", UserType.AGENCY_USER, agency.group_id),
    )
