"""Agencies over HTTP: places whose people are told of reservations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.bodies.reservations import AgencyChangesBody, NewAgencyBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.reservations import AgencyDocument
from tidings.api.numbers import number
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.plain import plain
from tidings.modules.reservations.places import Agencies
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/agencies", tags=["reservations"])
_READ = desk(Role.MEMBER, Scope.RESERVATIONS_READ)
_WRITE = desk(Role.ADMIN, Scope.RESERVATIONS_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.RESERVATIONS_WRITE, body=True)
AgencyId = Annotated[int, number("agencyId")]


@router.get("", operation_id="list_agencies", response_model=Listing[AgencyDocument], responses=signed_in())
async def list_agencies(at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """The newest first."""
    page = await _agencies(at).list(at.position("agencies", cursor), limit)
    return at.page("agencies", page, plain)


@router.post(
    "",
    operation_id="create_agency",
    status_code=201,
    response_model=Envelope[AgencyDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewAgencyBody, idempotent=True),
)
async def create_agency(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Makes it, with a group for its people: add them there."""
    body = at.parsed(NewAgencyBody)

    async def act() -> dict[str, Any]:
        return dict(plain(await _agencies(at).create(body.name, body.external_id)))

    return await at.once(act, 201)


@router.get(
    "/{agencyId:number}",
    operation_id="get_agency",
    response_model=Envelope[AgencyDocument],
    responses=signed_in(),
)
async def get_agency(agency_id: AgencyId, at: Annotated[Desk, _READ]) -> Response:
    """One agency."""
    return answered({"data": plain(await _agencies(at).get(agency_id))})


@router.patch(
    "/{agencyId:number}",
    operation_id="change_agency",
    response_model=Envelope[AgencyDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(AgencyChangesBody),
)
async def change_agency(agency_id: AgencyId, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Changes what is given."""
    body = at.parsed(AgencyChangesBody)
    changed = await _agencies(at).change(agency_id, body.group())
    return answered({"data": plain(changed)})


@router.delete(
    "/{agencyId:number}",
    operation_id="delete_agency",
    status_code=204,
    response_class=Response,
    responses=signed_in(409),
)
async def delete_agency(agency_id: AgencyId, at: Annotated[Desk, _WRITE]) -> Response:
    """One that has reservations stays for them. Its people stay in any case."""
    await _agencies(at).delete(agency_id)
    return Response(status_code=204)


def _agencies(at: Desk) -> Agencies:
    return Agencies(at.connection, at.tenant)
