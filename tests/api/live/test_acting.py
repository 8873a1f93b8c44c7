"""Somebody acts: every screen of everybody who was told says so, on every process; who was away catches up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from tests.api.processes import api_processes
from tests.api.reservation_routes import Trade, act, copies_of, requested, somebody, trade_of
from tests.api.sockets import Listening, listening
from tests.api.world import Client, World
from tests.support.pipeline import Owner
from tidings.testing import adrain

SCREENS = 200


@pytest.fixture
async def trade(world: World) -> Trade:
    return await trade_of(world)


@asynccontextmanager
async def looking(clients: list[Client], key: str, people: list[str], count: int) -> AsyncIterator[list[Listening]]:
    """So many open screens, of these people in turn, spread over the processes."""
    async with AsyncExitStack() as stack:
        screens = []
        for n in range(count):
            query = f"?person={people[n % len(people)]}"
            screens.append(await stack.enter_async_context(listening(clients[n % len(clients)], key, query)))
        await asyncio.gather(*(screen.hello() for screen in screens))
        yield screens


async def test_an_action_is_on_two_hundred_screens_of_two_processes(world: World, owner: Owner, trade: Trade) -> None:
    group = trade.restaurant["groupId"]
    crowd = [await somebody(trade.admin, f"Manager {n}", "RESTAURANT_USER", group) for n in range(38)]
    everybody = [trade.manager_id, trade.admin_id, *crowd]
    copies = await copies_of(world, owner, await requested(trade))
    async with (
        api_processes(world) as (first, second),
        looking([first, second], world.admin.key, everybody, SCREENS) as screens,
        listening(second, world.admin.key, f"?person={trade.customer_id}") as customer,
    ):
        await customer.hello()
        done = await act(second.acting(world.member.key), copies[trade.manager_id], action="CONFIRMED")
        frames = await asyncio.gather(*(screen.until("updated") for screen in screens))
        handled = done.json["data"]["handled"]
        assert [frame["data"]["id"] for frame in frames] == [
            copies[everybody[n % len(everybody)]] for n in range(SCREENS)
        ]
        assert all(frame["data"]["handled"] == handled and frame["data"]["actions"] == [] for frame in frames)
        await customer.say(type="ping")
        await customer.until("pong")
        assert [frame["type"] for frame in customer.frames] == ["ready", "pong"]


async def test_who_was_cut_off_is_told_of_all_that_happened_meanwhile_and_of_nothing_twice(
    world: World, owner: Owner, trade: Trade
) -> None:
    first, second = await requested(trade), await requested(trade, partySize=2)
    copies, others = await copies_of(world, owner, first), await copies_of(world, owner, second)
    async with listening(world.client, world.admin.key, f"?person={trade.manager_id}") as live:
        await live.hello()
    third = await requested(trade, partySize=3)
    await act(trade.admin, copies[trade.admin_id], action="CONFIRMED")
    await adrain(world.settings, sandbox=False)  # what comes live comes by the channel itself
    latest = (await copies_of(world, owner, third))[trade.manager_id]
    await trade.admin.post(f"/v1/inbox/{others[trade.manager_id]}/read?person={trade.manager_id}")
    async with listening(world.client, world.admin.key, f"?person={trade.manager_id}") as back:
        ready = await back.hello(live.position)
        told = {frame["data"]["id"]: frame for frame in back.frames if "data" in frame}
        assert sorted(told) == sorted([copies[trade.manager_id], others[trade.manager_id], latest])
        assert len([frame for frame in back.frames if "data" in frame]) == len(told)
        assert told[latest]["type"] == "notification"
        assert told[copies[trade.manager_id]]["data"]["handled"]["by"]["id"] == trade.admin_id
        assert told[others[trade.manager_id]]["data"]["readAt"] is not None
        assert ready["unread"] == (await unread(trade, trade.manager_id))
    async with listening(world.client, world.admin.key, f"?person={trade.manager_id}") as again:
        await again.hello(back.position)
        assert [frame["type"] for frame in again.frames] == ["ready"]


async def test_shared_reading_is_on_every_screen_of_everybody_who_was_told(
    world: World, owner: Owner, trade: Trade
) -> None:
    second = await somebody(trade.admin, "Second manager", "RESTAURANT_USER", trade.restaurant["groupId"])
    copies = await copies_of(world, owner, await requested(trade))
    async with listening(world.client, world.admin.key, f"?person={second}") as live:
        await live.hello()
        await trade.manager.post(f"/v1/inbox/{copies[trade.manager_id]}/read")
        changed = await live.until("changed")
        assert (changed["change"], changed["ids"], changed["unread"]) == ("read", [copies[second]], 0)


async def test_what_is_withdrawn_is_off_every_screen(world: World, owner: Owner, trade: Trade) -> None:
    reservation = await requested(trade)
    await copies_of(world, owner, reservation)
    async with listening(world.client, world.member.key) as live:
        await live.hello()
        await trade.admin.post(f"/v1/reservations/{reservation['id']}/cancel")
        assert (await live.until("updated"))["data"]["handled"]["action"] == "WITHDRAWN"


async def unread(trade: Trade, person: str) -> int:
    count: int = (await trade.admin.get(f"/v1/inbox/count?person={person}")).json["data"]["unread"]
    return count
