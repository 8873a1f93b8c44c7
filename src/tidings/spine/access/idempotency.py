"""Replies kept for their Idempotency-Key: the same request again gets the same reply, another one is refused.

A key belongs to a tenant and an actor: to anybody else it is unknown. The row is written first, in the request's own
transaction, so that of two requests at once the second waits for the first and gets its reply.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import timedelta

from tidings.kit.crypto import Vault
from tidings.kit.db import Connection
from tidings.kit.errors import Fault, ValidationFailed

HEADER = "Idempotency-Key"

_CLAIM = """
INSERT INTO tidings.idempotency_keys AS k (tenant, actor, key, fingerprint, expires_at)
VALUES ($1, $2, $3, $4, now() + $5)
ON CONFLICT (tenant, actor, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, fact_id = NULL, status = NULL,
        reply = NULL
    WHERE k.expires_at < now()
RETURNING true
"""
_OF_KEY = "WHERE tenant = $1 AND actor = $2 AND key = $3"


@dataclass(frozen=True, slots=True)
class Reply:
    """A status and the body that went with it."""

    status: int
    body: bytes = field(repr=False)


@dataclass(frozen=True)
class Replies:
    """The kept replies of one actor in one tenant. Sealed: a reply may hold a new key's secret."""

    connection: Connection
    vault: Vault
    tenant: str
    actor: str

    async def claim(self, key: str, fingerprint: bytes, keep: timedelta) -> Reply | None:
        """None for the first request with this key, which is now ours; the kept reply for a repeated one."""
        owner = (self.tenant, self.actor, key)
        if await self.connection.fetchval(_CLAIM, *owner, fingerprint, keep):
            return None
        row = await self.connection.fetchrow(
            f"SELECT fingerprint, status, reply FROM tidings.idempotency_keys {_OF_KEY}", *owner
        )
        if row is None or row["fingerprint"] != fingerprint or row["reply"] is None:
            raise used_for_another()
        return Reply(row["status"], self.vault.open(row["reply"], "\n".join(owner)))

    async def keep(self, key: str, reply: Reply) -> None:
        owner = (self.tenant, self.actor, key)
        sealed = self.vault.seal(reply.body, "\n".join(owner))
        await self.connection.execute(
            f"UPDATE tidings.idempotency_keys SET status = $4, reply = $5 {_OF_KEY}", *owner, reply.status, sealed
        )


def fingerprint(method: str, path: str, body: bytes) -> bytes:
    """What makes two requests the same."""
    return hashlib.sha256(b"\n".join((method.encode(), path.encode(), body))).digest()


def used_for_another() -> ValidationFailed:
    message = "was used for another request"
    return ValidationFailed(f"{HEADER}: {message}", (Fault(HEADER, message),))
