"""What the module writes beside its own rows: facts. They carry ids of people, and nothing that people wrote."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from tidings.kit.db import Connection
from tidings.modules.reservations.model import MODULE, STREAM
from tidings.spine.notify.matters.model import Origin
from tidings.spine.outbox.intents import Row


@dataclass(frozen=True)
class Recording:
    """In the tenant's own transaction."""

    connection: Connection
    origin: Origin | None

    async def fact(self, what: str, row: Row, *, key: str | None = None, person_id: UUID | None = None) -> UUID:
        """`reservation.<what>` of a row of `tidings.reservations`; `person_id` is whoever did it, of the tenant's
        people."""
        fact: UUID = await self.connection.fetchval(
            "SELECT tidings.emit_own($1, $2, $3::text::jsonb, $4, $5, $6, $7::text::jsonb)",
            MODULE,
            f"reservation.{what}",
            json.dumps({**_shown(row), "personId": None if person_id is None else str(person_id)}),
            STREAM,
            str(row["id"]),
            key,
            json.dumps({} if self.origin is None else self.origin.metadata()),
        )
        return fact


def _shown(row: Row) -> dict[str, object]:
    return {
        "reservationId": row["id"],
        "restaurantId": row["restaurant_id"],
        "customerId": None if row["customer_id"] is None else str(row["customer_id"]),
        "agencyId": row["agency_id"],
        "partySize": row["party_size"],
        "time": _written(row["reserved_for"]),
        "proposedTime": None if row["proposed_for"] is None else _written(row["proposed_for"]),
        "status": row["status"],
        "round": row["round"],
    }


def _written(moment: datetime) -> str:
    """UTC, as ISO 8601 with `Z`."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
