"""Reservations, and what belongs to them, as a client sees them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document, HandledDocument
from tidings.api.documents.deliveries import NoticeDocument

ReservationStatus = Literal["requested", "postponed", "confirmed", "rejected", "cancelled"]
ListenerStatus = Literal["pending", "enqueued", "processing", "failed", "succeeded", "dead", "cancelled"]


class RestaurantDocument(Document):
    """A restaurant. Its staff are the members of its group."""

    id: int
    group_id: UUID
    external_id: str
    name: str
    timezone: str
    locale: str | None
    escalate_after_minutes: int | None = Field(description="when admins are told that nobody acts; null: never")
    escalate_times: int
    created_at: datetime


class AgencyDocument(Document):
    """An agency. Its people are the members of its group."""

    id: int
    group_id: UUID
    external_id: str
    name: str
    created_at: datetime


class ReservationDocument(Document):
    id: int
    restaurant_id: int
    restaurant: str
    timezone: str = Field(description="of the restaurant")
    customer_id: UUID | None
    customer: str | None
    agency_id: int | None
    agency: str | None
    party_size: int
    time: datetime
    proposed_time: datetime | None
    note: str | None
    status: ReservationStatus
    matter: str = Field(description="what is to be settled about it: `GET /v1/inbox?matter=` has your copy")
    settled: bool = Field(description="whether somebody has dealt with that")
    handled: HandledDocument | None = Field(description="who dealt with it last, in this round or the one before")
    mine: bool = Field(description="whether you are the customer, or an admin, and may cancel it")
    created_at: datetime
    updated_at: datetime


class HeardDocument(Document):
    """What a listener did with a fact: its own attempts, and what came of it."""

    intent_id: UUID = Field(description="in the outbox, where it is tried again if it is dead")
    listener: str
    status: ListenerStatus
    attempts: int
    last_error: str | None
    verdict: str | None = Field(description="what it decided, in words")
    run_at: datetime
    finished_at: datetime | None


class HappenedDocument(Document):
    """A fact, and who was to hear of it."""

    fact_id: UUID
    type: str
    occurred_at: datetime
    actor: str | None
    heard_by: list[HeardDocument]


class HistoryDocument(Document):
    """What happened to a reservation: facts, then what was said because of them."""

    facts: list[HappenedDocument]
    notices: list[NoticeDocument] = Field(description="the newest hundred")


class ActedDocument(HandledDocument):
    """Somebody who acted, or tried to."""

    id: UUID
    matter: str
    won: bool = Field(description="whether they were the first")
    actor: str | None = Field(description="the login, key or link by which they did")


class UsualChannelsDocument(Document):
    user_type: str
    channels: list[str]
    urgent: list[str] = Field(description="added where the level is critical")
    own: bool = Field(description="whether your tenant has said so; else it is as usual")
