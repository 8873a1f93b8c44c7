"""Signing in and out."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field, RootModel
from starlette.responses import Response

from tidings.api.bodies import Input, checked, read_body
from tidings.api.credentials import COOKIE, client_address
from tidings.api.desk import Desk, answered, desk, parts_of
from tidings.api.documents import Envelope, SignedIn
from tidings.api.openapi import problems, signed_in, takes
from tidings.api.routes.own_session import required_token
from tidings.app.api import ApiParts
from tidings.kit.json_input import parse_json
from tidings.spine.access.identity import Role
from tidings.spine.access.sessions import Session

router = APIRouter(prefix="/v1/session", tags=["session"])
_ANYBODY = desk(Role.MEMBER, None)


class WithPassword(Input):
    email: Annotated[str, Field(min_length=3, max_length=255)]
    password: Annotated[str, Field(min_length=1, max_length=256)]
    tenant: Annotated[str, Field(pattern="^[a-z0-9][a-z0-9_-]{0,62}$")] | None = Field(
        None, description="which of yours; without it, the first"
    )


class WithLink(Input):
    token: Annotated[str, Field(min_length=1, max_length=256, description="of a one-time sign-in link")]


class SignInBody(RootModel[WithPassword | WithLink]):
    """E-mail and password, or the token of a link."""


@router.post(
    "",
    operation_id="sign_in",
    status_code=201,
    response_model=Envelope[SignedIn],
    responses=problems(401, 413, 415, 422, 429, 503),
    openapi_extra=takes(SignInBody),
)
async def sign_in(request: Request) -> Response:
    """Opens a session and sets its cookie."""
    parts = parts_of(request)
    wanted = _wanted(parse_json(await read_body(request, parts.settings.api.max_body)))
    session = await _opened(parts, wanted, client_address(request.scope))
    reply = answered({"data": {"csrfToken": session.csrf_token, "expiresAt": session.expires_at}}, 201)
    reply.headers.append(
        "Set-Cookie", session_cookie(parts, session.token, parts.settings.auth.session_lifetime.total_seconds())
    )
    return reply


def _wanted(value: Any) -> WithPassword | WithLink:
    """What they want to sign in with: faults are told of that alone."""
    with_link = isinstance(value, dict) and "token" in value
    return checked(WithLink, value) if with_link else checked(WithPassword, value)


async def _opened(parts: ApiParts, wanted: WithPassword | WithLink, address: str) -> Session:
    match wanted:
        case WithPassword(email=email, password=password, tenant=tenant):
            return await parts.sign_in.with_password(email, password, tenant, address)
        case WithLink(token=token):
            return await parts.sign_in.with_link(token, address)


@router.delete("", operation_id="sign_out", status_code=204, response_class=Response, responses=signed_in())
async def sign_out(at: Annotated[Desk, _ANYBODY]) -> Response:
    """Ends the session, everywhere and at once."""
    await at.parts.sign_in.sign_out(at.connection, required_token(at))
    return Response(status_code=204, headers={"Set-Cookie": session_cookie(at.parts, "", 0)})


def session_cookie(parts: ApiParts, token: str, lifetime: float) -> str:
    """What sets the cookie; with no token and no lifetime, what takes it away."""
    secure = "; Secure" if (parts.settings.api.public_url or "").startswith("https://") else ""
    return f"{COOKIE}={token}; Path=/; Max-Age={int(lifetime)}; HttpOnly; SameSite=Lax{secure}"
