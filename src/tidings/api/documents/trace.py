"""The body of the reply that says what a fact caused."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document, FactDocument
from tidings.api.documents.deliveries import TallyDocument

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
    routed: bool = Field(
        description="whether it went to what the person chose for its topic; no targets: that was gone, or off"
    )
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
    open: bool = Field(description="whether it goes on: what has failed and is open is tried again")
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
