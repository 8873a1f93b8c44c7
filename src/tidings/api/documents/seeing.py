"""The bodies of replies that say why, and what is to come."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document, Pagination
from tidings.spine.delivery.seeing.causes import Cause, Got


class ExplainedPerson(Document):
    id: UUID
    external_id: str | None
    name: str | None = Field(description="null where the person was deleted")


class ExplainedFact(Document):
    id: UUID
    type: str
    occurred_at: datetime


class AnswerDocument(Document):
    """One reason: for programs, and in words."""

    cause: Cause
    got: Got
    sentences: list[str] = Field(description="what happened, in order; the last one decided")
    at: datetime | None = Field(description="when it was decided, or when it goes on")
    listener: str | None
    rule: str | None
    rule_version: int | None
    notice_id: UUID | None
    notification_id: UUID | None
    delivery_id: UUID | None
    channel: str | None


class MatterDocument(Document):
    """One fact, and what became of it for the person; an answer for each rule, channel and address."""

    fact: ExplainedFact | None
    got: Got
    answers: list[AnswerDocument]


class WhyDocument(Document):
    person: ExplainedPerson
    matters: list[MatterDocument]
    truncated: bool = Field(description="whether there is more than is told; ask for a shorter time")


What = Literal["intent", "delivery"]


class ExpectedDocument(Document):
    """How many of a kind, or over a channel, in the hour that begins then."""

    starts_at: datetime
    day: str = Field(description="in the timezone asked for", examples=["2026-11-16"])
    hour: int
    what: What
    name: str = Field(description="the kind of the intents, or the channel of the deliveries")
    count: int


class ComingDocument(Document):
    id: UUID
    what: What
    name: str
    status: str
    at: datetime
    fact_id: UUID | None
    fact_type: str | None
    notice_id: UUID | None
    title: str | None
    person_id: UUID | None
    person_name: str | None
    timezone: str | None = Field(description="the person's own; their quiet hours go by it")
    people: int | None = Field(description="of a delayed notice: how many it would reach now")
    people_capped: bool = Field(description="whether it would reach more")


class ForecastDocument(Document):
    """What will be sent, from the rows that exist."""

    since: datetime
    until: datetime
    timezone: str
    expected: list[ExpectedDocument]
    capped: bool = Field(description="whether there is more of some kind or channel than was counted")
    held: int = Field(description="deliveries that wait for somebody to decide, and are in no hour")
    unserved: list[str] = Field(description="kinds and channels that no running worker serves")
    coming: list[ComingDocument] = Field(description="what comes next, or on the day asked for; paged")


class ForecastReply(Document):
    data: ForecastDocument
    pagination: Pagination
