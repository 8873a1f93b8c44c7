"""What a rule is tried on, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.spine.channels.port import Channel
from tidings.spine.journal.reading import Fact
from tidings.spine.notify.saying import Notice


@dataclass(frozen=True, slots=True)
class Sample:
    """Which facts are tried: one, or the newest of the rule's type; and how many people are shown of each audience."""

    fact_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 20
    people: int = 10


@dataclass(frozen=True, slots=True)
class Somebody:
    """One who would have been told, and on which channels there is an address that may be used."""

    id: UUID
    name: str
    channels: Mapping[Channel, bool]


@dataclass(frozen=True, slots=True)
class Reached:
    """Who would have been told. `count` is exact unless there are `more` than were counted."""

    count: int
    more: bool
    people: tuple[Somebody, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """One fact. `reason` says why the rule is not about it; `fault` why it could not have been said."""

    fact: Fact
    reason: str | None = None
    notice: Notice | None = None
    fault: str | None = None
    audience: Reached | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """All facts that were tried; not `complete` where time ran out before the last of them."""

    facts: tuple[Tried, ...]
    complete: bool
