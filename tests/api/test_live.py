"""Live over `/v1/ws`: on every process, resumed without loss, and closed to whoever may not listen."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any
from uuid import UUID, uuid4

import pytest
import websockets
from websockets.exceptions import ConnectionClosed

from tests.api.sockets import Listening, address, listening, open_socket, refused
from tests.api.world import World, api_settings, bearer, person, running, token
from tests.notify.telling import add_person, told, told_live
from tidings.api.live.bounds import Bounds
from tidings.api.live.hub import Hub
from tidings.api.live.inspector import Inspector
from tidings.api.live.socket import Ticket
from tidings.app.api import build_api_parts
from tidings.kit import db
from tidings.kit.errors import TidingsError
from tidings.spine.access.admission import Doorkeeper, Question
from tidings.spine.access.data_keys import unlock
from tidings.spine.access.identity import Claims, Identity, KeyCredential, Role, SessionCredential
from tidings.spine.access.people import Users
from tidings.spine.access.tokens import expiry_of
from tidings.spine.notify.announcing import announce

ORIGIN = "https://tidings.example"
PASSWORD = "correct horse battery"


@pytest.fixture
async def mine(world: World) -> UUID:
    """The person of the member's login."""
    return await add_person(world.pool, "acme", world.member.id)


async def tell(world: World, person_id: UUID, title: str = "Paid", **fields: Any) -> UUID:
    async with world.pool.acquire() as connection, connection.transaction():
        return await told_live(connection, person_id, title, **fields)


async def test_what_is_new_comes_at_once_as_the_list_shows_it(world: World, mine: UUID) -> None:
    async with listening(world.client, world.member.key) as live:
        assert await live.hello() == {"type": "ready", "unread": 0, "position": live.position}
        await tell(world, mine)
        frame = await live.next()
    (document,) = (await world.as_(world.member).get("/v1/inbox")).json["data"]
    assert frame == {"type": "notification", "data": document, "unread": 1, "position": live.position}


async def test_every_socket_of_a_person_hears_on_every_process_and_nobody_else_does(
    world: World, mine: UUID, database_url: str
) -> None:
    other = await add_person(world.pool, "acme", world.admin.id)
    async with (
        running(api_settings(database_url)) as second,
        listening(world.client, world.member.key) as here,
        listening(world.client, world.member.key) as too,
        listening(second, world.member.key) as there,
        listening(second, world.admin.key) as neighbour,
    ):
        for live in (here, too, there, neighbour):
            await live.hello()
        given = str(await tell(world, mine))
        for live in (here, too, there):
            assert (await live.until("notification"))["data"]["id"] == given
        await second.acting(world.member.key).post(f"/v1/inbox/{given}/read")
        for live in (here, too, there):
            changed = {"type": "changed", "change": "read", "ids": [given], "unread": 0}
            assert await live.until("changed") == {**changed, "position": live.position}
        last = str(await tell(world, other))
        await neighbour.until("notification")
        assert neighbour.ids() == [last]


async def test_hundreds_of_people_at_once(world: World, mine: UUID) -> None:
    people = [mine, *[await add_person(world.pool) for _ in range(250)]]
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        async with world.pool.acquire() as connection, connection.transaction():
            ids = await told(connection, people)
            await announce(connection, "acme", list(zip(people, ids, strict=True)))
        assert (await live.next())["data"]["id"] == str(ids[0])


async def test_coming_back_nothing_is_missed_and_nothing_comes_twice(world: World, mine: UUID) -> None:
    """A transaction that began before the newest one the client has, and commits while it is away."""
    async with world.pool.acquire() as late:
        transaction = late.transaction()
        await transaction.start()
        early = await told_live(late, mine, "Late")
        async with listening(world.client, world.member.key) as live:
            await live.hello()
            seen = await tell(world, mine, "Seen")
            await live.until("notification")
            had = set(live.ids())
        assert early < seen
        away = await tell(world, mine, "Away")
        await transaction.commit()
    async with listening(world.client, world.member.key) as back:
        assert (await back.hello(live.position))["unread"] == 3
        assert back.ids() == sorted(map(str, (early, seen, away)))
        assert set(back.ids()) - had == {str(early), str(away)}


