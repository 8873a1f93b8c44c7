"""Reservations over HTTP: who may ask for a table, see one and call it off, and what nobody can ask for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.api.event_routes import in_
from tests.api.reservation_routes import Trade, made, requested, somebody, trade_of
from tests.api.world import Answer, World
from tests.notify.telling import add_person
from tests.support.pipeline import Owner
from tidings.testing import adrain

HUGE = 2**63


@pytest.fixture
async def trade(world: World) -> Trade:
    return await trade_of(world)


def faults(answer: Answer) -> dict[str, str]:
    assert answer.status == 422, answer.text
    return {each["field"]: each["message"] for each in answer.json["errors"]}


async def test_a_reservation_is_there_with_all_who_have_a_part_in_it(trade: Trade) -> None:
    time = in_(days=3)
    body = trade.request(agencyId=trade.agency["id"], time=time, note="By the window")
    reservation = await made(trade.admin, "/v1/reservations", body)
    assert await shown(trade, reservation["id"]) == reservation
    assert {name: reservation[name] for name in ("restaurant", "customer", "agency", "timezone")} == {
        "restaurant": "Da Rosa",
        "customer": "A guest",
        "agency": "City Tables",
        "timezone": "Europe/Rome",
    }
    assert (reservation["status"], reservation["partySize"], reservation["time"]) == ("requested", 4, time)
    assert (reservation["note"], reservation["proposedTime"]) == ("By the window", None)
    assert (reservation["matter"], reservation["settled"]) == (f"reservation:{reservation['id']}", False)


async def test_the_fact_has_the_key_that_names_reservation_and_customer_and_nobodys_words(
    owner: Owner, trade: Trade
) -> None:
    reservation = await requested(trade, note="canary")
    (row,) = await owner.fetch("SELECT * FROM tidings.facts WHERE type = 'reservation.requested'")
    key = f"RES_REQ_{reservation['id']}_{trade.customer_id}"
    derived = "SELECT tidings.fact_id('acme', 'reservation.requested', 'reservation', $1, $2)"
    assert row["id"] == await owner.fetchval(derived, str(reservation["id"]), key)
    for words in ("canary", "A guest", "Da Rosa", "example.com"):
        assert words not in row["data"] + row["metadata"]


async def test_the_same_request_with_the_same_key_is_one_reservation(world: World, trade: Trade) -> None:
    body, again = trade.request(), {"Idempotency-Key": "once"}
    first = await trade.admin.post("/v1/reservations", body, headers=again)
    second = await trade.admin.post("/v1/reservations", body, headers=again)
    assert (first.status, second.status, first.json) == (201, 201, second.json)
    other = await trade.admin.post("/v1/reservations", {**body, "partySize": 5}, headers=again)
    assert other.status == 422
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.reservations") == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"partySize": 0}, "partySize"),
        ({"partySize": -3}, "partySize"),
        ({"partySize": 1001}, "partySize"),
        ({"partySize": 2.5}, "partySize"),
        ({"partySize": "4"}, "partySize"),
        ({"partySize": None}, "partySize"),
        ({"time": in_(hours=-1)}, "time"),
        ({"time": in_(days=800)}, "time"),
        ({"time": "tomorrow"}, "time"),
        ({"time": "2027-02-30T20:00:00Z"}, "time"),
        ({"time": "2027-02-03T20:00:00"}, "time"),
        ({"restaurantId": 77199999}, "restaurantId"),
        ({"restaurantId": HUGE}, "restaurantId"),
        ({"restaurantId": 0}, "restaurantId"),
        ({"customerId": str(uuid4())}, "customerId"),
        ({"customerId": "nobody"}, "customerId"),
        ({"agencyId": 77199999}, "agencyId"),
        ({"note": ""}, "note"),
        ({"note": "x" * 2001}, "note"),
        ({"note": "a\x00b"}, "note"),
        ({"status": "confirmed"}, "status"),
        ({"tenantId": "globex"}, "tenantId"),
    ],
)
async def test_what_cannot_be_asked_for_is_refused_by_name(
    world: World, trade: Trade, wrong: dict[str, Any], field: str
) -> None:
    answer = await trade.admin.post("/v1/reservations", trade.request(**wrong))
    assert field in faults(answer)
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.reservations") == 0
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.facts WHERE type LIKE 'reservation.%'") == 0


async def test_all_that_is_wrong_is_said_at_once(trade: Trade) -> None:
    answer = await trade.admin.post("/v1/reservations", trade.request(partySize=0, time="soon", customerId=7))
    assert faults(answer).keys() == {"partySize", "time", "customerId"}


async def test_what_is_another_tenants_is_refused_as_what_is_not_there(world: World, trade: Trade) -> None:
    theirs = world.as_(world.stranger)
    place = await made(theirs, "/v1/restaurants", {"name": "Elsewhere", "timezone": "Europe/Rome"})
    agency = await made(theirs, "/v1/agencies", {"name": "Elsewhere"})
    guest = await somebody(theirs, "Their guest", "CUSTOMER")
    for field, known, absent in (
        ("restaurantId", place["id"], 77199999),
        ("agencyId", agency["id"], 77199999),
        ("customerId", guest, str(uuid4())),
    ):
        answer = await trade.admin.post("/v1/reservations", trade.request(**{field: known}))
        nothing = await trade.admin.post("/v1/reservations", trade.request(**{field: absent}))
        assert faults(answer).keys() == {field}
        assert answer.json == nothing.json


async def test_only_a_customer_can_be_the_customer(trade: Trade) -> None:
    for person in (trade.manager_id, trade.admin_id, trade.agent_id):
        answer = await trade.admin.post("/v1/reservations", trade.request(customerId=person))
        assert faults(answer) == {"customerId": "there is no such customer"}


async def test_a_member_sees_their_own_and_those_of_their_places(world: World, trade: Trade) -> None:
    elsewhere = await made(trade.admin, "/v1/restaurants", {"name": "Elsewhere", "timezone": "Europe/Rome"})
    here, there = await requested(trade), await requested(trade, restaurantId=elsewhere["id"])
    assert await listed(trade.manager) == [here["id"]]
    assert await listed(trade.admin) == [there["id"], here["id"]]
    hidden, absent = (
        await trade.manager.get(f"/v1/reservations/{there['id']}"),
        await trade.manager.get("/v1/reservations/77199999"),
    )
    assert (
        (hidden.status, hidden.json["detail"])
        == (absent.status, absent.json["detail"])
        == (404, "There is no such reservation.")
    )
    await world.pool.execute("UPDATE tidings.people SET user_id = NULL WHERE user_id = $1", world.member.id)
    await world.pool.execute("UPDATE tidings.people SET user_id = $1 WHERE name = 'A guest'", world.member.id)
    assert await listed(trade.manager) == [there["id"], here["id"]]


async def test_a_member_without_a_person_sees_none(world: World, trade: Trade) -> None:
    await requested(trade)
    await world.pool.execute("UPDATE tidings.people SET user_id = NULL WHERE user_id = $1", world.member.id)
    assert await listed(trade.manager) == []


async def test_they_are_found_by_state_place_guest_and_time(world: World, trade: Trade) -> None:
    soon, late = await requested(trade, time=in_(days=1)), await requested(trade, time=in_(days=9))
    other = await somebody(trade.admin, "Another guest", "CUSTOMER")
    theirs = await requested(trade, customerId=other, time=in_(days=5))
    await trade.admin.post(f"/v1/reservations/{late['id']}/cancel")
    assert await listed(trade.admin, "?status=cancelled") == [late["id"]]
    assert await listed(trade.admin, f"?customer={other}") == [theirs["id"]]
    assert await listed(trade.admin, f"?until={in_(days=2)}") == [soon["id"]]
    assert await listed(trade.admin, f"?since={in_(days=2)}&until={in_(days=6)}") == [theirs["id"]]
    assert await listed(trade.admin, f"?restaurant={trade.restaurant['id']}&limit=1") == [theirs["id"]]
    assert await listed(trade.admin, "?restaurant=77199999") == []
    assert (await trade.admin.get("/v1/reservations?status=lost")).status == 422
    first = (await trade.admin.get("/v1/reservations?limit=2")).json
    assert await listed(trade.admin, f"?cursor={first['pagination']['nextCursor']}") == [soon["id"]]


async def test_a_member_asks_for_themselves_and_for_their_places_only(world: World, trade: Trade) -> None:
    assert (await trade.manager.post("/v1/reservations", trade.request())).status == 201
    await world.pool.execute("DELETE FROM tidings.group_members")
    refused = await trade.manager.post("/v1/reservations", trade.request())
    assert (refused.status, "for yourself" in refused.json["detail"]) == (403, True)
    await world.pool.execute("UPDATE tidings.people SET user_id = NULL WHERE user_id = $1", world.member.id)
    await world.pool.execute("UPDATE tidings.people SET user_id = $1 WHERE name = 'A guest'", world.member.id)
    assert (await trade.manager.post("/v1/reservations", trade.request())).status == 201


async def test_the_customer_or_an_admin_calls_it_off_and_nobody_else(world: World, trade: Trade) -> None:
    reservation = await requested(trade)
    path = f"/v1/reservations/{reservation['id']}/cancel"
    assert (await trade.manager.post(path)).status == 403
    cancelled = await trade.admin.post(path)
    assert (cancelled.status, cancelled.json["data"]["status"]) == (200, "cancelled")
    assert cancelled.json["data"]["settled"] is True
    assert (await trade.admin.post(path)).json["data"]["status"] == "cancelled"
    assert await facts(world) == ["reservation.requested", "reservation.cancelled"]


async def test_what_was_decided_cannot_be_called_off_and_what_is_open_not_reopened(world: World, trade: Trade) -> None:
    reservation = await requested(trade)
    path = f"/v1/reservations/{reservation['id']}"
    assert (await trade.admin.post(f"{path}/reopen")).json["detail"] == "It waits for somebody to act already."
    await act(world, trade, action="REJECTED")
    for wanted in ("cancel", "reopen"):
        answer = await trade.admin.post(f"{path}/{wanted}")
        assert (answer.status, "rejected" in answer.json["detail"]) == (409, True)


async def test_what_was_dismissed_is_taken_up_again_as_another_matter(world: World, trade: Trade) -> None:
    reservation = await requested(trade)
    await act(world, trade, action="DISMISSED")
    assert (await shown(trade, reservation["id"]))["status"] == "requested"
    assert (await trade.manager.post(f"/v1/reservations/{reservation['id']}/reopen")).status == 403
    reopened = await trade.admin.post(f"/v1/reservations/{reservation['id']}/reopen")
    assert (reopened.status, reopened.json["data"]["matter"]) == (200, f"{reservation['matter']}:2")
    await act(world, trade, action="CONFIRMED")
    assert (await shown(trade, reservation["id"]))["status"] == "confirmed"


async def test_what_the_staff_note_for_each_other_is_not_shown_to_the_guest(world: World, trade: Trade) -> None:
    reservation = await requested(trade)
    await act(world, trade, action="CUSTOM", note="Never shows up")
    path = f"/v1/reservations/{reservation['id']}"
    for staff in (trade.manager, trade.admin):
        assert (await staff.get(path)).json["data"]["handled"]["note"] == "Never shows up"
    await world.pool.execute("UPDATE tidings.people SET user_id = NULL WHERE user_id = $1", world.member.id)
    await world.pool.execute("UPDATE tidings.people SET user_id = $1 WHERE name = 'A guest'", world.member.id)
    handled = (await trade.manager.get(path)).json["data"]["handled"]
    assert (handled["action"], handled["note"]) == ("CUSTOM", None)


async def test_who_runs_the_trade_sees_all_and_cancels_none(world: World, trade: Trade) -> None:
    reservation = await requested(trade)
    await world.pool.execute("UPDATE tidings.people SET user_id = NULL")
    await world.pool.execute("UPDATE tidings.people SET user_id = $1 WHERE name = 'The admin'", world.member.id)
    assert await listed(trade.manager) == [reservation["id"]]
    assert (await trade.manager.post(f"/v1/reservations/{reservation['id']}/cancel")).status == 403


async def test_its_history_is_told_level_by_level(world: World, trade: Trade) -> None:
    reservation = await requested(trade, agencyId=trade.agency["id"])
    path = f"/v1/reservations/{reservation['id']}/history"
    (fact,) = (await trade.admin.get(path)).json["data"]["facts"]
    assert {heard["status"] for heard in fact["heardBy"]} == {"pending"}
    await adrain(world.settings)
    history = (await trade.admin.get(path)).json["data"]
    (fact,) = history["facts"]
    told = {heard["listener"]: (heard["status"], heard["attempts"], heard["verdict"]) for heard in fact["heardBy"]}
    four = [f"reservations.{audience}" for audience in ("admin", "agency", "customer", "restaurant")]
    assert told == dict.fromkeys(four, ("succeeded", 1, "told"))
    assert sorted(notice["listener"] for notice in history["notices"]) == four
    assert all(notice["tally"]["people"] == 1 and notice["tally"]["sent"] > 0 for notice in history["notices"])
    (notice,) = [each for each in history["notices"] if each["listener"] == "reservations.restaurant"]
    (notification,) = (await trade.admin.get(f"/v1/notices/{notice['id']}/notifications")).json["data"]
    assert notification["personId"] == trade.manager_id
    deliveries = (await trade.admin.get(f"/v1/deliveries?noticeId={notice['id']}")).json["data"]
    assert {each["channel"]: (each["status"], each["attempts"]) for each in deliveries} == dict.fromkeys(
        ("email", "sms", "push", "websocket"), ("sent", 1)
    )
    assert (await trade.manager.get(path)).status == 403


async def test_a_listener_that_always_fails_is_a_dead_letter_of_its_own_and_redriven_does_only_its_part(
    world: World, owner: Owner, trade: Trade
) -> None:
    """The agency's cannot find out over which channels to tell anybody, until that is mended."""
    kind, broken = "notice.listener.reservations.agency", "UPDATE tidings.usual_channels SET channels = '{pigeon}'"
    await trade.admin.call("PUT", "/v1/usual-channels/AGENCY_USER", json={"channels": ["email"]})
    await owner.execute(broken)
    reservation = await requested(trade, agencyId=trade.agency["id"])
    path = f"/v1/reservations/{reservation['id']}/history"
    await adrain(world.settings)
    assert await heard(trade, path) == {"admin": "succeeded", "restaurant": "succeeded", "customer": "succeeded"} | {
        "agency": "failed"
    }
    most = await owner.fetchval("SELECT max_attempts FROM tidings.outbox WHERE kind = $1", kind)
    for _ in range(most or 100):
        await adrain(world.settings, ahead=timedelta(days=2))
        if (await heard(trade, path))["agency"] == "dead":
            break
    (dead,) = (await trade.admin.get("/v1/outbox?status=dead")).json["data"]
    assert (dead["kind"], "pigeon" in dead["lastError"]) == (kind, True)
    await trade.admin.call("PUT", "/v1/usual-channels/AGENCY_USER", json={"channels": ["email"]})
    told = await owner.fetchval("SELECT count(*) FROM tidings.notifications")
    redriven = await trade.admin.post("/v1/outbox/redrive", {"kind": kind})
    assert (redriven.status, redriven.json["data"]) == (200, {"redriven": 1, "more": False})
    await adrain(world.settings)
    assert set((await heard(trade, path)).values()) == {"succeeded"}
    assert await owner.fetchval("SELECT count(*) FROM tidings.notifications") == told + 1
    assert await channels_of(world, trade.agent_id) == ["email"]


