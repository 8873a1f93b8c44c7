"""What each who has a part in a reservation can do about it over HTTP, as themselves: guest, staff, agency."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.event_routes import in_
from tests.api.reservation_routes import Trade, act, copies_of, path_of, requested, trade_of
from tests.api.world import Client, World, person
from tests.support.pipeline import Owner
from tidings.spine.access.identity import Role
from tidings.testing import adrain


@pytest.fixture
async def trade(world: World) -> Trade:
    return await trade_of(world)


async def login_of(world: World, person_id: str, name: str) -> Client:
    """A member whose login is that person's."""
    async with world.pool.acquire() as connection:
        known = await person(connection, world.settings, name, "acme", Role.MEMBER)
        await connection.execute(
            "UPDATE tidings.people SET user_id = $2 WHERE id = $1::text::uuid", person_id, known.id
        )
    return world.as_(known)


async def waiting(client: Client) -> list[dict[str, Any]]:
    """What waits in their inbox for somebody to act."""
    found: list[dict[str, Any]] = (await client.get("/v1/inbox?open=true")).json["data"]
    return found


async def test_the_guest_calls_off_their_own_request(world: World, owner: Owner, trade: Trade) -> None:
    guest = await login_of(world, trade.customer_id, "guest")
    reservation = await requested(trade)
    copies = await copies_of(world, owner, reservation)
    cancelled = await guest.post(f"/v1/reservations/{reservation['id']}/cancel")
    assert (cancelled.status, cancelled.json["data"]["status"]) == (200, "cancelled")
    assert await waiting(trade.manager) == await waiting(trade.admin) == []
    late = await act(trade.manager, copies[trade.manager_id], action="CONFIRMED")
    assert (late.status, late.json["handled"]["action"]) == (409, "WITHDRAWN")
    assert late.json["handled"]["by"] == {"id": trade.customer_id, "name": "A guest"}
    by = await owner.fetchval("SELECT data ->> 'personId' FROM tidings.facts WHERE type = 'reservation.cancelled'")
    assert by == trade.customer_id


async def test_the_guest_calls_off_what_another_time_was_proposed_for(world: World, owner: Owner, trade: Trade) -> None:
    guest = await login_of(world, trade.customer_id, "guest")
    reservation = await requested(trade)
    copies = await copies_of(world, owner, reservation)
    await act(trade.manager, copies[trade.manager_id], action="POSTPONED", proposedTime=in_(days=5))
    await adrain(world.settings)
    (asked,) = await waiting(guest)
    cancelled = await guest.post(f"/v1/reservations/{reservation['id']}/cancel")
    assert (cancelled.status, cancelled.json["data"]["status"]) == (200, "cancelled")
    assert await waiting(guest) == await waiting(trade.manager) == await waiting(trade.admin) == []
    copy = (await guest.get(f"/v1/inbox?matter={asked['matter']}")).json["data"][0]
    assert (copy["actions"], copy["handled"]["action"]) == ([], "WITHDRAWN")
    assert (await act(guest, asked["id"], action="CONFIRMED")).status == 409


async def test_the_staff_may_answer_for_the_guest_what_another_time_was_proposed_for(
    world: World, owner: Owner, trade: Trade
) -> None:
    """The guest said so on the phone."""
    guest = await login_of(world, trade.customer_id, "guest")
    reservation, better = await requested(trade), in_(days=5)
    copies = await copies_of(world, owner, reservation)
    await act(trade.manager, copies[trade.manager_id], action="POSTPONED", proposedTime=better)
    await adrain(world.settings)
    (waits,) = await waiting(trade.admin)
    assert sorted(waits["actions"]) == ["CONFIRMED", "REJECTED"]
    assert (await act(trade.admin, waits["id"], action="CONFIRMED")).status == 201
    shown = (await guest.get(f"/v1/reservations/{reservation['id']}")).json["data"]
    assert (shown["status"], shown["time"], shown["proposedTime"]) == ("confirmed", better, None)
    assert await waiting(guest) == await waiting(trade.manager) == []
    await adrain(world.settings)
    assert (await guest.get("/v1/inbox")).json["data"][0]["title"] == "Confirmed: Da Rosa"


async def test_the_agency_looks_on(world: World, owner: Owner, trade: Trade) -> None:
    """It hears what the guest hears, of what came through it, and decides nothing."""
    agent = await login_of(world, trade.agent_id, "agent")
    reservation = await requested(trade, agencyId=trade.agency["id"])
    copies = await copies_of(world, owner, reservation)
    path = f"/v1/reservations/{reservation['id']}"
    assert (await agent.get(path)).status == 200
    (told,) = (await agent.get("/v1/inbox")).json["data"]
    assert (told["shared"], told["matter"], told["actions"]) == (False, None, [])
    refused = await act(agent, told["id"], action="CONFIRMED")
    assert (refused.status, "cannot be acted on" in refused.json["detail"]) == (422, True)
    assert (await act(agent, copies[trade.manager_id], action="CONFIRMED")).status == 404
    assert (await agent.get(path_of(copies[trade.manager_id]))).status == 404
    assert (await agent.post(f"{path}/cancel")).status == 403
    assert (await agent.post(f"{path}/reopen")).status == 403
    assert (await agent.get(path)).json["data"]["status"] == "requested"
    assert await owner.fetchval("SELECT count(*) FROM tidings.actions") == 0
