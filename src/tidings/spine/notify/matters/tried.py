"""Reading who acted on a matter: the first, and those who came too late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.notify.matters.model import Action, Settlement

_MOST = 100
SETTLEMENT = """h.id, h.matter, h.action, h.note, h.proposed_time, h.person_id, hp.name AS person, h.created_at AS at
    FROM tidings.actions h LEFT JOIN tidings.people hp ON hp.id = h.person_id"""


@dataclass(frozen=True)
class Tried:
    """Somebody who acted, or wanted to."""

    settlement: Settlement
    won: bool
    actor: str | None
    notification_id: UUID | None


def settlement_of(row: Any) -> Settlement:
    return Settlement(
        row["id"],
        row["matter"],
        Action(row["action"]),
        row["note"],
        row["proposed_time"],
        row["person_id"],
        row["person"],
        row["at"],
    )


async def all_who_tried(connection: Connection, tenant: str, matter: str) -> list[Tried]:
    """The winner first, then the others as they came; the first hundred of them."""
    rows = await connection.fetch(
        f"""SELECT h.won, h.actor, h.notification_id, {SETTLEMENT} WHERE h.tenant = $1 AND h.matter = $2
            ORDER BY NOT h.won, h.id LIMIT {_MOST}""",
        tenant,
        matter,
    )
    return [Tried(settlement_of(row), row["won"], row["actor"], row["notification_id"]) for row in rows]
