"""What was changed is told to those of its tenant who watch: which resource, and no more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.api.delivery_routes import PROVIDER
from tests.api.event_routes import created, guests_of, joined
from tests.api.integration_routes import INTEGRATION
from tests.api.organization_routes import asked
from tests.api.reservation_routes import requested, trade_of
from tests.api.sockets import Listening, listening
from tests.api.world import Client, World
from tests.notify.telling import add_person
from tidings.api.live.changes import CHANNEL, RESOURCES, changed_in
from tidings.kit import db
from tidings.spine.access.people import Users
from tidings.spine.delivery.overview.figures import NOBODY

RULE = {
    "name": "Orders",
    "factType": "order.paid",
    "audience": [{"by": "everyone"}],
    "channels": ["websocket"],
    "title": "Paid",
    "body": "Order {{ data.n }}",
}
HEALTH = """SELECT tidings.note_health(ARRAY[$1::uuid], ARRAY[$2::integer], ARRAY[$3::integer], ARRAY['away'], 3,
    interval '1 minute', interval '1 hour')"""


async def told(live: Listening, *resources: str) -> None:
    """Reads on until all of these were said to be stale."""
    left = set(resources)
    while left:
        left -= set((await live.until("stale"))["resources"])


async def rule(client: Client) -> Any:
    return await client.post("/v1/rules", RULE)


async def template(client: Client) -> Any:
    return await client.call("PUT", "/v1/templates/orders/sms", json={"text": "Hello"})


async def provider(client: Client) -> Any:
    return await client.post("/v1/providers", PROVIDER)


async def category(client: Client) -> Any:
    return await client.call("PUT", "/v1/categories/orders", json={"name": "Orders"})


async def group(client: Client) -> Any:
    return await client.post("/v1/groups", {"externalId": "all", "name": "All"})


async def somebody(client: Client) -> Any:
    return await client.post("/v1/people", {"name": "Somebody", "email": "somebody@example.com"})


async def suppression(client: Client) -> Any:
    return await client.post("/v1/suppressions", {"kind": "email", "value": "gone@example.com"})


async def key(client: Client) -> Any:
    return await client.post("/v1/keys", {"name": "another", "scopes": ["facts:read"]})


MADE: dict[str, Callable[[Client], Awaitable[Any]]] = {
    "rules": rule,
    "templates": template,
    "providers": provider,
    "categories": category,
    "groups": group,
    "people": somebody,
    "suppressions": suppression,
    "keys": key,
}


def test_every_resource_is_known() -> None:
    elsewhere = {"users", "imports", "integrations", "events", "calendar", "reservations", "organizations", "reports",
                 "overview"}  # fmt: skip
    assert {*MADE, *elsewhere} == RESOURCES


async def test_what_is_made_over_http_is_announced_as_what_it_is(world: World) -> None:
    async with announcements(world) as heard:
        for resource, make in MADE.items():
            answer = await make(world.as_(world.admin))
            assert answer.status in (200, 201), answer.text
            assert await settled(world, heard) == [{"tenant": "acme", "resource": resource}]


async def test_events_who_joins_them_and_calendars_are_told(world: World) -> None:
    guests = await guests_of(world)
    async with announcements(world) as heard:
        event = await created(guests.admin)
        assert {each["resource"] for each in await settled(world, heard)} == {"events"}
        await joined(guests.member, event)
        assert {each["resource"] for each in await settled(world, heard)} == {"events", "people"}  # a topic of theirs
        await guests.member.call("PUT", "/v1/calendar-feed")
        assert {each["resource"] for each in await settled(world, heard)} == {"calendar"}


async def test_restaurants_agencies_and_what_becomes_of_a_reservation_are_told(world: World) -> None:
    async with announcements(world) as heard:
        trade = await trade_of(world)
        assert {"resource": "reservations", "tenant": "acme"} in await settled(world, heard)
        reservation = await requested(trade)
        assert {each["resource"] for each in await settled(world, heard)} == {"reservations"}
        await trade.admin.post(f"/v1/reservations/{reservation['id']}/cancel")
        assert {each["resource"] for each in await settled(world, heard)} == {"reservations"}


async def test_organizations_and_what_becomes_of_them_are_told(world: World) -> None:
    async with announcements(world) as heard:
        asked_for = await asked(world.as_(world.admin))
        assert {"tenant": "acme", "resource": "organizations"} in await settled(world, heard)
        answer = await world.as_(world.admin).post(f"/v1/organizations/bootstrap/{asked_for}/cancel")
        assert answer.status == 202, answer.text
        assert {each["resource"] for each in await settled(world, heard)} == {"organizations"}


async def test_by_which_channels_people_are_told_is_told(world: World) -> None:
    path, wanted = "/v1/usual-channels/CUSTOMER", {"tenant": "acme", "resource": "reservations"}
    async with announcements(world) as heard:
        for method, body in (("PUT", {"channels": ["email"]}), ("PUT", {"channels": ["sms"]}), ("DELETE", None)):
            await world.as_(world.admin).call(method, path, json=body)
            assert wanted in await settled(world, heard), method


async def test_an_integration_is_told_as_an_address_and_as_what_it_is(world: World) -> None:
    await add_person(world.pool, "acme", world.member.id)
    member, both = world.as_(world.member), ["integrations", "people"]
    async with announcements(world) as heard:
        made = await member.post("/v1/integrations", INTEGRATION)
        assert sorted(each["resource"] for each in await settled(world, heard)) == both
        path = f"/v1/integrations/{made.json['data']['id']}"
        for change in ({"tags": ["other"]}, {"active": False}, {"name": "Other"}):
            await member.call("PATCH", path, json=change)
            assert sorted(each["resource"] for each in await settled(world, heard)) == both, change
        await member.call("PATCH", path, json={"name": "Other"})
        assert await settled(world, heard) == []
        await member.call("DELETE", path)
        assert sorted(each["resource"] for each in await settled(world, heard)) == both


async def test_it_is_told_to_those_of_its_tenant_who_watch_and_to_nobody_else(world: World) -> None:
    async with (
        listening(world.client, world.member.key) as live,
        listening(world.client, world.stranger.key) as elsewhere,
        listening(world.client, world.operator.key) as idle,
    ):
        await live.hello(watch=["changes"])
        await elsewhere.hello(watch=["pulse", "changes"])
        await idle.hello()
        await rule(world.as_(world.admin))
        assert await live.until("stale") == {"type": "stale", "resources": ["rules"]}
        for each in (elsewhere, idle):
            await each.say(type="ping")
            await each.until("pong")
            assert "stale" not in {frame["type"] for frame in each.frames}


async def test_users_are_told_of_where_they_are_members(world: World) -> None:
    async with (
        listening(world.client, world.member.key) as live,
        listening(world.client, world.stranger.key) as elsewhere,
    ):
        await live.hello(watch=["pulse"])
        await elsewhere.hello(watch=["pulse"])
        async with world.pool.acquire() as connection:
            await Users(connection).disable(world.admin.id)
        await told(live, "users")
        await world.pool.execute("UPDATE tidings.users SET password_hash = 'x' WHERE id = $1", world.stranger.id)
        await world.pool.execute("UPDATE tidings.memberships SET role = 'member' WHERE tenant = 'globex'")
        await told(elsewhere, "users")
        assert [frame["type"] for frame in elsewhere.frames].count("stale") == 1


async def test_that_a_worker_has_counted_is_told_of(world: World) -> None:
    async with listening(world.client, world.member.key) as live:
        await live.hello(watch=["pulse"])
        await world.pool.execute(
            "INSERT INTO tidings.figures VALUES (date_trunc('minute', now()), 'acme', $1, 1, 0, 0, 0, 0)", NOBODY
        )
        await told(live, "overview")


async def test_what_is_changed_again_and_again_is_told_once_a_second(world: World) -> None:
    async with listening(world.client, world.member.key) as live, asyncio.timeout(20):
        await live.hello(watch=["changes"])
        for n in range(40):
            await world.pool.execute("INSERT INTO tidings.categories VALUES ('acme', $1, 'n')", f"c{n}")
        await world.as_(world.admin).post("/v1/groups", {"externalId": "last", "name": "Last"})
        await told(live, "groups", "categories")
        assert [frame["type"] for frame in live.frames].count("stale") <= 3


@asynccontextmanager
async def announcements(world: World) -> AsyncIterator[list[str]]:
    heard: list[str] = []
    connection = await db.connect(world.settings.database, None, name="test")
    await connection.add_listener(CHANNEL, lambda *said: heard.append(str(said[-1])))
    try:
        yield heard
    finally:
        await connection.close()


async def settled(world: World, heard: list[str]) -> list[dict[str, str]]:
    """What was announced until now: what is said last is heard last."""
    await world.pool.execute("SELECT pg_notify($1, 'last')", CHANNEL)
    while "last" not in heard:
        await asyncio.sleep(0.01)
    said = [json.loads(payload) for payload in heard if payload != "last"]
    heard.clear()
    return said


async def test_a_hundred_thousand_people_are_one_announcement(world: World) -> None:
    async with announcements(world) as heard:
        await world.pool.execute(
            "INSERT INTO tidings.people (tenant, name) SELECT 'acme', 'n' FROM generate_series(1, 100000)"
        )
        assert await settled(world, heard) == [{"tenant": "acme", "resource": "people"}]
        await world.pool.execute("UPDATE tidings.people SET name = 'm' WHERE tenant = 'acme'")
        assert await settled(world, heard) == [{"tenant": "acme", "resource": "people"}]


async def test_an_import_is_a_few(world: World) -> None:
    rows = "".join(f"{n},Somebody,person{n}@example.com,all\n" for n in range(500))
    async with announcements(world) as heard:
        answer = await world.as_(world.admin).call(
            "POST",
            "/v1/people/imports",
            data="external_id,name,email,groups\n" + rows,
            headers={"Content-Type": "text/csv"},
        )
        assert answer.status == 201, answer.text
        said = await settled(world, heard)
    assert sorted(each["resource"] for each in said if each["resource"] != "imports") == ["groups", "people"]


async def test_an_import_is_told_of_as_it_goes_on(world: World) -> None:
    async with announcements(world) as heard:
        for rows, status in (("Somebody\n", 200), ("\x00\n", 422)):
            answer = await world.as_(world.admin).call(
                "POST", "/v1/people/imports?dryRun=true", data=f"name\n{rows}", headers={"Content-Type": "text/csv"}
            )
            assert answer.status == status, answer.text
            said = await settled(world, heard)
            assert {each["resource"] for each in said} == {"imports"}
            assert len(said) > 1


async def test_what_was_changed_in_two_tenants_is_told_to_each(world: World) -> None:
    for tenant in ("acme", "globex"):
        await add_person(world.pool, tenant)
    async with announcements(world) as heard:
        await world.pool.execute("UPDATE tidings.people SET name = 'm'")
        said = await settled(world, heard)
        assert sorted(each["tenant"] for each in said) == ["acme", "globex"]
        await world.pool.execute("UPDATE tidings.people SET name = 'm' WHERE false")
        async with world.pool.acquire() as connection:
            transaction = connection.transaction()
            await transaction.start()
            await connection.execute("DELETE FROM tidings.people")
            await transaction.rollback()
        assert await settled(world, heard) == []


async def test_of_a_provider_what_sends_count_is_not_told_and_its_circuit_is(world: World) -> None:
    made = (await world.as_(world.admin).post("/v1/providers", PROVIDER)).json["data"]["id"]
    stale = [{"tenant": "acme", "resource": "providers"}]
    async with announcements(world) as heard:
        await world.pool.execute(HEALTH, made, 2, 0)
        assert await settled(world, heard) == []
        await world.pool.execute(HEALTH, made, 1, 0)
        assert await settled(world, heard) == stale
        await world.pool.execute(HEALTH, made, 0, 1)
        assert await settled(world, heard) == stale
        await world.pool.execute(HEALTH, made, 0, 1)
        assert await settled(world, heard) == []
        await world.as_(world.admin).call("PATCH", f"/v1/providers/{made}", json={"enabled": False})
        assert await settled(world, heard) == stale


async def test_of_an_address_what_sends_note_is_not_told_and_its_end_is(world: World) -> None:
    await somebody(world.as_(world.admin))
    async with announcements(world) as heard:
        await world.pool.execute("UPDATE tidings.addresses SET failing_since = now()")
        assert await settled(world, heard) == []
        await world.pool.execute("UPDATE tidings.addresses SET disabled_at = now()")
        assert await settled(world, heard) == [{"tenant": "acme", "resource": "people"}]


@pytest.mark.parametrize(
    "payload",
    [
        "{",
        "[]",
        "7",
        "null",
        '{"tenant": 7, "resource": "rules"}',
        '{"tenant": "acme", "resource": "passwords"}',
        '{"tenant": "acme", "resource": ["rules"]}',
        '{"tenant": "acme"}',
        "[" * 5000,
    ],
)
def test_what_is_no_announcement_says_nothing(payload: str) -> None:
    assert changed_in(payload) == []
