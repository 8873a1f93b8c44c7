"""An event's own calendar, and a person's feed behind an address that they can take away."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from icalendar import Calendar

from tests.api.event_routes import created, guests_of, in_, joined
from tests.api.world import World


def events_in(text: str) -> dict[str, Any]:
    return {str(event["summary"]): event for event in Calendar.from_ical(text).walk("VEVENT")}


async def test_an_event_can_be_put_into_a_calendar_and_follows_its_changes(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin, timezone="Asia/Kathmandu", endsAt=in_(days=8))
    path = f"/v1/events/{event['id']}"
    first = await guests.member.get(f"{path}.ics")
    assert first.status == 200
    assert first.headers["Content-Type"].startswith("text/calendar")
    one = events_in(first.text)["Summer party"]
    assert one["dtstart"].dt.astimezone(UTC) == datetime.fromisoformat(event["startsAt"])
    await guests.admin.call("PATCH", path, json={"startsAt": in_(days=6)})
    moved = events_in((await guests.member.get(f"{path}.ics")).text)["Summer party"]
    assert (moved["uid"], moved["sequence"]) == (one["uid"], one["sequence"] + 1)
    await guests.admin.post(f"{path}/cancel")
    gone = (await guests.member.get(f"{path}.ics")).text
    assert "METHOD:CANCEL" in gone
    assert events_in(gone)["Summer party"]["sequence"] == 2


async def test_a_feed_has_what_one_joined_or_organises_and_can_be_revoked(world: World) -> None:
    guests = await guests_of(world)
    mine = await created(guests.member, name="Mine")
    other = await created(guests.admin, name="Joined")
    await created(guests.admin, name="Not mine")
    await joined(guests.member, other)
    assert (await guests.member.get("/v1/calendar-feed")).status == 404
    made = await guests.member.call("PUT", "/v1/calendar-feed")
    path = "/calendar/" + made.json["data"]["url"].rsplit("/", 1)[1]
    read = await world.client.get(path)
    assert (read.status, set(events_in(read.text))) == (200, {"Mine", "Joined"})
    assert (await guests.member.get("/v1/calendar-feed")).json["data"]["readAt"] is not None
    await guests.member.post(f"/v1/events/{mine['id']}/cancel")
    assert str(events_in((await world.client.get(path)).text)["Mine"]["status"]) == "CANCELLED"
    another = await guests.member.call("PUT", "/v1/calendar-feed")
    assert another.json["data"]["url"] != made.json["data"]["url"]
    assert (await world.client.get(path)).status == 404
    now = "/calendar/" + another.json["data"]["url"].rsplit("/", 1)[1]
    assert (await world.client.get(now)).status == 200
    assert (await guests.member.call("DELETE", "/v1/calendar-feed")).status == 204
    assert (await world.client.get(now)).status == 404
    assert (await guests.member.call("DELETE", "/v1/calendar-feed")).status == 404


async def test_the_address_of_a_feed_is_kept_hashed_and_out_of_the_log(world: World) -> None:
    from tidings.api.secret_paths import without_secrets

    guests = await guests_of(world)
    made = await guests.member.call("PUT", "/v1/calendar-feed")
    token = made.json["data"]["url"].rsplit("/", 1)[1].removesuffix(".ics")
    row = await world.pool.fetchval("SELECT t::text FROM tidings.calendar_feeds t")
    assert token not in row
    assert without_secrets(f"/calendar/{token}.ics") == "/calendar/{token}"
    assert without_secrets(f"/prefix/Guest/join/{token}") == "/prefix/guest/join/{token}"
