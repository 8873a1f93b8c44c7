"""The bodies of replies about integrations."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document
from tidings.api.documents.deliveries import AttemptOutcome, DeliveryStatus


class IntegrationDocument(Document):
    """An Apprise URL of yours. Of the URL no more is shown than where it leads."""

    id: UUID
    name: str
    leads_to: str
    tags: list[str]
    active: bool
    inactive_reason: str | None = Field(description="why nothing is sent there, where it is not active")
    created_at: datetime


class IntegrationTriedDocument(Document):
    delivery_id: UUID
    follow: str = Field(description="where to see what becomes of it")


class IntegrationAttemptDocument(Document):
    """One attempt, or one decision not to make one, with what the service answered."""

    outcome: AttemptOutcome
    reason: str | None
    receipt: str | None
    took_seconds: float | None
    ended_at: datetime


class IntegrationTestDocument(Document):
    """What became of a test."""

    delivery_id: UUID
    status: DeliveryStatus
    attempts: int
    last_error: str | None
    created_at: datetime
    finished_at: datetime | None
    history: list[IntegrationAttemptDocument]
