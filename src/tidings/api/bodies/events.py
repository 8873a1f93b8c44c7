"""What clients send about events, and what is to be written of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID, uuid4

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from tidings.api.bodies import Input
from tidings.api.bodies.people import Timezone
from tidings.api.bodies.texts import LONGEST_TEXT, several_lines
from tidings.api.numbers import NumberId, whole
from tidings.api.shapes import Moment
from tidings.kit.errors import Fault, ValidationFailed
from tidings.modules.events.model import LONGEST_OFFSET, MOST_OFFSETS, Choice
from tidings.spine.notify.people import fields, integrations

_MOST_SELECTORS = 50
_MOST_CHOSEN = 1_000


EventName = Annotated[str, Field(min_length=1, max_length=200, pattern=fields.NAME), AfterValidator(fields.person_name)]
Description = Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(several_lines)]
Location = Annotated[str, Field(min_length=1, max_length=500, pattern=fields.PLAIN), AfterValidator(fields.one_line)]
Title = Annotated[str, Field(min_length=1, max_length=200, pattern=fields.NAME), AfterValidator(fields.person_name)]
Body = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), AfterValidator(several_lines)]


Offset = Annotated[int, Field(ge=0, le=LONGEST_OFFSET), BeforeValidator(whole)]
Offsets = Annotated[
    list[Offset],
    Field(max_length=MOST_OFFSETS, description="seconds before the start; none at all: no reminders"),
]
Id = Annotated[UUID, Field(strict=False)]
SubscriptionId = NumberId
Tag = Annotated[str, Field(min_length=1, max_length=50, pattern=integrations.TAG), AfterValidator(integrations.tag)]


def _one_of(*names: str) -> dict[str, Any]:
    """For the schema: one of these, and no other."""
    return {"oneOf": [{"required": [name]} for name in names]}


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
    organiser_id: Id = Field(default_factory=uuid4)

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

    model_config = ConfigDict(json_schema_extra=_one_of("integrationId", "tag"))

    integration_id: Id = Field(default_factory=uuid4)
    tag: Tag = Field(default_factory=str)

    @model_validator(mode="after")
    def _is_one(self) -> SelectorBody:
        if len(self.model_fields_set) != 1:
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
        ids = dict.fromkeys(each.integration_id for each in selectors if "integration_id" in each.model_fields_set)
        tags = dict.fromkeys(each.tag for each in selectors if "tag" in each.model_fields_set)
        return Choice(offsets, tuple(ids), tuple(tags))


class JoinBody(ChoiceBody):
    person_id: Id | None = Field(None, description="somebody else, where you are an admin")


class RemindMeBody(Input):
    """In a while, or at a time; either one. It does not move with the event."""

    model_config = ConfigDict(json_schema_extra=_one_of("afterSeconds", "at"))

    after_seconds: Annotated[int, Field(ge=1, le=LONGEST_OFFSET), BeforeValidator(whole)] = Field(default_factory=int)
    at: Moment = Field(default_factory=datetime.now)

    def moment(self, now: datetime) -> datetime:
        if len(self.model_fields_set) != 1:
            message = "give either afterSeconds or at"
            raise ValidationFailed(f"at: {message}", (Fault("at", message),))
        return self.at if "at" in self.model_fields_set else now + timedelta(seconds=self.after_seconds)