async def test_coming_back_what_was_made_long_ago_and_announced_meanwhile_is_told(world: World, mine: UUID) -> None:
    """Made, and announced only when its delivery is sent: the client has newer ones by then."""
    (delayed,) = await told(world.pool, [mine], "Delayed")
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        await tell(world, mine, "Seen")
        await live.until("notification")
    await world.pool.execute(
        "UPDATE tidings.notifications SET created_at = now() - interval '2 hours' WHERE id = $1", delayed
    )
    async with world.pool.acquire() as connection:
        await announce(connection, "acme", [(mine, delayed)])
    async with listening(world.client, world.member.key) as back:
        await back.hello(live.position)
        assert str(delayed) in back.ids()
    async with listening(world.client, world.member.key) as again:
        await again.hello(back.position)
        assert again.ids() == []


async def test_of_many_that_come_together_only_the_last_moves_the_position(world: World, mine: UUID) -> None:
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        before = live.position
        async with world.pool.acquire() as connection, connection.transaction():
            ids = [(await told(connection, [mine]))[0] for _ in range(3)]
            await announce(connection, "acme", [(mine, each) for each in ids])
        frames = [await live.until("notification") for _ in range(3)]
    assert [frame["position"] is None for frame in frames] == [True, True, False]
    async with listening(world.client, world.member.key) as back:
        await back.hello(before)
        assert back.ids() == list(map(str, ids))


@pytest.mark.parametrize("position", ["1.1600000000", "9999999999999999999.1600000000"])
async def test_a_position_from_long_ago_or_elsewhere_is_answered_with_resync(
    world: World, mine: UUID, position: str
) -> None:
    await tell(world, mine)
    async with listening(world.client, world.member.key) as live:
        await live.hello(position)
        assert [frame["type"] for frame in live.frames] == ["resync", "ready"]


async def test_what_commits_while_a_client_comes_back_comes_once(world: World, mine: UUID) -> None:
    async with listening(world.client, world.member.key) as before:
        await before.hello()
    stop = asyncio.Event()
    ids = {str(await tell(world, mine))}

    async def keep_telling() -> None:
        while not stop.is_set():
            ids.add(str(await tell(world, mine)))
            await asyncio.sleep(0.002)

    telling = asyncio.create_task(keep_telling())
    for _ in range(5):
        async with listening(world.client, world.member.key) as live:
            await live.hello(before.position)
            so_far = set(ids)
            while not so_far <= set(live.ids()):
                await live.next()
            assert len(live.ids()) == len(set(live.ids()))
    stop.set()
    await telling


async def test_announced_twice_it_comes_once(world: World, mine: UUID) -> None:
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        given = await tell(world, mine)
        async with world.pool.acquire() as connection:
            await announce(connection, "acme", [(mine, given)])
        last = await tell(world, mine)
        while str(last) not in live.ids():
            await live.next()
        assert live.ids() == [str(given), str(last)]


async def test_too_much_to_be_told_one_by_one_is_to_be_read_again(world: World, mine: UUID) -> None:
    async with listening(world.client, world.member.key) as before:
        await before.hello()
    await world.pool.execute(
        """WITH told AS (INSERT INTO tidings.notifications (id, tenant, notice_id, person_id, targets)
               SELECT tidings.uuid7(), 'acme', tidings.uuid7(), $1, 1 FROM generate_series(1, 600) RETURNING id)
           INSERT INTO tidings.announcements (tenant, person_id, notification_id) SELECT 'acme', $1, id FROM told""",
        mine,
    )
    await world.pool.execute(
        """INSERT INTO tidings.notices
               (id, tenant, listener, title, body, template, level, category, channels, audience)
           SELECT notice_id, 'acme', 'test', 't', 'b', 'p', 'info', 'c', '{}', '[]' FROM tidings.notifications
           ON CONFLICT DO NOTHING"""
    )
    async with listening(world.client, world.member.key) as live:
        assert (await live.hello(before.position))["unread"] == 600
        assert [frame["type"] for frame in live.frames] == ["resync", "ready"]


async def test_a_listening_connection_that_is_lost_is_opened_again_and_everybody_reads_again(
    world: World, mine: UUID
) -> None:
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        for _ in range(2):
            killed = await world_owner(world, "SELECT count(pg_terminate_backend(pid)) " + LISTENERS)
            assert killed == 1
            await live.until("resync")
            given = await tell(world, mine)
            assert (await live.until("notification"))["data"]["id"] == str(given)


LISTENERS = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tidings live'"


async def world_owner(world: World, statement: str) -> Any:
    connection = await db.connect(world.settings.database, None, name="owner")
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


