"""Users of a tenant over HTTP: added, changed, removed, linked; and what an admin cannot reach by way of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest

from tests.api.sessions import PASSWORD, by_link, in_session, sign_in, with_password
from tests.api.world import Answer, Client, World, api_settings, token, world_of
from tidings.spine.access.identity import Role
from tidings.spine.access.people import Users

NEW = {"email": "new@example.com", "role": "member", "name": "New"}
AGAIN = "another good password"


@pytest.fixture
async def world(database_url: str) -> AsyncIterator[World]:
    async with world_of(api_settings(database_url, api={"sign_in_limit": 1000})) as world:
        yield world


def admin_of(world: World, tenant: str = "acme", role: str = "admin") -> Client:
    return world.client.acting(token(tenant=tenant, role=role))


async def add(client: Client, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/v1/users", {**NEW, **fields})
    assert answer.status == 201, answer.text
    added: dict[str, Any] = answer.json["data"]
    return added


async def test_the_members_of_the_tenant_are_listed_by_address_and_page_by_page(world: World) -> None:
    admin = admin_of(world)
    added = await add(admin)
    first = await admin.get("/v1/users?limit=2")
    rest = await admin.get(f"/v1/users?limit=2&cursor={first.json['pagination']['nextCursor']}")
    listed = first.json["data"] + rest.json["data"]
    assert [user["email"] for user in listed] == ["admin@acme.example", "member@acme.example", "new@example.com"]
    assert {name: added[name] for name in listed[2]} == listed[2]
    assert listed[0] | {"id": None} == {
        "id": None,
        "email": "admin@acme.example",
        "name": "Admin",
        "role": "admin",
        "operator": False,
        "disabled": False,
        "person": None,
        "lastSignInAt": None,
    }


async def test_a_user_is_listed_with_the_person_that_they_are(world: World) -> None:
    admin = admin_of(world)
    added = await add(admin)
    made = await admin.post("/v1/people", {"name": "The manager", "userId": added["id"]})
    person = {"id": made.json["data"]["id"], "name": "The manager"}
    (listed,) = [user for user in (await admin.get("/v1/users")).json["data"] if user["id"] == added["id"]]
    changed = await admin.call("PATCH", f"/v1/users/{added['id']}", json={"role": "admin"})
    assert (added["person"], listed["person"], changed.json["data"]["person"]) == (None, person, person)


async def test_a_new_user_comes_in_by_the_link_and_sets_a_password(world: World) -> None:
    admin = admin_of(world)
    added = await add(admin)
    session = await by_link(world.client, added["link"]["url"])
    me = (await session.get("/v1/session")).json["data"]
    assert (me["email"], me["role"], me["tenant"]) == ("new@example.com", "member", "acme")
    standing = {"hasOne": False, "maySet": True}
    assert (await session.get("/v1/session/password")).json["data"] == standing
    assert (await session.call("PUT", "/v1/session/password", json={"password": AGAIN})).status == 204
    assert (await session.get("/v1/session/password")).json["data"] == standing | {"hasOne": True}
    assert (await sign_in(world.client, email="new@example.com", password=AGAIN)).status == 201
    (listed,) = [user for user in (await admin.get("/v1/users")).json["data"] if user["id"] == added["id"]]
    assert listed["lastSignInAt"] is not None


async def test_nothing_tells_that_somebody_was_known_elsewhere(world: World) -> None:
    admin = admin_of(world)
    known = await add(admin, email="stranger@globex.example", name="Ours")
    unknown = await add(admin, email="unknown@globex.example", name="Ours")
    assert {**known, "id": 0, "email": 0, "link": 0} == {**unknown, "id": 0, "email": 0, "link": 0}
    assert known["link"].keys() == unknown["link"].keys()
    assert known["id"][14] == unknown["id"][14] == "4"  # random: the id does not tell since when it is there
    assert "Stranger" not in (await admin.get("/v1/users")).text
    without = await add(admin, email="third@globex.example", name=None, link=False)
    assert (without["link"], without["name"]) == (None, "third@globex.example")


async def test_a_user_who_is_here_already_is_a_conflict(world: World) -> None:
    admin = admin_of(world)
    assert (await admin.post("/v1/users", {**NEW, "email": "MEMBER@acme.example"})).status == 409
    keyed = {"Idempotency-Key": "k"}
    first = await admin.post("/v1/users", NEW, headers=keyed)
    again = await admin.post("/v1/users", NEW, headers=keyed)
    assert (first.status, again.status, first.json) == (201, 201, again.json)


async def test_a_link_of_an_admins_leads_to_their_tenant_only(world: World) -> None:
    """Otherwise an admin would be whatever the user is elsewhere."""
    added = await add(admin_of(world), email="stranger@globex.example")
    session = await by_link(world.client, added["link"]["url"])
    me = (await session.get("/v1/session")).json["data"]
    assert (me["tenant"], [place["id"] for place in me["tenants"]]) == ("acme", ["acme"])
    assert (await session.call("PATCH", "/v1/session", json={"tenant": "globex"})).status == 404
    assert (await session.get("/v1/facts", headers={"Tidings-Tenant": "globex"})).status == 403
    began = await session.call("PUT", "/v1/session/password", json={"password": AGAIN})
    assert began.status == 403
    assert (await sign_in(world.client, email="stranger@globex.example", password=AGAIN)).status == 401


async def test_a_user_whom_an_admin_made_opens_no_other_tenant_until_an_operator_says_so(world: World) -> None:
    """Otherwise an admin could make an account in somebody's name, and wait for another tenant to let them in."""
    session = await by_link(world.client, (await add(admin_of(world)))["link"]["url"])
    await session.call("PUT", "/v1/session/password", json={"password": AGAIN})
    theirs = await add(admin_of(world, "globex"))
    wanted = {"email": "new@example.com", "password": AGAIN}
    assert (await sign_in(world.client, **wanted, tenant="globex")).status == 401
    assert [place["id"] for place in (await session.get("/v1/session")).json["data"]["tenants"]] == ["acme"]
    assert (await session.call("PATCH", "/v1/session", json={"tenant": "globex"})).status == 404
    there = await by_link(world.client, theirs["link"]["url"])
    assert (await there.get("/v1/session")).json["data"]["tenant"] == "globex"
    async with world.pool.acquire() as connection:
        users = Users(connection)
        user_id = await users.find("new@example.com")
        await users.join(user_id, "globex", Role.MEMBER)
        assert (await sign_in(world.client, **wanted, tenant="globex")).status == 401
        assert {(await each.get("/v1/session")).status for each in (session, there)} == {401}
        await users.set_password(user_id, AGAIN)
    again = await in_session(world.client, **wanted)
    assert (await again.call("PATCH", "/v1/session", json={"tenant": "globex"})).status == 200


