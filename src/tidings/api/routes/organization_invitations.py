"""The invitations of an organisation over HTTP, for those who manage it."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.organizations import InvitationDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.organization_access import INVITE, OrganizationId, visitor
from tidings.api.shown.organizations import shown_invitation
from tidings.modules.organizations.invitations import Invitations
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/organizations/{organizationId:uuid}/invitations", tags=["organizations"])
_READ = desk(Role.MEMBER, Scope.ORGANIZATIONS_READ)
_WRITE = desk(Role.MEMBER, Scope.ORGANIZATIONS_WRITE)
InvitationId = Annotated[UUID, Path(alias="invitationId")]


@router.get(
    "", operation_id="list_invitations", response_model=Envelope[list[InvitationDocument]], responses=signed_in()
)
async def list_invitations(organization_id: OrganizationId, at: Annotated[Desk, _READ]) -> Response:
    """Who was invited, and what came of it; for those who manage the invitations."""
    await visitor(at).get(organization_id, INVITE)
    return answered({"data": [shown_invitation(each) for each in await _invitations(at).list(organization_id)]})


@router.post(
    "/{invitationId:uuid}/resend",
    operation_id="resend_invitation",
    response_model=Envelope[InvitationDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def resend_invitation(
    organization_id: OrganizationId, invitation_id: InvitationId, at: Annotated[Desk, _WRITE]
) -> Response:
    """A new link by mail, good for another week; the one before it is void. Also for one that has expired."""
    await visitor(at).get(organization_id, INVITE)

    async def act() -> dict[str, Any]:
        lifetime = at.parts.settings.organizations.invitation_lifetime
        return shown_invitation(await _invitations(at).resend(organization_id, invitation_id, lifetime))

    return await at.once(act)


@router.post(
    "/{invitationId:uuid}/revoke",
    operation_id="revoke_invitation",
    response_model=Envelope[InvitationDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def revoke_invitation(
    organization_id: OrganizationId, invitation_id: InvitationId, at: Annotated[Desk, _WRITE]
) -> Response:
    """Its link is void from now on. Not of one that was accepted."""
    await visitor(at).get(organization_id, INVITE)

    async def act() -> dict[str, Any]:
        return shown_invitation(await _invitations(at).revoke(organization_id, invitation_id))

    return await at.once(act)


def _invitations(at: Desk) -> Invitations:
    return Invitations(at.connection, at.tenant, at.parts.invitation_tokens, at.identity.actor)
