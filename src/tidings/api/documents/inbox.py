"""The inbox as a client sees it, over HTTP and over the socket."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document, HandledDocument, SomebodyDocument
from tidings.spine.notify.matters.model import Settlement
from tidings.spine.notify.notifications import Notification

Level = Literal["info", "warning", "critical"]
Choosable = Literal["CONFIRMED", "REJECTED", "POSTPONED", "DISMISSED", "CUSTOM"]


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
    action_url: str | None = Field(description="where what it is about is found, if anywhere")
    action_label: str | None = Field(description="what the way there is called")
    timezone: str | None = Field(description="of the times that it speaks of, where it is not the reader's own")
    shared: bool = Field(description="one matter for all who are told: read for all, and settled by one of them")
    read_by: SomebodyDocument | None = Field(description="who has read it for all, where it is shared")
    matter: str | None = Field(description="what it is about, where somebody is to settle it")
    actions: list[Choosable] = Field(description="what can be done about it, while nobody has")
    handled: HandledDocument | None = Field(description="how it was settled, if so")


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
        "actionUrl": notification.action_url,
        "actionLabel": notification.action_label,
        "timezone": notification.timezone,
        "shared": notification.shared,
        "readBy": somebody(notification.read_by, notification.reader),
        "matter": notification.matter,
        "actions": list(notification.actions),
        "handled": None if notification.handled is None else shown_settlement(notification.handled),
    }


def shown_settlement(settlement: Settlement) -> dict[str, Any]:
    return {
        "action": settlement.action,
        "by": {"id": settlement.person_id, "name": settlement.person},
        "at": settlement.at,
        "note": settlement.note,
        "proposedTime": settlement.proposed_time,
    }


def somebody(id: UUID | None, name: str | None) -> dict[str, Any] | None:
    return None if id is None else {"id": id, "name": name}
