"""Level by level, what became of a request: who heard of it, who was told, each message; and what went wrong there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.api.reservation_routes import Trade, made, requested, somebody, trade_of
from tests.api.world import World, api_settings, world_of
from tests.channels.servers import twilio
from tests.channels.servers.http_server import http_server, orderly
from tests.support.pipeline import Owner
from tidings.testing import adrain

Document = dict[str, Any]
BUSY = orderly(twilio.refusal(503, 20503, "Service unavailable"))
REFUSES = orderly(twilio.refusal(400, 21408, "Not to this country"))
FOUR = {"reservations.admin", "reservations.agency", "reservations.customer", "reservations.restaurant"}


@pytest.fixture
async def world(database_url: str) -> AsyncIterator[World]:
    sending = {"default_provider": "sandbox", "circuit_after": 100}
    async with world_of(api_settings(database_url, network={"allow": "127.0.0.1"}, delivery=sending)) as world:
        yield world


async def test_each_level_says_what_failed(world: World, owner: Owner) -> None:
    """The agency's listener does not know over what to tell anybody; the provider of SMS is busy, and then refuses."""
    trade = await trade_of(world, escalateAfterMinutes=None)
    await told_over(trade, "RESTAURANT_USER", "email", "sms")
    await told_over(trade, "AGENCY_USER", "email")
    await owner.execute("UPDATE tidings.usual_channels SET channels = '{pigeon}' WHERE user_type = 'AGENCY_USER'")
    silent = (await made(trade.admin, "/v1/people", {"name": "Unlisted", "userType": "RESTAURANT_USER"}))["id"]
    await trade.admin.call("PUT", f"/v1/groups/{trade.restaurant['groupId']}/members/{silent}")
    async with http_server(BUSY) as server:
        await made(trade.admin, "/v1/providers", twilio_at(server.port))
        reservation = await requested(trade, agencyId=trade.agency["id"])

        await adrain(world.settings, sandbox=False)
        heard, told, sms, mail = await levels(trade, reservation)
        assert {name for name, each in heard.items() if each["status"] == "succeeded"} == FOUR - {"reservations.agency"}
        failed, tried = heard["reservations.agency"], sms["attempts"]
        assert (failed["status"], failed["attempts"] > 0, failed["finishedAt"]) == ("failed", True, None)
        assert "pigeon" in failed["lastError"]
        assert failed["runAt"] > reservation["createdAt"]
        assert (sms["status"], tried > 0, sms["finishedAt"]) == ("deferred", True, None)
        assert "Service unavailable" in sms["lastError"]
        manager = told[trade.manager_id]
        assert (manager["status"], manager["attempts"], manager["settledAt"]) == ("deferred", 1 + tried, None)
        assert manager["lastError"] == sms["lastError"]
        assert (told[silent]["status"], told[silent]["missing"]) == (None, ["email", "sms"])
        assert (told[silent]["attempts"], told[silent]["lastError"], told[silent]["settledAt"]) == (0, None, None)

        server.answering = REFUSES
        await adrain(world.settings, ahead=timedelta(hours=1), sandbox=False)
        heard, told, sms, mail = await levels(trade, reservation)
        assert heard["reservations.agency"]["attempts"] > failed["attempts"]
        assert all((each["finishedAt"] is None) == (name == "reservations.agency") for name, each in heard.items())
        assert (sms["status"], sms["attempts"]) == ("failed", tried + 1)
        assert "Not to this country" in sms["lastError"]
        assert (mail["status"], mail["attempts"], mail["lastError"]) == ("sent", 1, None)
        manager = told[trade.manager_id]
        assert (manager["status"], manager["attempts"], manager["lastError"]) == ("failed", tried + 2, sms["lastError"])
        assert manager["settledAt"] == sms["finishedAt"] > mail["finishedAt"]


async def test_who_was_told_is_listed_page_by_page_with_what_became_of_it(world: World) -> None:
    trade = await trade_of(world, escalateAfterMinutes=None)
    group = trade.restaurant["groupId"]
    everybody = {trade.manager_id} | {await somebody(trade.admin, f"{n}", "RESTAURANT_USER", group) for n in range(3)}
    reservation = await requested(trade)
    await adrain(world.settings)
    path = f"/v1/notices/{(await notice_of(trade, reservation))['id']}/notifications?limit=3"
    first = (await trade.admin.get(path)).json
    rest = (await trade.admin.get(f"{path}&cursor={first['pagination']['nextCursor']}")).json
    found = first["data"] + rest["data"]
    assert {each["personId"] for each in found} == everybody
    assert [(each["status"], each["attempts"], each["lastError"]) for each in found] == [("sent", 4, None)] * 4


async def told_over(trade: Trade, user_type: str, *channels: str) -> None:
    answer = await trade.admin.call("PUT", f"/v1/usual-channels/{user_type}", json={"channels": channels})
    assert answer.status == 200, answer.text


def twilio_at(port: int) -> Document:
    config = {"accountSid": twilio.ACCOUNT, "authToken": twilio.TOKEN, "from": "+390612345678"}
    base = f"http://127.0.0.1:{port}"
    return {"channel": "sms", "type": "twilio", "name": "Twilio", "config": {**config, "baseUrl": base}}


async def notice_of(trade: Trade, reservation: Document) -> Document:
    """What the restaurant's staff were told."""
    history = (await trade.admin.get(f"/v1/reservations/{reservation['id']}/history")).json["data"]
    (notice,) = [each for each in history["notices"] if each["listener"] == "reservations.restaurant"]
    found: Document = notice
    return found


async def levels(
    trade: Trade, reservation: Document
) -> tuple[dict[str, Document], dict[str, Document], Document, Document]:
    """Each listener by its name, each notification to the staff by its person, the SMS and the mail to the manager."""
    history = (await trade.admin.get(f"/v1/reservations/{reservation['id']}/history")).json["data"]
    heard = {each["listener"]: each for each in history["facts"][0]["heardBy"]}
    notice = (await notice_of(trade, reservation))["id"]
    told = (await trade.admin.get(f"/v1/notices/{notice}/notifications")).json["data"]
    deliveries = (await trade.admin.get(f"/v1/deliveries?noticeId={notice}")).json["data"]
    of_channel = {each["channel"]: each for each in deliveries}
    return heard, {each["personId"]: each for each in told}, of_channel["sms"], of_channel["email"]
