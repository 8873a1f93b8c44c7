"""The process of an event as others see it: what it is started with, told, asked, and what it calls."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from pydantic import Field

from tidings.spine.processes.contracts import NOTIFICATIONS, OTHER_WORK, Contract, Document, Patience


class EventRef(Document):
    tenant: str
    event_id: int


class Dates(Document):
    """When it is. `acts` numbers the act after which it was so: of two, the higher holds."""

    starts_at: datetime
    ends_at: datetime | None = None
    acts: int = 0

    def over_at(self, after: timedelta) -> datetime:
        return self.ends_at or self.starts_at + after


class Limits(Document):
    """Waits and limits of one process, from its start on: a replay must find them as they were."""

    notifications_a_run: int = 100
    over_after: timedelta = timedelta(hours=24)
    wait_for_missing: timedelta = timedelta(minutes=1)
    recount_after: timedelta = timedelta(seconds=5)
    notifying: Patience = NOTIFICATIONS
    other_work: Patience = OTHER_WORK


class ActKind(StrEnum):
    UPDATED = "updated"
    CANCELLED = "cancelled"
    ANNOUNCED = "announced"


class Told(Document):
    """An act of the organiser, as a signal brings it. Numbered from one, for each event."""

    act: int
    fact_id: str
    title: str | None = None
    body: str | None = None
    level: str | None = None
    subscription_ids: list[int] | None = None
    changes: dict[str, Any] | None = None
    event: dict[str, Any] | None = None


class Act(Told):
    kind: ActKind

    @property
    def dates(self) -> Dates | None:
        """When the event is from then on, where it says so in a way that can be read."""
        try:
            return Dates.model_validate({**(self.event or {}), "acts": self.act})
        except ValueError:
            return None


class Carried(Document):
    """What a run hands on to the next: all that it knows."""

    told_live: bool = False
    dates: Dates | None = None
    participants: int = 0
    notifications: int = 0
    failed_broadcasts: int = 0
    continued: int = 0
    last_act: int = 0
    known_acts: int = 0
    missing: list[int] = Field(default_factory=list)
    waiting_since: datetime | None = None
    pending: list[Act] = Field(default_factory=list)
    hinted_at: datetime | None = None
    cancelled: bool = False
    closed: str | None = None


class EventInput(Document):
    """What an event's process is started with."""

    tenant: str
    event_id: int
    starts_at: datetime
    ends_at: datetime | None = None
    limits: Limits = Limits()
    carried: Carried = Carried()

    def document(self) -> str:
        """As JSON, with the limits as they are today: those of one that runs do not change with the code."""
        return self.model_dump_json(by_alias=True, exclude={"carried"})


class EventStatus(Document):
    """How the process stands: the answer to the query `status`."""

    status: str
    participants: int
    notifications: int
    failed_broadcasts: int
    last_act: int
    missing_acts: list[int]
    waiting_acts: int
    over_at: datetime
    continued_times: int


class Seen(Document):
    """The event as its row says it is."""

    status: str
    participants: int
    dates: Dates


class Broadcast(EventRef):
    act: Act


class Closing(EventRef):
    """`now` is the process's own time."""

    now: datetime
    over_after: timedelta


class Closed(Document):
    """Not closed where it has been moved. Once it is, there will be no more acts than `seen` tells of."""

    closed: bool
    seen: Seen


LOOK = Contract("events.look", EventRef, Seen)
TELL_LIVE = Contract("events.tell_live", EventRef, str)
BROADCAST = Contract("events.broadcast", Broadcast, str)
CLOSE = Contract("events.close", Closing, Closed)

MISSING = "EventMissing"
"""The type of the failure that says that there is no such event: trying again does not help."""

LEVELS: Mapping[ActKind, str] = {ActKind.UPDATED: "warning", ActKind.CANCELLED: "critical"}
"""An announcement has the level that the organiser gave it."""
