"""Who asks about an organisation: what of it is theirs to see, and what they may do there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from tidings.api.desk import Desk
from tidings.api.shown.organizations import shown_organization
from tidings.kit.errors import Forbidden
from tidings.modules.organizations.model import Organization
from tidings.modules.organizations.organizations import Organizations, Viewer
from tidings.spine.access.identity import Role

OrganizationId = Annotated[UUID, Path(alias="organizationId")]
MANAGE = "organization.manage"
INVITE = "invitations.manage"


@dataclass(frozen=True)
class Visitor:
    """Somebody at the desk. An admin of the tenant sees and does everything; others what their role somewhere allows,
    there and below."""

    at: Desk
    viewer: Viewer

    @property
    def organizations(self) -> Organizations:
        return Organizations(self.at.connection, self.at.tenant, self.at.identity.actor)

    async def get(self, id: UUID, permission: str | None = None) -> Organization:
        """`NotFound` where it is not theirs to see, `Forbidden` where they may only look."""
        organization = await self.organizations.get(self.viewer, id)
        if permission is not None and not await self.may(id, permission):
            raise Forbidden(f"This needs the permission {permission} in this organisation, or in one above it.")
        return organization

    async def may(self, id: UUID, permission: str) -> bool:
        return await self.organizations.may(self.viewer, id, permission)

    async def shown(self, organization: Organization) -> dict[str, Any]:
        contact = [] if organization.contact_id is None else [organization.contact_id]
        return shown_organization(
            organization,
            await self.organizations.names(contact),
            may_manage=await self.may(organization.id, MANAGE),
        )


def visitor(at: Desk) -> Visitor:
    """Who has no login sees nothing, unless they are an admin."""
    if at.identity.role.reaches(Role.ADMIN):
        return Visitor(at, Viewer(None))
    return Visitor(at, Viewer(at.identity.user_id or UUID(int=0)))