async def heard(trade: Trade, path: str) -> dict[str, str]:
    (fact,) = (await trade.admin.get(path)).json["data"]["facts"]
    return {each["listener"].removeprefix("reservations."): each["status"] for each in fact["heardBy"]}


async def test_restaurants_and_agencies_are_made_changed_and_deleted(world: World, trade: Trade) -> None:
    place = await made(trade.admin, "/v1/restaurants", {"name": "New", "timezone": "Asia/Tokyo"})
    assert (place["escalateAfterMinutes"], place["escalateTimes"], place["locale"]) == (15, 2, None)
    path = f"/v1/restaurants/{place['id']}"
    changes = {"name": "Newer", "escalateAfterMinutes": None, "locale": "ja"}
    changed = (await trade.admin.call("PATCH", path, json=changes)).json["data"]
    assert changed == place | changes
    group = (await trade.admin.get(f"/v1/groups/{place['groupId']}")).json["data"]
    assert (group["name"], group["type"]) == ("Newer", "restaurant")
    assert (await trade.admin.call("DELETE", f"/v1/groups/{place['groupId']}")).status == 409
    assert (await trade.admin.call("DELETE", path)).status == 204
    assert (await trade.admin.get(path)).status == 404
    assert (await trade.admin.get(f"/v1/groups/{place['groupId']}")).status == 404
    agency = await made(trade.admin, "/v1/agencies", {"name": "New", "externalId": "new"})
    again = await trade.admin.post("/v1/agencies", {"name": "New", "externalId": "new"})
    assert again.status == 409
    path = f"/v1/agencies/{agency['id']}"
    assert (await trade.admin.call("PATCH", path, json={"name": "Newer"})).json["data"]["name"] == "Newer"
    assert (await trade.admin.call("DELETE", path)).status == 204
    assert await trade_lists(trade) == ([trade.restaurant["id"]], [trade.agency["id"]])


