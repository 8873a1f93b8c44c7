"""Links by which a person hears no more of something by e-mail, without signing in (RFC 8058)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never
from uuid import UUID

from tidings.kit.crypto import Keyring, Unsealable
from tidings.kit.db import Connection
from tidings.kit.tokens import Tokens
from tidings.spine.access.purposes import UNSUBSCRIBE
from tidings.spine.notify.people.preferences import closest_preference

PATH = "/unsubscribe"
_EMAIL = "email"
_ID_BYTES = 16
_BETWEEN = "\x00"  # in no name that PostgreSQL can hold

_STATE = f"""
SELECT t.name AS tenant, p.locale, coalesce(c.name, $3) AS category, coalesce(c.required, false) AS required,
    coalesce(({closest_preference("wanted", "p.id", "$3", "$4")}), true) AS wanted,
    coalesce(({closest_preference("wanted", "p.id", "NULL", "$4")}), true) AS others_wanted
FROM tidings.people p JOIN tidings.tenants t ON t.id = p.tenant
LEFT JOIN tidings.categories c ON c.tenant = p.tenant AND c.id = $3
WHERE p.tenant = $1 AND p.id = $2
"""
_LOCK = "SELECT id FROM tidings.people WHERE tenant = $1 AND id = $2 FOR UPDATE"
_SET = """
INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (person_id, category, channel) DO UPDATE SET wanted = excluded.wanted, updated_at = now()
WHERE preferences.wanted <> excluded.wanted
"""
# What is said of one category, on e-mail or on every channel, counts more than what is said of all: it is turned too.
_SET_ALL = """
INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted)
SELECT $1, $2, c.category, $3, $4 FROM (
    SELECT '*' AS category
    UNION SELECT x.category FROM tidings.preferences x
    WHERE x.tenant = $1 AND x.person_id = $2 AND x.channel IN ($3, '*') AND x.wanted <> $4) c ORDER BY c.category
ON CONFLICT (person_id, category, channel) DO UPDATE SET wanted = excluded.wanted, updated_at = now()
WHERE preferences.wanted <> excluded.wanted
"""


class Choice(StrEnum):
    """What a person may ask for on the page behind the link."""

    STOP = "stop"  # nothing more of this category
    STOP_ALL = "stop-all"  # nothing more by e-mail at all
    AGAIN = "again"  # this category after all
    ALL_AGAIN = "all-again"  # everything after all


@dataclass(frozen=True)
class Link:
    """What a link is good for: one person of one tenant, one category, on one channel."""

    tenant: str
    person_id: UUID
    category: str
    channel: str = _EMAIL


@dataclass(frozen=True)
class Links:
    """Writes and reads links. The same one for the same person and category, every time."""

    tokens: Tokens
    public_url: str

    def url(self, link: Link) -> str:
        return f"{self.public_url}{PATH}/{self.token(link)}"

    def token(self, link: Link) -> str:
        names = _BETWEEN.join((link.tenant, link.channel, link.category))
        return self.tokens.write(link.person_id.bytes + names.encode())

    def read(self, token: str) -> Link | None:
        """None for whatever is not one of our tokens."""
        try:
            value = self.tokens.read(token)
        except Unsealable:
            return None
        tenant, channel, category = value[_ID_BYTES:].decode().split(_BETWEEN)
        return Link(tenant, UUID(bytes=value[:_ID_BYTES]), category, channel)


def open_links(keyring: Keyring, public_url: str) -> Links:
    return Links(Tokens(keyring, UNSUBSCRIBE), public_url)


@dataclass(frozen=True)
class Standing:
    """How it stands between the person and what the link is about. `others_wanted`: what no category is named for."""

    tenant: str
    locale: str | None
    category: str
    required: bool
    wanted: bool
    others_wanted: bool


@dataclass(frozen=True)
class Unsubscribing:
    """In a transaction of the link's tenant. The link is all the authority that it takes."""

    connection: Connection
    link: Link

    async def standing(self) -> Standing | None:
        """None where the person is not there any more."""
        link = self.link
        row = await self.connection.fetchrow(_STATE, link.tenant, link.person_id, link.category, link.channel)
        return None if row is None else Standing(*row)

    async def choose(self, choice: Choice) -> Standing | None:
        """Does it, and says how it stands then; done twice, it is done once. What is required stays as it is."""
        link = self.link
        of_person = (link.tenant, link.person_id)
        if await self.connection.fetchval(_LOCK, *of_person) is None:
            return None
        standing = await self.standing()
        match choice:
            case Choice.STOP if standing is None or standing.required:
                return standing
            case Choice.STOP | Choice.AGAIN:
                await self.connection.execute(_SET, *of_person, link.category, link.channel, choice is Choice.AGAIN)
            case Choice.STOP_ALL | Choice.ALL_AGAIN:
                await self.connection.execute(_SET_ALL, *of_person, link.channel, choice is Choice.ALL_AGAIN)
            case _:
                assert_never(choice)
        return await self.standing()
