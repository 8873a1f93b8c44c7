"""Changing one's own password, from within a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tidings.kit.db import Connection, Pool
from tidings.kit.errors import Conflict, Fault, Forbidden, Unauthenticated, ValidationFailed
from tidings.spine.access.people import check_password
from tidings.spine.access.sessions import SignIn


@dataclass(frozen=True)
class Standing:
    """Whether somebody has a password and, where they have none, may begin with one."""

    has_one: bool
    may_begin: bool


@dataclass(frozen=True)
class OwnPassword:
    """Takes as many attempts as signing in does: a session that was left open is no way to guess the password."""

    sign_in: SignIn

    async def standing(self, connection: Connection, token: str) -> Standing:
        row = await _kept(connection, self.sign_in.session_hasher.hash(token))
        return Standing(row["password_hash"] is not None, row["may_begin"])

    async def change(self, token: str, current: str | None, password: str, address: str) -> None:
        """Ends every other session of the user, and voids their links.

        The present password is needed, where there is one. Who has none came by a link, and may begin with one unless
        it would open more than the link did.
        """
        check_password(password)
        session = self.sign_in.session_hasher.hash(token)
        row = await _kept(self.sign_in.pool, session)
        if row["password_hash"] is None:
            _require_beginning(row["may_begin"])
        else:
            await self.sign_in.take_attempt(row["email"], address)
            await self._require_match(current, row["password_hash"])
        changed = await self.sign_in.passwords.hashed(password)
        if not await self.sign_in.pool.fetchval(
            "SELECT tidings.change_password($1, $2, $3)", session, row["password_hash"], changed
        ):
            raise Conflict("The password was changed by somebody else just now.")

    async def _require_match(self, current: str | None, stored: str) -> None:
        if not await self.sign_in.passwords.match(current or "", stored):
            raise ValidationFailed("current: is not right", (Fault("current", "is not the present password"),))


async def _kept(asking: Connection | Pool, session: bytes) -> Any:
    row = await asking.fetchrow("SELECT * FROM tidings.password_standing($1)", session)
    if row is None:
        raise Unauthenticated
    return row


def _require_beginning(allowed: bool) -> None:
    if not allowed:
        raise Forbidden("You came by the link of one tenant; your first password is for an operator to set.")
