"""An event as facts carry it: what it was when they were recorded."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tidings.spine.outbox.intents import Row

COLUMNS = (
    "e.id, e.uid, e.organiser_id, e.name, e.description, e.location, e.starts_at, e.ends_at, e.timezone, e.sequence, "
    "e.status, e.created_at, e.updated_at"
)


def snapshot(row: Row) -> dict[str, Any]:
    return {
        "id": row["id"],
        "uid": str(row["uid"]),
        "organiserId": None if row["organiser_id"] is None else str(row["organiser_id"]),
        "name": row["name"],
        "description": row["description"],
        "location": row["location"],
        "startsAt": written(row["starts_at"]),
        "endsAt": None if row["ends_at"] is None else written(row["ends_at"]),
        "timezone": row["timezone"],
        "sequence": row["sequence"],
        "status": row["status"],
        "createdAt": written(row["created_at"]),
        "updatedAt": written(row["updated_at"]),
    }


def written(moment: datetime) -> str:
    """UTC, as ISO 8601 with `Z`."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
