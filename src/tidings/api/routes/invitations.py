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
from tidings.spine.access.invited import InvitedLogins, Login, Proof
from tidings.spine.access.sessions import Session

router = APIRouter(prefix="/v1/invitations", tags=["organizations"])
_BUCKET = "invitations"


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
    await limit_stranger(request, _BUCKET)
    visitor = await _signed_in(request)
    async with _tenant_of(request, body.token) as (connection, tenant):
        opened = await _invitations(request, connection, tenant).open(body.token)
        email = _address(opened.invitation)
        login = await InvitedLogins(parts_of(request).sign_in).find(connection, email)
    said = {
        "organization": opened.organization.name,
        "email": email,
        "name": opened.invitation.name or email,
        "role": opened.invitation.role,
        "expiresAt": opened.invitation.expires_at,
        "hasLogin": login is not None,
        "signedInAs": None if visitor is None else visitor.email,
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
    await limit_stranger(request, _BUCKET)
    visitor, logins = await _signed_in(request), InvitedLogins(parts.sign_in)
    async with _tenant_of(request, body.token) as (connection, tenant):
        email = _address((await _invitations(request, connection, tenant).open(body.token)).invitation)
        login = await logins.find(connection, email)
    proof = await _proof(request, visitor, email, login, body.password)
    async with _tenant_of(request, body.token) as (connection, tenant):
        invitations = _invitations(request, connection, tenant)
        opened = await invitations.take(body.token, email)
        admitted = await logins.admit(connection, email, opened.invitation.name or email, proof)
        await invitations.accept(opened, admitted)
        session = None if visitor is not None else await logins.open(connection, admitted, tenant)
    said = {
        "organizationId": opened.organization.id,
        "tenant": tenant,
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


@asynccontextmanager
async def _tenant_of(request: Request, token: str) -> AsyncIterator[tuple[db.Connection, str]]:
    """A transaction of the tenant whose invitation it is."""
    parts = parts_of(request)
    async with db.acquired(parts.pool, parts.patience) as connection:
        tenant = await tenant_of(connection, parts.invitation_tokens, token)
        async with db.as_tenant(connection, tenant):
            exchange_of(request.scope).tenant = tenant
            yield connection, tenant


def _invitations(request: Request, connection: db.Connection, tenant: str) -> Invitations:
    return Invitations(connection, tenant, parts_of(request).invitation_tokens, "invitation")


async def _signed_in(request: Request) -> _Visitor | None:
    """Who is, by the cookie alone, with the token that goes with it; a session that has ended is none."""
    parts, exchange = parts_of(request), exchange_of(request.scope)
    if session_token(exchange) is None or exchange.header(b"authorization") is not None:
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


async def _proof(
    request: Request, visitor: _Visitor | None, email: str, login: Login | None, password: str | None
) -> Proof:
    """Whose login it is to be. Whoever tries passwords here has as many attempts as where they sign in."""
    parts = parts_of(request)
    if visitor is not None:
        if visitor.email.lower() != email.lower():
            raise Forbidden(
                f"This invitation is for {email}, and you are signed in as {visitor.email}. Sign out first."
            )
        return Proof(visitor.user_id)
    if password is None:
        message = "is needed"
        raise ValidationFailed(f"password: {message}", (Fault("password", message),))
    await parts.sign_in.take_attempt(email.lower(), client_address(request.scope))
    return await InvitedLogins(parts.sign_in).prove(login, password)


def _address(invitation: Invitation) -> str:
    if invitation.email is None:
        raise Conflict("The address that this invitation was sent to is not known here any more.")
    return invitation.email


def _cookie(request: Request, session: Session) -> str:
    parts = parts_of(request)
    return session_cookie(parts, session.token, parts.settings.auth.session_lifetime.total_seconds())
