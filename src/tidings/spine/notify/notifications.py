"""Notifications: what people were told, read for one of them or for many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.notify.matters.model import Action, Settlement

# Who has read a shared notice has read it for all; who acted on its matter first, for all who were asked to.
FROM = """n.id, n.person_id, n.notice_id, o.fact_id, o.title, o.body, o.level, o.category, n.created_at, n.read_at,
    n.archived_at, o.properties ->> 'actionUrl' AS action_url, o.properties ->> 'actionLabel' AS action_label,
    o.properties ->> 'timezone' AS timezone, o.shared, o.matter, o.actions,
    CASE WHEN o.shared THEN o.read_by END AS read_by, r.name AS reader, h.id AS settlement, h.action, h.note,
    h.proposed_time, h.person_id AS handler_id, hp.name AS handler, h.created_at AS handled_at
FROM tidings.notifications n JOIN tidings.notices o ON o.id = n.notice_id
LEFT JOIN tidings.actions h ON h.tenant = o.tenant AND h.matter = o.matter AND h.won AND o.actions <> '{}'
LEFT JOIN tidings.people hp ON hp.id = h.person_id LEFT JOIN tidings.people r ON o.shared AND r.id = o.read_by"""


@dataclass(frozen=True, slots=True)
class Notification:
    """What one person was told. Title and body are plain text. `actions` is what can be done about its matter, while
    nobody has; `handled`, who was the first to. `action_url` leads to what it is about, and `timezone` is that of the
    times that it speaks of: both as far as whoever said it knew."""

    id: UUID
    person_id: UUID
    notice_id: UUID
    fact_id: UUID | None
    title: str
    body: str
    level: str
    category: str
    created_at: datetime
    read_at: datetime | None
    archived_at: datetime | None
    action_url: str | None = None
    action_label: str | None = None
    timezone: str | None = None
    shared: bool = False
    matter: str | None = None
    actions: tuple[str, ...] = ()
    read_by: UUID | None = None
    reader: str | None = None
    handled: Settlement | None = None


def notification_of(row: Any) -> Notification:
    """A row of `FROM`."""
    settled = row["settlement"] is not None
    actions = () if settled else tuple(row["actions"])
    return Notification(
        **{name: row[name] for name in _PLAIN}, actions=actions, handled=_handled(row) if settled else None
    )


_PLAIN = (
    "id",
    "person_id",
    "notice_id",
    "fact_id",
    "title",
    "body",
    "level",
    "category",
    "created_at",
    "read_at",
    "archived_at",
    "action_url",
    "action_label",
    "timezone",
    "shared",
    "matter",
    "read_by",
    "reader",
)


def _handled(row: Any) -> Settlement:
    return Settlement(
        row["settlement"],
        row["matter"],
        Action(row["action"]),
        row["note"],
        row["proposed_time"],
        row["handler_id"],
        row["handler"],
        row["handled_at"],
    )


async def unread_of(connection: Connection, tenant: str, people: Sequence[UUID]) -> dict[UUID, int]:
    """How many each of these people has not read; who has read all is not in it."""
    rows = await connection.fetch(
        """SELECT person_id, count(*) AS unread FROM tidings.notifications
           WHERE tenant = $1 AND person_id = ANY ($2) AND read_at IS NULL AND archived_at IS NULL GROUP BY person_id""",
        tenant,
        people,
    )
    return {row["person_id"]: row["unread"] for row in rows}


async def notifications_of(
    connection: Connection, tenant: str, people: Sequence[UUID], ids: Sequence[UUID]
) -> list[Notification]:
    """Those of these notifications that are these people's, oldest first."""
    rows = await connection.fetch(
        f"SELECT {FROM} WHERE n.tenant = $1 AND n.person_id = ANY ($2) AND n.id = ANY ($3) ORDER BY n.id",
        tenant,
        people,
        ids,
    )
    return [notification_of(row) for row in rows]
