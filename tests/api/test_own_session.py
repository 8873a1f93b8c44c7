"""One's own session: where it can go, which person one is there, and one's password."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.api.sessions import PASSWORD, in_session, sign_in, with_password
from tests.api.sockets import listening
from tests.api.world import Answer, Client, World, api_settings, running, token, world_of
from tests.notify.telling import add_person
from tidings.spine.access.identity import Role
from tidings.spine.access.people import Tenants, Users

AGAIN = "another good password"


@pytest.fixture
async def world(database_url: str) -> AsyncIterator[World]:
    settings = api_settings(database_url, api={"sign_in_limit": 1000, "public_url": "http://tidings.example"})
    async with world_of(settings) as world:
        async with world.pool.acquire() as connection:
            await Users(connection).join(world.member.id, "globex", Role.ADMIN)
            await Tenants(connection).create("initech", "Initech")
        yield world


async def told(client: Client) -> Any:
    return (await client.get("/v1/session")).json["data"]


async def move(client: Client, tenant: str) -> Answer:
    return await client.call("PATCH", "/v1/session", json={"tenant": tenant})


async def change(client: Client, password: str = AGAIN, **body: Any) -> Answer:
    return await client.call("PUT", "/v1/session/password", json={"password": password, **body})


async def test_a_session_tells_where_it_can_go_and_who_one_is_there(world: World) -> None:
    person_id = await add_person(world.pool, "acme", world.member.id)
    session = await with_password(world, world.member.email)
    me = await told(session)
    assert me["tenants"] == [
        {"id": "acme", "name": "Acme", "role": "member"},
        {"id": "globex", "name": "Globex", "role": "admin"},
    ]
    assert (me["tenant"], me["personId"]) == ("acme", str(person_id))


async def test_a_moved_session_is_in_the_other_tenant_with_the_role_there(world: World) -> None:
    person_id = await add_person(world.pool, "globex", world.member.id)
    session = await with_password(world, world.member.email)
    await world.as_(world.stranger).emit()
    moved = (await move(session, "globex")).json["data"]
    assert (moved["tenant"], moved["role"], moved["personId"]) == ("globex", "admin", str(person_id))
    assert moved == await told(session)
    assert [place["id"] for place in moved["tenants"]] == ["globex", "acme"]
    assert {fact["tenant"] for fact in (await session.get("/v1/facts")).json["data"]} == {"globex"}
    assert (await session.get("/v1/people")).status == 200
    assert (await told(world.as_(world.member)))["tenant"] == "acme"


async def test_a_socket_opens_where_the_session_is_and_closes_when_it_leaves(world: World) -> None:
    """The person whose login it is has an inbox in globex, and none in acme."""
    await add_person(world.pool, "globex", world.member.id)
    session = await with_password(world, world.member.email)
    headers = {**session.headers, "Origin": "http://tidings.example"}
    async with listening(world.client, headers=headers) as listener:
        assert (await listener.hello())["unread"] is None
        await move(session, "globex")
        assert (await listener.closed())[0] == 1008
    async with listening(world.client, headers=headers) as listener:
        assert (await listener.hello())["unread"] == 0
        await move(session, "acme")
        assert (await listener.closed())[0] == 1008


async def test_where_one_may_not_go_and_what_is_not_there_are_one_answer(world: World) -> None:
    session = await with_password(world, world.member.email)
    theirs, nothing = await move(session, "initech"), await move(session, "nowhere")
    assert (theirs.status, nothing.status) == (404, 404)
    assert theirs.text == nothing.text
    assert (await move(session, "No Slug")).status == 422
    assert (await told(session))["tenant"] == "acme"


async def test_a_key_and_a_token_stay_where_they_are(world: World) -> None:
    for client in (world.as_(world.member), world.client.acting(token())):
        assert (await move(client, "globex")).status == 404
        assert (await told(client))["tenants"] == [{"id": "acme", "name": "Acme", "role": "member"}]
        assert (await change(client)).status == 404
        assert (await client.get("/v1/session/password")).status == 404
    assert (await told(world.client.acting(token())))["personId"] is None


async def test_an_operator_goes_anywhere(world: World) -> None:
    session = await with_password(world, world.operator.email)
    assert {place["role"] for place in (await told(session))["tenants"]} == {"operator"}
    assert {"acme", "globex", "initech"} <= {place["id"] for place in (await told(session))["tenants"]}
    assert (await move(session, "initech")).json["data"]["role"] == "operator"


async def test_the_places_of_an_operator_are_bounded(world: World) -> None:
    await world.pool.execute("INSERT INTO tidings.tenants SELECT 't' || n, 'T' FROM generate_series(1, 300) n")
    session = await with_password(world, world.operator.email)
    await move(session, "t299")
    places = [place["id"] for place in (await told(session))["tenants"]]
    assert (len(places), places[0]) == (200, "t299")


async def test_a_changed_password_ends_every_other_session(world: World) -> None:
    session = await with_password(world, world.member.email)
    other = await in_session(world.client, email=world.member.email, password=PASSWORD)
    assert (await change(session, current=PASSWORD)).status == 204
    assert (await session.get("/v1/session")).status == 200
    assert (await other.get("/v1/session")).status == 401
    assert (await world.as_(world.member).get("/v1/session")).status == 200
    assert (await sign_in(world.client, email=world.member.email, password=PASSWORD)).status == 401
    assert (await sign_in(world.client, email=world.member.email, password=AGAIN)).status == 201


async def test_the_present_password_is_needed(world: World) -> None:
    session = await with_password(world, world.member.email)
    for wrong in ({}, {"current": ""}, {"current": "wrong"}, {"current": None}):
        answer = await change(session, **wrong)
        assert (answer.status, answer.json["errors"][0]["field"]) == (422, "current")
    assert (await change(session, "short", current=PASSWORD)).status == 422
    assert (await change(session, "x" * 300, current=PASSWORD)).status == 422
    without = Client(session.base, session.http, {"Cookie": session.headers["Cookie"]})
    assert (await change(without, current=PASSWORD)).status == 403
    assert (await sign_in(world.client, email=world.member.email, password=PASSWORD)).status == 201


async def test_guessing_the_present_password_is_limited_as_signing_in_is(database_url: str, world: World) -> None:
    session = await with_password(world, world.member.email)
    await world.pool.execute("DELETE FROM tidings.rate_limits")
    async with running(api_settings(database_url, api={"sign_in_limit": 2})) as client:
        guesser = Client(client.base, client.http, session.headers)
        statuses = [(await change(guesser, current=f"guess {n}")).status for n in range(3)]
        await world.pool.execute("DELETE FROM tidings.rate_limits WHERE bucket LIKE 'sign-in:address:%'")
        statuses.append((await sign_in(client, email=world.member.email, password=PASSWORD)).status)
    assert statuses == [422, 422, 429, 429]
