"""Making a report: its statements, asked of the database by a role that sees one tenant, and in a transaction that
writes nothing."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import asyncpg

from tidings.kit import db
from tidings.modules.reports.catalogue import ReportType
from tidings.spine.outbox.faults import AWAY

MOST_ROWS = 1_000
LONGEST_STATEMENT = timedelta(seconds=20)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class GenerationFailed(Exception):
    """It cannot be made, now or later: what is wrong with it, in words."""


@dataclass(frozen=True)
class Document:
    """The figures in words, and the table as a file."""

    summary: str
    content: str


@dataclass(frozen=True)
class Generator:
    pool: db.Pool  # of a role that row-level security binds to one tenant

    async def generate(self, tenant: str, kind: ReportType, since: datetime, until: datetime) -> Document:
        """`GenerationFailed` for what the statements fail with; a database that is away raises what it raises."""
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
        return Document("\n".join(f"{label}: {value}" for label, value in figures), _csv(columns, rows))


async def _rows(
    connection: db.Connection, sql: str, since: datetime, until: datetime
) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    statement = await connection.prepare(sql)
    cursor = await statement.cursor(since, until)
    rows = await cursor.fetch(MOST_ROWS + 1)
    if len(rows) > MOST_ROWS:
        raise GenerationFailed(f"it has more than {MOST_ROWS:,} rows")
    return [attribute.name for attribute in statement.get_attributes()], [tuple(row) for row in rows]


def _csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return written.getvalue()


def _cell(value: Any) -> Any:
    """What a spreadsheet would run as a formula is a text to it with this before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
