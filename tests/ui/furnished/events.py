"""Events, and integrations to hear of them over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.ui.clerk import Clerk

SAID = "Bring a coat"


async def events(clerk: Clerk) -> dict[str, str]:
    """One that the manager organises and others have joined, with something said of it; one of another; one that is
    cancelled."""
    for name, url, tags in (("My phone", "json://phone.example.com/hook", ["urgent"]),
                            ("The team's chat", "json://chat.example.com/rooms/7", ["urgent", "work"])):  # fmt: skip
        await clerk.call("POST", "/integrations", {"name": name, "url": url, "tags": tags})
    party = await clerk.call("POST", "/events", _event("Summer party", 9, "Europe/Rome", "The garden behind the house"))
    call = await clerk.call("POST", "/events", _event("Call with Tokyo", 3, "Asia/Tokyo", "https://meet.example.com/7"))
    off = await clerk.call("POST", "/events", _event("Open day", 20, "Europe/Rome", None))
    await clerk.call("POST", f"/events/{off['id']}/cancel")
    for person in await clerk.call("GET", "/people"):
        await clerk.call("POST", f"/events/{party['id']}/subscriptions", {"personId": person["id"]})
    await clerk.call("POST", f"/events/{party['id']}/remind-me", {"afterSeconds": 7200})
    await clerk.call("POST", f"/events/{call['id']}/subscriptions", {"reminderOffsets": [600]})
    said = {"title": SAID, "body": "It will be cold in the evening."}
    await clerk.call("POST", f"/events/{party['id']}/announcements", said)
    return {"eventId": str(party["id"])}


def _event(name: str, days: int, timezone: str, location: str | None) -> dict[str, Any]:
    start = (datetime.now(UTC) + timedelta(days=days)).replace(hour=16, minute=30, second=0, microsecond=0)
    return {"name": name, "timezone": timezone, "location": location, "startsAt": start.isoformat(),
            "endsAt": (start + timedelta(hours=3)).isoformat(),
            "description": "Everybody is welcome.\nThere is something to eat, and music later on."}  # fmt: skip
