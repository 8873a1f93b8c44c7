"""Which people of a tenant its logins are linked to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from tidings.kit.db import Connection


@dataclass(frozen=True)
class LinkedPerson:
    id: UUID
    name: str


async def people_of_users(connection: Connection, tenant: str, user_ids: Sequence[UUID]) -> Mapping[UUID, LinkedPerson]:
    """By login; a login that is nobody's is not among them."""
    rows = await connection.fetch(
        "SELECT user_id, id, name FROM tidings.people WHERE tenant = $1 AND user_id = ANY ($2::uuid[])",
        tenant,
        user_ids,
    )
    return {row["user_id"]: LinkedPerson(row["id"], row["name"]) for row in rows}