async def test_whoever_an_operator_adds_over_http_is_theirs_alone_from_then_on(world: World) -> None:
    session = await by_link(world.client, (await add(admin_of(world)))["link"]["url"])
    await session.call("PUT", "/v1/session/password", json={"password": AGAIN})
    added = await add(admin_of(world, "globex", role="operator"))
    assert (await sign_in(world.client, email="new@example.com", password=AGAIN)).status == 401
    assert (await session.get("/v1/session")).status == 401
    there = await by_link(world.client, added["link"]["url"])
    assert (await there.call("PUT", "/v1/session/password", json={"password": AGAIN})).status == 204


async def test_who_is_added_elsewhere_still_signs_in_where_they_were_last(world: World) -> None:
    stranger = await with_password(world, world.stranger.email)
    assert (await stranger.get("/v1/session")).json["data"]["tenant"] == "globex"
    await add(admin_of(world), email=world.stranger.email)
    again = await with_password(world, world.stranger.email)
    assert (await again.get("/v1/session")).json["data"]["tenant"] == "globex"


async def test_a_password_that_is_set_anew_voids_the_links_from_before(world: World) -> None:
    link = (await admin_of(world).post(f"/v1/users/{world.member.id}/link")).json["data"]["url"]
    async with world.pool.acquire() as connection:
        await Users(connection).set_password(world.member.id, AGAIN)
    assert (await sign_in(world.client, token=link.partition("?token=")[2])).status == 401


async def test_whom_an_operator_adds_may_go_wherever_they_have_a_place(world: World) -> None:
    operator = admin_of(world, role="operator")
    added = await add(operator, email="stranger@globex.example")
    session = await by_link(world.client, added["link"]["url"])
    assert (await session.call("PATCH", "/v1/session", json={"tenant": "globex"})).status == 200
    assert (await session.call("PUT", "/v1/session/password", json={"password": AGAIN})).status == 204


