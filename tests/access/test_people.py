"""Tenants and users, as operators make them."""

from __future__ import annotations

from typing import ClassVar
from uuid import uuid4

import pytest

from tidings.kit.db import Pool
from tidings.kit.errors import Conflict, NotFound, ValidationFailed
from tidings.spine.access.identity import Role
from tidings.spine.access.passwords import Passwords
from tidings.spine.access.people import Tenants, Users


async def test_a_tenant_is_made_suspended_and_resumed(pool: Pool) -> None:
    async with pool.acquire() as connection:
        tenants = Tenants(connection)
        assert (await tenants.create("acme", "Acme")).suspended_at is None
        suspended = await tenants.suspend("acme")
        assert suspended.suspended_at is not None
        assert await tenants.suspend("acme") == suspended
        assert (await tenants.resume("acme")).suspended_at is None
        assert [tenant.id for tenant in await tenants.list()] == ["acme", "default"]


async def test_a_tenant_that_is_there_or_not_is_said_so(pool: Pool) -> None:
    async with pool.acquire() as connection:
        with pytest.raises(Conflict):
            await Tenants(connection).create("default", "Again")
        with pytest.raises(NotFound):
            await Tenants(connection).suspend("nowhere")
        for wrong in ("", "Acme", "a b", "-a", "x" * 64, "ä"):
            with pytest.raises(ValidationFailed):
                await Tenants(connection).create(wrong, "x")


async def test_a_user_has_one_address_and_one_role_in_a_tenant(pool: Pool) -> None:
    async with pool.acquire() as connection:
        users = Users(connection)
        made = await users.create(" Jo@Example.com ", "Jo", None)
        assert await users.find("jo@example.COM") == made
        with pytest.raises(Conflict):
            await users.create("jo@example.com", "Other", None)
        await users.join(made, "default", Role.MEMBER)
        await users.join(made, "default", Role.ADMIN)
        assert await connection.fetchval("SELECT role FROM tidings.memberships") == "admin"
        with pytest.raises(NotFound):
            await users.join(made, "nowhere", Role.MEMBER)
        with pytest.raises(NotFound):
            await users.join(uuid4(), "default", Role.MEMBER)
        with pytest.raises(ValidationFailed):
            await users.join(made, "default", Role.OPERATOR)


async def test_addresses_and_passwords_that_are_none_are_refused(pool: Pool) -> None:
    async with pool.acquire() as connection:
        for email, password in (("jo", None), ("a@b@c", None), ("a b@c", None), ("a@b\n", "short"), ("a@b", "x" * 300)):
            with pytest.raises(ValidationFailed):
                await Users(connection).create(email, "Jo", password)


async def test_a_password_is_checked_even_where_there_is_none() -> None:
    """The work is the same for an unknown user: a hash is verified whatever is stored."""

    class Counting(Passwords):
        checked: ClassVar[list[str]] = []

        def _verify(self, password: str, stored: str) -> bool:
            self.checked.append(stored)
            return super()._verify(password, stored)

    passwords = Counting()
    stored = passwords.hasher.hash("right")
    assert await passwords.match("right", stored)
    assert not await passwords.match("wrong", stored)
    assert not await passwords.match("nobody has this password", None)
    assert not await passwords.match("x", "no hash at all")
    assert len(passwords.checked) == 4
    assert all(used.startswith("$argon2id$") for used in passwords.checked[:3])
