"""A tenant at a glance: what happened, what waits, how providers are, what failed last, what was never done."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import asyncpg

from tests.api.delivery_routes import PROVIDER
from tests.api.world import World
from tests.delivery.overview.rows import buried, ended, facts
from tests.notify.telling import add_person
from tidings.spine.delivery.overview.figures import recount

OPEN = """
INSERT INTO tidings.deliveries (id, tenant, channel, provider, notice_id, notification_id, person_id, address, due_at,
    run_at, expires_at, status)
VALUES (tidings.uuid7(), 'acme', 'email', $1, tidings.uuid7(), tidings.uuid7(), tidings.uuid7(), 'x', now(),
    now() - $3::text::interval, now() + interval '1 day', $2)
"""
WORKER = "INSERT INTO tidings.workers (id, name, kinds) VALUES ($1, 'w', $2)"


async def counted(world: World) -> None:
    async with world.pool.acquire() as connection, connection.transaction():
        while (await recount(connection))[1]:
            pass


async def seen(world: World, who: Any = None, query: str = "") -> Any:
    answer = await world.as_(who or world.member).get(f"/v1/overview{query}")
    assert answer.status == 200, answer.text
    return answer.json["data"]


async def test_of_an_empty_stack_it_says_what_was_never_done(world: World) -> None:
    empty = await seen(world)
    assert empty["begun"] == {"fact": False, "rule": False, "person": False, "sandboxMessage": False}
    assert empty["lag"] == {"intentsSeconds": None, "deliveriesSeconds": None}
    assert empty["countedUntil"] is None
    assert (empty["workers"], empty["providers"], empty["failures"]) == (0, [], [])
    nothing = {"waiting": 0, "due": 0, "late": 0, "retrying": 0}
    totals = {"intents": nothing, "deliveries": nothing, "held": 0, "dead": 0, "capped": False}
    assert empty["totals"] == totals
    assert len(empty["minutes"]) == 60
    await world.as_(world.stranger).emit()
    await world.as_(world.member).emit()
    await add_person(world.pool)
    assert (await seen(world))["begun"] == {"fact": True, "rule": False, "person": True, "sandboxMessage": False}


async def test_minutes_are_filled_with_zeros_and_end_with_the_present_one(world: World) -> None:
    at = await world.pool.fetchval("SELECT date_trunc('minute', now(), 'UTC')")
    owner = await world_owner(world)
    await facts(owner, "acme", at, 3)
    await facts(owner, "globex", at, 9)
    await ended(owner, "acme", at, "sent", 2)
    await owner.close()
    await counted(world)
    shown = await seen(world, query="?minutes=1440")
    assert len(shown["minutes"]) == 1440
    happened = [minute for minute in shown["minutes"] if minute["facts"]]
    assert [(m["facts"], m["sent"], m["skipped"], m["failed"], m["dead"]) for m in happened] == [(3, 2, 0, 0, 0)]
    assert shown["countedUntil"] > happened[0]["at"]
    for wrong in ("0", "1441", "x"):
        assert (await world.as_(world.member).get(f"/v1/overview?minutes={wrong}")).status == 422


async def test_what_nobody_serves_waits_and_is_not_late_while_a_worker_is_there(world: World) -> None:
    member = world.as_(world.member)
    await member.emit("lead.created")
    await member.emit("lead.lost")
    await member.emit("lead.won")
    await world.pool.execute(
        "UPDATE tidings.outbox SET run_at = now() + CASE kind WHEN 'lead.won' THEN 1 ELSE -1 END * interval '1 hour'"
    )
    alone = await seen(world)
    assert (alone["totals"]["intents"]["late"], alone["kindsWithoutWorker"]) == (2, [])
    await world.pool.execute(WORKER, uuid4(), ["lead.created", "lead.won"])
    shown = await seen(world)
    assert shown["totals"]["intents"] == {"waiting": 3, "due": 1, "late": 1, "retrying": 0}
    assert shown["kindsWithoutWorker"] == ["lead.lost"]
    assert shown["workers"] == 1
    assert 3600 <= shown["lag"]["intentsSeconds"] < 3700


async def test_deliveries_wait_are_late_are_tried_again_and_are_held(world: World) -> None:
    provider = (await world.as_(world.admin).post("/v1/providers", PROVIDER)).json["data"]["id"]
    await world.pool.execute(WORKER, uuid4(), ["email"])
    for status, ago in (("pending", "-1 hour"), ("pending", "1 second"), ("failed", "2 minutes"), ("held", "1 day")):
        await world.pool.execute(OPEN, UUID(provider), status, ago)
    shown = await seen(world)
    assert shown["totals"]["deliveries"] == {"waiting": 3, "due": 2, "late": 1, "retrying": 1}
    assert shown["totals"]["held"] == 1
    assert 120 <= shown["lag"]["deliveriesSeconds"] < 200


async def test_providers_have_their_health_and_what_they_made_of_the_last_hour(world: World) -> None:
    provider = (await world.as_(world.admin).post("/v1/providers", PROVIDER)).json["data"]["id"]
    owner = await world_owner(world)
    for status, amount in (("sent", 5), ("failed", 2)):
        await ended(owner, "acme", await owner.fetchval("SELECT now()"), status, amount, UUID(provider))
    await owner.close()
    await world.pool.execute(
        """UPDATE tidings.providers SET opened_at = now(), open_until = now() + interval '1 hour',
           last_error = 'refused owner@example.com', last_error_at = now()"""
    )
    await counted(world)
    (health,) = (await seen(world, world.admin))["providers"]
    assert (health["channel"], health["type"], health["name"]) == ("email", "smtp", "canary")
    assert (health["circuit"], health["sent"], health["failed"]) == ("open", 5, 2)
    assert health["lastError"] == "refused owner@example.com"
    (for_a_member,) = (await seen(world))["providers"]
    assert for_a_member == {**health, "lastError": None}


async def test_the_last_ten_failures_say_what_when_why_and_where_to_look(world: World) -> None:
    owner = await world_owner(world)
    at = await owner.fetchval("SELECT now()")
    await ended(owner, "acme", at, "failed", 12)
    await ended(owner, "globex", at, "failed")
    await buried(owner, "acme", at, 1, "lead.created")
    await buried(owner, "acme", at, 1, "tidings.maintain")
    await owner.execute("UPDATE tidings.outbox_finished SET finished_at = now() + interval '1 second'")
    dead = await owner.fetchval("SELECT id FROM tidings.outbox_finished WHERE kind = 'lead.created'")
    await owner.close()
    failures = (await seen(world, world.admin))["failures"]
    assert len(failures) == 10
    first = failures[0]
    assert (first["what"], first["id"], first["name"], first["why"]) == ("intent", str(dead), "lead.created", "no")
    assert {(f["what"], f["name"], f["why"]) for f in failures[1:]} == {("delivery", "email", "refused")}
    assert all(failure["noticeId"] for failure in failures[1:])
    assert {f["why"] for f in (await seen(world))["failures"]} == {"no", None}


async def test_who_may_read_the_outbox_may_see_it(world: World) -> None:
    for scopes, status in ((["outbox:read"], 200), (["facts:read", "inbox"], 403)):
        made = await world.as_(world.member).post("/v1/keys", {"name": "narrow", "scopes": scopes})
        client = world.client.acting(made.json["data"]["secret"])
        assert (await client.get("/v1/overview")).status == status
    assert (await world.client.get("/v1/overview")).status == 401


async def world_owner(world: World) -> Any:
    return await asyncpg.connect(world.settings.database.url)
