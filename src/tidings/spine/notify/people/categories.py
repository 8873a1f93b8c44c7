"""Categories of what is said in one tenant. One that is required cannot be turned off."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.kit.db import Connection, affected
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of


@dataclass(frozen=True)
class Category:
    id: str
    name: str
    description: str | None
    required: bool


@dataclass(frozen=True)
class Categories:
    connection: Connection
    tenant: str

    async def list(self, after: str | None, limit: int) -> Page[Category]:
        """By id."""
        rows = await self.connection.fetch(
            """SELECT id, name, description, required FROM tidings.categories
               WHERE tenant = $1 AND ($2::text IS NULL OR id > $2) ORDER BY id LIMIT $3""",
            self.tenant,
            after,
            limit + 1,
        )
        return page_of([Category(*row) for row in rows], limit, lambda category: category.id)

    async def put(self, category: Category) -> None:
        await self.connection.execute(
            """INSERT INTO tidings.categories (tenant, id, name, description, required) VALUES ($1, $2, $3, $4, $5)
               ON CONFLICT (tenant, id) DO UPDATE
               SET name = excluded.name, description = excluded.description, required = excluded.required""",
            self.tenant,
            category.id,
            category.name,
            category.description,
            category.required,
        )

    async def delete(self, id: str) -> None:
        """What is said of it later is of a category that is not required."""
        status = await self.connection.execute(
            "DELETE FROM tidings.categories WHERE tenant = $1 AND id = $2", self.tenant, id
        )
        if not affected(status):
            raise NotFound("There is no such category.")
