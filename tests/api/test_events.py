"""Events over HTTP: who may do what, what is refused, and that reminders follow in the same transaction."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.api.event_routes import an_event, created, guests_of, in_, joined
from tests.api.world import Answer, World


def fields(answer: Answer) -> set[str]:
    return {error["field"] for error in answer.json["errors"]}


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


async def test_an_event_is_made_with_its_process_and_shown_to_everybody_of_the_tenant(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.member)
    assert event["organiserId"] == str(guests.member_id)
    assert (event["status"], event["version"], event["sequence"], event["mine"]) == ("active", 1, 0, True)
    assert at(event["overAt"]) - at(event["startsAt"]) == timedelta(hours=24)
    seen = (await guests.admin.get("/v1/events")).json["data"]
    assert [shown["id"] for shown in seen] == [event["id"]]
    process = await world.pool.fetchrow("SELECT * FROM tidings.processes WHERE id = $1", f"event-{event['id']}")
    assert process is not None
    assert process["workflow"] == "EventWorkflow"
    start = await world.pool.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'process.start'")
    assert start == 1


async def test_reminders_are_written_on_joining_and_move_with_the_start(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    subscription = await joined(guests.member, event)
    prefix = f"event-{event['id']}-sub-{subscription['id']}-reminder-"
    rows = await world.pool.fetch("SELECT key, due_at FROM tidings.outbox WHERE kind = 'event.remind' ORDER BY due_at")
    start = at(event["startsAt"])
    assert [(row["key"], row["due_at"]) for row in rows] == [
        (f"{prefix}86400s", start - timedelta(days=1)),
        (f"{prefix}3600s", start - timedelta(hours=1)),
    ]
    moved = await guests.admin.call("PATCH", f"/v1/events/{event['id']}", json={"startsAt": in_(days=9)})
    assert (moved.status, moved.json["data"]["sequence"], moved.headers["ETag"]) == (200, 1, '"2"')
    reminders = (await guests.member.get(f"/v1/events/{event['id']}/reminders")).json["data"]
    assert [at(one["dueAt"]) for one in reminders] == [
        at(moved.json["data"]["startsAt"]) - timedelta(seconds=one["offsetSeconds"]) for one in reminders
    ]
    assert [one["offsetSeconds"] for one in reminders] == [86400, 3600]


async def test_what_is_over_is_listed_apart_the_last_first(world: World) -> None:
    guests = await guests_of(world)
    ids = [(await created(guests.admin))["id"] for _ in range(4)]
    for hours, event in zip((-80, -50, -2, 3), ids, strict=True):  # without an end, an event is over after a day
        await world.pool.execute("UPDATE tidings.events SET starts_at = $2 WHERE id = $1", event, at(in_(hours=hours)))
    now = in_()
    ahead = (await guests.member.get(f"/v1/events?endsAfter={now}")).json["data"]
    assert [event["id"] for event in ahead] == ids[2:]
    past = await guests.member.get(f"/v1/events?endsBefore={now}&limit=1")
    cursor = past.json["pagination"]["nextCursor"]
    rest = await guests.member.get(f"/v1/events?endsBefore={now}&limit=1&cursor={cursor}")
    assert [event["id"] for event in past.json["data"] + rest.json["data"]] == [ids[1], ids[0]]


async def test_changing_offsets_adds_and_removes_the_difference(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    await joined(guests.member, event)
    kept = await world.pool.fetchval("SELECT id FROM tidings.outbox WHERE key LIKE '%-reminder-3600s'")
    path = f"/v1/events/{event['id']}/subscriptions/me"
    changed = await guests.member.call("PATCH", path, json={"reminderOffsets": [3600, 300]})
    assert changed.json["data"]["reminderOffsets"] == [3600, 300]
    rows = await world.pool.fetch("SELECT id, key FROM tidings.outbox WHERE kind = 'event.remind' ORDER BY due_at")
    assert [row["key"].rsplit("-", 1)[1] for row in rows] == ["3600s", "300s"]
    assert rows[0]["id"] == kept
    assert (await guests.member.call("PATCH", path, json={"reminderOffsets": []})).status == 200
    assert (await guests.member.get(f"/v1/events/{event['id']}/reminders")).json["data"] == []


async def test_who_leaves_and_comes_back_has_each_reminder_once(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    path = f"/v1/events/{event['id']}"
    first = await joined(guests.member, event)
    assert (await guests.member.call("DELETE", f"{path}/subscriptions/me")).status == 204
    assert (await guests.member.get(f"{path}/subscriptions/me")).status == 404
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'event.remind'") == 0
    again = await joined(guests.member, event)
    assert again["id"] == first["id"]
    assert len((await guests.member.get(f"{path}/reminders")).json["data"]) == 2


async def test_what_has_passed_is_not_reminded_of_and_what_is_due_in_a_second_is(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin, startsAt=in_(minutes=30))
    await joined(guests.member, event, reminderOffsets=[86400, 3600, 1795, 60])
    reminders = (await guests.member.get(f"/v1/events/{event['id']}/reminders")).json["data"]
    assert [one["offsetSeconds"] for one in reminders] == [1795, 60]


async def test_remind_me_in_a_while_does_not_move_with_the_event(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    path = f"/v1/events/{event['id']}"
    assert (await guests.member.post(f"{path}/remind-me", {"afterSeconds": 600})).status == 404
    await joined(guests.member, event, reminderOffsets=[])
    made = await guests.member.post(f"{path}/remind-me", {"afterSeconds": 600})
    assert made.status == 201
    await guests.admin.call("PATCH", path, json={"startsAt": in_(days=20)})
    (reminder,) = (await guests.member.get(f"{path}/reminders")).json["data"]
    assert (reminder["id"], reminder["dueAt"], reminder["offsetSeconds"]) == (
        made.json["data"]["id"],
        made.json["data"]["dueAt"],
        None,
    )
    assert (await guests.admin.call("DELETE", f"{path}/reminders/{reminder['id']}")).status == 404
    assert (await guests.member.call("DELETE", f"{path}/reminders/{reminder['id']}")).status == 204
    assert (await guests.member.get(f"{path}/reminders")).json["data"] == []


async def test_a_cancelled_event_has_no_reminders_and_takes_nobody(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    await joined(guests.member, event)
    path = f"/v1/events/{event['id']}"
    cancelled = await guests.admin.post(f"{path}/cancel")
    assert (cancelled.status, cancelled.json["data"]["status"]) == (200, "cancelled")
    assert (await guests.admin.post(f"{path}/cancel")).json["data"]["version"] == cancelled.json["data"]["version"]
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'event.remind'") == 0
    reasons = await world.pool.fetch(
        "SELECT DISTINCT last_error FROM tidings.outbox_finished WHERE kind = 'event.remind'"
    )
    assert [row["last_error"] for row in reasons] == ["event_cancelled"]
    for call in (
        guests.admin.post(f"{path}/subscriptions", {}),
        guests.admin.post(f"{path}/announcements", {"title": "Hello", "body": "there"}),
        guests.admin.call("PATCH", path, json={"name": "Winter party"}),
        guests.member.post(f"{path}/remind-me", {"afterSeconds": 60}),
    ):
        assert (await call).status == 409


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"startsAt": in_(days=-1)}, "startsAt"),
        ({"startsAt": in_(days=4000)}, "startsAt"),
        ({"endsAt": in_(days=6)}, "endsAt"),
        ({"timezone": "Europe/Atlantis"}, "timezone"),
        ({"timezone": "localtime"}, "timezone"),
        ({"name": ""}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"startsAt": "tomorrow"}, "startsAt"),
        ({"startsAt": "2027-02-30T10:00:00Z"}, "startsAt"),
        ({"startsAt": "2027-02-03T10:00:00"}, "startsAt"),
        ({"tenantId": "globex"}, "tenantId"),
        ({"organiserId": str(uuid4())}, "organiserId"),
        ({"description": "a\x00b"}, "description"),
        ({"description": "a\x0bb"}, "description"),
        ({"description": "a\u2028b"}, "description"),
        ({"location": "x" * 501}, "location"),
    ],
)
async def test_what_an_event_cannot_be_is_refused_by_field_and_nothing_is_made(
    world: World, body: dict[str, Any], field: str
) -> None:
    guests = await guests_of(world)
    answer = await guests.admin.post("/v1/events", an_event(**body))
    assert (answer.status, fields(answer)) == (422, {field})
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.events") == 0


@pytest.mark.parametrize(
    ("choice", "field"),
    [
        ({"reminderOffsets": [-1]}, "reminderOffsets"),
        ({"reminderOffsets": list(range(100_000))}, "reminderOffsets"),
        ({"reminderOffsets": [10**12]}, "reminderOffsets"),
        ({"reminderOffsets": ["3600"]}, "reminderOffsets"),
        ({"selectors": [{}]}, "selectors"),
        ({"selectors": [{"tag": "work", "integrationId": str(uuid4())}]}, "selectors"),
        ({"selectors": [{"integrationId": str(uuid4())}]}, "selectors"),
        ({"personId": str(uuid4())}, "personId"),
    ],
)
async def test_what_nobody_can_choose_is_refused_by_field_and_nobody_joins(
    world: World, choice: dict[str, Any], field: str
) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    answer = await guests.admin.post(f"/v1/events/{event['id']}/subscriptions", choice)
    assert answer.status == 422
    assert {name.split(".")[0].split("[")[0] for name in fields(answer)} == {field}
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.event_subscriptions") == 0
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'event.remind'") == 0


async def test_an_announcement_is_for_subscriptions_of_this_event(world: World) -> None:
    guests = await guests_of(world)
    event, other = await created(guests.admin), await created(guests.admin)
    elsewhere = await joined(guests.member, other)
    path = f"/v1/events/{event['id']}/announcements"
    words = {"title": "Rain", "body": "Bring an umbrella"}
    for ids in ([], [elsewhere["id"]], [0], ["1"]):
        answer = await guests.admin.post(path, {**words, "subscriptionIds": ids})
        assert answer.status == 422
        assert all(name.startswith("subscriptionIds") for name in fields(answer))
    assert (await guests.admin.post(path, {**words, "level": "shouted"})).status == 422
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'event.announced'") == 0
    said = await guests.admin.post(path, {**words, "level": "critical"}, headers={"Idempotency-Key": "once"})
    again = await guests.admin.post(path, {**words, "level": "critical"}, headers={"Idempotency-Key": "once"})
    assert (said.status, again.json) == (202, said.json)
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'event.announced'") == 1


async def test_only_the_organiser_or_an_admin_changes_an_event_and_sees_who_joined(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    path = f"/v1/events/{event['id']}"
    refused = [
        await guests.member.call("PATCH", path, json={"name": "Mine"}),
        await guests.member.post(f"{path}/cancel"),
        await guests.member.post(f"{path}/announcements", {"title": "Hello", "body": "there"}),
        await guests.member.get(f"{path}/subscriptions"),
        await guests.member.get(f"{path}/reminders?everybody=true"),
        await guests.member.get(f"{path}/deliveries"),
        await guests.member.post("/v1/events", an_event(organiserId=str(guests.admin_id))),
        await guests.member.post(f"{path}/subscriptions", {"personId": str(guests.admin_id)}),
    ]
    assert {answer.status for answer in refused} == {403}
    shown = (await guests.member.get(path)).json["data"]
    assert (shown["mine"], shown["joinUrl"], shown["name"]) == (False, None, "Summer party")


async def test_a_version_that_is_not_the_present_one_changes_nothing(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    path = f"/v1/events/{event['id']}"
    assert (await guests.admin.call("PATCH", path, json={"name": "A"}, headers={"If-Match": '"1"'})).status == 200
    assert (await guests.admin.call("PATCH", path, json={"name": "B"}, headers={"If-Match": '"1"'})).status == 412
    unchanged = await guests.admin.call("PATCH", path, json={"name": "A"})
    assert unchanged.json["data"]["version"] == 2
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'event.updated'") == 1


async def test_the_organiser_takes_somebody_off_the_list(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    subscription = await joined(guests.member, event)
    path = f"/v1/events/{event['id']}/subscriptions"
    assert [one["id"] for one in (await guests.admin.get(path)).json["data"]] == [subscription["id"]]
    assert (await guests.admin.call("DELETE", f"{path}/{subscription['id']}")).status == 204
    assert (await guests.admin.call("DELETE", f"{path}/{subscription['id']}")).status == 404
    assert (await guests.admin.get(path)).json["data"] == []


async def test_lists_are_by_start_and_can_be_narrowed_and_paged(world: World) -> None:
    guests = await guests_of(world)
    events = [await created(guests.admin, startsAt=in_(days=day), name=f"Day {day}") for day in (5, 3, 4)]
    await joined(guests.member, events[1])
    first = (await guests.member.get("/v1/events?limit=2")).json
    assert [event["name"] for event in first["data"]] == ["Day 3", "Day 4"]
    rest = (await guests.member.get(f"/v1/events?limit=2&cursor={first['pagination']['nextCursor']}")).json
    assert [event["name"] for event in rest["data"]] == ["Day 5"]
    mine = (await guests.member.get("/v1/events?whose=joined")).json["data"]
    assert [(event["name"], event["joined"]) for event in mine] == [("Day 3", True)]
    assert (await guests.member.get("/v1/events?whose=organised")).json["data"] == []
    assert (await guests.member.get("/v1/events?status=cancelled")).json["data"] == []


async def test_whose_topic_an_admin_took_away_has_joined_still_and_can_leave(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    await joined(guests.member, event)
    topic = f"/v1/people/{guests.member_id}/topics/event:{event['id']}"
    assert (await guests.admin.call("DELETE", topic)).status == 204
    mine = f"/v1/events/{event['id']}/subscriptions/me"
    assert (await guests.member.get(mine)).status == 200
    assert (await guests.member.call("DELETE", mine)).status == 204
    await joined(guests.member, event)
