"""Rows of a file, kept as they come; each step in a transaction of its own, so that others see how far it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from tidings.kit import db
from tidings.spine.notify.people.imports.rows import Row

_ADD = """
INSERT INTO tidings.import_rows (import_id, tenant, line, external_id, person, sealed, error)
SELECT $1, $2, * FROM unnest($3::integer[], $4::text[], $5::jsonb[], $6::bytea[], $7::text[])
"""
# The first of several rows with one external id is right.
_TWICE = """
WITH repeated AS (
    SELECT line, first_value(line) OVER (PARTITION BY external_id ORDER BY line) AS first
    FROM tidings.import_rows WHERE tenant = $1 AND import_id = $2 AND external_id IS NOT NULL),
marked AS (
    UPDATE tidings.import_rows r SET error = format('external_id: is the same as in line %s', repeated.first)
    FROM repeated WHERE r.import_id = $2 AND r.line = repeated.line AND repeated.line > repeated.first
    RETURNING true)
UPDATE tidings.imports SET wrong = wrong + (SELECT count(*) FROM marked), touched_at = now()
WHERE tenant = $1 AND id = $2 RETURNING wrong
"""
_FORGET_THE_GONE = """
DELETE FROM tidings.import_rows r USING tidings.imports i
WHERE i.tenant = $1 AND i.status IN ('receiving', 'applying') AND i.touched_at < now() - interval '30 minutes'
    AND r.import_id = i.id AND r.tenant = $1
"""


@dataclass(frozen=True)
class Staging:
    pool: db.Pool
    patience: float  # seconds to wait for a connection
    tenant: str

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[db.Connection]:
        async with db.acquired(self.pool, self.patience) as connection, db.as_tenant(connection, self.tenant):
            yield connection

    async def begin(self, dry_run: bool, file: str | None = None) -> UUID:
        """A new import. What is left of those whose receiver is gone is thrown away: it is about people."""
        async with self.transaction() as connection:
            await connection.execute(_FORGET_THE_GONE, self.tenant)
            begun: UUID = await connection.fetchval(
                "INSERT INTO tidings.imports (tenant, dry_run, file) VALUES ($1, $2, $3) RETURNING id",
                self.tenant,
                dry_run,
                file,
            )
            return begun

    async def add(self, id: UUID, rows: Sequence[Row]) -> None:
        wrong = sum(row.error is not None for row in rows)
        async with self.transaction() as connection:
            await connection.execute(
                _ADD,
                id,
                self.tenant,
                [row.line for row in rows],
                [row.external_id for row in rows],
                [row.person for row in rows],
                [row.sealed for row in rows],
                [row.error for row in rows],
            )
            await connection.execute(
                """UPDATE tidings.imports SET rows = rows + $3, wrong = wrong + $4, touched_at = now()
                   WHERE tenant = $1 AND id = $2""",
                self.tenant,
                id,
                len(rows),
                wrong,
            )

    async def mark_repeated(self, id: UUID) -> int:
        """Finds external ids that come twice; returns how many rows are wrong, all in all."""
        async with self.transaction() as connection:
            await connection.execute("SET LOCAL statement_timeout = '10min'")
            wrong: int = await connection.fetchval(_TWICE, self.tenant, id)
            return wrong

    async def refuse(self, id: UUID, error: str) -> None:
        """Ends it. Of its rows only what was wrong is kept."""
        async with self.transaction() as connection:
            await connection.execute(
                """UPDATE tidings.imports SET status = 'refused', error = $3, finished_at = now(), touched_at = now()
                   WHERE tenant = $1 AND id = $2 AND status <> 'done'""",
                self.tenant,
                id,
                error,
            )
            await connection.execute(
                "DELETE FROM tidings.import_rows WHERE tenant = $1 AND import_id = $2 AND error IS NULL",
                self.tenant,
                id,
            )
            await connection.execute(
                """UPDATE tidings.import_rows SET external_id = NULL, person = NULL, sealed = NULL
                   WHERE tenant = $1 AND import_id = $2 AND person IS NOT NULL""",
                self.tenant,
                id,
            )
