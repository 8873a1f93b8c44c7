"""The pulse of a tenant: at once, whenever something moved, for that tenant alone, and asked for once for everybody."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.api.sockets import Listening, listening, open_socket
from tests.api.world import World
from tidings.api.live.bounds import Bounds
from tidings.api.live.hub import Hub
from tidings.api.live.pulse import Pulse
from tidings.kit import db

ENDED = """
INSERT INTO tidings.deliveries_finished (id, tenant, channel, provider, notice_id, notification_id, person_id, address,
    due_at, run_at, expires_at, status, attempts, crashes, generation, created_at, updated_at)
SELECT tidings.uuid7(), $1, 'email', tidings.uuid7(), tidings.uuid7(), tidings.uuid7(), tidings.uuid7(), 'x', now(),
    now(), now(), $2, 1, 0, 0, now(), now() FROM generate_series(1, $3::integer)
"""
BURIED = """
INSERT INTO tidings.outbox_finished (id, tenant, kind, due_at, run_at, status, attempts, crashes, generation,
    created_at, updated_at)
SELECT tidings.uuid7(), $1, 'lead.created', now(), now(), 'dead', 1, 0, 0, now(), now()
"""


async def moved(live: Listening, **wanted: int) -> dict[str, Any]:
    """Adds up what comes until it is what is wanted; the last message."""
    sums = dict.fromkeys(("facts", "sent", "skipped", "failed", "dead"), 0)
    while True:
        beat = await live.until("pulse")
        for name in sums:
            sums[name] += beat[name]
        if {name: sums[name] for name in wanted} == wanted:
            return beat


async def test_the_first_comes_at_once_and_says_how_things_stand(world: World) -> None:
    await world.as_(world.member).emit()
    async with listening(world.client, world.member.key) as live:
        await live.hello(watch=["pulse"])
        beat = await live.next()
    assert beat.pop("at").endswith("Z")
    assert beat.pop("lagSeconds") >= 0
    assert beat.pop("totals")["intents"]["waiting"] == 1
    assert beat == {"type": "pulse", "facts": 0, "sent": 0, "skipped": 0, "failed": 0, "dead": 0, "waiting": 1}


async def test_what_moves_is_told_once_to_each_who_watches_and_to_nobody_else(world: World) -> None:
    async with (
        listening(world.client, world.member.key) as live,
        listening(world.client, world.admin.key) as too,
        listening(world.client, world.stranger.key) as elsewhere,
        listening(world.client, world.operator.key) as idle,
    ):
        for each in (live, too, elsewhere):
            await each.hello(watch=["pulse"])
            await each.until("pulse")
        await idle.hello()
        for _ in range(3):
            await world.as_(world.member).emit()
        for status, amount in (("sent", 4), ("skipped", 2), ("failed", 1)):
            await world.pool.execute(ENDED, "acme", status, amount)
        await world.pool.execute(BURIED, "acme")
        for each in (live, too):
            last = await moved(each, facts=3, sent=4, skipped=2, failed=1, dead=1)
            assert last["waiting"] == 3
            assert last["totals"]["dead"] == 1
        await world.as_(world.stranger).emit()
        assert (await moved(elsewhere, facts=1))["sent"] == 0
        assert {name: sum(f[name] for f in elsewhere.frames if f["type"] == "pulse") for name in ("facts", "sent")} == {
            "facts": 1,
            "sent": 0,
        }
        assert {frame["type"] for frame in idle.frames} == {"ready"}


async def test_what_commits_later_than_others_is_told_when_it_does(world: World) -> None:
    async with listening(world.client, world.member.key) as live:
        await live.hello(watch=["pulse"])
        await live.until("pulse")
        async with world.pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT tidings.emit('lead.created', tenant => 'acme')")
            await world.as_(world.member).emit()
            await moved(live, facts=1)
        await moved(live, facts=1)


async def test_one_may_begin_to_watch_and_stop_at_any_time(world: World) -> None:
    async with listening(world.client, world.member.key) as live, listening(world.client, world.admin.key) as other:
        await live.hello()
        await other.hello(watch=["pulse"])
        await live.say(type="watch", watch=["pulse"])
        await live.until("pulse")
        await live.say(type="watch", watch=[])
        await live.say(type="ping")
        await live.until("pong")
        seen = len(live.frames)
        await world.as_(world.member).emit()
        await moved(other, facts=1)
        await live.say(type="ping")
        await live.until("pong")
        assert [frame["type"] for frame in live.frames[seen:]] == ["pong"]


async def test_one_look_serves_everybody(world: World) -> None:
    async with (
        listening(world.client, world.member.key) as first,
        listening(world.client, world.admin.key) as second,
        listening(world.client, world.operator.key) as third,
    ):
        for each in (first, second, third):
            await each.hello(watch=["pulse"])
            await each.until("pulse")
        for _ in range(2):
            await world.as_(world.member).emit()
            assert len({(await moved(each, facts=1))["at"] for each in (first, second, third)}) == 1


async def test_where_nobody_watches_the_database_is_not_asked(world: World) -> None:
    pool = await db.open_pool(world.settings.database, db.Role.API, name="test")
    hub = Hub(Bounds())
    socket = open_socket(hub.bounds, None)
    hub.join(socket)
    pulse = Pulse(hub, pool, 10)
    running = asyncio.create_task(pulse.run())
    await asyncio.sleep(0.05)
    assert pool.get_size() == 0  # it opens its first connection when it is asked for one
    hub.watch(socket, frozenset({"pulse"}))
    pulse.greet(socket)
    while not socket.waiting:
        await asyncio.sleep(0.01)
    hub.leave(socket)
    while pulse.watched:
        await asyncio.sleep(0.05)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert hub.watchers == {}
    await pool.close()