async def test_a_place_with_reservations_stays(trade: Trade) -> None:
    await requested(trade, agencyId=trade.agency["id"])
    for path in (f"/v1/restaurants/{trade.restaurant['id']}", f"/v1/agencies/{trade.agency['id']}"):
        answer = await trade.admin.call("DELETE", path)
        assert (answer.status, answer.json["detail"]) == (409, "It has reservations, and stays for them.")
        assert (await trade.admin.get(path)).status == 200


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"timezone": None}, "timezone"),
        ({"locale": "not a language"}, "locale"),
        ({"escalateAfterMinutes": 0}, "escalateAfterMinutes"),
        ({"escalateAfterMinutes": 10081}, "escalateAfterMinutes"),
        ({"escalateTimes": 0}, "escalateTimes"),
        ({"escalateTimes": 11}, "escalateTimes"),
        ({"escalateTimes": None}, "escalateTimes"),
        ({"groupId": str(uuid4())}, "groupId"),
    ],
)
async def test_what_no_restaurant_can_be_is_refused_by_name(trade: Trade, wrong: dict[str, Any], field: str) -> None:
    body = {"name": "Place", "timezone": "Europe/Rome", **wrong}
    assert field in faults(await trade.admin.post("/v1/restaurants", body))
    path = f"/v1/restaurants/{trade.restaurant['id']}"
    assert field in faults(await trade.admin.call("PATCH", path, json=wrong))


