"""People and what they are told, written straight into the tables: the fan-out is tested elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.notify.announcing import announce


async def add_person(connection: Any, tenant: str = "acme", user_id: UUID | None = None) -> UUID:
    person_id: UUID = await connection.fetchval(
        "INSERT INTO tidings.people (tenant, name, user_id) VALUES ($1, 'Somebody', $2) RETURNING id", tenant, user_id
    )
    return person_id


async def told(
    connection: Any,
    people: Sequence[UUID],
    title: str = "Paid",
    *,
    tenant: str = "acme",
    body: str = "Order 7 is paid.",
    level: str = "info",
    category: str = "orders",
) -> list[UUID]:
    """A notice to these people; the ids of their notifications, in the order of the people."""
    notice_id = await connection.fetchval(
        """INSERT INTO tidings.notices
               (id, tenant, listener, title, body, template, level, category, channels, audience)
           VALUES (tidings.uuid7(), $1, 'test', $2, $3, 'plain', $4, $5, '{websocket}', '[]') RETURNING id""",
        tenant,
        title,
        body,
        level,
        category,
    )
    rows = await connection.fetch(
        """INSERT INTO tidings.notifications (id, tenant, notice_id, person_id, targets)
           SELECT tidings.uuid7(), $1, $2, p, 1 FROM unnest($3::uuid[]) p RETURNING id, person_id""",
        tenant,
        notice_id,
        people,
    )
    ids = {row["person_id"]: row["id"] for row in rows}
    return [ids[person_id] for person_id in people]


async def told_live(connection: Connection, person_id: UUID, title: str = "Paid", **fields: Any) -> UUID:
    """One notification, announced as it commits."""
    (given,) = await told(connection, [person_id], title, **fields)
    await announce(connection, fields.get("tenant", "acme"), [(person_id, given)])
    return given
