"""The people of one tenant."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import asyncpg

from tidings.kit.crypto import Vault
from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, NotFound, ValidationFailed
from tidings.kit.paging import Page, page_of
from tidings.spine.notify.people.address_book import AddressBook
from tidings.spine.notify.people.person import COLUMNS, PeopleFilter, Person, Writing, person_of

_SHOWN = (
    "p.id, p.external_id, p.user_type, p.name, p.locale, p.timezone, p.quiet_from, p.quiet_until, p.user_id, "
    "p.created_at, p.updated_at"
)
_LIST = f"""
SELECT {_SHOWN} FROM tidings.people p
WHERE p.tenant = $1 AND ($2::uuid IS NULL OR p.id < $2)
    AND ($3::text IS NULL OR p.external_id = $3) AND ($4::text IS NULL OR p.user_type = $4)
    AND ($5::text IS NULL OR EXISTS (SELECT FROM tidings.addresses a WHERE a.tenant = $1 AND a.kind = 'email'
            AND a.fingerprint = $5 AND a.person_id = p.id))
    AND ($6::uuid IS NULL OR EXISTS (SELECT FROM tidings.group_members m WHERE m.group_id = $6 AND m.person_id = p.id))
    AND ($7::text IS NULL OR starts_with(lower(p.name), lower($7)))
ORDER BY p.id DESC LIMIT $8
"""


@dataclass(frozen=True)
class Written:
    """A person as they are now, with the secrets that were made on the way, by address."""

    person: Person
    secrets: Mapping[UUID, str] = field(repr=False)
    created: bool = False


@dataclass(frozen=True)
class People:
    connection: Connection
    tenant: str
    vault: Vault

    async def list(self, wanted: PeopleFilter, before: UUID | None, limit: int) -> Page[Person]:
        """Newest first."""
        rows = await self.connection.fetch(
            _LIST,
            self.tenant,
            before,
            wanted.external_id,
            wanted.user_type,
            wanted.email,
            wanted.group_id,
            wanted.name_prefix,
            limit + 1,
        )
        return page_of(await self._with_addresses(rows), limit, lambda person: str(person.id))

    async def get(self, id: UUID) -> Person:
        return await self._one("p.id = $2", id)

    async def of_user(self, user_id: UUID) -> Person:
        """The person that a login is linked to."""
        return await self._one("p.user_id = $2", user_id)

    async def create(self, writing: Writing) -> Written:
        """`Conflict` where the external id or the login is somebody else's."""
        await self._require_member(writing)
        columns = [name for name in COLUMNS if name in writing.columns]
        places = ", ".join(f"${n}" for n in range(2, len(columns) + 2))
        async with _told_apart():
            created = await self.connection.fetchval(
                f"INSERT INTO tidings.people (tenant, {', '.join(columns)}) VALUES ($1, {places}) RETURNING id",
                self.tenant,
                *(writing.columns[name] for name in columns),
            )
        return await self._written(created, writing, created=True)

    async def change(self, id: UUID, writing: Writing) -> Written:
        await self._require_member(writing)
        columns = [name for name in COLUMNS if name in writing.columns]
        sets = "".join(f", {name} = ${n}" for n, name in enumerate(columns, 3))
        async with _told_apart():
            found = await self.connection.fetchval(
                f"UPDATE tidings.people SET updated_at = now(){sets} WHERE tenant = $1 AND id = $2 RETURNING id",
                self.tenant,
                id,
                *(writing.columns[name] for name in columns),
            )
        if found is None:
            raise NotFound("There is no such person.")
        return await self._written(id, writing)

    async def upsert(self, external_id: str, writing: Writing) -> Written:
        """Changes the person with this external id, or creates them; of many at once one creates."""
        await self._require_member(writing)
        columns = [name for name in COLUMNS if name in writing.columns and name != "external_id"]
        places = "".join(f", ${n}" for n in range(3, len(columns) + 3))
        sets = "".join(f", {name} = excluded.{name}" for name in columns)
        async with _told_apart():
            row = await self.connection.fetchrow(
                f"""INSERT INTO tidings.people (tenant, external_id{"".join(f", {name}" for name in columns)})
                    VALUES ($1, $2{places})
                    ON CONFLICT (tenant, external_id) DO UPDATE SET updated_at = now(){sets}
                    RETURNING id, xmax = 0 AS created""",
                self.tenant,
                external_id,
                *(writing.columns[name] for name in columns),
            )
        assert row is not None
        return await self._written(row["id"], writing, created=row["created"])

    async def delete(self, id: UUID) -> None:
        deleted = await self.connection.fetchval(
            "DELETE FROM tidings.people WHERE tenant = $1 AND id = $2 RETURNING id", self.tenant, id
        )
        if deleted is None:
            raise NotFound("There is no such person.")

    async def _one(self, which: str, value: UUID) -> Person:
        rows = await self.connection.fetch(
            f"SELECT {_SHOWN} FROM tidings.people p WHERE p.tenant = $1 AND {which}", self.tenant, value
        )
        if not rows:
            raise NotFound("There is no such person.")
        return (await self._with_addresses(rows))[0]

    async def _with_addresses(self, rows: Sequence[Any]) -> Sequence[Person]:
        addresses = await self._book().of([row["id"] for row in rows]) if rows else {}
        return [person_of(row, addresses[row["id"]]) for row in rows]

    async def _written(self, id: UUID, writing: Writing, created: bool = False) -> Written:
        secrets = await self._book().set(id, writing.addresses) if writing.addresses else {}
        return Written(await self.get(id), secrets, created)

    async def _require_member(self, writing: Writing) -> None:
        user_id = writing.columns.get("user_id")
        if user_id is not None and not await self.connection.fetchval(
            "SELECT EXISTS (SELECT FROM tidings.memberships WHERE tenant = $1 AND user_id = $2)", self.tenant, user_id
        ):
            message = "is not a user with a role in this tenant"
            raise ValidationFailed(f"userId: {message}", (Fault("userId", message),))

    def _book(self) -> AddressBook:
        return AddressBook(self.connection, self.tenant, self.vault)


@asynccontextmanager
async def _told_apart() -> AsyncIterator[None]:
    try:
        yield
    except asyncpg.UniqueViolationError as error:
        of_user = error.constraint_name == "people_by_user"
        what = "is linked to this login" if of_user else "has this external id"
        raise Conflict(f"Somebody else {what} already.") from None
