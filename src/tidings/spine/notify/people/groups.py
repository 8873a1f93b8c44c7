"""Groups of one tenant's people: a restaurant, an agency, a team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from tidings.kit.db import Connection, affected
from tidings.kit.errors import Conflict, NotFound
from tidings.kit.paging import Page, page_of

MOST_COUNTED = 1_000
"""Members of a group that are counted; how many more there are is not asked."""
_COLUMNS = f"""
id, external_id, type, name, created_at,
(SELECT count(*) FROM (SELECT FROM tidings.group_members m WHERE m.group_id = groups.id LIMIT {MOST_COUNTED + 1}) AS c)
    AS members
"""
_CHANGEABLE = ("external_id", "type", "name")
_MOST_NAMED = 5


@dataclass(frozen=True)
class Group:
    id: UUID
    external_id: str
    type: str | None
    name: str
    created_at: datetime
    members: int


@dataclass(frozen=True)
class Groups:
    connection: Connection
    tenant: str

    async def list(
        self, external_id: str | None, type: str | None, before: UUID | None, limit: int, name_prefix: str | None = None
    ) -> Page[Group]:
        """Newest first."""
        rows = await self.connection.fetch(
            f"""SELECT {_COLUMNS} FROM tidings.groups
                WHERE tenant = $1 AND ($2::text IS NULL OR external_id = $2) AND ($3::text IS NULL OR type = $3)
                    AND ($4::text IS NULL OR starts_with(lower(name), lower($4))) AND ($5::uuid IS NULL OR id < $5)
                ORDER BY id DESC LIMIT $6""",
            self.tenant,
            external_id,
            type,
            name_prefix,
            before,
            limit + 1,
        )
        return page_of([_group(row) for row in rows], limit, lambda group: str(group.id))

    async def of(self, person_id: UUID, before: UUID | None, limit: int) -> Page[Group]:
        """Those that a person belongs to, newest first."""
        rows = await self.connection.fetch(
            f"""SELECT {_COLUMNS} FROM tidings.groups
                WHERE tenant = $1 AND ($3::uuid IS NULL OR id < $3)
                    AND EXISTS (SELECT FROM tidings.group_members m WHERE m.person_id = $2 AND m.group_id = groups.id)
                ORDER BY id DESC LIMIT $4""",
            self.tenant,
            person_id,
            before,
            limit + 1,
        )
        return page_of([_group(row) for row in rows], limit, lambda group: str(group.id))

    async def get(self, id: UUID) -> Group:
        row = await self.connection.fetchrow(
            f"SELECT {_COLUMNS} FROM tidings.groups WHERE tenant = $1 AND id = $2", self.tenant, id
        )
        return _found(row)

    async def create(self, external_id: str, type: str | None, name: str) -> Group:
        row = await self.connection.fetchrow(
            f"""INSERT INTO tidings.groups (tenant, external_id, type, name) VALUES ($1, $2, $3, $4)
                ON CONFLICT (tenant, external_id) DO NOTHING RETURNING {_COLUMNS}""",
            self.tenant,
            external_id,
            type,
            name,
        )
        if row is None:
            raise _taken()
        return _group(row)

    async def change(self, id: UUID, changes: Mapping[str, Any]) -> Group:
        columns = [name for name in _CHANGEABLE if name in changes]
        sets = ", ".join(f"{name} = ${n}" for n, name in enumerate(columns, 3)) or "name = name"
        try:
            row = await self.connection.fetchrow(
                f"UPDATE tidings.groups SET {sets} WHERE tenant = $1 AND id = $2 RETURNING {_COLUMNS}",
                self.tenant,
                id,
                *(changes[name] for name in columns),
            )
        except asyncpg.UniqueViolationError:
            raise _taken() from None
        return _found(row)

    async def delete(self, id: UUID) -> None:
        """The group and who belongs to it; the people stay."""
        try:
            status = await self.connection.execute(
                "DELETE FROM tidings.groups WHERE tenant = $1 AND id = $2", self.tenant, id
            )
        except asyncpg.ForeignKeyViolationError:
            raise Conflict("A restaurant or an agency is this group; delete that instead.") from None
        if not affected(status):
            raise NotFound("There is no such group.")

    async def add(self, id: UUID, people: Sequence[UUID]) -> int:
        """All of them or none; returns how many are new. Who is not there is named by their place in the list."""
        await self.get(id)
        absent = await self.connection.fetch(
            """SELECT given.place - 1 AS place FROM unnest($2::uuid[]) WITH ORDINALITY AS given (id, place)
               WHERE NOT EXISTS (SELECT FROM tidings.people p WHERE p.tenant = $1 AND p.id = given.id)
               ORDER BY given.place LIMIT $3""",
            self.tenant,
            people,
            _MOST_NAMED,
        )
        if absent:
            raise NotFound("There is no such person: " + ", ".join(f"people.{row['place']}" for row in absent) + ".")
        status = await self.connection.execute(
            """INSERT INTO tidings.group_members (tenant, group_id, person_id)
               SELECT DISTINCT $1, $2::uuid, given FROM unnest($3::uuid[]) AS given ORDER BY given
               ON CONFLICT DO NOTHING""",
            self.tenant,
            id,
            people,
        )
        return affected(status)

    async def remove(self, id: UUID, person_id: UUID) -> None:
        status = await self.connection.execute(
            "DELETE FROM tidings.group_members WHERE tenant = $1 AND group_id = $2 AND person_id = $3",
            self.tenant,
            id,
            person_id,
        )
        if not affected(status):
            raise NotFound("There is no such member.")


def _found(row: Any) -> Group:
    if row is None:
        raise NotFound("There is no such group.")
    return _group(row)


def _group(row: Any) -> Group:
    return Group(row["id"], row["external_id"], row["type"], row["name"], row["created_at"], row["members"])


def _taken() -> Conflict:
    return Conflict("Another group has this external id already.")
