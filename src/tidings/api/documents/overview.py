"""The body of the reply that shows a tenant at a glance."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document
from tidings.api.documents.deliveries import ChannelName


class MinuteDocument(Document):
    """What happened in the minute that began then."""

    at: datetime
    facts: int
    sent: int
    skipped: int
    failed: int = Field(description="deliveries that were given up")
    dead: int = Field(description="intents that were given up")


class OpenDocument(Document):
    waiting: int = Field(description="open, whatever its time; what is held is not among it")
    due: int = Field(description="its time has come, nobody works on it yet, and a worker for it is there")
    late: int = Field(description="due for more than ten seconds")
    retrying: int = Field(description="failed, and will be tried again")


class TotalsDocument(Document):
    intents: OpenDocument
    deliveries: OpenDocument
    held: int = Field(description="deliveries that wait for somebody to decide")
    dead: int = Field(description="dead letters")
    capped: bool = Field(description="whether there is more of something than was counted: 10,000")


class LagDocument(Document):
    """For how long the oldest has been due; null where nothing is."""

    intents_seconds: float | None
    deliveries_seconds: float | None


class HealthDocument(Document):
    """A provider, and what it made of the last hour."""

    id: UUID
    channel: ChannelName
    type: str
    name: str
    built_in: bool
    enabled: bool
    circuit: Literal["closed", "open", "trying"]
    open_until: datetime | None
    last_error: str | None = Field(description="null, too, for those who may not read providers")
    last_error_at: datetime | None
    sent: int
    failed: int


class FailureDocument(Document):
    """A delivery that failed, or an intent that is dead."""

    what: Literal["delivery", "intent"]
    id: UUID
    name: str = Field(description="the channel of a delivery, the kind of an intent")
    at: datetime
    why: str | None = Field(description="null, too, of a delivery, for those who may not read deliveries")
    fact_id: UUID | None
    notice_id: UUID | None


class BegunDocument(Document):
    """Whether there is any."""

    fact: bool
    rule: bool
    person: bool
    sandbox_message: bool


class OverviewDocument(Document):
    """A tenant at a glance."""

    at: datetime
    minutes: list[MinuteDocument] = Field(description="the oldest first; the last one is not over yet")
    counted_until: datetime | None = Field(description="of the minutes: a worker counts every few seconds")
    totals: TotalsDocument
    lag: LagDocument
    workers: int = Field(description="that are alive")
    kinds_without_worker: list[str]
    providers: list[HealthDocument]
    failures: list[FailureDocument] = Field(description="the last ten, the newest first")
    begun: BegunDocument
