"""Somebody who was invited, and what became of their login."""

from __future__ import annotations

from typing import Any

from tests.api.organization_routes import invitations_of
from tests.api.sessions import PASSWORD
from tests.api.world import Answer, Client, World
from tidings.spine.access.identity import Role
from tidings.spine.access.people import Users

ADMIN, MEMBER = "admin@north.example.com", "member@north.example.com"
NEW = "a password of my own"


def refused(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["detail"]


async def accepted(world: World) -> list[str]:
    """By whose logins."""
    rows = await world.pool.fetch("SELECT data ->> 'userId' FROM tidings.facts WHERE type = 'invitation.accepted'")
    return [row[0] for row in rows]


async def add_user(world: World, email: str, tenant: str) -> Any:
    """Somebody whom an operator vouches for, with a password."""
    async with world.pool.acquire() as connection:
        id = await Users(connection).create(email, "Known", PASSWORD)  # noqa: A001
        await Users(connection).join(id, tenant, Role.MEMBER)
    return id


async def roles(world: World, email: str) -> dict[str, str]:
    """By tenant."""
    rows = await world.pool.fetch(
        """SELECT m.tenant, m.role FROM tidings.memberships m JOIN tidings.users u ON u.id = m.user_id
           WHERE u.email = $1""",
        email,
    )
    return {row["tenant"]: row["role"] for row in rows}


async def path_of(client: Client, organization: str, email: str | None) -> str:
    """The address of somebody's invitation."""
    path = invitations_of(organization)
    shown = (await client.get(path)).json["data"]
    return next(f"{path}/{each['id']}" for each in shown if each["email"] == email)
