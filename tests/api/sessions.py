"""Signing in as a browser does: the cookie, and the token that goes with it."""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Any

from tests.api.world import Answer, Client, World
from tidings.spine.access.people import Users

PASSWORD = "correct horse battery"


async def sign_in(client: Client, **body: Any) -> Answer:
    return await client.post("/v1/session", body)


def session_of(client: Client, answer: Answer) -> Client:
    cookie = SimpleCookie(answer.headers["Set-Cookie"])["tidings_session"]
    return Client(client.base, client.http, {"Cookie": f"tidings_session={cookie.value}"})


def with_csrf(client: Client, answer: Answer) -> Client:
    return Client(client.base, client.http, {**client.headers, "X-CSRF-Token": answer.json["data"]["csrfToken"]})


async def in_session(client: Client, **body: Any) -> Client:
    """A client with a session that may change things."""
    answer = await sign_in(client, **body)
    assert answer.status == 201, answer.text
    return with_csrf(session_of(client, answer), answer)


async def by_link(client: Client, url: str) -> Client:
    return await in_session(client, token=url.partition("?token=")[2])


async def with_password(world: World, email: str, **body: Any) -> Client:
    """The session of a user who is given a password first."""
    async with world.pool.acquire() as connection:
        await Users(connection).set_password(await Users(connection).find(email), PASSWORD)
    return await in_session(world.client, email=email, password=PASSWORD, **body)
