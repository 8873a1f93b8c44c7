"""The port to whoever keeps DNS records: what can be asked of it, and what can go wrong.

Nothing here is idempotent by itself. Look first, and look again after `DnsFailed` and `RecordExists`: what was not
answered may have been done.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from tidings.spine.outbox.outcomes import Permanent


@dataclass(frozen=True, slots=True)
class Zone:
    """A domain whose records the provider keeps."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it is. `name` is the full name; `comment` is no part of DNS, and says whose it is."""

    id: str
    type: str
    name: str
    content: str
    proxied: bool
    comment: str | None

    def answers(self, name: str | None, comment: str | None) -> bool:
        """Whether it has this name, and a comment that starts like this, where they are given."""
        named = name is None or plain_name(self.name) == plain_name(name)
        return named and (comment is None or (self.comment or "").startswith(comment))


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record as it is to be, under its full name. How long others keep it is the provider's choice."""

    type: str
    name: str
    content: str
    proxied: bool
    comment: str | None


def plain_name(name: str) -> str:
    """A name as names are compared: in small letters, and without the dot at its end."""
    return name.lower().removesuffix(".")


class DnsProvider(Protocol):
    """Keeps records. Raises the errors below and no others for what the provider or the network does.

    A limiter that is shared through the database is asked first: what the database raises when it is away passes
    through as it is, and says nothing about the provider.
    """

    @property
    def asks_the_world(self) -> bool:
        """Whether what is made here can be seen by resolvers. Otherwise there is nothing to verify."""
        ...

    @property
    def keeps_records(self) -> bool:
        """Whether what was made can be found again."""
        ...

    async def zone(self, domain: str) -> Zone:
        """The zone of exactly this name, or `ZoneMissing`."""
        ...

    async def records(self, zone: Zone, *, name: str | None = None, comment: str | None = None) -> list[Record]:
        """All records, of exactly this `name`, and with a comment that starts with `comment`, where they are given.

        None that was not asked for is among them. One that was made a moment ago may not be, yet.
        """
        ...

    async def create(self, zone: Zone, record: NewRecord) -> Record:
        """Makes a record. `RecordExists`: there is one that does not go together with it, or the very same."""
        ...

    async def delete(self, zone: Zone, record_id: str) -> None:
        """Afterwards it is gone, whether or not it was there before."""
        ...

    async def close(self) -> None: ...


class ZoneMissing(Permanent):
    """There is no such zone, or we may not see it."""


class DnsRefused(Permanent):
    """The provider refuses this, and will refuse it again: the credentials, or what was asked for."""


class RecordExists(Exception):
    """The name is taken already.

    Not permanent: the next look says by whom. It may be ourselves, from an attempt whose answer was lost, and not be
    listed yet; whoever finds a stranger there makes that permanent.
    """


class DnsFailed(Exception):
    """No answer, or one that may be another soon: to be tried again. What was asked for may have been done."""

    def __init__(self, reason: str, retry_after: timedelta | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class NoTurn(DnsFailed):
    """So many requests are waiting that ours was not sent. The provider was not asked."""
