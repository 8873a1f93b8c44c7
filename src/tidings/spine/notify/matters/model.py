"""A matter, and what can be done about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.audience import Selector, as_json

LONGEST_MATTER = 200
LONGEST_NOTE = 2_000
MOST_TIMES = 10
"""How often an escalation may be repeated."""


class Action(StrEnum):
    """How a matter is settled. The effect of the first three is its module's; the others settle it, and no more."""

    CONFIRMED = "CONFIRMED"
    REJECTED = "REJECTED"
    POSTPONED = "POSTPONED"  # to a time that is proposed
    DISMISSED = "DISMISSED"
    CUSTOM = "CUSTOM"  # as the note says
    WITHDRAWN = "WITHDRAWN"  # by what became of the thing itself; nobody chooses it


CHOOSABLE = tuple(action for action in Action if action is not Action.WITHDRAWN)
USUAL = (Action.CONFIRMED, Action.DISMISSED, Action.CUSTOM)
"""What can be done about a shared notice that says nothing else."""


@dataclass(frozen=True)
class Escalation:
    """If nobody acts for as long as `after`: tell these too, at this level; and again, up to `times` in all."""

    after: timedelta
    to: Sequence[Selector]
    channels: Sequence[Channel | str]
    level: Level | str = Level.CRITICAL
    times: int = 1

    def __post_init__(self) -> None:
        """What cannot be raises ValueError here, in the listener that said it."""
        object.__setattr__(self, "channels", tuple(dict.fromkeys(Channel(channel) for channel in self.channels)))
        object.__setattr__(self, "level", Level(self.level))
        if self.after <= timedelta(0) or not 1 <= self.times <= MOST_TIMES or not self.channels:
            raise ValueError(f"an escalation waits, has a channel, and is repeated 1 to {MOST_TIMES} times")

    def as_json(self) -> dict[str, Any]:
        return {
            "after": self.after.total_seconds(),
            "audience": as_json(self.to),
            "channels": [str(channel) for channel in self.channels],
            "level": str(self.level),
            "times": self.times,
        }


@dataclass(frozen=True)
class Deed:
    """What somebody wants to do about a matter."""

    action: Action
    note: str | None = None
    proposed_time: datetime | None = None


@dataclass(frozen=True)
class Settlement:
    """The first action on a matter. Without a person, whoever did it is gone, or was none of the tenant's people."""

    id: UUID
    matter: str
    action: Action
    note: str | None
    proposed_time: datetime | None
    person_id: UUID | None
    person: str | None
    at: datetime

    def is_by(self, person_id: UUID, deed: Deed) -> bool:
        """Whether this very person did this very thing."""
        same = (self.action, self.note, self.proposed_time) == (deed.action, deed.note, deed.proposed_time)
        return same and self.person_id == person_id


@dataclass(frozen=True)
class Origin:
    """By which login, key or link it was done, and the fact of which whoever did it was told; for the record."""

    actor: str
    cause: UUID | None = None

    def metadata(self) -> dict[str, str]:
        """Of the facts that follow."""
        return {"actor": self.actor} | ({} if self.cause is None else {"causation_id": str(self.cause)})


class Effect(Protocol):
    """What a matter is about. Acts in the transaction that settles it; what it raises undoes the settling."""

    async def settled(self, connection: Connection, tenant: str, settlement: Settlement, origin: Origin) -> None: ...


Effects = Mapping[str, Effect]
"""By the word before the colon of a matter: `reservation` of `reservation:7`."""


def subject_of(matter: str) -> str:
    return matter.partition(":")[0]