async def test_pings_are_answered(world: World, mine: UUID) -> None:
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        await live.say(type="ping")
        assert await live.next() == {"type": "pong"}
        await asyncio.wait_for(await live.connection.ping(), 10)


async def test_a_cookie_opens_a_socket_from_our_own_pages_only(world: World, mine: UUID, database_url: str) -> None:
    async with world.pool.acquire() as connection:
        jo = await person(connection, world.settings, "jo", "acme", Role.MEMBER, PASSWORD)
    await add_person(world.pool, "acme", jo.id)
    async with running(api_settings(database_url, api={"public_url": ORIGIN + ":443/"})) as client:
        signed_in = await client.post("/v1/session", {"email": jo.email, "password": PASSWORD})
        cookie = SimpleCookie(signed_in.headers["Set-Cookie"])["tidings_session"].value
        headers = {"Cookie": f"tidings_session={cookie}"}
        async with listening(client, headers=headers, origin=ORIGIN) as live:
            assert (await live.hello())["unread"] == 0
        for origin in ("https://elsewhere.example", "http://tidings.example", f"{ORIGIN}.elsewhere.example", "null"):
            status, problem = await refused(client, headers=headers, origin=origin)
            assert (status, problem["status"]) == (403, 403), origin
        assert (await refused(client, headers=headers))[0] == 403


async def test_a_token_travels_as_a_subprotocol_and_is_not_sent_back(world: World, mine: UUID) -> None:
    bearing = [f"tidings.bearer.{world.member.key}"]
    async with listening(world.client, subprotocols=["tidings", *bearing], origin="https://any.example") as live:
        assert live.connection.subprotocol == "tidings"
        assert (await live.hello())["unread"] == 0
    for protocols in (["tidings", "tidings.bearer.wrong"], ["tidings", "tidings.bearer.tdk_wrong"]):
        assert (await refused(world.client, subprotocols=protocols))[0] == 401
    assert (await refused(world.client, subprotocols=bearing))[0] == 400
    assert (await refused(world.client, world.member.key, subprotocols=["tidings", *bearing]))[0] == 400


