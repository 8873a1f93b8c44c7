"""Letting somebody in: who is behind a credential, and whether their rate allows one more request. One statement."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, assert_never
from uuid import UUID

from tidings.kit.crypto import Hasher
from tidings.kit.db import Connection
from tidings.kit.errors import Forbidden, NotFound, Unauthenticated
from tidings.spine.access.identity import Claims, Credential, Identity, KeyCredential, Role, SessionCredential
from tidings.spine.access.limiter import Allowance

_ADMIT = """
SELECT actor, user_id, tenant, role, scopes, allowed, remaining, reset_after
FROM tidings.admit($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
_PERIOD = timedelta(minutes=1)


@dataclass(frozen=True)
class Admission:
    """Somebody's identity together with what is left of their rate."""

    identity: Identity
    allowance: Allowance


@dataclass(frozen=True)
class Doorkeeper:
    """Asks the database about a credential, at every request: what was revoked a moment ago is refused now."""

    key_hasher: Hasher
    session_hasher: Hasher
    requests_a_minute: int

    async def admit(self, connection: Connection, credential: Credential, wanted_tenant: str | None) -> Admission:
        """Raises `Unauthenticated` for nobody, `Forbidden` or `NotFound` for a tenant that they cannot act in."""
        arguments = self._arguments(credential)
        row = await connection.fetchrow(_ADMIT, *arguments, wanted_tenant, self.requests_a_minute, _PERIOD)
        if row is None or row["actor"] is None:
            raise Unauthenticated
        role = Role(row["role"])
        if row["tenant"] is None:
            raise NotFound if role is Role.OPERATOR and not isinstance(credential, KeyCredential) else Forbidden
        scopes = None if row["scopes"] is None else frozenset(row["scopes"])
        identity = Identity(row["actor"], row["tenant"], role, row["user_id"], scopes)
        allowance = Allowance(row["allowed"], self.requests_a_minute, row["remaining"], row["reset_after"])
        return Admission(identity, allowance)

    def _arguments(self, credential: Credential) -> tuple[Any, ...]:
        match credential:
            case KeyCredential(key=key):
                return self.key_hasher.hashes(key), None, None, None, None, None
            case SessionCredential(token=token):
                return None, self.session_hasher.hashes(token), None, None, None, None
            case Claims(subject=subject, tenant=tenant, role=role):
                return None, None, subject, as_uuid(subject), tenant, role.value
            case _:
                assert_never(credential)


def as_uuid(text: str) -> UUID | None:
    """The UUID that a text spells out in full, or None."""
    try:
        return UUID(text) if len(text) == 36 else None
    except ValueError:
        return None
