"""Organisations over HTTP: what there is, and what happened to each."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.organizations import (
    AvailabilityDocument,
    OrganizationDocument,
    OrganizationFactDocument,
    OrganizationStatus,
)
from tidings.api.openapi import signed_in
from tidings.api.organization_access import OrganizationId, visitor
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.organizations import shown_fact
from tidings.app.organizations import build_requests
from tidings.modules.organizations.model import SUBDOMAIN, Status
from tidings.modules.organizations.organizations import OrganizationFilter
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/organizations", tags=["organizations"])
_READ = desk(Role.MEMBER, Scope.ORGANIZATIONS_READ)
_READ_ALL = desk(Role.ADMIN, Scope.ORGANIZATIONS_READ)


@router.get("", operation_id="list_organizations", response_model=Listing[OrganizationDocument], responses=signed_in())
async def list_organizations(
    at: Annotated[Desk, _READ],
    status: Annotated[OrganizationStatus | None, Query()] = None,
    parent: Annotated[UUID | None, Query(description="those right below this one")] = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """The newest first. An admin sees all of the tenant; others those that they belong to, and what is below them."""
    who = visitor(at)
    wanted = OrganizationFilter(None if status is None else Status(status), parent)
    position = at.position("organizations", cursor)
    before = None if position is None else (datetime.fromisoformat(position[0]), UUID(position[1]))
    page = await who.organizations.list(who.viewer, wanted, before, limit)
    shown = iter([await who.shown(each) for each in page.items])
    return at.page("organizations", page, lambda _: next(shown))


@router.get(
    "/subdomains/{subdomain}",
    operation_id="check_subdomain",
    response_model=Envelope[AvailabilityDocument],
    responses=signed_in(409),
)
async def check_subdomain(
    subdomain: Annotated[str, Path(min_length=3, max_length=63, pattern=SUBDOMAIN)], at: Annotated[Desk, _READ_ALL]
) -> Response:
    """Whether a subdomain can be had now. It is taken by whoever asks for an organisation first.

    Where the tenant has no domain to take any on under, this is a conflict, of the type `no-domain`.
    """
    requests = build_requests(at.parts.settings, at.connection, at.tenant, at.identity.actor)
    reason = await requests.availability(subdomain)
    said: dict[str, Any] = {
        "subdomain": subdomain,
        "domain": f"{subdomain}.{requests.base_domain()}",
        "available": reason is None,
        "reason": reason,
    }
    return answered({"data": said})


@router.get(
    "/{organizationId:uuid}",
    operation_id="get_organization",
    response_model=Envelope[OrganizationDocument],
    responses=signed_in(),
)
async def get_organization(organization_id: OrganizationId, at: Annotated[Desk, _READ]) -> Response:
    """One organisation, as its facts say."""
    who = visitor(at)
    return answered({"data": await who.shown(await who.get(organization_id))})


@router.get(
    "/{organizationId:uuid}/facts",
    operation_id="list_organization_facts",
    response_model=Envelope[list[OrganizationFactDocument]],
    responses=signed_in(),
)
async def list_facts(organization_id: OrganizationId, at: Annotated[Desk, _READ]) -> Response:
    """All that happened to it, in order."""
    who = visitor(at)
    await who.get(organization_id)
    return answered({"data": [shown_fact(fact) for fact in await who.organizations.facts(organization_id)]})
