"""Signing in with a password or a link, the cookie, and requests that somebody forged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

import pytest

from tests.api.sessions import PASSWORD, session_of, sign_in, with_csrf
from tests.api.world import World, api_settings, person, running, world_of
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.identity import Role
from tidings.spine.access.people import Users
from tidings.spine.access.purposes import SIGN_IN_LINKS
from tidings.spine.access.sessions import make_sign_in_link


@pytest.fixture
async def world(database_url: str) -> AsyncIterator[World]:
    async with world_of(api_settings(database_url, api={"sign_in_limit": 1000})) as world:
        async with world.pool.acquire() as connection:
            await person(connection, world.settings, "jo", "acme", Role.ADMIN, PASSWORD)
        yield world


async def test_a_password_opens_a_session(world: World) -> None:
    answer = await sign_in(world.client, email=" JO@acme.example ", password=PASSWORD)
    assert answer.status == 201
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    me = (await session_of(world.client, answer).get("/v1/session")).json["data"]
    assert (me["email"], me["role"], me["tenant"]) == ("jo@acme.example", "admin", "acme")
    assert me["csrfToken"] == answer.json["data"]["csrfToken"]


async def test_behind_https_the_cookie_is_secure(database_url: str, world: World) -> None:
    settings = api_settings(database_url, api={"public_url": "https://tidings.example"})
    async with running(settings) as client:
        answer = await sign_in(client, email="jo@acme.example", password=PASSWORD)
    assert "; Secure" in answer.headers["Set-Cookie"]


async def test_wrong_password_unknown_user_and_no_password_are_one_answer(world: World) -> None:
    answers = [
        await sign_in(world.client, email="jo@acme.example", password="wrong"),
        await sign_in(world.client, email="nobody@acme.example", password=PASSWORD),
        await sign_in(world.client, email="member@acme.example", password=PASSWORD),
        await sign_in(world.client, email="jo@acme.example", password=PASSWORD, tenant="globex"),
    ]
    assert {answer.status for answer in answers} == {401}
    assert len({answer.text for answer in answers}) == 1
    assert not any("Set-Cookie" in answer.headers for answer in answers)


async def test_a_session_changes_nothing_without_its_token(world: World) -> None:
    answer = await sign_in(world.client, email="jo@acme.example", password=PASSWORD)
    session = session_of(world.client, answer)
    assert (await session.get("/v1/facts")).status == 200
    forged = await session.post("/v1/facts", {"type": "lead.created"})
    assert (forged.status, forged.json["type"].rsplit("/", 1)[1]) == (403, "csrf")
    for wrong in ("", "x", "0" * 64, "ü"):
        assert (
            await session.post("/v1/facts", {"type": "lead.created"}, headers={"X-CSRF-Token": wrong})
        ).status == 403
    assert (await with_csrf(session, answer).post("/v1/facts", {"type": "lead.created"})).status == 201
    other = await sign_in(world.client, email="jo@acme.example", password=PASSWORD)
    crossed = with_csrf(session, other)
    assert (await crossed.post("/v1/facts", {"type": "lead.created"})).status == 403


async def test_signing_out_ends_the_session(world: World) -> None:
    answer = await sign_in(world.client, email="jo@acme.example", password=PASSWORD)
    session = session_of(world.client, answer)
    assert (await session.call("DELETE", "/v1/session")).status == 403
    ended = await with_csrf(session, answer).call("DELETE", "/v1/session")
    assert ended.status == 204
    assert "Max-Age=0" in ended.headers["Set-Cookie"]
    assert (await session.get("/v1/session")).status == 401
    assert (await world.as_(world.member).call("DELETE", "/v1/session")).status == 404


async def test_an_expired_session_and_a_disabled_user_are_out(world: World) -> None:
    answer = await sign_in(world.client, email="jo@acme.example", password=PASSWORD)
    session = session_of(world.client, answer)
    await world.pool.execute("UPDATE tidings.sessions SET expires_at = now()")
    assert (await session.get("/v1/session")).status == 401
    again = session_of(world.client, await sign_in(world.client, email="jo@acme.example", password=PASSWORD))
    async with world.pool.acquire() as connection:
        await Users(connection).disable(await Users(connection).find("jo@acme.example"))
    assert (await again.get("/v1/session")).status == 401
    assert (await sign_in(world.client, email="jo@acme.example", password=PASSWORD)).status == 401


async def link_for(world: World, lifetime: timedelta = timedelta(minutes=5)) -> str:
    hasher = (await unlocked(world.settings, world.pool)).hasher(SIGN_IN_LINKS)
    async with world.pool.acquire() as connection:
        return await make_sign_in_link(connection, hasher, world.admin.id, "acme", lifetime)


async def test_a_link_opens_one_session_however_many_ask(world: World) -> None:
    link = await link_for(world)
    for method in ("GET", "HEAD"):
        assert (await world.client.call(method, f"/sign-in?token={link}")).status == 200
    answers = await asyncio.gather(*(sign_in(world.client, token=link) for _ in range(10)))
    assert sorted(answer.status for answer in answers) == [201] + [401] * 9
    good = next(answer for answer in answers if answer.status == 201)
    assert (await session_of(world.client, good).get("/v1/session")).json["data"]["email"] == world.admin.email


async def test_an_expired_link_opens_nothing(world: World) -> None:
    link = await link_for(world, timedelta(microseconds=1))
    assert (await sign_in(world.client, token=link)).status == 401
    assert (await sign_in(world.client, token="never made")).status == 401


async def test_sign_in_attempts_are_limited_for_an_address_and_an_account(database_url: str, world: World) -> None:
    async with running(api_settings(database_url, api={"sign_in_limit": 3})) as client:
        statuses = [
            (await client.post("/v1/session", {"token": "guess"}, headers={"X-Forwarded-For": f"203.0.113.{n}"})).status
            for n in range(5)
        ]
    assert statuses == [401, 401, 401, 429, 429]
    await world.pool.execute("DELETE FROM tidings.rate_limits WHERE bucket LIKE 'sign-in:address:%'")
    async with running(api_settings(database_url, api={"sign_in_limit": 1})) as client:
        assert (await sign_in(client, email="jo@acme.example", password="wrong")).status == 401
        await world.pool.execute("DELETE FROM tidings.rate_limits WHERE bucket LIKE 'sign-in:address:%'")
        refused = await sign_in(client, email="jo@acme.example", password=PASSWORD)
    assert refused.status == 429
    assert "Retry-After" in refused.headers


async def test_a_sign_in_that_is_none_is_not_valid(world: World) -> None:
    bodies: tuple[Any, ...] = (
        {},
        {"email": "jo@acme.example"},
        {"email": "jo@acme.example", "password": ""},
        {"email": "jo@acme.example", "password": "x" * 300},
        {"token": ""},
        {"token": 7},
        {"email": "jo@acme.example", "password": PASSWORD, "role": "operator"},
        {"email": "jo@acme.example", "password": "\ud800"},
        {"email": "\x00\x00\x00", "password": "x"},
        [],
    )
    for body in bodies:
        assert (await world.client.post("/v1/session", body)).status == 422, body


async def test_what_is_missing_to_sign_in_is_said_in_plain_words(world: World) -> None:
    answer = await world.client.post("/v1/session", {"password": "x", "admin": True})
    assert {error["field"]: error["message"] for error in answer.json["errors"]} == {
        "email": "is missing",
        "admin": "is not known here",
    }
    assert (await world.client.post("/v1/session", [])).json["detail"] == "body: must be a JSON object"
    assert (await world.client.post("/v1/session", {"token": 7})).json["detail"] == "token: must be a string"


async def test_nothing_of_a_session_is_readable_in_the_database(world: World) -> None:
    answer = await sign_in(world.client, email="jo@acme.example", password=PASSWORD)
    token = SimpleCookie(answer.headers["Set-Cookie"])["tidings_session"].value
    tables = ("sessions", "users", "sign_in_links", "rate_limits")
    rows = [row["r"] for t in tables for row in await world.pool.fetch(f"SELECT t::text AS r FROM tidings.{t} t")]
    text = "\n".join(rows)
    assert token not in text
    assert token.encode().hex() not in text
    assert PASSWORD not in text
