"""What a reservation is, who is told of one, and what may be written of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from tidings.kit.errors import Fault, ValidationFailed
from tidings.spine.channels.port import Channel
from tidings.spine.notify.matters.model import Action, Settlement
from tidings.spine.notify.people.usual_channels import Usual

MODULE = "reservations"
STREAM = "reservation"
CATEGORY = "reservations"
LARGEST_PARTY = 1_000
FURTHEST = timedelta(days=730)
URGENT = timedelta(hours=3)
"""What is to happen within this time is critical."""
ESCALATE_AFTER = timedelta(minutes=15)
ESCALATE_TIMES = 2


PARTIES = """tidings.reservations r
JOIN tidings.restaurants t ON t.id = r.restaurant_id JOIN tidings.groups g ON g.id = t.group_id
LEFT JOIN tidings.people c ON c.id = r.customer_id
LEFT JOIN tidings.agencies a ON a.id = r.agency_id LEFT JOIN tidings.groups ag ON ag.id = a.group_id"""
"""SQL: a reservation with all who have a part in it."""


class UserType(StrEnum):
    CUSTOMER = "CUSTOMER"
    RESTAURANT_USER = "RESTAURANT_USER"
    ADMIN_USER = "ADMIN_USER"
    AGENCY_USER = "AGENCY_USER"


_EVERYBODY = (Channel.EMAIL, Channel.PUSH, Channel.WEBSOCKET)
USUAL: Mapping[str, Usual] = {
    UserType.CUSTOMER: Usual(_EVERYBODY, (Channel.SMS,)),
    UserType.RESTAURANT_USER: Usual((*_EVERYBODY, Channel.SMS)),
    UserType.ADMIN_USER: Usual((*_EVERYBODY, Channel.SLACK)),
    UserType.AGENCY_USER: Usual(_EVERYBODY),
}
"""By which channels each is told, unless the tenant says otherwise."""


class Status(StrEnum):
    REQUESTED = "requested"
    POSTPONED = "postponed"  # another time was proposed
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"


OPEN = (Status.REQUESTED, Status.POSTPONED)
POSSIBLE: Mapping[Status, tuple[Action, ...]] = {
    Status.REQUESTED: (Action.CONFIRMED, Action.REJECTED, Action.POSTPONED, Action.DISMISSED, Action.CUSTOM),
    Status.POSTPONED: (Action.CONFIRMED, Action.REJECTED),
}
"""What those who run the place can do about one. While the customer is asked, too, nobody dismisses what they may
answer."""


@dataclass(frozen=True)
class Reservation:
    id: int
    restaurant_id: int
    restaurant: str
    timezone: str
    customer_id: UUID | None
    customer: str | None
    agency_id: int | None
    agency: str | None
    party_size: int
    time: datetime
    proposed_time: datetime | None
    note: str | None
    status: Status
    round: int
    handled: Settlement | None  # the last, in this round or the one before
    created_at: datetime
    updated_at: datetime

    @property
    def matter(self) -> str:
        return matter_of(self.id, self.round)

    @property
    def settled(self) -> bool:
        """Whether somebody has dealt with the matter of this round."""
        return self.handled is not None and self.handled.matter == self.matter


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks: their person, if they have one, and the places that they belong to. An `admin` may do
    everything; `everything` of the tenant is theirs to see, and theirs who run the trade."""

    person_id: UUID | None
    admin: bool
    everything: bool
    restaurants: tuple[int, ...] = ()
    agencies: tuple[int, ...] = ()

    def runs(self, restaurant_id: int) -> bool:
        """Whether what staff write for each other is for them, too."""
        return self.everything or restaurant_id in self.restaurants


def matter_of(id: int, round: int) -> str:
    return f"reservation:{id}" if round == 1 else f"reservation:{id}:{round}"


def parse_matter(matter: str) -> tuple[int, int]:
    """The reservation and the round that a matter is about."""
    _, reservation, *later = matter.split(":")
    return int(reservation), int(later[0]) if later else 1


def check_time(field: str, time: datetime, now: datetime) -> None:
    """`ValidationFailed` for a time that nobody can come at."""
    message = "must lie ahead" if time <= now else "must be within two years" if time > now + FURTHEST else None
    if message is not None:
        raise ValidationFailed(f"{field}: {message}", (Fault(field, message),))


def unknown(field: str, what: str) -> ValidationFailed:
    """The same for what is not there and for what is another tenant's."""
    message = f"there is no such {what}"
    return ValidationFailed(f"{field}: {message}", (Fault(field, message),))
