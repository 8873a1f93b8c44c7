"""Events for tests of the API: who organises them, who joins them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from tests.api.world import Client, World
from tests.notify.telling import add_person


def in_(**duration: float) -> str:
    """A moment from now, as JSON has it."""
    return (datetime.now(UTC) + timedelta(**duration)).replace(microsecond=0).isoformat().replace("+00:00", "Z")


def an_event(**fields: Any) -> dict[str, Any]:
    return {
        "name": "Summer party",
        "startsAt": in_(days=7),
        "timezone": "Europe/Rome",
        "location": "The garden",
        **fields,
    }


@dataclass(frozen=True)
class Guests:
    """A member and an admin of acme, each linked to a person."""

    member: Client
    member_id: UUID
    admin: Client
    admin_id: UUID


async def guests_of(world: World) -> Guests:
    member_id = await add_person(world.pool, "acme", world.member.id)
    admin_id = await add_person(world.pool, "acme", world.admin.id)
    return Guests(world.as_(world.member), member_id, world.as_(world.admin), admin_id)


async def created(client: Client, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/v1/events", an_event(**fields))
    assert answer.status == 201, answer.text
    event: dict[str, Any] = answer.json["data"]
    return event


async def joined(client: Client, event: dict[str, Any], **choice: Any) -> dict[str, Any]:
    answer = await client.post(f"/v1/events/{event['id']}/subscriptions", choice)
    assert answer.status == 201, answer.text
    subscription: dict[str, Any] = answer.json["data"]
    return subscription
