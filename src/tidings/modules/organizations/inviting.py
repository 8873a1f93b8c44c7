"""Invitations of one organisation: made, mailed, counted, sent again, revoked. In a transaction that holds it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tidings.kit.db import Connection
from tidings.modules.organizations.model import invitation_of
from tidings.modules.organizations.recording import Stream
from tidings.modules.organizations.tokens import InvitationTokens
from tidings.spine.outbox.intents import Row

_INVITED = "SELECT * FROM tidings.user_invitations_projection WHERE tenant = $1 AND organization_id = $2 ORDER BY id"
_INITIATED = """
SELECT data -> 'users' FROM tidings.facts
WHERE tenant = $1 AND stream_type = 'organization' AND stream_id = $2 AND type = 'organization.bootstrap.initiated'
"""


@dataclass(frozen=True)
class Inviting:
    stream: Stream
    tokens: InvitationTokens

    async def invite_all(self, lifetime: timedelta) -> int:
        """One for each of those who were named; a pending one that has not run out is used."""
        known = {row["id"]: row for row in await self.rows()}
        text = await self.stream.connection.fetchval(_INITIATED, self.stream.tenant, str(self.stream.organization_id))
        users = json.loads(text)
        now = await self.now()
        for user in users:
            id = invitation_of(self.stream.organization_id, UUID(user["addressId"]))  # noqa: A001
            if id not in known:
                await self._invite(id, user, now + lifetime)
            elif known[id]["status"] == "pending" and known[id]["expires_at"] <= now:
                await self.reissue(known[id], now + lifetime)
        return len(users)

    async def mail_all(self) -> None:
        for row in await self.rows():
            if row["status"] == "pending" and row["mail_status"] == "none":
                await self.request_mail(row["id"], row["issue"])

    async def count(self) -> dict[str, int]:
        return _counted(await self.rows())

    async def reissue(self, row: Row, expires_at: datetime, address_id: UUID | None = None) -> int:
        """A new token, and the former is void. It goes where that one went, or to this address. Returns the number of
        the issue."""
        issue: int = row["issue"] + 1
        data = {
            "invitationId": str(row["id"]),
            "addressId": str(address_id or row["address_id"]),
            "issue": issue,
            "expiresAt": expires_at.isoformat(),
            "tokenHash": self.tokens.hash_of(row["id"], issue).hex(),
        }
        await self.stream.fact("invitation.resent", f"resent:{row['id']}:{issue}", data)
        return issue

    async def request_mail(self, invitation_id: UUID, issue: int) -> None:
        data = {"invitationId": str(invitation_id), "issue": issue}
        await self.stream.fact("invitation.email.requested", f"mail:{invitation_id}:{issue}", data)

    async def revoke(self, invitation_id: UUID, reason: str) -> None:
        about = {"invitationId": str(invitation_id), "reason": reason}
        await self.stream.fact("invitation.revoked", f"revoked:{invitation_id}", about)

    async def rows(self) -> list[Row]:
        return list(await self.stream.connection.fetch(_INVITED, self.stream.tenant, self.stream.organization_id))

    async def now(self) -> datetime:
        now: datetime = await self.stream.connection.fetchval("SELECT now()")
        return now

    async def _invite(self, id: UUID, user: Mapping[str, str], expires_at: datetime) -> None:
        data = {
            "invitationId": str(id),
            "personId": user["personId"],
            "addressId": user["addressId"],
            "role": user["role"],
            "issue": 1,
            "expiresAt": expires_at.isoformat(),
            "tokenHash": self.tokens.hash_of(id, 1).hex(),
        }
        await self.stream.fact("user.invited", f"invited:{id}", data)


async def mails_of(connection: Connection, tenant: str, organization_id: UUID) -> tuple[dict[str, int], list[str]]:
    """How the mails stand, and why those that failed did."""
    rows = await connection.fetch(_INVITED, tenant, organization_id)
    failed = [row["mail_error"] or "it could not be sent" for row in rows if row["mail_status"] == "failed"]
    return _counted(rows), failed


def _counted(rows: Sequence[Row]) -> dict[str, int]:
    """One that was accepted has arrived, whatever is known of it."""
    sent = sum(row["mail_status"] == "sent" or row["status"] == "accepted" for row in rows)
    failed = sum(row["mail_status"] == "failed" and row["status"] != "accepted" for row in rows)
    return {"sent": sent, "failed": failed, "waiting": len(rows) - sent - failed}
