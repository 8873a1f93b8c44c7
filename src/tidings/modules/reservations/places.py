"""Restaurants and agencies of one tenant: groups of people, and what a reservation must know of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, NotFound
from tidings.kit.paging import Page, page_of
from tidings.spine.notify.people.groups import Groups

_OF_GROUP = "group_id, g.name, g.external_id"
_RESTAURANTS = f"""
SELECT t.id, t.{_OF_GROUP}, t.timezone, t.locale, t.escalate_after, t.escalate_times, t.created_at
FROM tidings.restaurants t JOIN tidings.groups g ON g.id = t.group_id
"""
_AGENCIES = f"""
SELECT t.id, t.{_OF_GROUP}, t.created_at FROM tidings.agencies t JOIN tidings.groups g ON g.id = t.group_id
"""
_PAGE = "WHERE t.tenant = $1 AND ($2::bigint IS NULL OR t.id < $2) ORDER BY t.id DESC LIMIT $3"
_ONE = "WHERE t.tenant = $1 AND t.id = $2"


@dataclass(frozen=True)
class Restaurant:
    """Its staff are the members of its group, and are told in its language."""

    id: int
    group_id: UUID
    name: str
    external_id: str
    timezone: str
    locale: str | None
    escalate_after: timedelta | None
    escalate_times: int
    created_at: datetime


@dataclass(frozen=True)
class Agency:
    id: int
    group_id: UUID
    name: str
    external_id: str
    created_at: datetime


@dataclass(frozen=True)
class Restaurants:
    connection: Connection
    tenant: str

    async def list(self, before: int | None, limit: int) -> Page[Restaurant]:
        """Newest first."""
        rows = await self.connection.fetch(f"{_RESTAURANTS} {_PAGE}", self.tenant, before, limit + 1)
        return page_of([Restaurant(**row) for row in rows], limit, lambda restaurant: restaurant.id)

    async def get(self, id: int) -> Restaurant:
        row = await self.connection.fetchrow(f"{_RESTAURANTS} {_ONE}", self.tenant, id)
        if row is None:
            raise NotFound("There is no such restaurant.")
        return Restaurant(**row)

    async def create(self, name: str, external_id: str | None, columns: Mapping[str, Any]) -> Restaurant:
        """Makes it, with a group for its staff."""
        group = await _group(self.connection, self.tenant, "restaurant", name, external_id)
        made: int = await self.connection.fetchval(
            """INSERT INTO tidings.restaurants (tenant, group_id, timezone, locale, escalate_after, escalate_times)
               VALUES ($1, $2, $3, $4, $5, $6) RETURNING id""",
            self.tenant,
            group,
            columns["timezone"],
            columns["locale"],
            columns["escalate_after"],
            columns["escalate_times"],
        )
        return await self.get(made)

    async def change(self, id: int, group: Mapping[str, Any], columns: Mapping[str, Any]) -> Restaurant:
        before = await self.get(id)
        if group:
            await Groups(self.connection, self.tenant).change(before.group_id, group)
        if columns:
            places = ", ".join(f"{name} = ${n}" for n, name in enumerate(columns, 3))
            await self.connection.execute(
                f"UPDATE tidings.restaurants SET {places} WHERE tenant = $1 AND id = $2",
                self.tenant,
                id,
                *columns.values(),
            )
        return await self.get(id)

    async def delete(self, id: int) -> None:
        """With its group; the people stay. `Conflict` for one that has reservations."""
        await _delete(self.connection, self.tenant, "restaurants", id, (await self.get(id)).group_id)


@dataclass(frozen=True)
class Agencies:
    connection: Connection
    tenant: str

    async def list(self, before: int | None, limit: int) -> Page[Agency]:
        """Newest first."""
        rows = await self.connection.fetch(f"{_AGENCIES} {_PAGE}", self.tenant, before, limit + 1)
        return page_of([Agency(**row) for row in rows], limit, lambda agency: agency.id)

    async def get(self, id: int) -> Agency:
        row = await self.connection.fetchrow(f"{_AGENCIES} {_ONE}", self.tenant, id)
        if row is None:
            raise NotFound("There is no such agency.")
        return Agency(**row)

    async def create(self, name: str, external_id: str | None) -> Agency:
        group = await _group(self.connection, self.tenant, "agency", name, external_id)
        made: int = await self.connection.fetchval(
            "INSERT INTO tidings.agencies (tenant, group_id) VALUES ($1, $2) RETURNING id", self.tenant, group
        )
        return await self.get(made)

    async def change(self, id: int, group: Mapping[str, Any]) -> Agency:
        before = await self.get(id)
        if group:
            await Groups(self.connection, self.tenant).change(before.group_id, group)
        return await self.get(id)

    async def delete(self, id: int) -> None:
        """With its group; the people stay. `Conflict` for one that has reservations."""
        await _delete(self.connection, self.tenant, "agencies", id, (await self.get(id)).group_id)


async def _group(connection: Connection, tenant: str, type: str, name: str, external_id: str | None) -> UUID:
    named = external_id or f"{type}-{uuid4().hex[:12]}"
    return (await Groups(connection, tenant).create(named, type, name)).id


async def _delete(connection: Connection, tenant: str, table: str, id: int, group_id: UUID) -> None:
    try:
        await connection.execute(f"DELETE FROM tidings.{table} WHERE tenant = $1 AND id = $2", tenant, id)
    except asyncpg.ForeignKeyViolationError:
        raise Conflict("It has reservations, and stays for them.") from None
    await Groups(connection, tenant).delete(group_id)
