"""Notifications: what people were told, read for one of them or for many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.kit.db import Connection

FROM = """n.id, n.person_id, n.notice_id, o.fact_id, o.title, o.body, o.level, o.category, n.created_at, n.read_at,
    n.archived_at FROM tidings.notifications n JOIN tidings.notices o ON o.id = n.notice_id"""


@dataclass(frozen=True, slots=True)
class Notification:
    """What one person was told. Title and body are plain text."""

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
    return [Notification(**row) for row in rows]
