"""The projections of organisations, held against the journal and made anew from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg

from tidings.kit import db
from tidings.modules.organizations.recording import Stream, SubdomainTaken

Row: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Mapping[tuple[str, ...], Row]
Tell: TypeAlias = Callable[[int, int], None]
"""Is told how many of how many were looked at."""
_TAKEN = "another organisation has its subdomain by now, and one of the two must go"
_KNOWN = """
SELECT id FROM (
    SELECT stream_id::uuid AS id, seq FROM tidings.facts
    WHERE tenant = $1 AND stream_type = 'organization' AND type = 'organization.bootstrap.initiated'
    UNION ALL SELECT id, NULL FROM tidings.organizations_projection WHERE tenant = $1
    UNION ALL SELECT organization_id, NULL FROM tidings.organization_permissions_projection WHERE tenant = $1
    UNION ALL SELECT organization_id, NULL FROM tidings.user_invitations_projection WHERE tenant = $1
) known GROUP BY id ORDER BY min(seq), id
"""


@dataclass(frozen=True)
class Projection:
    """A table, by which column its rows belong to an organisation, and which tell them apart."""

    table: str
    owner: str
    key: tuple[str, ...]


PROJECTIONS = (
    Projection("organizations_projection", "id", ("id",)),
    Projection("organization_permissions_projection", "organization_id", ("role", "permission")),
    Projection("user_invitations_projection", "organization_id", ("id",)),
)


@dataclass(frozen=True)
class Differing:
    """An organisation whose rows are not what its facts say: which, and in what."""

    tenant: str
    organization_id: UUID
    projections: tuple[str, ...]
    mended: bool


async def differing(pool: db.Pool, tenant: str, *, mends: bool, tell: Tell = lambda done, of: None) -> list[Differing]:
    """All of a tenant, one after the other, each in a transaction that holds it. What is right stays untouched."""
    rows = await pool.fetch(_KNOWN, tenant)
    found = []
    for number, row in enumerate(rows, 1):
        try:
            wrong, mended = await compare(pool, tenant, row["id"], mends=mends), mends
        except SubdomainTaken:
            wrong, mended = [f"{PROJECTIONS[0].table} (holds_subdomain: {_TAKEN})"], False
        if wrong:
            found.append(Differing(tenant, row["id"], tuple(wrong), mended))
        tell(number, len(rows))
    return found


async def compare(pool: db.Pool, tenant: str, organization_id: UUID, *, mends: bool) -> list[str]:
    """Which projections of an organisation are not what its facts say, and in what. Mended, unless it is only to look.

    `SubdomainTaken` where they cannot be, since somebody else has the subdomain that its facts say it holds.
    """
    async with pool.acquire() as connection:
        transaction = connection.transaction()
        await transaction.start()
        try:
            await connection.execute("SELECT set_config('tidings.tenant', $1, true)", tenant)
            await Stream(connection, tenant, organization_id).hold()
            before = await _rows(connection, tenant, organization_id)
            await connection.fetchval("SELECT tidings.rebuild_organization($1)", organization_id)
            after = await _rows(connection, tenant, organization_id)
        except asyncpg.ExclusionViolationError as error:
            await transaction.rollback()
            raise SubdomainTaken from error
        except BaseException:
            await transaction.rollback()
            raise
        wrong = [
            f"{each.table} ({', '.join(differences)})"
            for each in PROJECTIONS
            if (differences := _differences(before[each.table], after[each.table]))
        ]
        await (transaction.commit() if wrong and mends else transaction.rollback())
    return wrong


async def _rows(connection: db.Connection, tenant: str, organization_id: UUID) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for each in PROJECTIONS:
        rows = await connection.fetch(
            f"SELECT to_jsonb(t)::text AS row FROM tidings.{each.table} t WHERE t.tenant = $1 AND t.{each.owner} = $2",
            tenant,
            organization_id,
        )
        whole = [json.loads(row["row"]) for row in rows]
        found[each.table] = {tuple(row[name] for name in each.key): row for row in whole}
    return found


def _differences(there: Rows, right: Rows) -> Sequence[str]:
    """In which columns, without what is in them; and whether there are rows too many, or too few."""
    both = there.keys() & right.keys()
    columns = {name for key in both for name in right[key] if there[key].get(name) != right[key][name]}
    counted = {"too many": there.keys() - right.keys(), "missing": right.keys() - there.keys()}
    rows = [f"{len(keys)} row{'s' if len(keys) > 1 else ''} {what}" for what, keys in counted.items() if keys]
    return [*sorted(columns), *rows]
