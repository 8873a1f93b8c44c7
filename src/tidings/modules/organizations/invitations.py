"""Invitations as people meet them: listed, sent again, revoked, looked at and accepted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, NotFound
from tidings.modules.organizations.inviting import Inviting
from tidings.modules.organizations.model import UNDONE, Invited, InvitedRole, Organization, Status
from tidings.modules.organizations.recording import Stream
from tidings.modules.organizations.tokens import InvitationTokens
from tidings.spine.outbox.intents import Row

_SHOWN = """
SELECT i.*, now() AS now, p.name, a.value AS email
FROM tidings.user_invitations_projection i LEFT JOIN tidings.people p ON p.id = i.person_id AND p.tenant = i.tenant
    LEFT JOIN tidings.addresses a ON a.id = i.address_id AND a.tenant = i.tenant
WHERE i.tenant = $1
"""
_ADDRESS = """
SELECT id FROM tidings.addresses WHERE tenant = $1 AND person_id = $2 AND kind = 'email'
ORDER BY id <> $3, created_at, id LIMIT 1
"""


class TokenUnknown(NotFound):
    """This link is not one of ours; open it exactly as it stands in the mail."""


class InvitationAccepted(Conflict):
    """This invitation was accepted already; sign in instead."""

    slug = "invitation-accepted"


class InvitationRevoked(Conflict):
    """This invitation was taken back."""

    slug = "invitation-revoked"


class InvitationSuperseded(Conflict):
    """There is a newer mail with another link; open that one."""

    slug = "invitation-superseded"


class InvitationExpired(Conflict):
    """This invitation has expired; ask whoever invited you for another."""

    slug = "invitation-expired"


class InvitationVoid(Conflict):
    """The organisation was not taken on after all; this invitation is void."""

    slug = "invitation-void"


class NotReadyYet(Conflict):
    """The organisation is not ready yet; try again in a while."""

    slug = "organization-not-ready"


@dataclass(frozen=True)
class Invitation:
    id: UUID
    organization_id: UUID
    person_id: UUID
    name: str | None
    email: str | None
    role: InvitedRole
    status: Invited
    issue: int
    expires_at: datetime
    mail_status: str
    mail_error: str | None
    user_id: UUID | None
    created_at: datetime
    accepted_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True)
class Opened:
    """An invitation, as whoever holds its token may see it."""

    invitation: Invitation
    organization: Organization


@dataclass(frozen=True)
class Invitations:
    connection: Connection
    tenant: str
    tokens: InvitationTokens
    actor: str | None = None

    async def list(self, organization_id: UUID) -> list[Invitation]:
        rows = await self.connection.fetch(
            f"{_SHOWN} AND i.organization_id = $2 ORDER BY i.created_at, i.id", self.tenant, organization_id
        )
        return [_invitation(row) for row in rows]

    async def get(self, organization_id: UUID, id: UUID) -> Invitation:
        row = await self.connection.fetchrow(
            f"{_SHOWN} AND i.organization_id = $2 AND i.id = $3", self.tenant, organization_id, id
        )
        if row is None:
            raise NotFound("There is no such invitation.")
        return _invitation(row)

    async def resend(self, organization_id: UUID, id: UUID, lifetime: timedelta) -> Invitation:
        """A new link by mail, good for another while; the former is void. Also for one that has run out.

        It goes where the former went; where the person has that address no more, to the one that they have.
        """
        stream = await self._held(organization_id)
        invitation = await self.get(organization_id, id)
        _require_waiting(invitation)
        inviting = Inviting(stream, self.tokens)
        row = next(row for row in await inviting.rows() if row["id"] == id)
        address = await self.connection.fetchval(_ADDRESS, self.tenant, row["person_id"], row["address_id"])
        if address is None:
            raise Conflict("There is no address that it could be sent to; give the person one first.")
        issue = await inviting.reissue(row, await inviting.now() + lifetime, address)
        await inviting.request_mail(id, issue)
        return await self.get(organization_id, id)

    async def revoke(self, organization_id: UUID, id: UUID) -> Invitation:
        """Its link is void. Revoked again, it stays so; `Conflict` for one that was accepted."""
        stream = await self._held(organization_id)
        invitation = await self.get(organization_id, id)
        if invitation.status is Invited.REVOKED:
            return invitation
        _require_waiting(invitation)
        await Inviting(stream, self.tokens).revoke(id, "it was taken back")
        return await self.get(organization_id, id)

    async def open(self, token: str) -> Opened:
        """Changes nothing. `NotFound` for what is no token of ours; `Conflict` for one that is of no use, with why."""
        return await self._opened(token)

    async def take(self, token: str, email: str) -> Opened:
        """The same, held until the transaction ends: of two who accept at once, the second finds it accepted.
        `TokenUnknown` where it is for another address by now than it was for."""
        opened = await self._opened(token)
        await self._stream(opened.organization.id).hold()
        opened = await self._opened(token)
        if opened.invitation.email != email:
            raise TokenUnknown
        return opened

    async def accept(self, opened: Opened, user_id: UUID) -> None:
        """The person is linked to the login, where nobody else is."""
        invitation = opened.invitation
        data = {"invitationId": str(invitation.id), "userId": str(user_id)}
        stream = self._stream(invitation.organization_id)
        await stream.fact("invitation.accepted", f"accepted:{invitation.id}", data)
        await self.connection.execute(
            """UPDATE tidings.people SET user_id = $3, updated_at = now() WHERE tenant = $1 AND id = $2
               AND user_id IS NULL AND NOT EXISTS (
                   SELECT FROM tidings.people o WHERE o.tenant = $1 AND o.user_id = $3)""",
            self.tenant,
            invitation.person_id,
            user_id,
        )

    async def _opened(self, token: str) -> Opened:
        hashed = self.tokens.hash(token)
        row = await self.connection.fetchrow(
            f"{_SHOWN} AND (i.token_hash = $2 OR i.former_hashes @> ARRAY[$2::bytea])", self.tenant, hashed
        )
        if row is None or hashed is None:
            raise TokenUnknown
        invitation = _invitation(row)
        organization = await self._stream(invitation.organization_id).read()
        assert organization is not None
        if organization.status in UNDONE:
            raise InvitationVoid
        _require_waiting(invitation)
        if row["token_hash"] != hashed:
            raise InvitationSuperseded
        if invitation.status is Invited.EXPIRED:
            raise InvitationExpired
        if organization.status is not Status.COMPLETED or not organization.active:
            raise NotReadyYet
        return Opened(invitation, organization)

    async def _held(self, organization_id: UUID) -> Stream:
        stream = self._stream(organization_id)
        organization = await stream.hold()
        if organization is None:
            raise NotFound("There is no such organisation.")
        if organization.status in UNDONE:
            raise Conflict("The organisation was not taken on: its invitations are void.")
        return stream

    def _stream(self, organization_id: UUID) -> Stream:
        metadata = {} if self.actor is None else {"actor": self.actor}
        return Stream(self.connection, self.tenant, organization_id, metadata)


async def tenant_of(connection: Connection, tokens: InvitationTokens, token: str) -> str:
    """Whose invitation it is; `TokenUnknown` where it is nobody's."""
    hashed = tokens.hash(token)
    found = None if hashed is None else await connection.fetchrow("SELECT * FROM tidings.invitation_of($1)", hashed)
    if found is None:
        raise TokenUnknown
    tenant: str = found["tenant"]
    return tenant


def _require_waiting(invitation: Invitation) -> None:
    if invitation.status is Invited.ACCEPTED:
        raise InvitationAccepted
    if invitation.status is Invited.REVOKED:
        raise InvitationRevoked


def _invitation(row: Row) -> Invitation:
    expired = row["status"] == "pending" and row["expires_at"] <= row["now"]
    return Invitation(
        row["id"],
        row["organization_id"],
        row["person_id"],
        row["name"],
        row["email"],
        InvitedRole(row["role"]),
        Invited.EXPIRED if expired else Invited(row["status"]),
        row["issue"],
        row["expires_at"],
        row["mail_status"],
        row["mail_error"],
        row["user_id"],
        row["created_at"],
        row["accepted_at"],
        row["revoked_at"],
    )
