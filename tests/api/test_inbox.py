"""The inbox over HTTP: whose it is, what it lists, what changes it."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from tests.api.world import Client, World, token
from tests.notify.telling import add_person, told


@pytest.fixture
async def mine(world: World) -> UUID:
    """The person of the member's login."""
    return await add_person(world.pool, "acme", world.member.id)


async def titles(client: Client, query: str = "") -> list[str]:
    answer = await client.get(f"/v1/inbox{query}")
    assert answer.status == 200, answer.text
    return [notification["title"] for notification in answer.json["data"]]


async def test_a_login_reads_its_own_inbox(world: World, mine: UUID) -> None:
    (given,) = await told(world.pool, [mine], "Paid", level="warning")
    await told(world.pool, [await add_person(world.pool)], "Not mine")
    (document,) = (await world.as_(world.member).get("/v1/inbox")).json["data"]
    assert (document["id"], document["personId"]) == (str(given), str(mine))
    assert (document["title"], document["body"], document["level"]) == ("Paid", "Order 7 is paid.", "warning")
    assert (document["category"], document["readAt"], document["archivedAt"]) == ("orders", None, None)


async def test_a_login_that_is_nobodys_has_no_inbox(world: World) -> None:
    for acting in (world.as_(world.member), world.client.acting(token())):
        for path in ("/v1/inbox", "/v1/inbox/count"):
            answer = await acting.get(path)
            assert (answer.status, answer.json["detail"]) == (404, "No person is linked to this login.")


async def test_an_admin_acts_for_anybody_and_a_member_for_themselves(world: World, mine: UUID) -> None:
    other = await add_person(world.pool)
    await told(world.pool, [mine, other], "Paid")
    member, admin = world.as_(world.member), world.as_(world.admin)
    assert await titles(admin, f"?person={other}") == ["Paid"]
    assert await titles(member, f"?person={mine}") == ["Paid"]
    refused, absent = await member.get(f"/v1/inbox?person={other}"), await member.get(f"/v1/inbox?person={uuid4()}")
    assert (refused.status, refused.json) == (404, absent.json)


async def test_a_key_needs_the_scope(world: World, mine: UUID) -> None:
    made = await world.as_(world.member).post("/v1/keys", {"name": "narrow", "scopes": ["facts:read"]})
    assert (await world.client.acting(made.json["data"]["secret"]).get("/v1/inbox")).status == 403


async def test_pages_and_filters(world: World, mine: UUID) -> None:
    member = world.as_(world.member)
    for title, level in (("a", "info"), ("b", "critical"), ("c", "info")):
        await told(world.pool, [mine], title, level=level, category=f"of {title}")
    first = (await member.get("/v1/inbox?limit=2")).json
    assert [n["title"] for n in first["data"]] == ["c", "b"]
    assert await titles(member, f"?cursor={first['pagination']['nextCursor']}") == ["a"]
    assert await titles(member, "?level=critical") == ["b"]
    assert await titles(member, "?category=of%20a") == ["a"]
    assert (await member.get("/v1/inbox?level=loud")).status == 422
    assert (await member.get("/v1/inbox?unread=perhaps")).status == 422


async def test_a_cursor_is_good_for_its_own_inbox_only(world: World, mine: UUID) -> None:
    other = await add_person(world.pool)
    for _ in range(2):
        await told(world.pool, [mine, other])
    admin = world.as_(world.admin)
    cursor = (await admin.get(f"/v1/inbox?limit=1&person={mine}")).json["pagination"]["nextCursor"]
    assert (await admin.get(f"/v1/inbox?person={mine}&cursor={cursor}")).status == 200
    assert (await admin.get(f"/v1/inbox?person={other}&cursor={cursor}")).status == 422


async def test_reading_and_putting_away_and_back(world: World, mine: UUID) -> None:
    (given,) = await told(world.pool, [mine])
    member = world.as_(world.member)
    for change, count, field, done in (
        ("read", 0, "readAt", True),
        ("unread", 1, "readAt", False),
        ("archive", 0, "archivedAt", True),
        ("unarchive", 1, "archivedAt", False),
    ):
        first = await member.post(f"/v1/inbox/{given}/{change}")
        again = await member.post(f"/v1/inbox/{given}/{change}")
        assert (first.status, first.json["data"][field] is not None) == (200, done)
        assert again.json == first.json
        assert (await member.get("/v1/inbox/count")).json == {"data": {"unread": count}}


async def test_reading_all_up_to_what_was_seen(world: World, mine: UUID) -> None:
    ids = [(await told(world.pool, [mine]))[0] for _ in range(3)]
    member = world.as_(world.member)
    answer = await member.post("/v1/inbox/read-all", {"upTo": str(ids[1])})
    assert answer.json == {"data": {"read": 2, "unread": 1}}
    assert (await member.post("/v1/inbox/read-all", {})).json == {"data": {"read": 1, "unread": 0}}
    assert (await member.post("/v1/inbox/read-all", {"upTo": "newest"})).status == 422


async def test_an_idempotency_key_is_good_for_one_person(world: World, mine: UUID) -> None:
    other = await add_person(world.pool)
    await told(world.pool, [mine, other])
    admin = world.as_(world.admin, **{"Idempotency-Key": "k"})
    assert (await admin.post(f"/v1/inbox/read-all?person={mine}", {})).json["data"]["read"] == 1
    assert (await admin.post(f"/v1/inbox/read-all?person={mine}", {})).json["data"]["read"] == 1
    assert (await admin.post(f"/v1/inbox/read-all?person={other}", {})).status == 422


async def test_what_is_not_mine_is_not_there(world: World, mine: UUID) -> None:
    (given,) = await told(world.pool, [await add_person(world.pool)])
    for change in ("read", "unread", "archive", "unarchive"):
        answer = await world.as_(world.member).post(f"/v1/inbox/{given}/{change}")
        assert (answer.status, answer.json["detail"]) == (404, "There is no such notification.")