async def test_a_tenant_says_by_which_channels_each_kind_of_people_is_told(world: World, trade: Trade) -> None:
    own = {"channels": ["email", "email"], "urgent": ["sms"]}
    changed = await trade.admin.call("PUT", "/v1/usual-channels/RESTAURANT_USER", json=own)
    shown_as = {"userType": "RESTAURANT_USER", "channels": ["email"], "urgent": ["sms"], "own": True}
    assert changed.json["data"] == shown_as
    await requested(trade)
    await adrain(world.settings)
    assert await channels_of(world, trade.manager_id) == ["email"]
    assert "websocket" in await channels_of(world, trade.admin_id)
    theirs = (await world.as_(world.stranger).get("/v1/usual-channels")).json["data"]
    assert [each["own"] for each in theirs] == [False] * 4
    reset = await trade.admin.call("DELETE", "/v1/usual-channels/RESTAURANT_USER")
    assert (reset.json["data"]["own"], "sms" in reset.json["data"]["channels"]) == (False, True)
    assert (await trade.admin.call("PUT", "/v1/usual-channels/NOBODY", json=own)).status == 404
    wrongs: list[dict[str, Any]] = [{"channels": []}, {"channels": ["pigeon"]}, {}, {**own, "urgent": None}]
    for wrong in wrongs:
        assert (await trade.admin.call("PUT", "/v1/usual-channels/CUSTOMER", json=wrong)).status == 422


