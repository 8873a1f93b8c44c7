"""API keys over HTTP. A key can do no more than the one who makes it, nor than the key it is made with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.desk import Desk, desk
from tidings.api.documents import Envelope, KeyDocument, Listing, NewKeyDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit, Moment
from tidings.api.shown import shown_key
from tidings.kit.errors import Forbidden
from tidings.spine.access.identity import Identity, Role, Scope
from tidings.spine.access.keys import ApiKeys

router = APIRouter(prefix="/v1/keys", tags=["keys"])
ScopeName = Literal[
    "facts:read",
    "facts:write",
    "outbox:read",
    "outbox:write",
    "keys:write",
    "people:read",
    "people:write",
    "rules:read",
    "rules:write",
    "notices:read",
    "notices:write",
    "providers:read",
    "providers:write",
    "users:read",
    "users:write",
    "events:read",
    "events:write",
    "reservations:read",
    "reservations:write",
    "organizations:read",
    "organizations:write",
    "reports:read",
    "reports:write",
    "inbox",
]
_WRITE = desk(Role.MEMBER, Scope.KEYS_WRITE)
_WRITE_BODY = desk(Role.MEMBER, Scope.KEYS_WRITE, body=True)


class NewKeyBody(Input):
    """A key to be made."""

    name: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]
    scopes: Annotated[list[ScopeName], Field(min_length=1, max_length=len(Scope))]
    expires_at: Moment | None = Field(None, description="when it stops working; never, by default")


@router.post(
    "",
    operation_id="make_key",
    status_code=201,
    response_model=Envelope[NewKeyDocument],
    responses=signed_in(415),
    openapi_extra=takes(NewKeyBody, idempotent=True),
)
async def make_key(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Makes a key that acts as you. The reply has the key itself: nothing will ever show it again."""
    wanted = at.parsed(NewKeyBody)
    user_id = _holder(at.identity, wanted.scopes)

    async def make() -> dict[str, Any]:
        keys = ApiKeys(at.connection, at.tenant)
        made = await keys.make(at.parts.key_hasher, user_id, wanted.name, wanted.scopes, wanted.expires_at)
        return shown_key(made.key) | {"secret": made.secret}

    return await at.once(make, 201)


@router.get("", operation_id="list_keys", response_model=Listing[KeyDocument], responses=signed_in())
async def list_keys(at: Annotated[Desk, _WRITE], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """Your keys, newest first; for an admin, all of the tenant."""
    before = at.position("keys", cursor)
    page = await ApiKeys(at.connection, at.tenant).list(_own(at.identity), before, limit)
    return at.page("keys", page, shown_key)


@router.delete("/{id:uuid}", operation_id="revoke_key", status_code=204, response_class=Response, responses=signed_in())
async def revoke_key(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Revokes a key, for good and at once."""
    await ApiKeys(at.connection, at.tenant).revoke(id, _own(at.identity))
    return Response(status_code=204)


def _holder(identity: Identity, scopes: Sequence[str]) -> UUID:
    if identity.user_id is None:
        raise Forbidden("Only a user of this installation can have keys.")
    if identity.scopes is not None and not identity.scopes.issuperset(scopes):
        raise Forbidden("A key cannot make one that may do more than itself.")
    return identity.user_id


def _own(identity: Identity) -> UUID | None:
    """Whose keys they may see: None for all. Nobody's, for a bearer who is no user of ours."""
    if identity.role.reaches(Role.ADMIN):
        return None
    return identity.user_id or UUID(int=0)
