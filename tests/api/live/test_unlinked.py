"""A login that no person is linked to has a socket without an inbox; and rights are looked at again there too."""

from __future__ import annotations

import pytest

from tests.api.sockets import listening, refused
from tests.api.world import World, token
from tests.notify.telling import add_person, told_live
from tidings.spine.access.people import Users


async def key_with(world: World, *scopes: str) -> str:
    made = await world.as_(world.member).post("/v1/keys", {"name": "narrow", "scopes": list(scopes)})
    secret: str = made.json["data"]["secret"]
    return secret


async def test_a_login_without_a_person_has_no_inbox_and_hears_nobodys(world: World) -> None:
    other = await add_person(world.pool, "acme", world.member.id)
    async with listening(world.client, world.admin.key) as live:
        assert await live.hello() == {"type": "ready", "unread": None, "position": None}
        async with world.pool.acquire() as connection, connection.transaction():
            await told_live(connection, other)
        await live.say(type="ping")
        assert await live.next() == {"type": "pong"}


async def test_a_subject_of_a_token_who_is_no_user_here_may_come_too(world: World) -> None:
    async with listening(world.client, token()) as live:
        assert await live.hello(watch=["pulse"]) == {"type": "ready", "unread": None, "position": None}
        assert (await live.until("pulse"))["waiting"] == 0


async def test_a_person_asked_for_by_name_must_be_there(world: World) -> None:
    theirs = await add_person(world.pool, "globex")
    assert (await refused(world.client, world.admin.key, f"?person={theirs}"))[0] == 404


async def test_a_key_opens_what_its_scopes_say(world: World) -> None:
    await add_person(world.pool, "acme", world.member.id)
    watcher, reader = await key_with(world, "outbox:read"), await key_with(world, "inbox")
    async with listening(world.client, watcher) as live:
        assert await live.hello(watch=["pulse"]) == {"type": "ready", "unread": None, "position": None}
        await live.until("pulse")
    async with listening(world.client, reader) as live:
        assert (await live.hello())["unread"] == 0
        await live.say(type="watch", watch=["pulse"])
        assert (await live.closed())[0] == 1008
    async with listening(world.client, reader) as live:
        await live.say(type="hello", watch=["changes"])
        assert (await live.closed())[0] == 1008
    assert (await refused(world.client, await key_with(world, "facts:read")))[0] == 403


@pytest.mark.parametrize("watch", ['["everything"]', '"pulse"', "[1]", "null"])
async def test_what_cannot_be_watched_closes_the_socket(world: World, watch: str) -> None:
    async with listening(world.client, world.admin.key) as live:
        await live.connection.send(f'{{"type": "hello", "watch": {watch}}}')
        assert (await live.closed())[0] == 1008


async def test_logins_without_a_person_have_as_many_sockets_as_anybody_each(world: World) -> None:
    async with listening(world.client, world.admin.key) as admin, listening(world.client, world.member.key) as member:
        await admin.hello()
        await member.hello()
        rooms = "tidings_live_sockets 2.0"
        assert rooms in (await world.client.get("/metrics")).text


async def test_who_is_turned_out_is_closed_without_a_person_too(world: World) -> None:
    async with listening(world.client, world.admin.key) as gone, listening(world.client, world.member.key) as stays:
        await gone.hello(watch=["pulse"])
        await stays.hello(watch=["pulse"])
        async with world.pool.acquire() as connection:
            await Users(connection).disable(world.admin.id)
        assert (await gone.closed())[0] == 1008
        await stays.say(type="ping")
        await stays.until("pong")


async def test_a_session_that_was_taken_to_another_tenant_leaves_this_one(world: World) -> None:
    async with listening(world.client, world.member.key) as live:
        await live.hello(watch=["changes"])
        await world.pool.execute("UPDATE tidings.api_keys SET tenant = 'globex' WHERE name = 'key of member'")
        await world.pool.execute("UPDATE tidings.memberships SET tenant = 'globex' WHERE user_id = $1", world.member.id)
        assert (await live.closed())[0] == 1008
