"""Signing in with a password or a one-time link, and signing out. The cookie's token is kept as a hash only."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tidings.kit.crypto import Hasher
from tidings.kit.db import Connection, Pool
from tidings.kit.errors import Unauthenticated
from tidings.spine.access.limiter import Limiter
from tidings.spine.access.passwords import Passwords

_PERIOD = timedelta(minutes=1)


@dataclass(frozen=True, repr=False)
class Session:
    """A new sign-in: the token for the cookie, the token against forged requests, and when both end."""

    token: str
    csrf_token: str
    expires_at: datetime


@dataclass(frozen=True)
class Profile:
    """What a user is called."""

    email: str
    name: str


@dataclass(frozen=True)
class SignIn:
    """Opens and closes sessions."""

    pool: Pool
    limiter: Limiter
    passwords: Passwords
    session_hasher: Hasher
    link_hasher: Hasher
    csrf_hasher: Hasher
    lifetime: timedelta
    attempts_a_minute: int

    async def with_password(self, email: str, password: str, tenant: str | None, address: str) -> Session:
        """Raises `Unauthenticated` for a wrong password, an unknown or a disabled user, after the same work."""
        account = email.strip().lower()
        await self.take_attempt(account, address)
        row = await self.pool.fetchrow("SELECT * FROM tidings.sign_in_candidate($1, $2)", account, tenant)
        if not await self.passwords.match(password, row["password_hash"] if row else None) or row is None:
            raise Unauthenticated("The e-mail address or the password is not right.")
        token = secrets.token_urlsafe(32)
        expires_at = await self.pool.fetchval(
            "SELECT tidings.open_session($1, $2, $3, $4)",
            self.session_hasher.hash(token),
            row["user_id"],
            row["tenant"],
            self.lifetime,
        )
        return Session(token, self.csrf_token(token), expires_at)

    async def with_link(self, link: str, address: str) -> Session:
        """A link works once. Raises `Unauthenticated` when it was used, has expired or never was."""
        await self.take_attempt(None, address)
        token = secrets.token_urlsafe(32)
        hashes = [self.link_hasher.hash(link)], self.session_hasher.hash(token)
        expires_at = await self.pool.fetchval("SELECT tidings.redeem_link($1, $2, $3)", *hashes, self.lifetime)
        if expires_at is None:
            raise Unauthenticated("This link was used already, or has expired.")
        return Session(token, self.csrf_token(token), expires_at)

    async def sign_out(self, connection: Connection, token: str) -> None:
        await connection.execute("SELECT tidings.close_session($1)", [self.session_hasher.hash(token)])

    async def profile(self, connection: Connection, user_id: UUID) -> Profile | None:
        row = await connection.fetchrow("SELECT email, name FROM tidings.profile($1)", user_id)
        return Profile(row["email"], row["name"]) if row else None

    def csrf_token(self, token: str) -> str:
        return self.csrf_hasher.hash(token).hex()

    def is_csrf_token(self, token: str, given: str) -> bool:
        return hmac.compare_digest(self.csrf_token(token), given.encode("ascii", "replace").decode())

    async def take_attempt(self, account: str | None, address: str) -> None:
        """`RateLimited` when there were too many for this e-mail address, or from where the request comes."""
        buckets = [f"address:{address}"]
        if account is not None:
            buckets.append(f"account:{self.link_hasher.hash(account).hex()}")
        for bucket in buckets:
            allowance = await self.limiter.take(f"sign-in:{bucket}", self.attempts_a_minute, _PERIOD)
            allowance.require()


async def make_sign_in_link(
    connection: Connection, hasher: Hasher, user_id: UUID, tenant: str, lifetime: timedelta
) -> str:
    """The token of a new one-time link. For the command line, as the worker."""
    token = secrets.token_urlsafe(32)
    await connection.execute(
        "INSERT INTO tidings.sign_in_links (hash, user_id, tenant, expires_at) VALUES ($1, $2, $3, now() + $4)",
        hasher.hash(token),
        user_id,
        tenant,
        lifetime,
    )
    return token
