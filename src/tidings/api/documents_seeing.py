"""The bodies of replies that say what came of something, why, and what is to come."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document, FactDocument, Pagination
from tidings.spine.delivery.seeing.causes import Cause, Got

Status = Literal["pending", "processing", "failed", "held", "sent", "skipped"]


class TracedIntent(Document):
    id: UUID
    kind: str
    status: str
    attempts: int
    last_error: str | None
    due_at: datetime
    run_at: datetime
    created_at: datetime
    finished_at: datetime | None
    notice_id: UUID | None = Field(description="where it sends a notice out")


class TracedListener(Document):
    """A rule, or a listener in code, that the fact was shown to, and what it said."""

    listener: str
    rule: str | None = Field(description="the rule's name, as it was then")
    rule_version: int | None
    version_now: int | None = Field(description="of the rule; null where it is no rule, or was deleted")
    told: bool
    verdict: str
    at: datetime


class TallyDocument(Document):
    complete: bool = Field(description="whether everybody in the audience has been reached")
    people: int
    no_target: int
    open: int
    sent: int
    skipped: int
    failed: int
    settled_at: datetime | None


class TracedNotice(Document):
    id: UUID
    listener: str
    number: int
    title: str
    category: str
    level: Literal["info", "warning", "critical"]
    channels: list[str]
    run_at: datetime
    created_at: datetime
    closed_at: datetime | None
    closed_reason: str | None
    tally: TallyDocument


class TracedNotification(Document):
    id: UUID
    notice_id: UUID
    person_id: UUID
    person_name: str | None = Field(description="null where the person was deleted")
    missing: list[str] = Field(description="channels for which there was no address")
    targets: int
    read_at: datetime | None
    created_at: datetime


class TracedAttempt(Document):
    """An attempt, or a decision not to make one."""

    outcome: str
    reason: str | None
    receipt: str | None
    provider: str | None
    took_seconds: float | None
    ended_at: datetime


class TracedProvider(Document):
    id: UUID
    name: str
    type: str | None
    enabled: bool
    opened_at: datetime | None = Field(description="since when its circuit is open")
    open_until: datetime | None
    last_error: str | None


class TracedDelivery(Document):
    id: UUID
    notice_id: UUID
    notification_id: UUID
    person_id: UUID
    channel: str
    address: str
    status: Status
    attempts: int
    provider: TracedProvider
    due_at: datetime
    run_at: datetime
    expires_at: datetime
    created_at: datetime
    finished_at: datetime | None
    last_error: str | None
    receipt: str | None
    confirmed: str | None = Field(description="what the provider reported later")
    confirmed_at: datetime | None
    tries: list[TracedAttempt]


class DeliveryCountDocument(Document):
    notice_id: UUID
    channel: str
    status: Status
    count: int


class TracedFact(Document):
    id: UUID
    type: str
    occurred_at: datetime
    notice_id: UUID | None = Field(description="where it says something of a notice")


class TraceDocument(Document):
    """Everything that one fact caused. Bounded: a tally has all, the lists have the first ones."""

    fact: FactDocument
    intents: list[TracedIntent]
    listeners: list[TracedListener]
    notices: list[TracedNotice]
    notifications: list[TracedNotification]
    deliveries: list[TracedDelivery]
    counts: list[DeliveryCountDocument] = Field(description="of the deliveries of the first `counted` people")
    counted: int
    facts: list[TracedFact] = Field(description="caused by it: of its notices, or among those recorded next")
    truncated: bool = Field(description="whether there are more people than are listed")


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
    coming: list[ComingDocument] = Field(description="what comes next; paged")


class ForecastReply(Document):
    data: ForecastDocument
    pagination: Pagination
