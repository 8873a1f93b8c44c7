"""Acting on a shared notice over HTTP: the first settles the matter, the others learn who, when and how."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from typing import Any
from uuid import uuid4

import pytest

from tests.api.event_routes import in_
from tests.api.processes import api_processes
from tests.api.reservation_routes import Trade, act, copies_of, path_of, requested, somebody, trade_of
from tests.api.world import Answer, Client, World, person
from tests.support.pipeline import Owner
from tidings.spine.access.identity import Role
from tidings.testing import adrain

CROWD = 50
DEEDS: tuple[dict[str, Any], ...] = (
    {"action": "CONFIRMED"},
    {"action": "REJECTED"},
    {"action": "POSTPONED", "proposedTime": in_(days=4)},
)

WAITING = "SELECT count(*) FROM pg_locks WHERE relation = 'tidings.actions'::regclass AND NOT granted"


@pytest.fixture
async def trade(world: World) -> Trade:
    return await trade_of(world)


async def test_fifty_who_act_at_the_same_instant_one_wins_and_one_effect(
    world: World, owner: Owner, trade: Trade
) -> None:
    """Managers and admins mixed, each with a key of their own, who confirm, reject and propose, over two processes."""
    keys = await crowd_of(world, trade)
    reservation = await requested(trade)
    copies = await copies_of(world, owner, reservation)
    assert copies.keys() == keys.keys() | {trade.manager_id, trade.admin_id}
    before = await notices_of(owner, trade.customer_id)
    async with api_processes(world, TIDINGS_DATABASE_POOL_SIZE=str(CROWD)) as apis:
        answers = await at_the_same_instant(
            owner,
            *(act(apis[n % 2].acting(key), copies[who], **DEEDS[n % 3]) for n, (who, key) in enumerate(keys.items())),
        )
    assert Counter(answer.status for answer in answers) == {201: 1, 409: CROWD - 1}
    (won,) = [answer.json["data"]["handled"] for answer in answers if answer.status == 201]
    assert (won["by"]["id"] in keys, won["at"] is not None) == (True, True)
    assert [answer.json["handled"] for answer in answers if answer.status == 409] == [won] * (CROWD - 1)
    effects = await owner.fetch(
        """SELECT type, data ->> 'personId' AS person FROM tidings.facts
           WHERE type LIKE 'reservation.%' AND type <> 'reservation.requested' OR type = 'matter.settled'
           ORDER BY seq"""
    )
    by = won["by"]["id"]
    assert [tuple(row) for row in effects] == [(f"reservation.{won['action'].lower()}", by), ("matter.settled", by)]
    assert (await status_of(trade, reservation)) == won["action"].lower()
    await adrain(world.settings)
    assert len(await notices_of(owner, trade.customer_id)) == len(before) + 1
    tried = (await trade.admin.get(f"{path_of(copies[trade.admin_id])}?person={trade.admin_id}")).json["data"]
    assert [each["won"] for each in tried] == [True] + [False] * (CROWD - 1)
    assert {each["by"]["id"] for each in tried} == keys.keys()


async def test_whoever_was_quicker_is_named_in_the_problem(world: World, owner: Owner, trade: Trade) -> None:
    copies = await copies_of(world, owner, await requested(trade))
    done = await act(trade.manager, copies[trade.manager_id], action="CONFIRMED", note="Window table")
    handled = done.json["data"]["handled"]
    assert (handled["action"], handled["note"]) == ("CONFIRMED", "Window table")
    assert handled["by"] == {"id": trade.manager_id, "name": "The manager"}
    assert done.json["data"]["actions"] == []
    late = await act(trade.admin, copies[trade.admin_id], action="REJECTED")
    assert (late.status, late.headers["content-type"]) == (409, "application/problem+json")
    assert late.json["type"].endswith("/errors/already-handled")
    assert (late.json["detail"], late.json["handled"]) == ("Handled by The manager already.", handled)
    (mine,) = (await trade.admin.get("/v1/inbox")).json["data"]
    assert (mine["handled"], mine["actions"], mine["matter"]) == (handled, [], done.json["data"]["matter"])


async def test_the_same_again_by_the_same_person_is_no_error_and_changes_nothing(
    world: World, owner: Owner, trade: Trade
) -> None:
    copies = await copies_of(world, owner, await requested(trade))
    first = await act(trade.manager, copies[trade.manager_id], action="CONFIRMED")
    again = await act(trade.manager, copies[trade.manager_id], action="CONFIRMED")
    other = await act(trade.manager, copies[trade.manager_id], action="REJECTED")
    assert (first.status, again.status, other.status) == (201, 201, 409)
    assert first.json == again.json
    assert await owner.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'reservation.confirmed'") == 1
    assert await owner.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'matter.settled'") == 1


async def test_an_idempotency_key_replays_a_defeat_as_well_as_a_victory(
    world: World, owner: Owner, trade: Trade
) -> None:
    copies = await copies_of(world, owner, await requested(trade))
    keyed = {"Idempotency-Key": "k"}
    won = [await act(trade.manager, copies[trade.manager_id], headers=keyed, action="CONFIRMED") for _ in range(2)]
    lost = [await act(trade.admin, copies[trade.admin_id], headers=keyed, action="REJECTED") for _ in range(2)]
    for first, second in (won, lost):
        assert (first.status, first.text) == (second.status, second.text)
        assert second.headers["Idempotent-Replayed"] == "true"
        assert first.headers["content-type"] == second.headers["content-type"]
    other = await act(trade.admin, copies[trade.admin_id], headers=keyed, action="CONFIRMED")
    assert (other.status, "Idempotency-Key" in other.text) == (422, True)


async def test_who_was_not_told_cannot_act_nor_learn_that_there_is_something(
    world: World, owner: Owner, trade: Trade
) -> None:
    copies = await copies_of(world, owner, await requested(trade))
    absent = await act(trade.manager, str(uuid4()), action="CONFIRMED")
    for wanted in (
        await act(trade.manager, copies[trade.admin_id], action="CONFIRMED"),
        await act(trade.admin, copies[trade.admin_id], trade.customer_id, action="CONFIRMED"),
        await act(world.as_(world.stranger), copies[trade.admin_id], action="CONFIRMED"),
        await trade.manager.get(path_of(copies[trade.admin_id])),
    ):
        assert (wanted.status, wanted.json["type"]) == (404, absent.json["type"])
    assert await owner.fetchval("SELECT count(*) FROM tidings.actions") == 0


@pytest.mark.parametrize(
    ("deed", "field"),
    [
        ({"action": "EATEN"}, "action"),
        ({"action": "confirmed"}, "action"),
        ({"action": "WITHDRAWN"}, "action"),
        ({}, "action"),
        ({"action": "CUSTOM"}, "note"),
        ({"action": "CUSTOM", "note": "   "}, "note"),
        ({"action": "CUSTOM", "note": "x" * 2001}, "note"),
        ({"action": "POSTPONED"}, "proposedTime"),
        ({"action": "POSTPONED", "proposedTime": in_(hours=-2)}, "proposedTime"),
        ({"action": "POSTPONED", "proposedTime": in_(days=900)}, "proposedTime"),
        ({"action": "POSTPONED", "proposedTime": "later"}, "proposedTime"),
        ({"action": "CONFIRMED", "proposedTime": in_(days=1)}, "proposedTime"),
        ({"action": "CONFIRMED", "personId": str(uuid4())}, "personId"),
    ],
)
async def test_what_cannot_be_done_is_refused_by_name_and_settles_nothing(
    world: World, owner: Owner, trade: Trade, deed: dict[str, Any], field: str
) -> None:
    reservation = await requested(trade)
    copies = await copies_of(world, owner, reservation)
    answer = await act(trade.manager, copies[trade.manager_id], **deed)
    assert answer.status == 422, answer.text
    assert field in {each["field"] for each in answer.json["errors"]}
    assert await owner.fetchval("SELECT count(*) FROM tidings.actions") == 0
    assert await status_of(trade, reservation) == "requested"


async def test_what_only_informs_cannot_be_acted_on(world: World, owner: Owner, trade: Trade) -> None:
    await requested(trade)
    await adrain(world.settings)
    (mine,) = (await trade.admin.get(f"/v1/inbox?person={trade.customer_id}")).json["data"]
    assert (mine["shared"], mine["matter"], mine["actions"]) == (False, None, [])
    answer = await act(trade.admin, mine["id"], trade.customer_id, action="CONFIRMED")
    assert (answer.status, "informs" in answer.json["detail"]) == (422, True)


async def test_a_time_that_has_passed_is_not_confirmed_and_the_matter_stays_open(
    world: World, owner: Owner, trade: Trade
) -> None:
    reservation = await requested(trade)
    copies = await copies_of(world, owner, reservation)
    await owner.execute("UPDATE tidings.reservations SET reserved_for = now() - interval '1 minute'")
    answer = await act(trade.manager, copies[trade.manager_id], action="CONFIRMED")
    assert (answer.status, "has passed" in answer.json["detail"]) == (409, True)
    assert answer.json["type"].endswith("/errors/conflict")
    assert (await act(trade.manager, copies[trade.manager_id], action="REJECTED")).status == 201


async def test_a_proposed_time_is_the_customers_to_accept(world: World, owner: Owner, trade: Trade) -> None:
    reservation, better = await requested(trade), in_(days=5)
    copies = await copies_of(world, owner, reservation)
    done = await act(trade.manager, copies[trade.manager_id], action="POSTPONED", proposedTime=better)
    assert done.json["data"]["handled"]["proposedTime"] == better
    await adrain(world.settings)
    asked = (await trade.admin.get(f"/v1/inbox?person={trade.customer_id}&open=true")).json["data"]
    (mine,) = asked
    assert sorted(mine["actions"]) == ["CONFIRMED", "REJECTED"]
    assert (await act(trade.admin, mine["id"], trade.customer_id, action="CONFIRMED")).status == 201
    shown = (await trade.admin.get(f"/v1/reservations/{reservation['id']}")).json["data"]
    assert (shown["status"], shown["time"], shown["proposedTime"]) == ("confirmed", better, None)


async def test_a_shared_notice_is_read_for_all_by_whoever_reads_it(world: World, owner: Owner, trade: Trade) -> None:
    second = await somebody(trade.admin, "Second manager", "RESTAURANT_USER", trade.restaurant["groupId"])
    copies = await copies_of(world, owner, await requested(trade))
    other = f"/v1/inbox?person={second}"
    assert (await trade.admin.get(f"/v1/inbox/count?person={second}")).json["data"]["unread"] == 1
    await trade.manager.post(f"/v1/inbox/{copies[trade.manager_id]}/read")
    (theirs,) = (await trade.admin.get(other)).json["data"]
    assert theirs["readAt"] is not None
    assert theirs["readBy"] == {"id": trade.manager_id, "name": "The manager"}
    assert (await trade.admin.get(f"/v1/inbox/count?person={second}")).json["data"]["unread"] == 0
    admins = (await trade.admin.get("/v1/inbox")).json["data"][0]  # another notice on the same matter
    assert (admins["readAt"], admins["readBy"]) == (None, None)
    await trade.admin.post(f"/v1/inbox/{copies[second]}/unread?person={second}")
    (mine,) = (await trade.manager.get("/v1/inbox")).json["data"]
    assert (mine["readAt"], mine["readBy"]) == (None, None)


async def test_what_informs_is_read_by_each_person_alone(world: World, trade: Trade) -> None:
    second = await somebody(trade.admin, "Second agent", "AGENCY_USER", trade.agency["groupId"])
    await requested(trade, agencyId=trade.agency["id"])
    await adrain(world.settings)
    assert (await trade.admin.post(f"/v1/inbox/read-all?person={second}", {})).json["data"]["read"] == 1
    assert (await trade.admin.get(f"/v1/inbox/count?person={second}")).json["data"]["unread"] == 0
    assert (await trade.admin.get(f"/v1/inbox/count?person={trade.agent_id}")).json["data"]["unread"] == 1


async def test_what_waits_for_somebody_is_found_apart_from_what_was_handled(
    world: World, owner: Owner, trade: Trade
) -> None:
    first, second = await requested(trade), await requested(trade, partySize=2)
    copies = await copies_of(world, owner, first)
    assert await matters_in(trade.manager, "?open=true") == [second["matter"], first["matter"]]
    await act(trade.manager, copies[trade.manager_id], action="CONFIRMED")
    assert await matters_in(trade.manager, "?open=true") == [second["matter"]]
    assert await matters_in(trade.manager, "?open=false") == [first["matter"]]
    assert await matters_in(trade.manager, f"?matter={first['matter']}") == [first["matter"]]
    assert (await trade.manager.get("/v1/inbox?open=perhaps")).status == 422


async def test_a_rule_can_ask_several_people_too(world: World, trade: Trade) -> None:
    rule = {
        "name": "Refunds",
        "factType": "refund.asked",
        "audience": [{"by": "userType", "values": ["ADMIN_USER", "RESTAURANT_USER"]}],
        "title": "A refund?",
        "body": "Of {{ data.amount }}",
        "channels": ["email", "websocket"],
        "shared": True,
    }
    made = await trade.admin.post("/v1/rules", rule)
    assert made.status == 201, made.text
    await trade.admin.emit("refund.asked", data={"amount": 7})
    await adrain(world.settings)
    (mine,), (theirs,) = [(await each.get("/v1/inbox")).json["data"] for each in (trade.manager, trade.admin)]
    assert mine["matter"] == theirs["matter"] == f"notice:{mine['noticeId']}"
    assert mine["actions"] == ["CONFIRMED", "DISMISSED", "CUSTOM"]
    assert (await act(trade.manager, mine["id"], action="CUSTOM", note="Half of it")).status == 201
    assert (await act(trade.admin, theirs["id"], action="CONFIRMED")).json["handled"]["note"] == "Half of it"


async def crowd_of(world: World, trade: Trade) -> dict[str, str]:
    """The keys of fifty people, admins and managers in turn."""
    keys = {}
    async with world.pool.acquire() as connection:
        for n in range(CROWD):
            kind, group = ("ADMIN_USER", None) if n % 2 else ("RESTAURANT_USER", trade.restaurant["groupId"])
            role = Role.ADMIN if n % 2 else Role.MEMBER
            known = await person(connection, world.settings, f"number-{n}", "acme", role)
            who = await somebody(trade.admin, f"Number {n}", kind, group)
            await world.pool.execute("UPDATE tidings.people SET user_id = $2 WHERE id = $1::text::uuid", who, known.id)
            keys[who] = known.key
    return keys


async def at_the_same_instant(owner: Owner, *acting: Coroutine[Any, Any, Answer]) -> list[Answer]:
    """All of them stand before the statement that settles, and are let go by one commit."""
    async with owner.transaction():
        await owner.execute("LOCK TABLE tidings.actions IN EXCLUSIVE MODE")
        tasks = [asyncio.create_task(each) for each in acting]
        while await owner.fetchval(WAITING) < len(tasks):
            await asyncio.sleep(0.02)
    return await asyncio.gather(*tasks)


async def notices_of(owner: Owner, who: str) -> list[str]:
    rows = await owner.fetch(
        """SELECT n.title FROM tidings.notifications m JOIN tidings.notices n ON n.id = m.notice_id
           WHERE m.person_id = $1::text::uuid""",
        who,
    )
    return [row["title"] for row in rows]


async def status_of(trade: Trade, reservation: dict[str, Any]) -> str:
    status: str = (await trade.admin.get(f"/v1/reservations/{reservation['id']}")).json["data"]["status"]
    return status


async def matters_in(client: Client, query: str) -> list[str]:
    answer = await client.get(f"/v1/inbox{query}")
    assert answer.status == 200, answer.text
    return [each["matter"] for each in answer.json["data"]]
