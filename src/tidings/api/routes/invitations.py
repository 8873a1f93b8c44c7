"""Invitations for those who were invited: nobody has signed in yet, the token says whom it is for.

Scanners of mail open every link: the page of a link asks what the invitation is, which changes nothing, and only
somebody who gives a password accepts it. The token travels in bodies, so that no log of addresses ever has it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from tidings.api.bodies import parsed, read_body
from tidings.api.bodies.organizations import AcceptanceBody, InvitationBody
from tidings.api.credentials import client_address, credential_of, session_token
from tidings.api.desk import answered, parts_of
from tidings.api.documents import Envelope
from tidings.api.documents.organizations import AcceptedInvitationDocument, OpenedInvitationDocument
from tidings.api.exchange import exchange_of
from tidings.api.openapi import problems, takes
from tidings.api.routes.session import session_cookie
from tidings.api.strangers import limit_stranger
from tidings.kit import db
from tidings.kit.errors import Conflict, Fault, Forbidden, Unauthenticated, ValidationFailed
from tidings.modules.organizations.invitations import Invitation, Invitations, tenant_of
from tidings.spine.access.identity import Credential
from tidings.spine.access.invited import InvitedLogins
from tidings.spine.access.sessions import Session

router = APIRouter(prefix="/v1/invitations", tags=["organizations"])


@router.post(
    "/look",
    operation_id="look_at_invitation",
    response_model=Envelope[OpenedInvitationDocument],
    responses=problems(400, 404, 409, 413, 415, 422, 429, 503),
    openapi_extra=takes(InvitationBody),
)
async def look_at_invitation(request: Request) -> Response:
    """Whom it is for, and to what. Changes nothing.

    Of one that cannot be accepted the problem's type says why: `invitation-accepted`, `invitation-revoked`,
    `invitation-superseded` (there is a newer mail), `invitation-expired`, `invitation-void` (its organisation was not
    taken on), `organization-not-ready` (not yet).
    """
    body = parsed(InvitationBody, await read_body(request, parts_of(request).settings.api.max_body))
    async with _behind(request, body.token) as at:
        opened = await at.invitations.open(body.token)
        email = _address(opened.invitation)
        said = {
            "organization": opened.organization.name,
            "email": email,
            "name": opened.invitation.name or email,
            "role": opened.invitation.role,
            "expiresAt": opened.invitation.expires_at,
            "hasLogin": await at.logins.is_known(email),
            "signedInAs": None if at.visitor is None else at.visitor.email,
        }
        return answered({"data": said})


@router.post(
    "/accept",
    operation_id="accept_invitation",
    status_code=201,
    response_model=Envelope[AcceptedInvitationDocument],
    responses=problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    openapi_extra=takes(AcceptanceBody),
)
async def accept_invitation(request: Request) -> Response:
    """Makes the sign-in of whoever was invited, or joins the one that they have, and signs them in."""
    parts = parts_of(request)
    body = parsed(AcceptanceBody, await read_body(request, parts.settings.api.max_body))
    async with _behind(request, body.token) as at:
        opened = await at.invitations.take(body.token)
        email = _address(opened.invitation)
        await parts.sign_in.take_attempt(email.lower(), client_address(request.scope))
        user = await _login(at, email, body)
        name = opened.invitation.name or email
        admitted = await at.logins.admit(email, name, body.password or "", user)
        await at.invitations.accept(opened, admitted)
        session = None if at.visitor is not None else await at.logins.open(admitted, at.tenant)
        said = {
            "organizationId": opened.organization.id,
            "tenant": at.tenant,
            "csrfToken": None if session is None else session.csrf_token,
            "expiresAt": None if session is None else session.expires_at,
        }
    reply = answered({"data": said}, 201)
    if session is not None:
        reply.headers.append("Set-Cookie", _cookie(request, session))
    return reply


@dataclass(frozen=True)
class _Visitor:
    """Somebody who is signed in here."""

    user_id: UUID
    email: str


@dataclass(frozen=True)
class _Desk:
    tenant: str
    connection: db.Connection
    invitations: Invitations
    logins: InvitedLogins
    visitor: _Visitor | None


@asynccontextmanager
async def _behind(request: Request, token: str) -> AsyncIterator[_Desk]:
    """A transaction of the tenant whose invitation it is."""
    await limit_stranger(request, "invitations")
    parts = parts_of(request)
    visitor = await _signed_in(request)
    async with db.acquired(parts.pool, parts.patience) as connection:
        tenant = await tenant_of(connection, parts.invitation_tokens, token)
        async with db.as_tenant(connection, tenant):
            exchange_of(request.scope).tenant = tenant
            invitations = Invitations(connection, tenant, parts.invitation_tokens, "invitation")
            yield _Desk(tenant, connection, invitations, InvitedLogins(connection, parts.sign_in), visitor)


async def _signed_in(request: Request) -> _Visitor | None:
    """Who is, by the cookie; a session that has ended is none."""
    parts, exchange = parts_of(request), exchange_of(request.scope)
    if session_token(exchange) is None:
        return None
    try:
        credential: Credential = await credential_of(request.scope, exchange, parts)
        admission = await parts.doorkeeper.admit(credential, None)
    except (Unauthenticated, Forbidden):
        return None
    user_id = admission.identity.user_id
    if user_id is None:
        return None
    async with db.acquired(parts.pool, parts.patience) as connection:
        profile = await parts.sign_in.profile(connection, user_id)
    return None if profile is None else _Visitor(user_id, profile.email)


async def _login(at: _Desk, email: str, body: AcceptanceBody) -> UUID | None:
    """Whose login it is to be; None for a new one."""
    if at.visitor is not None:
        if at.visitor.email.lower() != email.lower():
            raise Forbidden(
                f"This invitation is for {email}, and you are signed in as {at.visitor.email}. Sign out first."
            )
        return at.visitor.user_id
    if body.password is None:
        message = "is needed"
        raise ValidationFailed(f"password: {message}", (Fault("password", message),))
    return await at.logins.prove(email, body.password)


def _address(invitation: Invitation) -> str:
    if invitation.email is None:
        raise Conflict("The address that this invitation was sent to is not known here any more.")
    return invitation.email


def _cookie(request: Request, session: Session) -> str:
    parts = parts_of(request)
    return session_cookie(parts, session.token, parts.settings.auth.session_lifetime.total_seconds())
