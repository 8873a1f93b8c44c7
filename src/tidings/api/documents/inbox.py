"""The inbox as a client sees it, over HTTP and over the socket."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document
from tidings.spine.notify.notifications import Notification

Level = Literal["info", "warning", "critical"]


class InboxDocument(Document):
    """Something that a person was told. Title and body are plain text."""

    id: UUID
    person_id: UUID
    notice_id: UUID
    fact_id: UUID | None
    title: str
    body: str
    level: Level
    category: str
    created_at: datetime
    read_at: datetime | None
    archived_at: datetime | None


class UnreadDocument(Document):
    unread: int = Field(description="neither read nor archived")


class ReadAllDocument(UnreadDocument):
    read: int = Field(description="how many this has read")


def shown_notification(notification: Notification) -> dict[str, Any]:
    return {
        "id": notification.id,
        "personId": notification.person_id,
        "noticeId": notification.notice_id,
        "factId": notification.fact_id,
        "title": notification.title,
        "body": notification.body,
        "level": notification.level,
        "category": notification.category,
        "createdAt": notification.created_at,
        "readAt": notification.read_at,
        "archivedAt": notification.archived_at,
    }
