"""What an event is, and what may be written of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from tidings.kit.errors import Fault, ValidationFailed

MODULE = "events"
STREAM = "event"
SUBSCRIPTION_STREAM = "event_subscription"
REMIND = "event.remind"
"""The kind of a reminder's intent."""
CATEGORY = "events"
OVER_AFTER = timedelta(hours=24)
"""How long after its start an event without an end is over."""
DEFAULT_OFFSETS = (86_400, 3_600)
MOST_OFFSETS = 20
LONGEST_OFFSET = 366 * 86_400
_FURTHEST = timedelta(days=365 * 9)


class Status(StrEnum):
    ACTIVE = "active"
    CANCELLED = "cancelled"
    COMPLETED = "completed"


@dataclass(frozen=True)
class Event:
    id: int
    uid: UUID
    organiser_id: UUID | None
    organiser: str | None
    name: str
    description: str | None
    location: str | None
    starts_at: datetime
    ends_at: datetime | None
    timezone: str
    status: Status
    version: int
    sequence: int
    subscribers: int
    created_at: datetime
    updated_at: datetime

    @property
    def process(self) -> str:
        return process_of(self.id)

    @property
    def over_at(self) -> datetime:
        return over_at(self.starts_at, self.ends_at)


@dataclass(frozen=True)
class Subscription:
    """Somebody who is told of an event. `address_ids` and `tags` choose where; with neither, wherever they are."""

    id: int
    event_id: int
    person_id: UUID
    person: str
    offsets: tuple[int, ...]
    address_ids: tuple[UUID, ...]
    tags: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True)
class Choice:
    """Where and when a subscriber wants to hear of an event; None: as it is."""

    offsets: tuple[int, ...] | None = None
    address_ids: tuple[UUID, ...] | None = None
    tags: tuple[str, ...] | None = None


def topic_of(event_id: int) -> str:
    return f"event:{event_id}"


def process_of(event_id: int) -> str:
    return f"event-{event_id}"


def over_at(starts_at: datetime, ends_at: datetime | None) -> datetime:
    return ends_at or starts_at + OVER_AFTER


def check_times(changed: Mapping[str, Any], starts_at: datetime, ends_at: datetime | None, now: datetime) -> None:
    """`ValidationFailed` for times that cannot be; those that stay as they are are not judged again."""
    faults = []
    if "starts_at" in changed:
        if starts_at <= now:
            faults.append(Fault("startsAt", "must lie ahead"))
        elif starts_at > now + _FURTHEST:
            faults.append(Fault("startsAt", "must be less than nine years ahead"))
    if ends_at is not None:
        if ends_at <= starts_at:
            faults.append(Fault("endsAt", "must be after the start"))
        elif "ends_at" in changed and ends_at <= now:
            faults.append(Fault("endsAt", "must lie ahead"))
        elif ends_at > now + _FURTHEST:
            faults.append(Fault("endsAt", "must be less than nine years ahead"))
    if faults:
        raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), tuple(faults))
