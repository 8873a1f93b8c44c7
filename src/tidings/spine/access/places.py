"""The tenants that the user of a session may act in, and going from one to another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tidings.kit.crypto import Hasher
from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.spine.access.identity import Identity, Role

MOST = 200
"""How many places are told: an operator has as many as there are tenants."""


@dataclass(frozen=True)
class Place:
    """A tenant, what they are there, and which of its people they are, if any."""

    id: str
    name: str
    role: Role
    person_id: UUID | None


@dataclass(frozen=True)
class Places:
    """Those of one session's user. The session is known by its token."""

    connection: Connection
    hasher: Hasher
    token: str = field(repr=False)

    async def list(self) -> list[Place]:
        """The one where the session is comes first."""
        rows = await self.connection.fetch("SELECT * FROM tidings.places($1, NULL, $2)", self._hash, MOST)
        return [_place(row) for row in rows]

    async def go(self, tenant: str) -> Place:
        """From now on the session is in that tenant. `NotFound` where they may not go, or there is none."""
        row = await self.connection.fetchrow("SELECT * FROM tidings.move_session($1, $2)", self._hash, tenant)
        if row is None:
            raise NotFound("There is no such tenant.")
        return _place(row)

    @property
    def _hash(self) -> bytes:
        return self.hasher.hash(self.token)


async def present_place(connection: Connection, identity: Identity) -> Place:
    """Where a request acts: the tenant that its transaction sees."""
    row = await connection.fetchrow(
        """SELECT t.id, t.name, p.id AS person_id FROM tidings.tenants t
           LEFT JOIN tidings.people p ON p.tenant = t.id AND p.user_id = $2 WHERE t.id = $1""",
        identity.tenant,
        identity.user_id,
    )
    assert row is not None
    return Place(row["id"], row["name"], identity.role, row["person_id"])


def _place(row: Any) -> Place:
    return Place(row["id"], row["name"], Role(row["role"]), row["person_id"])
