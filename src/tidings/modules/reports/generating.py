"""Making a report: its statements, asked of the database by a role that sees one tenant, and in a transaction that
writes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import asyncpg

from tidings.kit import db
from tidings.modules.reports.catalogue import ReportType
from tidings.modules.reports.model import LARGEST_DOCUMENT
from tidings.modules.reports.rendering.formats import Format
from tidings.modules.reports.rendering.making import file_of
from tidings.modules.reports.rendering.report import Report
from tidings.spine.outbox.faults import AWAY

MOST_ROWS = 1_000
LONGEST_STATEMENT = timedelta(seconds=20)


class GenerationFailed(Exception):
    """It cannot be made, now or later: what is wrong with it, in words."""


@dataclass(frozen=True)
class Asked:
    """What a report is to say, by whose clock, and in which format."""

    kind: ReportType
    title: str
    since: datetime
    until: datetime
    timezone: str
    format: Format


@dataclass(frozen=True)
class Made:
    """The figures in words, and all of it as a file."""

    summary: str
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Generator:
    pool: db.Pool  # of a role that row-level security binds to one tenant

    async def generate(self, tenant: str, asked: Asked) -> Made:
        """`GenerationFailed` for what cannot be made; a database that is away raises what it raises."""
        report = await self._read(tenant, asked)
        content = await asyncio.to_thread(file_of, report, asked.format)
        if len(content) > LARGEST_DOCUMENT:
            raise GenerationFailed(f"it is larger than {LARGEST_DOCUMENT >> 20} MB")
        figures = [f"{label}: {report.shown(value)}" for label, value in report.figures]
        return Made("\n".join(figures), content)

    async def _read(self, tenant: str, asked: Asked) -> Report:
        kind, since, until = asked.kind, asked.since, asked.until
        try:
            async with self.pool.acquire() as connection, connection.transaction(readonly=True):
                await connection.execute(
                    "SELECT set_config('tidings.tenant', $1, true), set_config('statement_timeout', $2, true)",
                    tenant,
                    str(int(LONGEST_STATEMENT.total_seconds() * 1000)),
                )
                figures = [(each.label, await connection.fetchval(each.sql, since, until)) for each in kind.figures]
                columns, rows = await _rows(connection, kind.table, since, until)
        except asyncpg.QueryCanceledError:
            seconds = int(LONGEST_STATEMENT.total_seconds())
            raise GenerationFailed(f"a statement of {kind.name} took longer than {seconds} seconds") from None
        except asyncpg.ReadOnlySQLTransactionError:
            raise GenerationFailed(f"a statement of {kind.name} would write, and may only read") from None
        except AWAY:
            raise
        except asyncpg.PostgresError as error:
            raise GenerationFailed(f"a statement of {kind.name} failed: {error}") from error
        return Report(asked.title, kind.name, since, until, asked.timezone, figures, columns, rows)


async def _rows(
    connection: db.Connection, sql: str, since: datetime, until: datetime
) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    statement = await connection.prepare(sql)
    cursor = await statement.cursor(since, until)
    rows = await cursor.fetch(MOST_ROWS + 1)
    if len(rows) > MOST_ROWS:
        raise GenerationFailed(f"it has more than {MOST_ROWS:,} rows")
    return [attribute.name for attribute in statement.get_attributes()], [tuple(row) for row in rows]
