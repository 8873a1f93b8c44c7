"""Whose inbox a login may open: its own person's, and for an admin anybody's of the tenant."""

from __future__ import annotations

from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.spine.access.identity import Identity, Role

NOBODY = "No person is linked to this login."


async def person_of(connection: Connection, identity: Identity, wanted: UUID | None) -> UUID:
    """The person whose inbox this is, or `NotFound`: who may not look does not learn whether there is one."""
    row = await connection.fetchrow(
        """SELECT id, user_id FROM tidings.people
           WHERE tenant = $1 AND CASE WHEN $2::uuid IS NULL THEN user_id = $3 ELSE id = $2 END""",
        identity.tenant,
        wanted,
        identity.user_id,
    )
    if row is None or not may_open(identity, row["user_id"]):
        raise NotFound(NOBODY if wanted is None else "There is no such person.")
    person_id: UUID = row["id"]
    return person_id


def may_open(identity: Identity, person_user: UUID | None) -> bool:
    """Whether they may open the inbox of a person whose login this is. A key may do what its maker may, and no more."""
    return identity.role.reaches(Role.ADMIN) or (person_user is not None and person_user == identity.user_id)
