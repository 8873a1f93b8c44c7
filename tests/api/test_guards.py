"""Every route takes a role and a scope: nobody, the weakest and the almost sufficient are refused on each of them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from websockets.exceptions import InvalidStatus

from tests.api.sockets import listening
from tests.api.walking import NO_KEYS, PUBLIC, SOCKET, Guard, guard_of, routes_of, somewhere
from tests.api.world import ALL_SCOPES, Client, Person, World
from tidings.api.application import create_api
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.keys import ApiKeys
from tidings.spine.access.purposes import API_KEYS

CSV = {"Content-Type": "text/csv"}


@pytest.fixture
def guarded(world: World) -> list[tuple[str, str, Guard]]:
    """Every route of the application that is not public, with what it should take."""
    return list(_guarded(world))


def _guarded(world: World) -> Iterator[tuple[str, str, Guard]]:
    for method, path in sorted(routes_of(create_api(world.settings)) - PUBLIC):
        yield method, path, guard_of(method, path)


async def key_of(world: World, person: Person, *scopes: str) -> str:
    async with world.pool.acquire() as connection:
        hasher = (await unlocked(world.settings, connection)).hasher(API_KEYS)
        return (await ApiKeys(connection, "acme").make(hasher, person.id, "narrow", scopes, None)).secret


async def asked(client: Client, method: str, path: str) -> tuple[int, str]:
    """The status and what is said; a body that is none of theirs, since nobody should come so far."""
    if method == SOCKET:
        key = client.headers.get("Authorization", "").removeprefix("Bearer ") or None
        return await handshake(client, key)
    sent = {"data": "", "headers": CSV} if path.endswith("/imports") else {"json": {}}
    answer = await client.call(method, somewhere(path), **({} if method == "GET" else sent))
    return answer.status, "" if answer.json is None else answer.json.get("detail", "")


async def handshake(client: Client, key: str | None) -> tuple[int, str]:
    try:
        async with listening(client, key):
            return 101, ""
    except InvalidStatus as error:
        return error.response.status_code, json.loads(error.response.body or b"null")["detail"]


async def test_nobody_and_a_stranger_are_refused_everywhere(
    world: World, guarded: list[tuple[str, str, Guard]]
) -> None:
    for credential in ({}, {"Authorization": "Bearer tdk_nobodys"}):
        for method, path, _ in guarded:
            status, _ = await asked(Client(world.client.base, world.client.http, credential), method, path)
            assert status == 401, (method, path, credential)


async def test_a_member_with_every_scope_is_refused_what_is_for_admins(
    world: World, guarded: list[tuple[str, str, Guard]]
) -> None:
    for method, path, guard in guarded:
        status, said = await asked(world.as_(world.member), method, path)
        assert (status == 403) == (guard.role != "member"), (method, path, status, said)
        assert status != 403 or said == f"This needs the role {guard.role} or above; yours is member.", (method, path)


async def test_an_admin_with_every_scope_but_one_is_refused_what_takes_that_one(
    world: World, guarded: list[tuple[str, str, Guard]]
) -> None:
    wanted = {guard.scope for _, _, guard in guarded} - {None}
    assert wanted == set(ALL_SCOPES)
    keys = {scope: await key_of(world, world.admin, *(set(ALL_SCOPES) - {scope})) for scope in ALL_SCOPES}
    for method, path, guard in guarded:
        if guard.scope is not None:
            told = await asked(world.client.acting(keys[guard.scope]), method, path)
            assert told == (403, f"This API key lacks the scope {guard.scope}."), (method, path)


async def test_an_admin_with_that_one_scope_alone_is_let_in(
    world: World, guarded: list[tuple[str, str, Guard]]
) -> None:
    keys = {scope: await key_of(world, world.admin, scope) for scope in ALL_SCOPES}
    for method, path, guard in guarded:
        status, said = await asked(world.client.acting(keys[guard.scope or "inbox"]), method, path)
        assert (status in {401, 403}) == ((method, path) in NO_KEYS), (method, path, said)
