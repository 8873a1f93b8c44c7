"""The imports of one tenant, as anybody may look at them while they run and afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of

# Whoever receives a file hears something every minute or gives up, and applying has a longest time: after this long
# without a sign they are gone.
_GONE = "(status IN ('receiving', 'applying') AND touched_at < now() - interval '30 minutes')"
_COLUMNS = f"""
id, CASE WHEN {_GONE} THEN 'refused' ELSE status END AS status, dry_run, file, rows, wrong, created, updated,
CASE WHEN {_GONE} THEN 'Whoever was receiving it is gone; nobody was changed.' ELSE error END AS error,
created_at, finished_at
"""


class Status(StrEnum):
    RECEIVING = "receiving"
    APPLYING = "applying"
    REFUSED = "refused"
    DONE = "done"


@dataclass(frozen=True)
class Import:
    """A file of people: how far it is, or what came of it."""

    id: UUID
    status: Status
    dry_run: bool
    file: str | None
    rows: int
    wrong: int
    created: int
    updated: int
    error: str | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True)
class WrongRow:
    line: int
    error: str


@dataclass(frozen=True)
class Imports:
    connection: Connection
    tenant: str

    async def get(self, id: UUID) -> Import:
        row = await self.connection.fetchrow(
            f"SELECT {_COLUMNS} FROM tidings.imports WHERE tenant = $1 AND id = $2", self.tenant, id
        )
        if row is None:
            raise NotFound("There is no such import.")
        return _import(row)

    async def list(self, before: UUID | None, limit: int) -> Page[Import]:
        """Newest first."""
        rows = await self.connection.fetch(
            f"""SELECT {_COLUMNS} FROM tidings.imports WHERE tenant = $1 AND ($2::uuid IS NULL OR id < $2)
                ORDER BY id DESC LIMIT $3""",
            self.tenant,
            before,
            limit + 1,
        )
        return page_of([_import(row) for row in rows], limit, lambda found: str(found.id))

    async def errors(self, id: UUID, after: int | None, limit: int) -> Page[WrongRow]:
        """What is wrong, line by line."""
        rows = await self.connection.fetch(
            """SELECT line, error FROM tidings.import_rows
               WHERE tenant = $1 AND import_id = $2 AND error IS NOT NULL AND ($3::integer IS NULL OR line > $3)
               ORDER BY line LIMIT $4""",
            self.tenant,
            id,
            after,
            limit + 1,
        )
        return page_of([WrongRow(*row) for row in rows], limit, lambda wrong: wrong.line)


def _import(row: Any) -> Import:
    return Import(**{**dict(row), "status": Status(row["status"])})
