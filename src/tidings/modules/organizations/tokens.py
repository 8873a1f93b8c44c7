"""Tokens of invitations: derived from the invitation and its issue, and never kept. The database has keyed hashes."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from uuid import UUID

from tidings.kit.crypto import Hasher, Keyring

LINK = "invitation"
PATH = "/auth/accept-invitation"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, repr=False)
class InvitationTokens:
    """256 bits each, URL-safe. Another issue of the same invitation has another token, and so the last one is void."""

    making: Hasher
    hashing: Hasher

    def token(self, invitation_id: UUID, issue: int) -> str:
        secret = self.making.hash(f"{invitation_id}/{issue}")
        return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()

    def hash(self, token: str) -> bytes | None:
        """What the database knows it by; None for what cannot be one."""
        return self.hashing.hash(token) if _TOKEN.fullmatch(token) else None

    def hash_of(self, invitation_id: UUID, issue: int) -> bytes:
        return self.hashing.hash(self.token(invitation_id, issue))


def open_invitation_tokens(keyring: Keyring) -> InvitationTokens:
    return InvitationTokens(keyring.hasher("invitation tokens"), keyring.hasher("hashes of invitation tokens"))
