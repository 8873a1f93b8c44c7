"""What pages read of reservations: who dealt with one last, the intents of its listeners, and where notices lead."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.api.world import Client, World
from tests.notify.telling import add_person, told

TIME = (datetime.now(UTC) + timedelta(days=9)).replace(microsecond=0)
_ASKS = """
UPDATE tidings.notices SET shared = true, matter = $2, actions = '{CONFIRMED,POSTPONED,DISMISSED}',
    properties = '{"actionUrl": "https://example.com/reservations/7", "actionLabel": "Open", "timezone": "Asia/Tokyo"}'
WHERE id = (SELECT notice_id FROM tidings.notifications WHERE id = $1)
"""


@pytest.fixture
async def host(world: World) -> UUID:
    """The person of the admin's login."""
    return await add_person(world.pool, "acme", world.admin.id)


async def test_who_dealt_with_it_last_stays_with_it_in_the_next_round(world: World, host: UUID) -> None:
    admin = world.as_(world.admin)
    reservation = await _asked(world, admin)
    assert (reservation["settled"], reservation["handled"]) == (False, None)

    later = (TIME + timedelta(hours=1)).isoformat()
    await _act(world, admin, host, reservation["matter"], {"action": "POSTPONED", "proposedTime": later})
    postponed = await _now(admin, reservation)
    assert (postponed["status"], postponed["settled"]) == ("postponed", False)
    assert (postponed["handled"]["action"], postponed["handled"]["by"]["id"]) == ("POSTPONED", str(host))
    assert datetime.fromisoformat(postponed["handled"]["proposedTime"]) == TIME + timedelta(hours=1)

    await _act(world, admin, host, postponed["matter"], {"action": "DISMISSED"})
    dismissed = await _now(admin, reservation)
    assert (dismissed["status"], dismissed["settled"]) == ("postponed", True)
    assert dismissed["handled"]["action"] == "DISMISSED"
    (listed,) = (await admin.get("/v1/reservations")).json["data"]
    assert listed == dismissed


async def test_the_history_names_the_intents_of_listeners(world: World) -> None:
    admin = world.as_(world.admin)
    reservation = await _asked(world, admin)
    history = (await admin.get(f"/v1/reservations/{reservation['id']}/history")).json["data"]
    ((fact),) = history["facts"]
    assert [heard["listener"] for heard in fact["heardBy"]] == [
        f"reservations.{who}" for who in ("admin", "agency", "customer", "restaurant")
    ]
    for heard in fact["heardBy"]:
        assert (await admin.get(f"/v1/outbox/{heard['intentId']}")).json["data"]["factId"] == fact["factId"]


async def test_a_notification_leads_to_what_it_is_about(world: World, host: UUID) -> None:
    admin = world.as_(world.admin)
    await _told(world, host, "order:7")
    await told(world.pool, [host], "Paid")
    plain, leading = (await admin.get("/v1/inbox")).json["data"]
    assert (plain["actionUrl"], plain["actionLabel"], plain["timezone"]) == (None, None, None)
    assert (leading["actionUrl"], leading["actionLabel"]) == ("https://example.com/reservations/7", "Open")
    assert leading["timezone"] == "Asia/Tokyo"


async def _asked(world: World, admin: Client) -> dict[str, Any]:
    restaurant = await admin.post("/v1/restaurants", {"name": "The Anchor", "timezone": "Asia/Tokyo"})
    guest = await add_person(world.pool)
    await world.pool.execute("UPDATE tidings.people SET user_type = 'CUSTOMER' WHERE id = $1", guest)
    wanted = {"restaurantId": restaurant.json["data"]["id"], "customerId": str(guest), "partySize": 2}
    answer = await admin.post("/v1/reservations", wanted | {"time": TIME.isoformat()})
    assert answer.status == 201, answer.text
    return dict(answer.json["data"])


async def _now(admin: Client, reservation: dict[str, Any]) -> dict[str, Any]:
    return dict((await admin.get(f"/v1/reservations/{reservation['id']}")).json["data"])


async def _told(world: World, person: UUID, matter: str) -> UUID:
    """As a listener would; no worker runs here."""
    (notification,) = await told(world.pool, [person], "Please decide")
    await world.pool.execute(_ASKS, notification, matter)
    return notification


async def _act(world: World, admin: Client, person: UUID, matter: str, deed: dict[str, str]) -> None:
    notification = await _told(world, person, matter)
    answer = await admin.post(f"/v1/notifications/{notification}/actions", deed)
    assert answer.status == 201, answer.text
