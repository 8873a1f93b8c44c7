"""Integrations: Apprise URLs that people keep for themselves, by a name, to be chosen for a topic by id or by tag."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from tidings.kit.crypto import Vault
from tidings.kit.db import Connection, affected
from tidings.kit.errors import Conflict, NotFound
from tidings.kit.paging import Page, page_of
from tidings.spine.notify.people.addresses import Kind, NewAddress
from tidings.spine.notify.people.fields import person_name

MOST = 50
"""Integrations of one person."""
MOST_TAGS = 20
LONGEST_NAME = 100
TAG = r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,49}$"
TURNED_OFF = "turned off by its owner"

_COLUMNS = "id, name, value, tags, disabled_at, disabled_reason, created_at"
_MINE = "tenant = $1 AND person_id = $2 AND name IS NOT NULL"
_LOCK = "SELECT id FROM tidings.people WHERE tenant = $1 AND id = $2 FOR NO KEY UPDATE"
# A URL that is among their addresses without a name becomes an integration; it was theirs before.
_CREATE = f"""
INSERT INTO tidings.addresses AS a (tenant, person_id, kind, value, fingerprint, sealed, name, name_folded, tags)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
WHERE (SELECT count(*) FROM tidings.addresses WHERE {_MINE}) < {MOST}
ON CONFLICT (person_id, kind, fingerprint) DO UPDATE SET sealed = excluded.sealed, name = excluded.name,
    name_folded = excluded.name_folded, tags = excluded.tags, failing_since = NULL, disabled_at = NULL,
    disabled_reason = NULL
WHERE a.name IS NULL
RETURNING {_COLUMNS}
"""
# Another URL has not failed yet; one that was turned off stays so.
_CHANGE = f"""
UPDATE tidings.addresses a SET name = coalesce($4, name), name_folded = coalesce($5, name_folded),
    tags = coalesce($6, tags), value = coalesce($8, value), fingerprint = coalesce($9, fingerprint),
    sealed = coalesce($10, sealed), failing_since = CASE WHEN s.afresh THEN NULL ELSE failing_since END,
    disabled_at = CASE WHEN s.off THEN coalesce(disabled_at, now()) WHEN NOT s.afresh THEN disabled_at END,
    disabled_reason = CASE WHEN s.off THEN '{TURNED_OFF}' WHEN NOT s.afresh THEN disabled_reason END
FROM (SELECT $7 IS FALSE AS off, $7 IS TRUE OR coalesce($9 <> fingerprint, false)
          AND disabled_reason IS DISTINCT FROM '{TURNED_OFF}' AS afresh
      FROM tidings.addresses WHERE {_MINE} AND id = $3 FOR NO KEY UPDATE) s
