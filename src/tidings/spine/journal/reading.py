"""Reading the journal of one tenant, and, for those who pass facts on, of all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection, Pool
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of

_COLUMNS = """id, seq, tenant, type, stream_type, stream_id, stream_version, data::text AS data,
    metadata::text AS metadata, occurred_at"""
_LONGEST_INTEGER = 4_000  # Python reads no longer ones; PostgreSQL keeps them


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as it was recorded. `data` and `metadata` are JSON text: what they hold is their emitter's."""

    id: UUID
    seq: int
    tenant: str
    type: str
    stream_type: str | None
    stream_id: str | None
    stream_version: int | None
    data: str
    metadata: str
    occurred_at: datetime


@dataclass(frozen=True)
class FactFilter:
    """Which facts. A type that ends in `*` stands for all that begin with what is before it."""

    type: str | None = None
    stream_type: str | None = None
    stream_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class Facts:
    connection: Connection
    tenant: str

    async def get(self, id: UUID) -> Fact:
        row = await self.connection.fetchrow(
            f"SELECT {_COLUMNS} FROM tidings.facts WHERE tenant = $1 AND id = $2", self.tenant, id
        )
        if row is None:
            raise NotFound("There is no such fact.")
        return Fact(**row)

    async def list(self, wanted: FactFilter, before: int | None, limit: int) -> Page[Fact]:
        """Newest first. Facts are never changed, so that a page read again is the same but for late commits."""
        conditions, values = _conditions(self.tenant, wanted, before)
        rows = await self.connection.fetch(
            f"SELECT {_COLUMNS} FROM tidings.facts WHERE {conditions} ORDER BY seq DESC LIMIT {limit + 1}", *values
        )
        return page_of([Fact(**row) for row in rows], limit, lambda fact: fact.seq)


async def facts_of(pool: Pool, ids: Sequence[UUID]) -> list[Fact]:
    """These facts, of whatever tenants, in the order in which they were recorded."""
    rows = await pool.fetch(f"SELECT {_COLUMNS} FROM tidings.facts WHERE id = ANY ($1::uuid[]) ORDER BY seq", ids)
    return [Fact(**row) for row in rows]


def data_of(text: str) -> Any:
    """A fact's data. A number that is too large for Python's is infinite, and no reason to fail."""
    return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits))


def _conditions(tenant: str, wanted: FactFilter, before: int | None) -> tuple[str, list[Any]]:
    exact = None if wanted.type is None or wanted.type.endswith("*") else wanted.type
    prefix = wanted.type[:-1] if wanted.type and wanted.type.endswith("*") else None
    terms: list[tuple[str, Any]] = [
        ("tenant = {}", tenant),
        ("type = {}", exact),
        ("starts_with(type, {})", prefix),
        ("stream_type = {}", wanted.stream_type),
        ("stream_id = {}", wanted.stream_id),
        ("occurred_at >= {}", wanted.since),
        ("occurred_at < {}", wanted.until),
        ("seq < {}", before),
    ]
    given = [(term, value) for term, value in terms if value is not None]
    text = " AND ".join(term.format(f"${n}") for n, (term, _) in enumerate(given, 1))
    return text, [value for _, value in given]
