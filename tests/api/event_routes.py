"""Events for tests of the API: who organises them, who joins them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg

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


Ids = dict[str, str]
_EVENT = "/v1/events/{eventId}"
_FAR = 7_710_000
"""Where the ids of another tenant's events begin, so that one is not found in the midst of other numbers."""


def _of(method: str, rest: str, body: Any = None) -> tuple[tuple[str, str], Callable[[Ids], tuple[str, Any]]]:
    def asked(ids: Ids) -> tuple[str, Any]:
        named = {"eventId": ids["event"], "subscriptionId": ids["subscription"], "noticeId": ids["notice"]}
        return f"{_EVENT}{rest}".format(**named, id=ids["reminder"]), body

    return (method, f"{_EVENT}{rest}"), asked


OF_ONE_OBJECT: dict[tuple[str, str], Callable[[Ids], tuple[str, Any]]] = dict(
    (
        _of("GET", ""),
        _of("GET", ".ics"),
        _of("PATCH", "", {"name": "Mine"}),
        _of("POST", "/cancel"),
        _of("POST", "/announcements", {"title": "Mine", "body": "Mine"}),
        _of("POST", "/subscriptions", {}),
        _of("GET", "/subscriptions"),
        _of("GET", "/subscriptions/me"),
        _of("PATCH", "/subscriptions/me", {"reminderOffsets": []}),
        _of("DELETE", "/subscriptions/me"),
        _of("GET", "/subscriptions/{subscriptionId}"),
        _of("DELETE", "/subscriptions/{subscriptionId}"),
        _of("GET", "/reminders"),
        _of("POST", "/remind-me", {"afterSeconds": 60}),
        _of("DELETE", "/reminders/{id}"),
        _of("GET", "/deliveries"),
        _of("GET", "/deliveries/{noticeId}"),
        _of("GET", "/deliveries/{noticeId}/results"),
        _of("GET", "/process"),
    )
)
OF_ALL: dict[tuple[str, str], tuple[str, Any]] = {("GET", "/v1/events"): ("/v1/events", None)}
ELSEWHERE = {
    ("POST", "/v1/events"),
    ("GET", "/v1/calendar-feed"),
    ("PUT", "/v1/calendar-feed"),
    ("DELETE", "/v1/calendar-feed"),
}


async def events_of(world: World, owner: Client) -> Ids:
    """An event that its organiser has joined, with a reminder of their own."""
    connection = await asyncpg.connect(world.settings.database.url)
    for table in ("events", "event_subscriptions"):
        await connection.execute(f"ALTER TABLE tidings.{table} ALTER COLUMN id RESTART WITH {_FAR}")
    await connection.close()
    event = await created(owner, name="Canary")
    subscription = await joined(owner, event)
    reminder = await owner.post(f"/v1/events/{event['id']}/remind-me", {"afterSeconds": 3600})
    return {
        "event": str(event["id"]),
        "subscription": str(subscription["id"]),
        "reminder": reminder.json["data"]["id"],
    }


def shown_at(ids: Ids) -> tuple[str, ...]:
    path = f"/v1/events/{ids['event']}"
    return (path, f"{path}/subscriptions", f"{path}/reminders", f"{path}/deliveries")
