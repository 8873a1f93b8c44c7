"""The bodies of replies about people."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document

AddressKind = Literal["email", "phone", "push", "slack", "webhook", "apprise"]
ImportStatus = Literal["receiving", "applying", "refused", "done"]


class QuietHoursDocument(Document):
    from_: str = Field(alias="from", description="by the person's own clock")
    until: str


class AddressDocument(Document):
    """Where a person can be reached. Of a URL no more is shown than where it leads."""

    id: UUID
    kind: AddressKind
    value: str
    secret: str | None = Field(description="of a webhook, where one was made just now; shown now and never again")
    failing_since: datetime | None
    disabled_at: datetime | None
    disabled_reason: str | None
    created_at: datetime
    name: str | None = Field(description="of an integration, which its owner looks after; null of any other address")
    tags: list[str] = Field(description="of an integration: what it is chosen by")


class PersonDocument(Document):
    """Somebody who can be told."""

    id: UUID
    external_id: str | None
    user_type: str | None
    name: str
    locale: str | None
    timezone: str | None
    quiet_hours: QuietHoursDocument | None
    user_id: UUID | None = Field(description="the login that they are linked to")
    email: str | None = Field(description="the first of their addresses of this kind")
    phone: str | None = Field(description="the first of their addresses of this kind")
    addresses: list[AddressDocument]
    created_at: datetime
    updated_at: datetime


class GroupDocument(Document):
    id: UUID
    external_id: str
    type: str | None
    name: str
    members: int = Field(description="how many people belong to it; 1001 where there are more than 1,000")
    created_at: datetime


class MembersAdded(Document):
    added: int = Field(description="how many were no members before")


class TopicDocument(Document):
    topic: str
    created_at: datetime


class CategoryDocument(Document):
    id: str
    name: str
    description: str | None
    required: bool = Field(description="whether it cannot be turned off")


class PreferenceDocument(Document):
    category: str
    channel: str
    wanted: bool


class SuppressionDocument(Document):
    """An address that nothing is sent to."""

    kind: AddressKind
    value: str
    fingerprint: str = Field(description="what it is told apart by; good for lifting it")
    reason: Literal["bounced", "complained", "manual"]
    detail: str | None
    delivery_id: UUID | None
    created_at: datetime


class ImportDocument(Document):
    """People read from a file: all of them, or nobody."""

    id: UUID
    status: ImportStatus
    dry_run: bool
    file: str | None = Field(description="what the file was called, where that was said")
    rows: int = Field(description="read so far")
    wrong: int = Field(description="of these, how many cannot be taken")
    created: int
    updated: int
    error: str | None
    created_at: datetime
    finished_at: datetime | None


class ImportErrorDocument(Document):
    line: int = Field(description="of the file, counted from 1")
    error: str