async def test_a_token_in_the_address_is_refused_and_not_logged(
    world: World, mine: UUID, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("token", "access_token", "key", "authorization", "person"):
        for key in (None, world.member.key):
            assert (await refused(world.client, key, f"?{name}={world.admin.key}"))[0] == 400
    logged = [record.getMessage() for record in caplog.records if not record.name.startswith("websockets.client")]
    assert not any(world.admin.key in line for line in logged)


async def test_nobody_is_refused_as_over_http(world: World, mine: UUID) -> None:
    status, problem = await refused(world.client)
    assert (status, problem["title"]) == (401, "Sign in, or send a valid bearer token or API key")
    assert (await refused(world.client, "tdk_wrong"))[0] == 401
    made = await world.as_(world.member).post("/v1/keys", {"name": "narrow", "scopes": ["facts:read"]})
    assert (await refused(world.client, made.json["data"]["secret"]))[0] == 403
    await world.as_(world.member).call("DELETE", f"/v1/keys/{made.json['data']['id']}")
    assert (await refused(world.client, made.json["data"]["secret"]))[0] == 401  # revoked


async def test_another_tenants_room_is_not_there(world: World, mine: UUID) -> None:
    for asked, key in ((mine, world.stranger.key), (uuid4(), world.stranger.key), (mine, world.admin.key)):
        if key == world.admin.key:
            async with listening(world.client, key, f"?person={asked}") as live:
                await live.hello()
        else:
            assert (await refused(world.client, key, f"?person={asked}"))[0] == 404
    neighbour = await add_person(world.pool)
    assert (await refused(world.client, world.member.key, f"?person={neighbour}"))[0] == 404


async def test_a_forged_announcement_shows_nobody_what_is_not_theirs(world: World, mine: UUID) -> None:
    theirs = await add_person(world.pool, "globex")
    (secret,) = await told(world.pool, [theirs], "Secret", tenant="globex")
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        async with world.pool.acquire() as connection:
            await announce(connection, "acme", [(mine, secret)])
            await connection.execute("SELECT pg_notify('tidings_inbox', '{')")
        last = await tell(world, mine)
        assert (await live.until("notification"))["data"]["id"] == str(last)
        assert "Secret" not in json.dumps(live.frames)


async def closing_code(live: Listening) -> int | None:
    return (await live.closed())[0]


async def test_who_is_turned_out_is_closed_within_seconds(world: World, mine: UUID, database_url: str) -> None:
    assert Bounds().recheck_every < timedelta(seconds=5)
    async with world.pool.acquire() as connection:
        jo = await person(connection, world.settings, "jo", "acme", Role.MEMBER, PASSWORD)
        demoted = await person(connection, world.settings, "was", "acme", Role.ADMIN)
        disabled = await person(connection, world.settings, "gone", "acme", Role.MEMBER)
    for one in (jo, disabled):
        await add_person(world.pool, "acme", one.id)
    async with running(api_settings(database_url, api={"public_url": ORIGIN})) as client:
        signed_in = await client.post("/v1/session", {"email": jo.email, "password": PASSWORD})
        cookie = SimpleCookie(signed_in.headers["Set-Cookie"])["tidings_session"].value
        session = {"Cookie": f"tidings_session={cookie}"}
        unlinked = await add_person(world.pool, "acme", world.operator.id)
        stays = token(sub=str(world.admin.id), role="admin")
        async with (
            listening(client, world.member.key) as by_key,
            listening(client, headers=session, origin=ORIGIN) as by_session,
            listening(client, demoted.key, f"?person={mine}") as by_role,
            listening(client, disabled.key) as by_user,
            listening(client, world.admin.key, f"?person={unlinked}") as by_person,
            listening(client, stays, f"?person={mine}") as staying,
        ):
            closing = (by_key, by_session, by_role, by_user, by_person)
            for live in (*closing, staying):
                await live.hello()
            await world.pool.execute("UPDATE tidings.api_keys SET revoked_at = now() WHERE name = 'key of member'")
            await client.call(
                "DELETE",
                "/v1/session",
                headers={**session, "X-CSRF-Token": signed_in.json["data"]["csrfToken"]},
            )
            await world.pool.execute("UPDATE tidings.memberships SET role = 'member' WHERE user_id = $1", demoted.id)
            await world.pool.execute("DELETE FROM tidings.people WHERE id = $1", unlinked)
            async with world.pool.acquire() as connection:
                await Users(connection).disable(disabled.id)
            assert await asyncio.gather(*map(closing_code, closing)) == [1008] * len(closing)
            given = await tell(world, mine)
            assert (await staying.until("notification"))["data"]["id"] == str(given)


async def test_a_token_that_expires_while_the_socket_is_open_closes_it(world: World, mine: UUID) -> None:
    pool = await db.open_pool(world.settings.database, db.Role.API, name="test")
    parts = build_api_parts(world.settings, pool)
    await unlock(parts.keyring, world.pool)
    doorkeeper = parts.doorkeeper
    closed: list[int] = []
    ticket = Ticket(Question(Claims("somebody", "acme", Role.ADMIN), None), expiry_of(token(exp=2_000_000_000)))
    hub = Hub(Bounds())
    hub.join(open_socket(hub.bounds, mine, closed, ticket))
    await Inspector(hub, doorkeeper, lambda: 2_000_000_004.0).look()
    assert closed == []
    await Inspector(hub, doorkeeper, lambda: 2_000_000_006.0).look()
    assert closed == [1008]
    await pool.close()


async def test_looking_again_takes_nothing_from_the_rate_and_answers_as_the_door_does(world: World, mine: UUID) -> None:
    pool = await db.open_pool(world.settings.database, db.Role.API, name="test")
    parts = build_api_parts(world.settings, pool)
    await unlock(parts.keyring, world.pool)
    doorkeeper = parts.doorkeeper
    subject = str(world.admin.id)
    asked = [
        Question(KeyCredential(world.member.key), None),
        Question(KeyCredential(world.operator.key), None),
        Question(KeyCredential("tdk_wrong"), None),
        Question(KeyCredential(world.operator.key), "globex"),
        Question(SessionCredential("wrong"), None),
        Question(Claims("somebody", "acme", Role.ADMIN), None),
        Question(Claims(subject, "acme", Role.OPERATOR), None),
        Question(Claims(subject, "acme", Role.MEMBER), None),
        Question(Claims(subject, "acme", Role.ADMIN), "globex"),
        Question(Claims("somebody", "globex", Role.ADMIN), None),
        Question(Claims("somebody", "globex", Role.OPERATOR), "acme"),
    ]
    expected = [await admitted(doorkeeper, question) for question in asked]
    before = await world.pool.fetch("SELECT *, xmin FROM tidings.rate_limits ORDER BY bucket")
    standings = await doorkeeper.recheck([(question, mine) for question in asked])
    assert [standing and standing.identity for standing in standings] == expected
    assert {standing.person_user for standing in standings if standing} == {world.member.id}
    assert await world.pool.fetch("SELECT *, xmin FROM tidings.rate_limits ORDER BY bucket") == before
    await pool.close()


async def admitted(doorkeeper: Doorkeeper, question: Question) -> Identity | None:
    """Who the door takes them for, where that is somebody in the tenant of the person whom they look at."""
    try:
        identity = (await doorkeeper.admit(question.credential, question.wanted_tenant)).identity
    except TidingsError:
        return None
    return identity if identity.tenant == "acme" else None


async def test_what_cannot_be_a_hello_closes_the_socket(world: World, mine: UUID) -> None:
    for said, code in (
        ("x" * 5000, 1009),
        ("x" * 4_000_000, 1009),
        (b"binary", 1003),
        ("not json", 1008),
        ("[" * 4000, 1008),
        ('{"type":"hello","after":"\\u0000"}', 1008),
        ('{"type":"hello","type":"hello"}', 1008),
        ('{"type":"hello","tenant":"globex"}', 1008),
        ('{"type":"subscribe","to":"everything"}', 1008),
        ('{"type":"ping"}', 1008),
    ):
        async with listening(world.client, world.member.key) as live:
            with contextlib.suppress(ConnectionClosed):
                await live.connection.send(said)
            assert (await live.closed())[0] == code, said[:100]


async def test_a_second_hello_and_endless_fragments_close_the_socket(world: World, mine: UUID) -> None:
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        await live.say(type="hello")
        assert (await live.closed())[0] == 1008
    async with listening(world.client, world.member.key) as live:
        with contextlib.suppress(ConnectionClosed):
            await live.connection.send("" for _ in range(1000))
        assert (await live.closed())[0] == 1009


async def test_a_client_that_says_too_much_is_closed(world: World, mine: UUID) -> None:
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        with contextlib.suppress(ConnectionClosed):
            for _ in range(130):
                await live.say(type="ping")
        assert await live.closed() == (1008, "says too much")
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        with contextlib.suppress(ConnectionClosed):
            for _ in range(130):
                await live.connection.ping()
        assert await live.closed() == (1008, "too many pings")


async def test_a_client_that_never_reads_is_closed_and_others_are_not_held_up(world: World, mine: UUID) -> None:
    async with (
        listening(world.client, world.member.key) as deaf,
        listening(world.client, world.member.key) as live,
    ):
        await deaf.hello()
        await live.hello()
        deaf.connection.transport.pause_reading()
        ids = []
        for _ in range(80):
            ids.append(str(await tell(world, mine, body="x" * 200_000)))
            await live.until("notification")
        deaf.connection.transport.resume_reading()
        assert (await deaf.closed())[0] in {1013, 1006}
        assert live.ids() == ids
        assert len(deaf.ids()) < len(ids)


async def test_a_person_has_so_many_sockets_and_no_more(world: World, mine: UUID) -> None:
    async with asyncio.timeout(20):
        opened = [
            await websockets.connect(address(world.client), additional_headers=bearer(world.member.key), proxy=None)
            for _ in range(20)
        ]
        status, problem = await refused(world.client, world.member.key)
        assert (status, problem["title"]) == (429, "Too many requests; try again later")
        assert "tidings_live_sockets 20.0" in (await world.client.get("/metrics")).text
        await opened.pop().close()
        async with listening(world.client, world.member.key) as live:
            await live.hello()
        await asyncio.gather(*(connection.close() for connection in opened))


async def test_a_handshake_that_is_none_is_answered_and_harms_nobody(world: World, mine: UUID) -> None:
    for headers, expected in (
        ({"Cookie": "x" * 20_000}, 400),
        ({f"X-{n}": "x" for n in range(200)}, 400),
        ({"Authorization": "Basic x"}, 401),
        ({**bearer(world.member.key), "Tidings-Tenant": "No Slug"}, 404),
    ):
        assert (await refused(world.client, headers=headers))[0] == expected
    assert (await refused(world.client, world.member.key, query="/elsewhere"))[0] == 404
    async with listening(world.client, world.member.key) as live:
        assert await live.hello()


async def test_stopping_the_process_says_so(world: World, mine: UUID, database_url: str) -> None:
    async with running(api_settings(database_url)) as client:
        connection = await websockets.connect(address(client), additional_headers=bearer(world.member.key), proxy=None)
        live = Listening(connection)
        await live.hello()
    assert (await live.closed())[0] == 1012
