"""API keys of one tenant. A key is shown once, when it is made; the database has its hash."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.crypto import Hasher
from tidings.kit.db import Connection
from tidings.kit.errors import Fault, NotFound, ValidationFailed
from tidings.kit.paging import Page, page_of

PREFIX = "tdk_"
_COLUMNS = "id, user_id, name, scopes, created_at, expires_at, revoked_at"


@dataclass(frozen=True)
class ApiKey:
    """A key as it may be shown at any time."""

    id: UUID
    user_id: UUID
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, repr=False)
class NewKey:
    """A key at the only moment at which its secret is known."""

    key: ApiKey
    secret: str


@dataclass(frozen=True)
class ApiKeys:
    connection: Connection
    tenant: str

    async def make(
        self, hasher: Hasher, user_id: UUID, name: str, scopes: Sequence[str], expires_at: datetime | None
    ) -> NewKey:
        secret = PREFIX + secrets.token_urlsafe(32)
        row = await self.connection.fetchrow(
            f"""INSERT INTO tidings.api_keys (id, tenant, user_id, name, hash, scopes, expires_at)
                SELECT tidings.uuid7(), $1, $2, $3, $4, $5, $6 WHERE $6::timestamptz IS NULL OR $6 > now()
                RETURNING {_COLUMNS}""",
            self.tenant,
            user_id,
            name,
            hasher.hash(secret),
            sorted(set(scopes)),
            expires_at,
        )
        if row is None:
            raise ValidationFailed("expiresAt: is in the past", (Fault("expiresAt", "must be in the future"),))
        return NewKey(_key(row), secret)

    async def list(self, of_user: UUID | None, before: UUID | None, limit: int) -> Page[ApiKey]:
        """Newest first: all of the tenant, or those of one user."""
        rows = await self.connection.fetch(
            f"""SELECT {_COLUMNS} FROM tidings.api_keys
                WHERE tenant = $1 AND ($2::uuid IS NULL OR user_id = $2) AND ($3::uuid IS NULL OR id < $3)
                ORDER BY id DESC LIMIT $4""",
            self.tenant,
            of_user,
            before,
            limit + 1,
        )
        return page_of([_key(row) for row in rows], limit, lambda key: str(key.id))

    async def revoke(self, id: UUID, of_user: UUID | None) -> None:
        """For good. One that is revoked already stays so; one that is not theirs is not there."""
        revoked = await self.connection.fetchval(
            """UPDATE tidings.api_keys SET revoked_at = coalesce(revoked_at, now())
               WHERE tenant = $1 AND id = $2 AND ($3::uuid IS NULL OR user_id = $3) RETURNING id""",
            self.tenant,
            id,
            of_user,
        )
        if revoked is None:
            raise NotFound("There is no such key.")


def _key(row: Any) -> ApiKey:
    return ApiKey(**{**dict(row), "scopes": tuple(row["scopes"])})
