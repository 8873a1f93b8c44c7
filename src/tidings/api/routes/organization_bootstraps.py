"""Taking on organisations over HTTP: asked for, watched, hurried, cancelled."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from tidings.api.bodies.organizations import NewOrganizationBody
from tidings.api.desk import Desk, answered, desk, entered, parts_of
from tidings.api.documents import Envelope
from tidings.api.documents.organizations import AcceptedDocument, BootstrapStatusDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.organization_access import MANAGE, OrganizationId, visitor
from tidings.api.shown.organizations import shown_bootstrap
from tidings.app.organizations import build_requests
from tidings.kit import db
from tidings.modules.organizations.inviting import mails_of
from tidings.modules.organizations.model import OPEN, Status
from tidings.modules.organizations.progress import progress_of
from tidings.spine.access.identity import Identity, Role, Scope
from tidings.spine.processes.states import Ended, NotStarted, State

router = APIRouter(prefix="/v1/organizations/bootstrap", tags=["organizations"])
_WRITE = desk(Role.MEMBER, Scope.ORGANIZATIONS_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.ORGANIZATIONS_WRITE, body=True)


async def _reader(request: Request) -> Identity:
    return await entered(request, Role.MEMBER, Scope.ORGANIZATIONS_READ)


_reader.__tidings_guard__ = (Role.MEMBER, Scope.ORGANIZATIONS_READ)  # type: ignore[attr-defined]


@router.post(
    "",
    operation_id="bootstrap_organization",
    status_code=202,
    response_model=Envelope[AcceptedDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewOrganizationBody, idempotent=True),
)
async def bootstrap_organization(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Takes an organisation on. The answer says that it will be done; the status says how far it is.

    A conflict is of the type `subdomain-taken`, or `no-domain` where the tenant has none to take any on under.
    """
    wanted = at.parsed(NewOrganizationBody).wanted()

    async def act() -> dict[str, Any]:
        requests = build_requests(at.parts.settings, at.connection, at.tenant, at.identity.actor)
        return {"organizationId": await requests.bootstrap(wanted), "status": Status.INITIATED}

    return await at.once(act, 202)


@router.get(
    "/{organizationId:uuid}/status",
    operation_id="get_bootstrap_status",
    response_model=Envelope[BootstrapStatusDocument],
    responses=signed_in(),
)
async def get_status(
    organization_id: OrganizationId, request: Request, identity: Annotated[Identity, Depends(_reader)]
) -> Response:
    """How far it is. The steps are there when no worker is; what the process says of itself comes on top, and is asked
    for while no connection is held."""
    parts = parts_of(request)
    async with db.acquired(parts.pool, parts.patience) as connection, db.as_tenant(connection, identity.tenant):
        who = visitor(Desk(request, parts, identity, connection, b""))
        organization = await who.get(organization_id)
        facts = await who.organizations.facts(organization_id)
        mails, failed = await mails_of(connection, identity.tenant, organization_id)
        may_manage = await who.may(organization_id, MANAGE)
        started = await parts.processes.is_started(connection, organization.process)
    state: State = NotStarted()
    if organization.status not in OPEN:
        state = Ended(organization.status)
    elif started:
        state = await parts.processes.asked(organization.process)
    progress = progress_of(organization, facts, failed)
    return answered({"data": shown_bootstrap(organization, progress, mails, state, may_manage=may_manage)})


@router.post(
    "/{organizationId:uuid}/retry-dns",
    operation_id="retry_bootstrap_dns",
    status_code=202,
    response_model=Envelope[AcceptedDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def retry_dns(organization_id: OrganizationId, at: Annotated[Desk, _WRITE]) -> Response:
    """Looks whether DNS has propagated now, not at the next time."""
    who = visitor(at)
    organization = await who.get(organization_id, MANAGE)

    async def act() -> dict[str, Any]:
        await who.organizations.retry_dns(organization)
        return {"organizationId": organization.id, "status": organization.status}

    return await at.once(act, 202)


@router.post(
    "/{organizationId:uuid}/cancel",
    operation_id="cancel_bootstrap",
    status_code=202,
    response_model=Envelope[AcceptedDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def cancel_bootstrap(organization_id: OrganizationId, at: Annotated[Desk, _WRITE]) -> Response:
    """Everything that was done is undone. Not of one that is complete."""
    who = visitor(at)
    organization = await who.get(organization_id, MANAGE)

    async def act() -> dict[str, Any]:
        return {"organizationId": organization.id, "status": await who.organizations.cancel(organization)}

    return await at.once(act, 202)
