"""What clients send about reservations, restaurants and agencies, and about what they do with a matter."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field

from tidings.api.bodies import Input
from tidings.api.bodies.people import ExternalId, Locale, Name, Timezone
from tidings.api.bodies.texts import several_lines
from tidings.api.documents.inbox import Choosable
from tidings.api.numbers import NumberId, whole
from tidings.api.shapes import Moment
from tidings.kit.errors import Fault, ValidationFailed
from tidings.modules.reservations.model import ESCALATE_AFTER, ESCALATE_TIMES, LARGEST_PARTY
from tidings.spine.channels.port import Channel
from tidings.spine.notify.matters.model import LONGEST_NOTE, MOST_TIMES, Action, Deed
from tidings.spine.notify.people.usual_channels import Usual

_MINUTES = int(ESCALATE_AFTER.total_seconds() // 60)
_MOST_MINUTES = 7 * 24 * 60
Id = Annotated[UUID, Field(strict=False)]
Note = Annotated[str, Field(min_length=1, max_length=LONGEST_NOTE), AfterValidator(several_lines)]
Party = Annotated[int, Field(ge=1, le=LARGEST_PARTY), BeforeValidator(whole)]
Minutes = Annotated[int, Field(ge=1, le=_MOST_MINUTES), BeforeValidator(whole)]
Times = Annotated[int, Field(ge=1, le=MOST_TIMES), BeforeValidator(whole)]
ChannelName = Literal["email", "sms", "whatsapp", "push", "slack", "websocket", "webhook", "apprise"]


class NewReservationBody(Input):
    restaurant_id: NumberId
    customer_id: Id = Field(description="one of your people, of the user type CUSTOMER")
    agency_id: NumberId | None = None
    party_size: Party
    time: Moment = Field(description="when they want to come")
    note: Note | None = None

    def columns(self) -> dict[str, Any]:
        return self.model_dump()


class NewRestaurantBody(Input):
    name: Name
    external_id: ExternalId | None = Field(None, description="of its group; one is made up where it is left out")
    timezone: Timezone
    locale: Locale | None = Field(None, description="the language in which its staff are told")
    escalate_after_minutes: Minutes | None = Field(
        _MINUTES, description="where nobody acts on a request for so long, admins are told; null: never"
    )
    escalate_times: Times = ESCALATE_TIMES

    def columns(self) -> dict[str, Any]:
        return _restaurant(self)


class RestaurantChangesBody(Input):
    """What is left out stays as it is."""

    name: Name = Field(default_factory=str)
    external_id: ExternalId = Field(default_factory=str)
    timezone: Timezone = Field(default_factory=str)
    locale: Locale | None = None
    escalate_after_minutes: Minutes | None = None
    escalate_times: Times = Field(default_factory=int)

    def columns(self) -> dict[str, Any]:
        given = {"escalate_after" if name == "escalate_after_minutes" else name for name in self.model_fields_set}
        return {name: value for name, value in _restaurant(self).items() if name in given}

    def group(self) -> dict[str, Any]:
        return self.model_dump(include={"name", "external_id"}, exclude_unset=True)


def _restaurant(body: NewRestaurantBody | RestaurantChangesBody) -> dict[str, Any]:
    minutes = body.escalate_after_minutes
    return {
        "timezone": body.timezone,
        "locale": body.locale,
        "escalate_after": None if minutes is None else timedelta(minutes=minutes),
        "escalate_times": body.escalate_times,
    }


class NewAgencyBody(Input):
    name: Name
    external_id: ExternalId | None = Field(None, description="of its group; one is made up where it is left out")


class AgencyChangesBody(Input):
    """What is left out stays as it is."""

    name: Name = Field(default_factory=str)
    external_id: ExternalId = Field(default_factory=str)

    def group(self) -> dict[str, Any]:
        return self.model_dump(exclude_unset=True)


class ActionBody(Input):
    """What you do about the matter of a notification."""

    action: Choosable
    note: Note | None = Field(None, description="needed for CUSTOM")
    proposed_time: Moment | None = Field(None, description="for POSTPONED, and for nothing else")

    def deed(self) -> Deed:
        faults = []
        if self.action == Action.CUSTOM and not self.note:
            faults.append(Fault("note", "is needed to say what was done"))
        if (self.action == Action.POSTPONED) != (self.proposed_time is not None):
            wrong = "is needed to propose another time" if self.proposed_time is None else "goes with POSTPONED alone"
            faults.append(Fault("proposedTime", wrong))
        if faults:
            raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), tuple(faults))
        return Deed(Action(self.action), self.note or None, self.proposed_time)


class UsualChannelsBody(Input):
    """By which channels people of this type are told, unless they want less."""

    channels: Annotated[list[ChannelName], Field(min_length=1, max_length=8)]
    urgent: Annotated[list[ChannelName], Field(max_length=8)] = Field(
        default_factory=list, description="added where the level is critical"
    )

    def usual(self) -> Usual:
        channels = tuple(dict.fromkeys(map(Channel, self.channels)))
        return Usual(channels, tuple(dict.fromkeys(map(Channel, self.urgent))))
