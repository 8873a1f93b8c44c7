"""The bodies of replies about events."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document

EventStatus = Literal["active", "cancelled", "completed"]
ResultStatus = Literal["delivered", "failed", "no_targets", "pending"]
LevelName = Literal["info", "warning", "critical"]


class EventDocument(Document):
    id: int
    uid: UUID
    organiser_id: UUID | None
    organiser: str | None = Field(description="their name")
    name: str
    description: str | None
    location: str | None
    starts_at: datetime
    ends_at: datetime | None
    over_at: datetime = Field(description="its end or, without one, 24 hours after its start")
    timezone: str
    status: EventStatus
    version: int
    sequence: int = Field(description="as calendars have it: raised by every change that they must know of")
    subscribers: int
    mine: bool = Field(description="whether you may change it: its organiser, or an admin")
    joined: bool = Field(description="whether you are subscribed to it")
    join_url: str | None = Field(description="where people without a login may join; for whoever may change it")
    created_at: datetime
    updated_at: datetime


class SelectorShown(Document):
    integration_id: UUID | None
    tag: str | None


class SubscriptionDocument(Document):
    id: int
    event_id: int
    person_id: UUID
    person: str
    selectors: list[SelectorShown] = Field(description="none: on their own channels")
    reminder_offsets: list[int] = Field(description="seconds before the start")
    created_at: datetime


class ReminderDocument(Document):
    id: UUID
    subscription_id: int
    person_id: UUID
    person: str
    offset_seconds: int | None = Field(description="before the start; null for one at a time of its own")
    due_at: datetime
    status: Literal["pending", "processing", "failed", "enqueued"]
    last_error: str | None


class AnnouncedDocument(Document):
    fact_id: UUID = Field(description="what it is recorded as; its message appears under deliveries")


class DeliveriesDocument(Document):
    """Counted by delivery: somebody may be told in several places."""

    open: int
    sent: int
    skipped: int
    failed: int


class EventMessageDocument(Document):
    """Something that was said of an event, with its deliveries counted."""

    id: UUID
    fact_id: UUID | None
    kind: Literal["updated", "cancelled", "announced", "reminder"]
    title: str
    body: str
    level: LevelName
    people: int
    no_target: int
    complete: bool = Field(description="whether everybody whom it is for has been reached")
    deliveries: DeliveriesDocument
    closed_reason: str | None
    created_at: datetime


class SubscriptionResultDocument(Document):
    subscription_id: int
    person_id: UUID
    person: str
    status: ResultStatus
    integrations_tried: int
    delivered: int
    failed: int


class EventDeliveriesDocument(EventMessageDocument):
    """One message, counted by subscription: who heard of it somewhere has heard of it; `no_targets` failed."""

    delivered: int
    failed: int
    pending: int
    total: int


class ProcessDocument(Document):
    """How the process of an event stands, and what reminders are to come."""

    state: Literal["not_started", "running", "ended", "away"]
    reason: str | None = Field(description="how it ended, or why nobody answers for it")
    status: str | None = Field(description="what it says of the event")
    participants: int | None
    notifications: int | None = Field(description="how many acts of the organiser it has passed on")
    failed_broadcasts: int | None = Field(description="how many it had to give up")
    over_at: datetime | None = Field(description="when it will end by itself")
    reminders_waiting: int
    next_reminder_at: datetime | None


class FeedDocument(Document):
    created_at: datetime
    read_at: datetime | None = Field(description="when a calendar last asked for it")


class NewFeedDocument(Document):
    url: str = Field(description="whoever has it can read your calendar; shown now and never again")
