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


@dataclass(frozen=True, repr=False)
class Login:
    """One that there is; without a password, or with one that is not to be used any more, nobody proves it by that."""

    user_id: UUID
    password_hash: str | None


@dataclass(frozen=True, repr=False)
class Proof:
    """Whose login it is to be: one that there is, or a new one with this password."""

    user_id: UUID | None = None
    password_hash: str | None = None


@dataclass(frozen=True)
class InvitedLogins:
    """Proving takes a while, and no connection; everything else is in the transaction of whoever is invited."""

    sign_in: SignIn

    async def find(self, connection: Connection, email: str) -> Login | None:
        """The login of this address, whose password is asked for then."""
        row = await connection.fetchrow("SELECT * FROM tidings.login_of($1)", email.lower())
        return None if row is None else Login(row["user_id"], row["password_hash"])

    async def prove(self, login: Login | None, password: str) -> Proof:
        if login is None:
            check_password(password)
            return Proof(password_hash=await self.sign_in.passwords.hashed(password))
        if not await self.sign_in.passwords.match(password, login.password_hash):
            raise PasswordWrong
        return Proof(login.user_id)

    async def admit(self, connection: Connection, email: str, name: str, proof: Proof) -> UUID:
        """The login, with a place in the transaction's tenant; a new one where nobody has the address."""
        row = await connection.fetchrow(
            "SELECT * FROM tidings.admit_invited($1, $2, $3, $4)",
            email.lower(),
            name,
            proof.password_hash,
            proof.user_id,
        )
        assert row is not None
        if row["outcome"] == "elsewhere":
            raise Conflict("The sign-in of this address is of another tenant; an operator has to vouch for it first.")
        if row["outcome"] != "done":
            raise Conflict("There is another sign-in for this address since a moment ago; try again.")
        user: UUID = row["id"]
        return user

    async def open(self, connection: Connection, user_id: UUID, tenant: str) -> Session:
        token = secrets.token_urlsafe(32)
        expires_at = await connection.fetchval(
            "SELECT tidings.open_session($1, $2, $3, $4)",
            self.sign_in.session_hasher.hash(token),
            user_id,
            tenant,
            self.sign_in.lifetime,
        )
        return Session(token, self.sign_in.csrf_token(token), expires_at)
