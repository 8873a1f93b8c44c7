"""Tenants and users, as operators make them on the command line. Acts as the worker, who sees all tenants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, NotFound, ValidationFailed
from tidings.spine.access.identity import Role
from tidings.spine.access.passwords import LONGEST, SHORTEST, hash_password

OPERATOR_EMAIL = "operator@localhost"
"""The operator of the embedded stack, whose key the command line makes unless told otherwise."""
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_EMAIL = re.compile(r"[^\s@\x00-\x1f]{1,64}@[^\s@\x00-\x1f]{1,190}")


@dataclass(frozen=True)
class Tenant:
    id: str
    name: str
    created_at: datetime
    suspended_at: datetime | None


@dataclass(frozen=True)
class Tenants:
    connection: Connection

    async def create(self, id: str, name: str) -> Tenant:
        if not _SLUG.fullmatch(id):
            raise _invalid("id", "must be lower-case letters, digits, - and _, 63 at most")
        row = await self.connection.fetchrow(
            "INSERT INTO tidings.tenants (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING *", id, name
        )
        if row is None:
            raise Conflict(f"the tenant {id} exists already")
        return _tenant(row)

    async def suspend(self, id: str) -> Tenant:
        """Its intents wait until it is resumed; what it emits meanwhile is recorded, and waits as well."""
        return await self._set(id, "coalesce(suspended_at, now())")

    async def resume(self, id: str) -> Tenant:
        tenant = await self._set(id, "NULL")
        await self.connection.execute("SELECT tidings.wake()")
        return tenant

    async def list(self) -> list[Tenant]:
        return [_tenant(row) for row in await self.connection.fetch("SELECT * FROM tidings.tenants ORDER BY id")]

    async def _set(self, id: str, suspended_at: str) -> Tenant:
        row = await self.connection.fetchrow(
            f"UPDATE tidings.tenants SET suspended_at = {suspended_at} WHERE id = $1 RETURNING *", id
        )
        if row is None:
            raise NotFound(f"there is no tenant {id}")
        return _tenant(row)


@dataclass(frozen=True)
class User:
    """Somebody who may sign in, with their role in each of their tenants."""

    id: UUID
    email: str
    name: str
    operator: bool
    created_at: datetime
    disabled_at: datetime | None
    roles: Mapping[str, Role]


@dataclass(frozen=True)
class Users:
    connection: Connection

    async def create(self, email: str, name: str, password: str | None, *, operator: bool = False) -> UUID:
        address = checked_email(email)
        check_password(password)
        try:
            created: UUID = await self.connection.fetchval(
                """INSERT INTO tidings.users (id, email, name, password_hash, operator)
                   VALUES (gen_random_uuid(), $1, $2, $3, $4) RETURNING id""",
                address,
                name,
                hash_password(password) if password is not None else None,
                operator,
            )
        except asyncpg.UniqueViolationError:
            raise Conflict(f"there is a user with the address {address} already") from None
        return created

    async def find(self, email: str) -> UUID:
        found: UUID | None = await self.connection.fetchval(
            "SELECT id FROM tidings.users WHERE email = $1", email.strip().lower()
        )
        if found is None:
            raise NotFound(f"there is no user with the address {email}")
        return found

    async def join(self, user_id: UUID, tenant: str, role: Role) -> None:
        """Gives a user a role in a tenant, in place of the one they had there.

        The operator answers for who they are. What the admin who made them may know, their password above all, is void;
        what they sign in with from now on opens all their tenants.
        """
        if role is Role.OPERATOR:
            raise _invalid("role", "in a tenant is member or admin")
        try:
            await self.connection.execute(
                """INSERT INTO tidings.memberships (tenant, user_id, role) VALUES ($1, $2, $3)
                   ON CONFLICT (tenant, user_id) DO UPDATE SET role = excluded.role""",
                tenant,
                user_id,
                role.value,
            )
            await self.connection.execute("SELECT tidings.vouch_for($1)", user_id)
        except asyncpg.ForeignKeyViolationError as error:
            of_tenant = error.constraint_name == "memberships_tenant_fkey"
            raise NotFound(f"there is no tenant {tenant}" if of_tenant else "there is no such user") from None

    async def list(self, tenant: str | None = None) -> list[User]:
        """By address: all of the installation, or those with a role in one tenant."""
        rows = await self.connection.fetch(
            """SELECT u.id, u.email, u.name, u.operator, u.created_at, u.disabled_at,
                   array_agg(m.tenant ORDER BY m.tenant) FILTER (WHERE m.tenant IS NOT NULL) AS tenants,
                   array_agg(m.role ORDER BY m.tenant) FILTER (WHERE m.tenant IS NOT NULL) AS roles
               FROM tidings.users u LEFT JOIN tidings.memberships m ON m.user_id = u.id
               GROUP BY u.id HAVING $1::text IS NULL OR $1 = ANY (array_agg(m.tenant)) ORDER BY u.email""",
            tenant,
        )
        return [_user(row) for row in rows]

    async def set_password(self, user_id: UUID, password: str) -> None:
        """The former one is void, and so are all their sessions and links."""
        check_password(password)
        await self.connection.execute(
            "UPDATE tidings.users SET password_hash = $2 WHERE id = $1", user_id, hash_password(password)
        )
        for table in ("sessions", "sign_in_links"):
            await self.connection.execute(f"DELETE FROM tidings.{table} WHERE user_id = $1", user_id)

    async def require_place(self, user_id: UUID, tenant: str) -> None:
        """Raises `Conflict` unless they may act in that tenant: what is made for them there would never work."""
        row = await self.connection.fetchrow(
            """SELECT u.email, u.disabled_at IS NOT NULL AS disabled, u.operator OR EXISTS (
                   SELECT FROM tidings.memberships m WHERE m.user_id = u.id AND m.tenant = $2) AS placed
               FROM tidings.users u WHERE u.id = $1""",
            user_id,
            tenant,
        )
        if row is None:
            raise NotFound("there is no such user")
        if row["disabled"]:
            raise Conflict(f"{row['email']} is disabled")
        if not row["placed"]:
            raise Conflict(f"{row['email']} is neither a member of {tenant} nor an operator")

    async def leave(self, user_id: UUID, tenant: str) -> None:
        await self.connection.execute(
            "DELETE FROM tidings.memberships WHERE user_id = $1 AND tenant = $2", user_id, tenant
        )

    async def disable(self, user_id: UUID) -> None:
        """From now on none of their keys, sessions and tokens is good."""
        await self.connection.execute(
            "UPDATE tidings.users SET disabled_at = coalesce(disabled_at, now()) WHERE id = $1", user_id
        )


def _tenant(row: Any) -> Tenant:
    return Tenant(row["id"], row["name"], row["created_at"], row["suspended_at"])


def _user(row: Any) -> User:
    roles = dict(zip(row["tenants"] or (), map(Role, row["roles"] or ()), strict=True))
    return User(row["id"], row["email"], row["name"], row["operator"], row["created_at"], row["disabled_at"], roles)


def checked_email(email: str) -> str:
    """The address as it is kept, or `ValidationFailed`."""
    address = email.strip().lower()
    if not _EMAIL.fullmatch(address):
        raise _invalid("email", "must be one e-mail address")
    return address


def check_password(password: str | None) -> None:
    if password is not None and not SHORTEST <= len(password) <= LONGEST:
        raise _invalid("password", f"must have {SHORTEST} to {LONGEST} characters")


def _invalid(field: str, message: str) -> ValidationFailed:
    return ValidationFailed(f"{field}: {message}", (Fault(field, message),))
