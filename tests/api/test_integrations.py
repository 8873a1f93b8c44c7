"""Integrations over HTTP: each person's own, whose URL goes in and never comes out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.integration_routes import INTEGRATION
from tests.api.world import Answer, Client, World
from tests.notify.telling import add_person
from tidings.testing import adrain

PATH = "/v1/integrations"
SECRET = "canary-topic"


@pytest.fixture
async def me(world: World) -> Client:
    """A member, whose login is linked to a person."""
    await add_person(world.pool, "acme", world.member.id)
    return world.as_(world.member)


async def made(client: Client, **changes: Any) -> dict[str, Any]:
    answer = await client.post(PATH, INTEGRATION | changes)
    assert answer.status == 201, answer.text
    data: dict[str, Any] = answer.json["data"]
    return data


async def listed(client: Client) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = (await client.get(PATH)).json["data"]
    return data


def faults(answer: Answer) -> dict[str, str]:
    assert answer.status == 422, answer.text
    return {error["field"]: error["message"] for error in answer.json["errors"]}


async def test_one_is_made_shown_changed_and_removed_and_its_url_is_never_shown(me: Client) -> None:
    answer = await me.post(PATH, INTEGRATION | {"tags": ["Urgent", "home", "urgent"]})
    mine = answer.json["data"]
    assert mine == {
        "id": mine["id"],
        "name": "Canary",
        "leadsTo": "ntfys://…",
        "tags": ["home", "urgent"],
        "active": True,
        "inactiveReason": None,
        "createdAt": mine["createdAt"],
    }
    one = f"{PATH}/{mine['id']}"
    assert (await me.get(one)).json["data"] == mine
    assert await listed(me) == [mine]
    changed = await me.call("PATCH", one, json={"name": "Phone", "active": False, "tags": []})
    expected = {"name": "Phone", "tags": [], "active": False, "inactiveReason": "turned off by its owner"}
    assert changed.json["data"] == mine | expected
    moved = await me.call("PATCH", one, json={"url": "gotifys://gotify.example.com/canary-topic"})
    assert moved.json["data"] == mine | expected | {"leadsTo": "gotifys://…"}
    assert SECRET not in answer.text + changed.text + moved.text + (await me.get(PATH)).text
    assert (await me.call("DELETE", one)).status == 204
    assert ((await me.get(one)).status, await listed(me)) == (404, [])


async def test_pages_of_them(me: Client) -> None:
    for n in range(5):
        await made(me, name=f"Number {n}", url=f"ntfys://ntfy.sh/{n}")
    first = await me.get(f"{PATH}?limit=3")
    second = await me.get(f"{PATH}?limit=3&cursor={first.json['pagination']['nextCursor']}")
    names = [each["name"] for each in (*first.json["data"], *second.json["data"])]
    assert names == [f"Number {n}" for n in (4, 3, 2, 1, 0)]
    assert second.json["pagination"] == {"nextCursor": None, "hasMore": False}


async def test_a_login_that_is_nobody_has_none(world: World) -> None:
    for answer in (await world.as_(world.admin).get(PATH), await world.as_(world.admin).post(PATH, INTEGRATION)):
        assert (answer.status, answer.json["detail"]) == (404, "You are not linked to a person here.")


async def test_what_is_a_colleagues_is_as_if_it_were_nobodys(world: World, me: Client) -> None:
    """An admin, too, has none but their own here."""
    await add_person(world.pool, "acme", world.admin.id)
    mine = await made(me)
    tried = (await me.post(f"{PATH}/{mine['id']}/test")).json["data"]["deliveryId"]
    admin = world.as_(world.admin)
    theirs = await made(admin)
    nobodys = "0190a000-0000-7000-8000-000000000000"
    for method, more, body in (
        ("GET", "", None),
        ("PATCH", "", {"name": "Taken"}),
        ("PATCH", "", {"url": "ntfys://ntfy.sh/taken"}),
        ("DELETE", "", None),
        ("POST", "/test", None),
        ("GET", f"/tests/{tried}", None),
    ):
        asked = [await admin.call(method, f"{PATH}/{id}{more}", json=body) for id in (mine["id"], nobodys)]  # noqa: A001
        bodies = [{k: v for k, v in each.json.items() if k != "instance"} for each in asked]
        assert [each.status for each in asked] == [404, 404], (method, more)
        assert bodies[0] == bodies[1]
    assert (await admin.get(f"{PATH}/{theirs['id']}/tests/{tried}")).status == 404
    assert (await listed(me), await listed(admin)) == ([mine], [theirs])


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "syslog://localhost",
        "dbus://",
        "json://127.0.0.1/",
        "jsons://10.0.0.1/hook",
        "json://169.254.169.254/latest",
        "json://[::1]/",
        "json://example.com:22/",
        "jsons://example.com/?redirect=yes",
        "mailto://user:pass@192.168.1.2",
        "https://example.com/",
        "ntfys://ntfy.sh/a b",
        "nothing",
        "",
        f"ntfys://ntfy.sh/{'x' * 3000}",
    ],
)
async def test_a_url_that_must_not_be_called_is_refused_and_named_and_nothing_changes(me: Client, url: str) -> None:
    mine = await made(me)
    assert set(faults(await me.post(PATH, {"name": "Wrong", "url": url}))) == {"url"}
    assert set(faults(await me.call("PATCH", f"{PATH}/{mine['id']}", json={"name": "Other", "url": url}))) == {"url"}
    assert await listed(me) == [mine]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": None}, "name"),
        ({"tags": ["a b"]}, "tags.0"),
        ({"tags": ["x" * 51]}, "tags.0"),
        ({"tags": [f"t{n}" for n in range(21)]}, "tags"),
        ({"tags": None}, "tags"),
        ({"active": "yes"}, "active"),
        ({"active": None}, "active"),
        ({"leadsTo": "ntfys://ntfy.sh/x"}, "leadsTo"),
    ],
)
async def test_bad_input_is_named_and_changes_nothing(me: Client, changes: dict[str, Any], field: str) -> None:
    mine = await made(me)
    assert set(faults(await me.call("PATCH", f"{PATH}/{mine['id']}", json=changes))) == {field}
    if field != "active":
        body = INTEGRATION | {"name": "Another", "url": "ntfys://ntfy.sh/another"} | changes
        assert set(faults(await me.post(PATH, body))) == {field}
    assert await listed(me) == [mine]


async def test_a_name_or_a_url_twice_is_a_conflict(me: Client) -> None:
    mine = await made(me)
    for body in (
        {"name": "CANARY", "url": "ntfys://ntfy.sh/other"},
        {"name": "Other", "url": INTEGRATION["url"]},
    ):
        assert (await me.post(PATH, body)).status == 409
    other = await made(me, name="Other", url="ntfys://ntfy.sh/other")
    assert (await me.call("PATCH", f"{PATH}/{other['id']}", json={"name": "canary"})).status == 409
    assert await listed(me) == [other, mine]


async def test_the_same_key_again_makes_no_second_one(me: Client) -> None:
    headers = {"Idempotency-Key": "once"}
    first = await me.post(PATH, INTEGRATION, headers=headers)
    again = await me.post(PATH, INTEGRATION, headers=headers)
    assert (again.status, again.json) == (201, first.json)
    assert len(await listed(me)) == 1


async def test_a_test_is_sent_and_followed_by_a_member(world: World, me: Client) -> None:
    mine = await made(me, name="Phone")
    answer = await me.post(f"{PATH}/{mine['id']}/test")
    assert answer.status == 202, answer.text
    tried = answer.json["data"]
    waiting = (await me.get(tried["follow"])).json["data"]
    assert (waiting["deliveryId"], waiting["status"], waiting["history"]) == (tried["deliveryId"], "pending", [])
    await adrain(world.settings)
    ended = (await me.get(tried["follow"])).json["data"]
    assert (ended["status"], [each["outcome"] for each in ended["history"]]) == ("sent", ["sent"])
    said = await world.pool.fetchval("SELECT title FROM tidings.notices WHERE listener = 'test'")
    assert said == "A test of Phone"
    assert (await me.get(f"/v1/deliveries/{tried['deliveryId']}")).status == 403


async def test_what_is_turned_off_is_not_tried(me: Client) -> None:
    mine = await made(me)
    await me.call("PATCH", f"{PATH}/{mine['id']}", json={"active": False})
    answer = await me.post(f"{PATH}/{mine['id']}/test")
    assert (answer.status, answer.json["detail"]) == (409, "It is turned off, and nothing is sent there.")


async def test_what_is_sent_there_otherwise_is_no_test(world: World, me: Client) -> None:
    mine = await made(me)
    tried = (await me.post(f"{PATH}/{mine['id']}/test")).json["data"]
    await world.pool.execute("UPDATE tidings.notices SET listener = 'another' WHERE listener = 'test'")
    assert (await me.get(tried["follow"])).status == 404


async def test_an_admin_sees_its_name_and_tags_among_the_persons_addresses(world: World, me: Client) -> None:
    mine = await made(me)
    person = await world.pool.fetchval("SELECT id FROM tidings.people WHERE user_id = $1", world.member.id)
    shown = await world.as_(world.admin).get(f"/v1/people/{person}/addresses")
    (address,) = shown.json["data"]
    assert (address["id"], address["name"], address["tags"], address["kind"]) == (
        mine["id"],
        "Canary",
        ["canary"],
        "apprise",
    )
    assert SECRET not in shown.text


async def test_the_url_is_in_no_table_as_it_was_given(world: World, me: Client) -> None:
    mine = await made(me)
    await me.post(f"{PATH}/{mine['id']}/test", headers={"Idempotency-Key": "once"})
    await adrain(world.settings)
    tables = await world.pool.fetch(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'tidings' AND table_type = 'BASE TABLE'"
    )
    for (name,) in tables:
        rows = await world.pool.fetch(f"SELECT to_jsonb(t)::text FROM tidings.{name} t")
        assert SECRET not in json.dumps([row[0] for row in rows]), name