async def test_an_operator_is_managed_by_operators(world: World) -> None:
    email, operator = world.operator.email, admin_of(world, role="operator")
    refused = await admin_of(world).post("/v1/users", {"email": email, "role": "admin"})
    assert refused.status == 403
    added = await add(operator, email=email)
    for method, path, body in (
        ("PATCH", "", {"role": "admin"}),
        ("DELETE", "", None),
        ("POST", "/link", None),
    ):
        answer = await admin_of(world).call(method, f"/v1/users/{added['id']}{path}", json=body)
        assert answer.status == 403, answer.text
    assert (await operator.post(f"/v1/users/{added['id']}/link")).status == 201


async def test_a_new_link_voids_the_one_before(world: World) -> None:
    admin = admin_of(world)
    added = await add(admin)
    made = await admin.post(f"/v1/users/{added['id']}/link")
    assert made.status == 201
    former = added["link"]["url"].partition("?token=")[2]
    assert (await sign_in(world.client, token=former)).status == 401
    await by_link(world.client, made.json["data"]["url"])


async def test_a_link_is_made_for_members_only_and_not_by_a_key(world: World) -> None:
    for other in (world.stranger.id, world.operator.id, uuid4()):
        assert (await admin_of(world).post(f"/v1/users/{other}/link")).status == 404
    keyed = world.as_(world.admin)
    assert (await keyed.post(f"/v1/users/{world.member.id}/link")).status == 403
    assert (await keyed.post("/v1/users", NEW)).status == 403
    assert (await keyed.post("/v1/users", {**NEW, "link": False})).status == 201
    async with world.pool.acquire() as connection:
        await Users(connection).disable(world.member.id)
    assert (await admin_of(world).post(f"/v1/users/{world.member.id}/link")).status == 409


async def test_a_role_is_changed(world: World) -> None:
    member = f"/v1/users/{world.member.id}"
    assert (await world.as_(world.member).get("/v1/users")).status == 403
    changed = await admin_of(world).call("PATCH", member, json={"role": "admin"})
    assert (changed.status, changed.json["data"]["role"]) == (200, "admin")
    assert (await world.as_(world.member).get("/v1/users")).status == 200
    for wrong in ({"role": "operator"}, {}, {"role": "admin", "name": "X"}):
        assert (await admin_of(world).call("PATCH", member, json=wrong)).status == 422


async def test_a_removed_user_has_no_session_no_link_and_no_key_here(world: World) -> None:
    session = await with_password(world, world.member.email)
    link = (await admin_of(world).post(f"/v1/users/{world.member.id}/link")).json["data"]["url"]
    assert (await admin_of(world).call("DELETE", f"/v1/users/{world.member.id}")).status == 204
    assert (await session.get("/v1/session")).status == 401
    assert (await sign_in(world.client, token=link.partition("?token=")[2])).status == 401
    async with world.pool.acquire() as connection:
        await Users(connection).join(world.member.id, "acme", Role.MEMBER)
    assert (await world.as_(world.member).get("/v1/facts")).status == 401
    assert (await session.get("/v1/session")).status == 401
    assert (await in_session(world.client, email=world.member.email, password=PASSWORD)) is not None


async def test_a_tenant_keeps_its_last_admin(world: World) -> None:
    admin = f"/v1/users/{world.admin.id}"
    assert (await admin_of(world).call("PATCH", admin, json={"role": "member"})).status == 409
    assert (await admin_of(world).call("DELETE", admin)).status == 409
    assert (await admin_of(world, role="operator").call("DELETE", admin)).status == 409
    assert (await admin_of(world).call("PATCH", admin, json={"role": "admin"})).status == 200
    await admin_of(world).call("PATCH", f"/v1/users/{world.member.id}", json={"role": "admin"})
    async with world.pool.acquire() as connection:
        await Users(connection).disable(world.member.id)
    assert (await admin_of(world).call("DELETE", admin)).status == 409


async def test_two_admins_cannot_remove_each_other_at_once(world: World) -> None:
    await admin_of(world).call("PATCH", f"/v1/users/{world.member.id}", json={"role": "admin"})

    async def remove(id: object) -> Answer:
        return await admin_of(world).call("DELETE", f"/v1/users/{id}")

    answers = await asyncio.gather(remove(world.admin.id), remove(world.member.id))
    assert sorted(answer.status for answer in answers) == [204, 409]


async def test_what_is_no_user_is_not_valid(world: World) -> None:
    for wrong in ({"email": "nobody"}, {"email": "a b@c"}, {"role": "operator"}, {"name": ""}, {"link": 1}, {"x": 1}):
        assert (await admin_of(world).post("/v1/users", {**NEW, **wrong})).status == 422, wrong