WHERE {_MINE} AND id = $3 RETURNING {_COLUMNS}
"""


@dataclass(frozen=True)
class Integration:
    """As it may be shown: of the URL no more than where it leads. One that is not active says why."""

    id: UUID
    name: str
    leads_to: str
    tags: tuple[str, ...]
    disabled_at: datetime | None
    disabled_reason: str | None
    created_at: datetime

    @property
    def active(self) -> bool:
        return self.disabled_at is None


@dataclass(frozen=True)
class Changes:
    """What is to change of an integration; None leaves it as it is."""

    name: str | None = None
    tags: Sequence[str] | None = None
    active: bool | None = None
    address: NewAddress | None = None


def integration_name(text: str) -> str:
    """Without what would turn the text around it about, or ValueError."""
    name = unicodedata.normalize("NFC", person_name(text))
    if len(name) > LONGEST_NAME:
        raise ValueError(f"must have {LONGEST_NAME} characters or fewer")
    return name


def tag(text: str) -> str:
    """In lower case, as every tag is kept, of an integration as of a choice; or ValueError."""
    if not re.fullmatch(TAG, text):
        raise ValueError("must be letters, digits and _ . : -, 50 at most")
    return text.lower()


def checked_tags(texts: Iterable[str]) -> tuple[str, ...]:
    """Each once, in the order of the alphabet."""
    tags = tuple(sorted({tag(text) for text in texts}))
    if len(tags) > MOST_TAGS:
        raise ValueError(f"must be {MOST_TAGS} or fewer")
    return tags


@dataclass(frozen=True)
class Integrations:
    """Of one tenant's people, each by the person whose it is: somebody else's is not there. The URL is sealed on the
    way in, and comes out nowhere here."""

    connection: Connection
    tenant: str
    vault: Vault

    async def list(self, person_id: UUID, before: UUID | None, limit: int) -> Page[Integration]:
        """The newest first."""
        rows = await self.connection.fetch(
            f"""SELECT {_COLUMNS} FROM tidings.addresses WHERE {_MINE} AND ($3::uuid IS NULL OR id < $3)
                ORDER BY id DESC LIMIT $4""",
            self.tenant,
            person_id,
            before,
            limit + 1,
        )
        return page_of([_integration(row) for row in rows], limit, lambda found: str(found.id))

    async def get(self, person_id: UUID, id: UUID) -> Integration:
        row = await self.connection.fetchrow(
            f"SELECT {_COLUMNS} FROM tidings.addresses WHERE {_MINE} AND id = $3", self.tenant, person_id, id
        )
        return _there(row)

    async def create(self, person_id: UUID, name: str, address: NewAddress, tags: Sequence[str] = ()) -> Integration:
        """`Conflict` for a name or a URL that another of theirs has, and for one too many. Who adds to one person's
        does so one after the other, so that the last place is taken once."""
        assert address.kind is Kind.APPRISE, "an integration is an Apprise URL"
        if await self.connection.fetchval(_LOCK, self.tenant, person_id) is None:
            raise NotFound("There is no such person.")
        sealed = self._sealed(address)
        where = (address.kind.value, address.value, address.fingerprint, sealed)
        async with _told_apart():
            row = await self.connection.fetchrow(
                _CREATE, self.tenant, person_id, *where, name, _folded(name), list(tags)
            )
        if row is None:
            raise await self._refused(person_id, address)
        return _integration(row)

    async def change(self, person_id: UUID, id: UUID, changes: Changes) -> Integration:
        """What waits for it goes to where it leads by then. Turned on, it is used as if it had never failed."""
        name, address = changes.name, changes.address
        named = (name, None if name is None else _folded(name))
        tags = None if changes.tags is None else list(changes.tags)
        where = (None, None, None) if address is None else (address.value, address.fingerprint, self._sealed(address))
        async with _told_apart():
            row = await self.connection.fetchrow(
                _CHANGE, self.tenant, person_id, id, *named, tags, changes.active, *where
            )
        return _there(row)

    async def remove(self, person_id: UUID, id: UUID) -> None:
        """Who chose it by its id for a topic keeps that choice: it stands for nothing, and does not turn into a wish to
        be told everywhere."""
        status = await self.connection.execute(
            f"DELETE FROM tidings.addresses WHERE {_MINE} AND id = $3", self.tenant, person_id, id
        )
        if not affected(status):
            raise _nothing()

    async def _refused(self, person_id: UUID, address: NewAddress) -> Conflict:
        """Nothing was written: the URL is that of another, or there are as many as may be."""
        known = await self.connection.fetchval(
            f"SELECT EXISTS (SELECT FROM tidings.addresses WHERE {_MINE} AND fingerprint = $3)",
            self.tenant,
            person_id,
            address.fingerprint,
        )
        return _same_url() if known else Conflict(f"You have {MOST} integrations; remove one first.")

    def _sealed(self, address: NewAddress) -> bytes:
        assert address.content is not None
        return self.vault.seal(address.content, self.tenant)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


@asynccontextmanager
async def _told_apart() -> AsyncIterator[None]:
    try:
        yield
    except asyncpg.UniqueViolationError as error:
        if error.constraint_name == "integrations_by_name":
            raise Conflict("You have an integration of this name already.") from None
        raise _same_url() from None


def _same_url() -> Conflict:
    return Conflict("You have an integration with this URL already.")


def _there(row: Any) -> Integration:
    if row is None:
        raise _nothing()
    return _integration(row)


def _nothing() -> NotFound:
    return NotFound("There is no such integration.")


def _integration(row: Any) -> Integration:
    return Integration(
        row["id"],
        row["name"],
        row["value"],
        tuple(row["tags"]),
        row["disabled_at"],
        row["disabled_reason"],
        row["created_at"],
    )
