"""Rows that are all right become people, in one transaction, by a handful of statements however many they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.notify.people.imports.rows import KIND_OF

_PLAIN = ("user_type", "name", "locale", "timezone", "quiet_from", "quiet_until")
_TYPES = {"quiet_from": "::time", "quiet_until": "::time"}

_COUNT = """
SELECT count(*) AS rows, count((
    SELECT p.id FROM tidings.people p WHERE p.tenant = r.tenant AND p.external_id = r.external_id)) AS known
FROM tidings.import_rows r WHERE r.tenant = $1 AND r.import_id = $2
"""
# Nothing here joins two large sets in an order of the planner's choice: of rows that were written a moment ago it has
# no statistics, and takes a hundred thousand for one. A subselect for each row goes by an index, however many they are.
_KNOWN = """
UPDATE tidings.import_rows r SET person_id = (
    SELECT p.id FROM tidings.people p WHERE p.tenant = r.tenant AND p.external_id = r.external_id)
WHERE r.tenant = $1 AND r.import_id = $2 AND r.external_id IS NOT NULL
"""
_OTHER_ADDRESSES = """
DELETE FROM tidings.addresses WHERE tenant = $1 AND id IN (
    SELECT other.id FROM tidings.import_rows r CROSS JOIN LATERAL (
        SELECT a.id FROM tidings.addresses a
        WHERE a.person_id = r.person_id AND a.kind = ANY ($3::text[]) AND NOT r.person -> 'addresses'
            @> jsonb_build_array(jsonb_build_object('kind', a.kind, 'fingerprint', a.fingerprint))
        OFFSET 0) AS other
    WHERE r.tenant = $1 AND r.import_id = $2)
"""
_ADDRESSES = """
INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint, sealed)
SELECT $1, r.person_id, new.kind, new.value, new.fingerprint, CASE WHEN new.kind = 'slack' THEN r.sealed END
FROM tidings.import_rows r,
    jsonb_to_recordset(r.person -> 'addresses') AS new (kind text, value text, fingerprint text)
WHERE r.tenant = $1 AND r.import_id = $2
ORDER BY r.person_id, new.kind ON CONFLICT (person_id, kind, fingerprint) DO NOTHING
"""
_GROUPS = """
INSERT INTO tidings.groups (tenant, external_id, name)
SELECT DISTINCT $1, named, left(named, 200) FROM tidings.import_rows r,
    jsonb_array_elements_text(r.person -> 'groups') AS named
WHERE r.tenant = $1 AND r.import_id = $2 ORDER BY 2 ON CONFLICT (tenant, external_id) DO NOTHING
"""
_MEMBERS = """
INSERT INTO tidings.group_members (tenant, group_id, person_id)
SELECT $1, (SELECT g.id FROM tidings.groups g WHERE g.tenant = $1 AND g.external_id = named), r.person_id
FROM tidings.import_rows r, jsonb_array_elements_text(r.person -> 'groups') AS named
WHERE r.tenant = $1 AND r.import_id = $2 ORDER BY 2, 3 ON CONFLICT DO NOTHING
"""
_TOPICS = """
INSERT INTO tidings.subscriptions (tenant, topic, person_id)
SELECT $1, topic, r.person_id FROM tidings.import_rows r, jsonb_array_elements_text(r.person -> 'topics') AS topic
WHERE r.tenant = $1 AND r.import_id = $2 ORDER BY 2, 3 ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True)
class Applying:
    """In the caller's transaction."""

    connection: Connection
    tenant: str
    id: UUID

    async def count(self) -> tuple[int, int]:
        """How many people it would create and how many it would change."""
        row = await self.connection.fetchrow(_COUNT, self.tenant, self.id)
        assert row is not None
        return row["rows"] - row["known"], row["known"]

    async def apply(self, columns: Sequence[str]) -> tuple[int, int]:
        """Sets what the file has columns for; an empty cell clears. Groups and topics are added, never taken away.
        Returns how many people were created and how many changed."""
        created, changed = await self._people(columns)
        if changed:
            await self.connection.execute(_KNOWN, self.tenant, self.id)
        kinds = [kind.value for column, kind in KIND_OF.items() if column in columns]
        if kinds:
            await self.connection.execute(_OTHER_ADDRESSES, self.tenant, self.id, kinds)
            await self.connection.execute(_ADDRESSES, self.tenant, self.id)
        if "groups" in columns:
            await self.connection.execute(_GROUPS, self.tenant, self.id)
            await self.connection.execute(_MEMBERS, self.tenant, self.id)
        if "topics" in columns:
            await self.connection.execute(_TOPICS, self.tenant, self.id)
        return created, changed

    async def finish(self, created: int, changed: int) -> None:
        await self.connection.execute(
            "DELETE FROM tidings.import_rows WHERE tenant = $1 AND import_id = $2", self.tenant, self.id
        )
        await self.connection.execute(
            """UPDATE tidings.imports SET status = 'done', created = $3, updated = $4, finished_at = clock_timestamp()
               WHERE tenant = $1 AND id = $2""",
            self.tenant,
            self.id,
            created,
            changed,
        )

    async def _people(self, columns: Sequence[str]) -> tuple[int, int]:
        plain = [name for name in _PLAIN if name in columns]
        values = ", ".join(f"(r.person ->> '{name}'){_TYPES.get(name, '')}" for name in plain)
        sets = ", ".join(f"{name} = excluded.{name}" for name in plain)
        row = await self.connection.fetchrow(
            f"""WITH written AS (
                    INSERT INTO tidings.people (id, tenant, external_id, {", ".join(plain)})
                    SELECT r.person_id, $1, r.external_id, {values} FROM tidings.import_rows r
                    WHERE r.tenant = $1 AND r.import_id = $2 ORDER BY r.external_id, r.line
                    ON CONFLICT (tenant, external_id) DO UPDATE SET {sets}, updated_at = now()
                    RETURNING xmax = 0 AS created)
                SELECT count(*) FILTER (WHERE created) AS created, count(*) FILTER (WHERE NOT created) AS changed
                FROM written""",
            self.tenant,
            self.id,
        )
        assert row is not None
        return row["created"], row["changed"]
