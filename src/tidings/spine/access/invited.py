"""Logins of those who accept an invitation: whoever holds its token holds the mailbox, and that alone opens no login
that is there already."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Unauthenticated
from tidings.spine.access.people import check_password
from tidings.spine.access.sessions import Session, SignIn


class PasswordWrong(Unauthenticated):
    """There is a sign-in for this address already, and this is not its password."""


@dataclass(frozen=True)
class InvitedLogins:
    connection: Connection
    sign_in: SignIn

    async def is_known(self, email: str) -> bool:
        """Whether there is a login for this address, whose password is asked for then."""
        known: bool = await self.connection.fetchval("SELECT tidings.is_login($1)", email.lower())
        return known

    async def prove(self, email: str, password: str) -> UUID | None:
        """The login of this address, where the password is its; None where there is none."""
        if not await self.is_known(email):
            check_password(password)
            return None
        row = await self.connection.fetchrow("SELECT * FROM tidings.sign_in_candidate($1, NULL)", email.lower())
        if not await self.sign_in.passwords.match(password, row["password_hash"] if row else None) or row is None:
            raise PasswordWrong
        user: UUID = row["user_id"]
        return user

    async def admit(self, email: str, name: str, password: str, proven: UUID | None) -> UUID:
        """The login, with a place in the transaction's tenant; a new one where nobody has the address."""
        hashed = await self.sign_in.passwords.hashed(password) if proven is None else None
        row = await self.connection.fetchrow(
            "SELECT * FROM tidings.admit_invited($1, $2, $3, $4)", email.lower(), name, hashed, proven
        )
        assert row is not None
        if row["outcome"] == "elsewhere":
            raise Conflict("The sign-in of this address is of another tenant; an operator has to vouch for it first.")
        if row["outcome"] != "done":
            raise PasswordWrong
        user: UUID = row["id"]
        return user

    async def open(self, user_id: UUID, tenant: str) -> Session:
        token = secrets.token_urlsafe(32)
        expires_at = await self.connection.fetchval(
            "SELECT tidings.open_session($1, $2, $3, $4)",
            self.sign_in.session_hasher.hash(token),
            user_id,
            tenant,
            self.sign_in.lifetime,
        )
        return Session(token, self.sign_in.csrf_token(token), expires_at)
