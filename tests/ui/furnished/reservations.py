"""Restaurants, an agency, and who asked for a table."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.ui.clerk import Clerk


async def reservations(clerk: Clerk) -> dict[str, str]:
    """One for which another time was proposed, one that waits, one that is confirmed, one that is off."""
    agency = await clerk.call("POST", "/agencies", {"name": "Tables & Tours"})
    anchor = await clerk.call(
        "POST", "/restaurants", {"name": "The Anchor", "timezone": "Asia/Tokyo", "locale": "en", "escalateTimes": 3}
    )
    garden = await clerk.call(
        "POST", "/restaurants", {"name": "The Garden", "timezone": "Europe/Rome", "escalateAfterMinutes": None}
    )
    await clerk.call("PUT", "/usual-channels/AGENCY_USER", {"channels": ["email"], "urgent": ["sms"]})
    guests = [await _person(clerk, name, "CUSTOMER") for name in ("The guest", "The regular")]
    chef = await _person(clerk, "The chef", "RESTAURANT_USER")
    guide = await _person(clerk, "The guide", "AGENCY_USER")
    await clerk.call("PUT", f"/groups/{agency['groupId']}/members/{guide}")
    for place in (anchor, garden):
        await clerk.call("PUT", f"/groups/{place['groupId']}/members/{chef}")
    (me,) = await clerk.call("GET", "/people?q=The manager")
    await clerk.call("PATCH", f"/people/{me['id']}", {"userType": "ADMIN_USER"})
    made = []
    for place, guest, days, more in (
        (anchor, guests[0], 9, {"agencyId": agency["id"], "note": "By the window, if there is one.\nWe come by boat."}),
        (garden, guests[1], 4, {"partySize": 2}),
        (garden, guests[0], 6, {"partySize": 7}),
        (garden, guests[1], 12, {"partySize": 3}),
    ):
        body = {"restaurantId": place["id"], "customerId": guest, "partySize": 4, "time": _at(days, 10)}
        made.append(await clerk.call("POST", "/reservations", body | more))
    await _act(clerk, made[0], {"action": "POSTPONED", "proposedTime": _at(9, 12), "note": "All is taken at seven."})
    await _act(clerk, made[2], {"action": "CONFIRMED"})
    await clerk.call("POST", f"/reservations/{made[3]['id']}/cancel")
    return {"reservationId": str(made[0]["id"])}


async def _person(clerk: Clerk, name: str, user_type: str) -> str:
    email = f"{name.split()[-1]}@example.com"
    return str((await clerk.call("POST", "/people", {"name": name, "userType": user_type, "email": email}))["id"])


async def _act(clerk: Clerk, reservation: dict[str, Any], deed: dict[str, str]) -> None:
    """On the manager's own copy of the notice, once it is there."""
    for _ in range(150):
        if copies := await clerk.call("GET", f"/inbox?matter={reservation['matter']}"):
            await clerk.call("POST", f"/notifications/{copies[0]['id']}/actions", deed)
            return
        await asyncio.sleep(0.2)
    raise TimeoutError("nobody was asked")


def _at(days: int, hour: int) -> str:
    there = datetime.now(UTC) + timedelta(days=days)
    return there.replace(hour=hour, minute=0, second=0, microsecond=0).isoformat()
