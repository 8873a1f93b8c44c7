"""People over HTTP."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tidings.api.bodies.people import NewPersonBody, PersonChangesBody, UpsertBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.people import PersonDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.people import shown_person
from tidings.kit.errors import Fault, ValidationFailed
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.addresses import of_email
from tidings.spine.notify.people.people import People
from tidings.spine.notify.people.person import PeopleFilter

router = APIRouter(prefix="/v1/people", tags=["people"])
_READ = desk(Role.ADMIN, Scope.PEOPLE_READ)
_WRITE = desk(Role.ADMIN, Scope.PEOPLE_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.PEOPLE_WRITE, body=True)

ExternalIdFilter = Annotated[str | None, Query(alias="externalId", max_length=255, pattern=fields.PLAIN)]
UserTypeFilter = Annotated[str | None, Query(alias="userType", max_length=100, pattern=fields.PLAIN)]
EmailFilter = Annotated[str | None, Query(max_length=254, pattern=fields.MAILBOX)]
NamePrefix = Annotated[
    str | None, Query(max_length=fields.LONGEST_NAME, pattern=fields.PLAIN, description="how the name begins")
]


@router.get("", operation_id="list_people", response_model=Listing[PersonDocument], responses=signed_in())
async def list_people(
    at: Annotated[Desk, _READ],
    external_id: ExternalIdFilter = None,
    user_type: UserTypeFilter = None,
    email: EmailFilter = None,
    group: Annotated[UUID | None, Query(description="the id of a group that they belong to")] = None,
    q: NamePrefix = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """People of your tenant, newest first."""
    wanted = PeopleFilter(external_id, user_type, None if email is None else _fingerprint(email), group, q)
    page = await people_at(at).list(wanted, at.position("people", cursor), limit)
    return at.page("people", page, shown_person)


@router.post(
    "",
    operation_id="create_person",
    status_code=201,
    response_model=Envelope[PersonDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewPersonBody, idempotent=True),
)
async def create_person(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Creates a person. The secret of a webhook that was made for it is in this reply, and in no other."""
    writing = at.parsed(NewPersonBody).writing(at.parts.url_refusal)

    async def act() -> dict[str, Any]:
        written = await people_at(at).create(writing)
        return shown_person(written.person, written.secrets)

    return await at.once(act, 201)


@router.put(
    "/by-external-id/{externalId:path}",
    operation_id="upsert_person",
    response_model=Envelope[PersonDocument],
    responses=signed_in(409, 415) | {201: {"model": Envelope[PersonDocument], "description": "Created"}},
    openapi_extra=takes(UpsertBody),
)
async def upsert_person(
    at: Annotated[Desk, _WRITE_BODY],
    external_id: Annotated[str, Path(alias="externalId", min_length=1, max_length=255, pattern=fields.PLAIN)],
) -> Response:
    """Changes the person with this external id, or creates them. What is left out stays as it was."""
    written = await people_at(at).upsert(external_id, at.parsed(UpsertBody).writing(at.parts.url_refusal))
    return answered({"data": shown_person(written.person, written.secrets)}, 201 if written.created else 200)


@router.get("/{id:uuid}", operation_id="get_person", response_model=Envelope[PersonDocument], responses=signed_in())
async def get_person(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One person."""
    return answered({"data": shown_person(await people_at(at).get(id))})


@router.patch(
    "/{id:uuid}",
    operation_id="change_person",
    response_model=Envelope[PersonDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(PersonChangesBody),
)
async def change_person(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Changes what is given. Addresses that are given replace all of their kind; one that stays keeps its state."""
    written = await people_at(at).change(id, at.parsed(PersonChangesBody).writing(at.parts.url_refusal))
    return answered({"data": shown_person(written.person, written.secrets)})


@router.delete(
    "/{id:uuid}", operation_id="delete_person", status_code=204, response_class=Response, responses=signed_in()
)
async def delete_person(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Deletes a person with their addresses, memberships, topics and preferences."""
    await people_at(at).delete(id)
    return Response(status_code=204)


def people_at(at: Desk) -> People:
    return People(at.connection, at.tenant, at.parts.address_vault)


def _fingerprint(email: str) -> str:
    try:
        return of_email(email).fingerprint
    except ValueError as error:
        raise ValidationFailed(f"email: {error}", (Fault("email", str(error)),)) from None
