"""Groups of people over HTTP."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.bodies.people import ExternalId, Label, Name
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.people import GroupDocument, MembersAdded, PersonDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.routes.people import ExternalIdFilter, NamePrefix, people_at
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.people import shown_group, shown_person
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.groups import Groups
from tidings.spine.notify.people.person import PeopleFilter

router = APIRouter(prefix="/v1/groups", tags=["groups"])
_READ = desk(Role.ADMIN, Scope.PEOPLE_READ)
_WRITE = desk(Role.ADMIN, Scope.PEOPLE_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.PEOPLE_WRITE, body=True)
_MOST_AT_ONCE = 1_000

TypeFilter = Annotated[str | None, Query(max_length=100, pattern=fields.PLAIN)]
PersonId = Annotated[UUID, Path(alias="personId")]


class NewGroupBody(Input):
    external_id: ExternalId = Field(description="your own id for it")
    type: Label | None = Field(None, description="such as restaurant or agency")
    name: Name


class GroupChangesBody(Input):
    """What is left out stays as it is."""

    external_id: ExternalId = Field(default_factory=str)
    type: Label | None = None
    name: Name = Field(default_factory=str)


class MembersBody(Input):
    """People to be added, by id; all of them or none."""

    people: Annotated[list[Annotated[UUID, Field(strict=False)]], Field(min_length=1, max_length=_MOST_AT_ONCE)]


@router.get("", operation_id="list_groups", response_model=Listing[GroupDocument], responses=signed_in())
async def list_groups(
    at: Annotated[Desk, _READ],
    external_id: ExternalIdFilter = None,
    type: TypeFilter = None,
    q: NamePrefix = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """Groups of your tenant, newest first."""
    page = await _groups(at).list(external_id, type, at.position("groups", cursor), limit, q)
    return at.page("groups", page, shown_group)


@router.post(
    "",
    operation_id="create_group",
    status_code=201,
    response_model=Envelope[GroupDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewGroupBody, idempotent=True),
)
async def create_group(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Creates a group."""
    body = at.parsed(NewGroupBody)

    async def act() -> dict[str, Any]:
        return shown_group(await _groups(at).create(body.external_id, body.type, body.name))

    return await at.once(act, 201)


@router.get("/{id:uuid}", operation_id="get_group", response_model=Envelope[GroupDocument], responses=signed_in())
async def get_group(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One group."""
    return answered({"data": shown_group(await _groups(at).get(id))})


@router.patch(
    "/{id:uuid}",
    operation_id="change_group",
    response_model=Envelope[GroupDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(GroupChangesBody),
)
async def change_group(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Changes what is given."""
    changes = at.parsed(GroupChangesBody).model_dump(exclude_unset=True)
    return answered({"data": shown_group(await _groups(at).change(id, changes))})


@router.delete(
    "/{id:uuid}", operation_id="delete_group", status_code=204, response_class=Response, responses=signed_in(409)
)
async def delete_group(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Deletes a group; its people stay. One that is a restaurant or an agency goes with that."""
    await _groups(at).delete(id)
    return Response(status_code=204)


@router.get(
    "/{id:uuid}/members", operation_id="list_members", response_model=Listing[PersonDocument], responses=signed_in()
)
async def list_members(id: UUID, at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """The people of a group, newest first."""
    await _groups(at).get(id)
    page = await people_at(at).list(PeopleFilter(group_id=id), at.position(f"members {id}", cursor), limit)
    return at.page(f"members {id}", page, shown_person)


@router.post(
    "/{id:uuid}/members",
    operation_id="add_members",
    response_model=Envelope[MembersAdded],
    responses=signed_in(415),
    openapi_extra=takes(MembersBody, idempotent=True),
)
async def add_members(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Adds many people at once, all or none."""
    people = at.parsed(MembersBody).people

    async def act() -> dict[str, Any]:
        return {"added": await _groups(at).add(id, people)}

    return await at.once(act)


@router.put(
    "/{id:uuid}/members/{personId:uuid}",
    operation_id="add_member",
    status_code=204,
    response_class=Response,
    responses=signed_in(),
)
async def add_member(id: UUID, person_id: PersonId, at: Annotated[Desk, _WRITE]) -> Response:
    """Adds a person to a group."""
    await _groups(at).add(id, [person_id])
    return Response(status_code=204)


@router.delete(
    "/{id:uuid}/members/{personId:uuid}",
    operation_id="remove_member",
    status_code=204,
    response_class=Response,
    responses=signed_in(),
)
async def remove_member(id: UUID, person_id: PersonId, at: Annotated[Desk, _WRITE]) -> Response:
    """Takes a person out of a group."""
    await _groups(at).remove(id, person_id)
    return Response(status_code=204)


def _groups(at: Desk) -> Groups:
    return Groups(at.connection, at.tenant)
