"""The users of one tenant, as its admins manage them. Operators are managed by operators only."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from tidings.kit.crypto import Hasher
from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Forbidden, NotFound, TidingsError
from tidings.kit.paging import Page, page_of
from tidings.spine.access.identity import Role
from tidings.spine.access.people import checked_email

LINK_LIFETIME = timedelta(days=3)


@dataclass(frozen=True)
class Member:
    """A user as their tenant knows them: by the name that it gave them, and since they signed in there."""

    id: UUID
    email: str
    name: str
    role: Role
    operator: bool
    disabled_at: datetime | None
    signed_in_at: datetime | None


@dataclass(frozen=True, repr=False)
class Link:
    """A one-time sign-in link at the only moment at which its token is known."""

    token: str
    expires_at: datetime


@dataclass(frozen=True)
class Members:
    """Acts in the tenant that the transaction has set, for an admin of it or, where they are one, an operator."""

    connection: Connection
    by_operator: bool

    async def list(self, after: str | None, limit: int) -> Page[Member]:
        """By address."""
        rows = await self.connection.fetch("SELECT * FROM tidings.members($1, NULL, $2)", after, limit + 1)
        return page_of([_member(row) for row in rows], limit, lambda member: member.email)

    async def get(self, user_id: UUID) -> Member:
        row = await self.connection.fetchrow("SELECT * FROM tidings.members(NULL, $1, 1)", user_id)
        if row is None:
            raise _refusal("absent")
        return _member(row)

    async def add(self, email: str, name: str | None, role: Role) -> Member:
        """Somebody whom another tenant knows is joined, and nothing here tells that they were known."""
        address = checked_email(email)
        row = await self.connection.fetchrow(
            "SELECT * FROM tidings.add_member($1, $2, $3, $4)", address, name or address, role.value, self.by_operator
        )
        assert row is not None
        _require_done(row["outcome"])
        return await self.get(row["id"])

    async def change_role(self, user_id: UUID, role: Role) -> Member:
        await self._change(user_id, role)
        return await self.get(user_id)

    async def remove(self, user_id: UUID) -> None:
        """Their sessions and links here end, and their keys of this tenant are revoked."""
        await self._change(user_id, None)

    async def link(self, hasher: Hasher, user_id: UUID) -> Link:
        """A link that signs them in once; the one before it is void. An admin's leads to this tenant only."""
        token = secrets.token_urlsafe(32)
        row = await self.connection.fetchrow(
            "SELECT * FROM tidings.link_member($1, $2, $3, $4)",
            user_id,
            hasher.hash(token),
            LINK_LIFETIME,
            self.by_operator,
        )
        assert row is not None
        _require_done(row["outcome"])
        return Link(token, row["expires_at"])

    async def _change(self, user_id: UUID, role: Role | None) -> None:
        outcome = await self.connection.fetchval(
            "SELECT tidings.change_member($1, $2, $3)", user_id, None if role is None else role.value, self.by_operator
        )
        _require_done(outcome)


def _require_done(outcome: str) -> None:
    if outcome != "done":
        raise _refusal(outcome)


def _refusal(outcome: str) -> TidingsError:
    match outcome:
        case "absent":
            return NotFound("There is no such user here.")
        case "present":
            return Conflict("They are a user of this tenant already.")
        case "last":
            return Conflict("A tenant keeps one admin: make somebody else an admin first.")
        case "disabled":
            return Conflict("They are disabled: a link would not let them in.")
        case "operator":
            return Forbidden("Operators are managed by operators.")
        case _:
            raise AssertionError(outcome)


def _member(row: Any) -> Member:
    return Member(**{**dict(row), "role": Role(row["role"])})