async def test_a_person_narrows_what_their_kind_is_told_by(world: World, trade: Trade) -> None:
    wanted = {"preferences": [{"category": "reservations", "channel": "sms", "wanted": False}]}
    answer = await trade.admin.call("PUT", f"/v1/people/{trade.manager_id}/preferences", json=wanted)
    assert answer.status == 200, answer.text
    await requested(trade)
    await adrain(world.settings)
    statement = "SELECT channel, status FROM tidings.deliveries_finished WHERE person_id = $1::text::uuid"
    found = {row["channel"]: row["status"] for row in await world.pool.fetch(statement, trade.manager_id)}
    assert found == {"email": "sent", "push": "sent", "websocket": "sent", "sms": "skipped"}


async def test_who_is_told_of_nothing_is_not_asked(world: World, trade: Trade) -> None:
    nobody = await add_person(world.pool)
    await requested(trade)
    await adrain(world.settings)
    assert await channels_of(world, str(nobody)) == []


async def shown(trade: Trade, id: int) -> dict[str, Any]:
    document: dict[str, Any] = (await trade.admin.get(f"/v1/reservations/{id}")).json["data"]
    return document


async def listed(client: Any, query: str = "") -> list[int]:
    answer = await client.get(f"/v1/reservations{query}")
    assert answer.status == 200, answer.text
    return [reservation["id"] for reservation in answer.json["data"]]


async def facts(world: World) -> list[str]:
    rows = await world.pool.fetch("SELECT type FROM tidings.facts WHERE type LIKE 'reservation.%' ORDER BY seq")
    return [row["type"] for row in rows]


async def act(world: World, trade: Trade, **deed: Any) -> None:
    """The manager does it about whatever waits for them."""
    await adrain(world.settings)
    (waits,) = (await trade.manager.get("/v1/inbox?open=true")).json["data"]
    answer = await trade.manager.post(f"/v1/notifications/{waits['id']}/actions", deed)
    assert answer.status == 201, answer.text


async def channels_of(world: World, person: str) -> list[str]:
    statement = "SELECT channel FROM tidings.deliveries_finished WHERE person_id = $1::text::uuid ORDER BY channel"
    return [row["channel"] for row in await world.pool.fetch(statement, person)]


async def trade_lists(trade: Trade) -> tuple[list[int], list[int]]:
    lists = [(await trade.admin.get(path)).json["data"] for path in ("/v1/restaurants", "/v1/agencies")]
    places, agencies = [[each["id"] for each in found] for found in lists]
    return places, agencies
