"""Groups, topics, categories, preferences and suppressions over HTTP."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.api.test_people import made
from tests.api.world import Client, World


@pytest.fixture
def admin(world: World) -> Client:
    return world.as_(world.admin)


async def test_a_group_is_created_changed_and_deleted_and_its_people_stay(admin: Client) -> None:
    body = {"externalId": "r1", "type": "restaurant", "name": "Restaurant"}
    group = (await admin.post("/v1/groups", body)).json["data"]
    assert (await admin.post("/v1/groups", body)).status == 409
    other = (await admin.post("/v1/groups", {"externalId": "a1", "name": "Agency"})).json["data"]
    path = f"/v1/groups/{group['id']}"
    assert (await admin.call("PATCH", path, json={"name": "Renamed"})).json["data"] == {**group, "name": "Renamed"}
    assert (await admin.call("PATCH", path, json={"externalId": "a1"})).status == 409
    assert (await admin.get("/v1/groups?type=restaurant")).json["data"][0]["id"] == group["id"]
    assert (await admin.get("/v1/groups?externalId=a1")).json["data"] == [other]
    assert (await admin.get("/v1/groups?q=AGE")).json["data"] == [other]
    assert (await admin.get("/v1/groups?q=gency")).json["data"] == []
    person = await made(admin)
    assert (await admin.call("PUT", f"{path}/members/{person['id']}")).status == 204
    assert (await admin.call("DELETE", path)).status == 204
    assert (await admin.get(f"/v1/people/{person['id']}")).status == 200


async def test_many_members_are_added_all_or_none(admin: Client) -> None:
    group = (await admin.post("/v1/groups", {"externalId": "r1", "name": "Restaurant"})).json["data"]
    path = f"/v1/groups/{group['id']}/members"
    people = [(await made(admin))["id"] for _ in range(3)]
    absent = await admin.post(path, {"people": [*people, str(uuid4())]})
    assert (absent.status, "people.3" in absent.json["detail"]) == (404, True)
    assert (await admin.get(path)).json["data"] == []
    assert (await admin.post(path, {"people": people[:2]})).json["data"] == {"added": 2}
    assert (await admin.post(path, {"people": [*people, *people]})).json["data"] == {"added": 1}
    assert [person["id"] for person in (await admin.get(path)).json["data"]] == people[::-1]
    assert [found["members"] for found in (await admin.get("/v1/groups")).json["data"]] == [3]
    page = (await admin.get(f"{path}?limit=2")).json["pagination"]
    assert len((await admin.get(f"{path}?limit=2&cursor={page['nextCursor']}")).json["data"]) == 1
    assert [(await admin.call("DELETE", f"{path}/{people[0]}")).status for _ in range(2)] == [204, 404]


async def test_a_person_knows_their_groups(admin: Client) -> None:
    person, nobody = await made(admin), await made(admin)
    groups = [(await admin.post("/v1/groups", {"externalId": name, "name": name})).json["data"] for name in "abc"]
    for group in groups[:2]:
        await admin.call("PUT", f"/v1/groups/{group['id']}/members/{person['id']}")
    path, theirs = f"/v1/people/{person['id']}/groups", [{**group, "members": 1} for group in groups[1::-1]]
    assert (await admin.get(path)).json["data"] == theirs
    first = (await admin.get(f"{path}?limit=1")).json
    rest = (await admin.get(f"{path}?limit=1&cursor={first['pagination']['nextCursor']}")).json
    assert (first["data"] + rest["data"], rest["pagination"]["hasMore"]) == (theirs, False)
    assert (await admin.get(f"/v1/people/{nobody['id']}/groups")).json["data"] == []
    assert (await admin.get(f"/v1/people/{uuid4()}/groups")).status == 404


async def test_a_topic_is_subscribed_to_once(admin: Client) -> None:
    path = f"/v1/people/{(await made(admin))['id']}/topics"
    for topic in ("b", "a", "a"):
        assert (await admin.call("PUT", f"{path}/{topic}")).status == 204
    assert [found["topic"] for found in (await admin.get(path)).json["data"]] == ["a", "b"]
    assert (await admin.call("PUT", f"{path}/*")).status == 404
    assert [(await admin.call("DELETE", f"{path}/a")).status for _ in range(2)] == [204, 404]


async def test_a_required_category_cannot_be_turned_off(admin: Client) -> None:
    await admin.call("PUT", "/v1/categories/security", json={"name": "Security", "required": True})
    await admin.call("PUT", "/v1/categories/news", json={"name": "News", "description": "What is new"})
    path = f"/v1/people/{(await made(admin))['id']}/preferences"
    off = {"category": "security", "channel": "email", "wanted": False}
    wishes = [{"category": "*", "channel": "*", "wanted": False}, {**off, "wanted": True}]
    refused = await admin.call("PUT", path, json={"preferences": [*wishes[:1], off]})
    assert (refused.status, refused.json["errors"][0]["field"]) == (422, "preferences.1.wanted")
    assert (await admin.call("PUT", path, json={"preferences": wishes})).json["data"] == wishes
    twice = await admin.call("PUT", path, json={"preferences": [wishes[0], {**wishes[0], "wanted": True}]})
    assert twice.json["data"] == [{**wishes[0], "wanted": True}]
    assert [found["id"] for found in (await admin.get("/v1/categories")).json["data"]] == ["news", "security"]
    assert [(await admin.call("DELETE", "/v1/categories/news")).status for _ in range(2)] == [204, 404]
    assert (await admin.call("PUT", "/v1/categories/*", json={"name": "All"})).status == 404


async def test_an_address_is_suppressed_once_and_lifted_by_value_or_fingerprint(admin: Client) -> None:
    path, url = "/v1/suppressions", "https://hooks.slack.example/canary"
    first = await admin.post(path, {"kind": "email", "value": "One@example.com", "detail": "asked"})
    again = await admin.post(path, {"kind": "email", "value": "one@EXAMPLE.com", "detail": "asked twice"})
    assert (first.status, first.json) == (201, again.json)
    hook = (await admin.post(path, {"kind": "slack", "value": url})).json["data"]
    assert (await admin.post(path, {"kind": "phone", "value": "none"})).status == 422
    listed = await admin.get(f"{path}?limit=1")
    assert (listed.json["data"], "canary" in listed.text) == ([hook], False)
    rest = await admin.get(f"{path}?cursor={listed.json['pagination']['nextCursor']}")
    assert rest.json["data"] == [first.json["data"]]
    assert (await admin.get(f"{path}?kind=email&reason=bounced")).json["data"] == []
    for value, found in (("ONE@example.com", [first.json["data"]]), (url, [hook]), (hook["fingerprint"], [hook])):
        assert (await admin.get(f"{path}?value={value}")).json["data"] == found
    assert (await admin.get(f"{path}?kind=phone&value=one@example.com")).json["data"] == []
    assert (await admin.call("DELETE", f"{path}?kind=slack&value={hook['fingerprint']}")).status == 204
    for status in (204, 404):
        assert (await admin.call("DELETE", f"{path}?kind=email&value=ONE@example.com")).status == status
