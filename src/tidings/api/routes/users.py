"""The users of a tenant, for its admins: who may sign in, as what, and a link to hand over to somebody new."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.users import AddedUserDocument, LinkDocument, MemberRole, UserDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.app.public import public_url
from tidings.kit.errors import Forbidden
from tidings.spine.access.identity import Role, Scope
from tidings.spine.access.members import Member, Members
from tidings.spine.notify.people.linked import LinkedPerson, people_of_users

router = APIRouter(prefix="/v1/users", tags=["users"])
_READ = desk(Role.ADMIN, Scope.USERS_READ)
_WRITE = desk(Role.ADMIN, Scope.USERS_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.USERS_WRITE, body=True)


class NewUserBody(Input):
    """Somebody who is to have a place in this tenant."""

    email: Annotated[str, Field(max_length=255, pattern=r"^[^\s@\x00-\x1f\x7f]{1,64}@[^\s@\x00-\x1f\x7f]{1,190}$")]
    role: MemberRole
    name: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")] | None = Field(
        None, description="what they are called here; the address, by default"
    )
    link: bool = Field(True, description="whether to make a sign-in link; a key cannot")


class UserChangesBody(Input):
    role: MemberRole


@router.get("", operation_id="list_users", response_model=Listing[UserDocument], responses=signed_in())
async def list_users(at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """Who may sign in to this tenant, by address. Operators who have no place in it are not among them."""
    page = await _members(at).list(at.position("users", cursor), limit)
    people = await people_of_users(at.connection, at.tenant, [member.id for member in page.items])
    return at.page("users", page, lambda member: shown_user(member, people.get(member.id)))


@router.post(
    "",
    operation_id="add_user",
    status_code=201,
    response_model=Envelope[AddedUserDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewUserBody, idempotent=True),
)
async def add_user(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Gives somebody a place in this tenant, and makes the link with which they sign in the first time."""
    wanted = at.parsed(NewUserBody)
    if wanted.link:
        _require_no_key(at)

    async def add() -> dict[str, Any]:
        member = await _members(at).add(wanted.email, wanted.name, Role(wanted.role))
        return await _shown(at, member) | {"link": await _link(at, member.id) if wanted.link else None}

    return await at.once(add, 201)


@router.patch(
    "/{id:uuid}",
    operation_id="change_user",
    response_model=Envelope[UserDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(UserChangesBody),
)
async def change_user(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Gives a user another role in this tenant. The last admin stays one."""
    role = Role(at.parsed(UserChangesBody).role)
    return answered({"data": await _shown(at, await _members(at).change_role(id, role))})


@router.delete(
    "/{id:uuid}", operation_id="remove_user", status_code=204, response_class=Response, responses=signed_in(409)
)
async def remove_user(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Takes a user's place in this tenant away: their sessions here end, and their keys of this tenant with them."""
    await _members(at).remove(id)
    return Response(status_code=204)


@router.post(
    "/{id:uuid}/link",
    operation_id="make_user_link",
    status_code=201,
    response_model=Envelope[LinkDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def make_user_link(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Makes a new one-time sign-in link for a user; the one before it is void."""
    _require_no_key(at)
    return await at.once(lambda: _link(at, id), 201)


async def _shown(at: Desk, member: Member) -> dict[str, Any]:
    people = await people_of_users(at.connection, at.tenant, [member.id])
    return shown_user(member, people.get(member.id))


def shown_user(member: Member, person: LinkedPerson | None) -> dict[str, Any]:
    return {
        "id": member.id,
        "email": member.email,
        "name": member.name,
        "role": member.role,
        "operator": member.operator,
        "disabled": member.disabled_at is not None,
        "person": person and {"id": person.id, "name": person.name},
        "lastSignInAt": member.signed_in_at,
    }


def _members(at: Desk) -> Members:
    return Members(at.connection, by_operator=at.identity.role is Role.OPERATOR)


def _require_no_key(at: Desk) -> None:
    """A link opens a session, which may do more than any key."""
    if at.identity.scopes is not None:
        raise Forbidden('An API key cannot make a sign-in link; add the user with "link": false.')


async def _link(at: Desk, user_id: UUID) -> dict[str, Any]:
    link = await _members(at).link(at.parts.sign_in.link_hasher, user_id)
    return {"url": f"{public_url(at.parts.settings)}/sign-in?token={link.token}", "expiresAt": link.expires_at}
