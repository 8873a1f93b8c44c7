"""What clients send about events, and what is to be written of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, model_validator

from tidings.api.bodies import Input
from tidings.api.bodies.people import Timezone
from tidings.api.shapes import Moment
from tidings.kit.errors import Fault, ValidationFailed
from tidings.modules.events.model import LONGEST_OFFSET, MOST_OFFSETS, Choice
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.integrations import TAG, tag

LONGEST_DESCRIPTION = 10_000
_MOST_SELECTORS = 50
_MOST_CHOSEN = 1_000
_LARGEST_ID = 2**63 - 1


def _printable(text: str) -> str:
    """Several lines, and nothing that cannot be seen."""
    for line in text.splitlines():
        fields.one_line(line.replace("\t", " "))
    return text.strip()


EventName = Annotated[str, Field(min_length=1, max_length=200, pattern=fields.NAME), AfterValidator(fields.person_name)]
Description = Annotated[str, Field(max_length=LONGEST_DESCRIPTION), AfterValidator(_printable)]
Location = Annotated[str, Field(min_length=1, max_length=500, pattern=fields.PLAIN), AfterValidator(fields.one_line)]
Title = Annotated[str, Field(min_length=1, max_length=200, pattern=fields.NAME), AfterValidator(fields.person_name)]
Body = Annotated[str, Field(min_length=1, max_length=LONGEST_DESCRIPTION), AfterValidator(_printable)]
Offset = Annotated[int, Field(ge=0, le=LONGEST_OFFSET)]
Offsets = Annotated[
    list[Offset],
    Field(max_length=MOST_OFFSETS, description="seconds before the start; none at all: no reminders"),
]
Id = Annotated[UUID, Field(strict=False)]
SubscriptionId = Annotated[int, Field(ge=1, le=_LARGEST_ID)]
_NULLABLE = {"description", "location", "ends_at"}


class NewEventBody(Input):
    name: EventName
    description: Description | None = None
    location: Location | None = None
    starts_at: Moment
    ends_at: Moment | None = Field(None, description="without it, the event is over 24 hours after its start")
    timezone: Timezone
    organiser_id: Id | None = Field(None, description="one of your people; you, where it is left out")

    def columns(self) -> dict[str, Any]:
        return self.model_dump()


class EventChangesBody(Input):
    """What is left out stays as it is."""

    name: EventName = Field(default_factory=str)
    description: Description | None = None
    location: Location | None = None
    starts_at: Moment = Field(default_factory=datetime.now)
    ends_at: Moment | None = None
    timezone: Timezone = Field(default_factory=str)
    organiser_id: Id | None = None

    def columns(self) -> Mapping[str, Any]:
        return self.model_dump(exclude_unset=True)


class AnnouncementBody(Input):
    title: Title
    body: Body
    level: Literal["info", "warning", "critical"] = "info"
    subscription_ids: Annotated[list[SubscriptionId], Field(min_length=1, max_length=_MOST_CHOSEN)] | None = Field(
        None, description="whom it is for; everybody, where it is left out"
    )


class SelectorBody(Input):
    """One of your integrations, or all that have a tag: one or the other."""

    integration_id: Id | None = None
    tag: Annotated[str, Field(min_length=1, max_length=50, pattern=TAG), AfterValidator(tag)] | None = None

    @model_validator(mode="after")
    def _is_one(self) -> SelectorBody:
        if (self.integration_id is None) == (self.tag is None):
            raise ValueError("needs either an integrationId or a tag")
        return self


Selectors = Annotated[
    list[SelectorBody],
    Field(max_length=_MOST_SELECTORS, description="where you want to hear of it; none: on your own channels"),
]


class ChoiceBody(Input):
    """What is left out stays as it is or, on joining, is as usual: a day and an hour before, on your own channels."""

    selectors: Selectors = Field(default_factory=list)
    reminder_offsets: Offsets = Field(default_factory=list)

    def choice(self) -> Choice:
        given = self.model_fields_set
        selectors = self.selectors if "selectors" in given else None
        offsets = tuple(sorted(set(self.reminder_offsets), reverse=True)) if "reminder_offsets" in given else None
        if selectors is None:
            return Choice(offsets)
        ids = dict.fromkeys(each.integration_id for each in selectors if each.integration_id is not None)
        tags = dict.fromkeys(each.tag for each in selectors if each.tag is not None)
        return Choice(offsets, tuple(ids), tuple(tags))


class JoinBody(ChoiceBody):
    person_id: Id | None = Field(None, description="somebody else, where you are an admin")


class RemindMeBody(Input):
    """In a while, or at a time; either one. It does not move with the event."""

    after_seconds: Annotated[int, Field(ge=1, le=LONGEST_OFFSET)] | None = None
    at: Moment | None = None

    def moment(self, now: datetime) -> datetime:
        if (self.after_seconds is None) == (self.at is None):
            message = "give either afterSeconds or at"
            raise ValidationFailed(f"at: {message}", (Fault("at", message),))
        return self.at if self.at is not None else now + timedelta(seconds=self.after_seconds or 0)
