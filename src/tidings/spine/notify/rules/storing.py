"""The rules of one tenant. Every change is a version of its own, with who made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, NotFound
from tidings.kit.json_input import canonical
from tidings.kit.paging import Page, page_of
from tidings.spine.notify.rules.model import body_json
from tidings.spine.notify.rules.records import NewRule, RuleVersion, StoredRule, new_rule_of, rule_of

MOST = 1_000
"""Rules of one tenant: each is held against every fact of its type, in a batch that others are in, too."""
_COLUMNS = "id, tenant, name, version, enabled, fact_type, body::text AS body, created_at, updated_at"
_KEEP_VERSION = f"""
, kept AS (
    INSERT INTO tidings.rule_versions (rule_id, tenant, version, name, enabled, fact_type, body, changed_by)
    SELECT id, tenant, version, name, enabled, fact_type, body, $6 FROM saved
)
SELECT {_COLUMNS} FROM saved
"""


@dataclass(frozen=True)
class RuleFilter:
    """Which rules."""

    fact_type: str | None = None
    enabled: bool | None = None


@dataclass(frozen=True)
class Rules:
    connection: Connection
    tenant: str

    async def create(self, new: NewRule, changed_by: str | None) -> StoredRule:
        """`Conflict` where the tenant has a rule of that name, or as many as it may have."""
        if await self.connection.fetchval("SELECT count(*) FROM tidings.rules WHERE tenant = $1", self.tenant) >= MOST:
            raise Conflict(f"A tenant has at most {MOST} rules; delete one first.")
        return await self._saved(
            """WITH saved AS (
                   INSERT INTO tidings.rules (tenant, name, enabled, fact_type, body)
                   VALUES ($1, $2, $3, $4, $5::text::jsonb) RETURNING *
               )""",
            new,
            changed_by,
        )

    async def get(self, id: UUID, *, for_change: bool = False) -> StoredRule:
        row = await self.connection.fetchrow(
            f"""SELECT {_COLUMNS} FROM tidings.rules WHERE tenant = $1 AND id = $2
                {"FOR UPDATE" if for_change else ""}""",
            self.tenant,
            id,
        )
        if row is None:
            raise NotFound("There is no such rule.")
        return _stored(row)

    async def save(self, known: StoredRule, new: NewRule, changed_by: str | None) -> StoredRule:
        """The rule's next version, or the one that is known where nothing is different. It was read for change."""
        if new_rule_of(known.rule) == new:
            return known
        return await self._saved(
            """WITH saved AS (
                   UPDATE tidings.rules SET name = $2, enabled = $3, fact_type = $4, body = $5::text::jsonb,
                       version = version + 1, updated_at = now()
                   WHERE tenant = $1 AND id = $7 RETURNING *
               )""",
            new,
            changed_by,
            known.rule.id,
        )

    async def switch(self, id: UUID, enabled: bool, changed_by: str | None) -> StoredRule:
        """On or off."""
        known = await self.get(id, for_change=True)
        rule = known.rule
        return await self.save(known, NewRule(rule.name, enabled, rule.fact_type, rule.body), changed_by)

    async def delete(self, id: UUID) -> None:
        """Its versions stay: notices name them."""
        deleted = await self.connection.fetchval(
            "DELETE FROM tidings.rules WHERE tenant = $1 AND id = $2 RETURNING id", self.tenant, id
        )
        if deleted is None:
            raise NotFound("There is no such rule.")

    async def list(self, wanted: RuleFilter, before: UUID | None, limit: int) -> Page[StoredRule]:
        """Newest first."""
        rows = await self.connection.fetch(
            f"""SELECT {_COLUMNS} FROM tidings.rules
                WHERE tenant = $1 AND ($2::text IS NULL OR fact_type = $2) AND ($3::boolean IS NULL OR enabled = $3)
                  AND ($4::uuid IS NULL OR id < $4)
                ORDER BY id DESC LIMIT $5""",
            self.tenant,
            wanted.fact_type,
            wanted.enabled,
            before,
            limit + 1,
        )
        return page_of([_stored(row) for row in rows], limit, lambda stored: str(stored.rule.id))

    async def versions(self, id: UUID, before: int | None, limit: int) -> Page[RuleVersion]:
        """Newest first, also of a rule that was deleted."""
        rows = await self.connection.fetch(
            """SELECT rule_id AS id, tenant, name, version, enabled, fact_type, body::text AS body, changed_by,
                   created_at
               FROM tidings.rule_versions
               WHERE tenant = $1 AND rule_id = $2 AND ($3::integer IS NULL OR version < $3)
               ORDER BY version DESC LIMIT $4""",
            self.tenant,
            id,
            before,
            limit + 1,
        )
        if not rows and before is None:
            raise NotFound("There is no such rule.")
        versions = [RuleVersion(rule_of(row), row["changed_by"], row["created_at"]) for row in rows]
        return page_of(versions, limit, lambda version: version.rule.version)

    async def _saved(self, statement: str, new: NewRule, changed_by: str | None, *more: UUID) -> StoredRule:
        body = canonical(body_json(new.body)).decode()
        values = (self.tenant, new.name, new.enabled, new.fact_type, body, changed_by, *more)
        try:
            row = await self.connection.fetchrow(statement + _KEEP_VERSION, *values)
        except asyncpg.UniqueViolationError:
            raise Conflict(f"There is a rule named {new.name} already.") from None
        assert row is not None
        return _stored(row)


def _stored(row: Any) -> StoredRule:
    return StoredRule(rule_of(row), row["created_at"], row["updated_at"])
