"""One's own session: who one is, going to another tenant, and one's password."""

from __future__ import annotations

from typing import Annotated, Any, NoReturn

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input, parsed, read_body
from tidings.api.credentials import client_address, session_token
from tidings.api.desk import Desk, answered, desk, entered, parts_of
from tidings.api.documents import Envelope, PasswordDocument, SessionDocument
from tidings.api.exchange import exchange_of
from tidings.api.openapi import signed_in, takes
from tidings.kit.errors import NotFound
from tidings.spine.access.identity import Role
from tidings.spine.access.own_password import OwnPassword
from tidings.spine.access.passwords import LONGEST, SHORTEST
from tidings.spine.access.places import Place, Places, present_place

router = APIRouter(prefix="/v1/session", tags=["session"])
_ANYBODY = desk(Role.MEMBER, None)
_ANYBODY_BODY = desk(Role.MEMBER, None, body=True)


class SessionChangesBody(Input):
    tenant: Annotated[str, Field(pattern="^[a-z0-9][a-z0-9_-]{0,62}$")]


class PasswordBody(Input):
    current: Annotated[str, Field(max_length=256)] | None = Field(
        None, description="the present one; of somebody who has none and came by a link, nothing"
    )
    password: Annotated[str, Field(min_length=SHORTEST, max_length=LONGEST)]


@router.get("", operation_id="who_am_i", response_model=Envelope[SessionDocument], responses=signed_in())
async def who_am_i(at: Annotated[Desk, _ANYBODY]) -> Response:
    """Who you are, where you can go, and the token to send with what changes something."""
    here = await present_place(at.connection, at.identity)
    return answered({"data": await _told(at, here)})


@router.patch(
    "",
    operation_id="move_session",
    response_model=Envelope[SessionDocument],
    responses=signed_in(415),
    openapi_extra=takes(SessionChangesBody),
)
async def move_session(at: Annotated[Desk, _ANYBODY_BODY]) -> Response:
    """Takes the session to another tenant of yours: every request, and every socket opened from now on, is there."""
    wanted = at.parsed(SessionChangesBody).tenant
    return answered({"data": await _told(at, await _places(at, required_token(at)).go(wanted))})


@router.get(
    "/password", operation_id="get_password_standing", response_model=Envelope[PasswordDocument], responses=signed_in()
)
async def get_password_standing(at: Annotated[Desk, _ANYBODY]) -> Response:
    """Whether you have a password, and may set one."""
    standing = await OwnPassword(at.parts.sign_in).standing(at.connection, required_token(at))
    return answered({"data": {"hasOne": standing.has_one, "maySet": standing.has_one or standing.may_begin}})


@router.put(
    "/password",
    operation_id="change_password",
    status_code=204,
    response_class=Response,
    responses=signed_in(409, 415),
    openapi_extra=takes(PasswordBody),
)
async def change_password(request: Request) -> Response:
    """Sets your password. Your other sessions end; your API keys stay."""
    parts = parts_of(request)
    body = await read_body(request, parts.settings.api.max_body)
    await entered(request, Role.MEMBER, None)
    wanted = parsed(PasswordBody, body)
    token = token_of(request) or _no_session()
    address = client_address(request.scope)
    await OwnPassword(parts.sign_in).change(token, wanted.current, wanted.password, address)
    return Response(status_code=204)


async def _told(at: Desk, here: Place) -> dict[str, Any]:
    identity, token = at.identity, token_of(at.request)
    profile = await at.parts.sign_in.profile(at.connection, identity.user_id) if identity.user_id else None
    places = [here] if token is None else await _places(at, token).list()
    return {
        "actor": identity.actor,
        "userId": identity.user_id,
        "email": profile and profile.email,
        "name": profile and profile.name,
        "tenant": here.id,
        "role": here.role,
        "scopes": None if identity.scopes is None else sorted(identity.scopes),
        "personId": here.person_id,
        "tenants": [{"id": place.id, "name": place.name, "role": place.role} for place in places],
        "csrfToken": None if token is None else at.parts.sign_in.csrf_token(token),
    }


def _places(at: Desk, token: str) -> Places:
    return Places(at.connection, at.parts.sign_in.session_hasher, token)


def token_of(request: Request) -> str | None:
    """The session's token, where it is the session that let this request in."""
    exchange = exchange_of(request.scope)
    return None if b"authorization" in exchange.headers else session_token(exchange)


def required_token(at: Desk) -> str:
    return token_of(at.request) or _no_session()


def _no_session() -> NoReturn:
    raise NotFound("There is no session: this request was let in by a key or a token.")
