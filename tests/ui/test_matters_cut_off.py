"""An inbox that was cut off while others acted catches up: nothing is missed, nothing comes twice. It has a stack of
its own, since its API dies."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

from playwright.async_api import Page, WebSocket, expect

from tests.ui.clerk import Clerk
from tests.ui.house import House, Stack
from tests.ui.tables import PATIENCE, Table, laid, request

AGES = 60_000


async def test_what_happened_while_the_api_was_away_is_there_once_it_is_back(house: House) -> None:
    table = await laid(house)
    host = await table.host()
    told = _notifications_told(host)
    await host.goto("/inbox")
    await expect(host.get_by_role("status").filter(has_text="Live")).to_be_visible()
    for size in (2, 3):
        await table.asked(partySize=size)
    await expect(host.get_by_role("article")).to_have_count(2, timeout=PATIENCE)
    await request(host, "The guest, 3").get_by_role("button", name="Mark as read").click()
    await expect(host).to_have_title(re.compile(r"Inbox \(1\)"))

    house.stack.kill()
    await expect(host.get_by_role("status").filter(has_text="Reconnecting")).to_be_visible()
    elsewhere = Stack(house.stack.database_url)
    elsewhere.start()
    try:
        await elsewhere.ready()
        await _meanwhile(replace(house, stack=elsewhere), table)
        house.stack.start(["api"])
        await house.stack.ready()
        await expect(host.get_by_role("status").filter(has_text="Live")).to_be_visible(timeout=AGES)

        articles = host.get_by_role("article")
        await expect(articles).to_have_count(3, timeout=PATIENCE)
        await expect(request(host, "The guest, 2")).to_contain_text("Handled by The manager: confirmed")
        await expect(request(host, "The guest, 2").get_by_role("button", name="Confirm")).to_have_count(0)
        await expect(request(host, "The guest, 3").get_by_role("button", name="Confirm")).to_be_visible()
        await expect(request(host, "The guest, 9").get_by_role("button", name="Confirm")).to_be_visible()
        await expect(host).to_have_title(re.compile(r"Inbox \(2\)"))
        assert sorted(Counter(told).values()) == [1, 1, 1]

        await request(host, "The guest, 9").get_by_role("button", name="Confirm").click()
        await expect(request(host, "The guest, 9")).to_contain_text("Handled by you: confirmed")
    finally:
        elsewhere.kill()


async def _meanwhile(house: House, table: Table) -> None:
    """The manager, at another API: one request is confirmed, and one more comes in."""
    page = await house.second_window(table.manager)
    await page.goto("/inbox")
    await request(page, "The guest, 2").get_by_role("button", name="Confirm").click()
    await expect(request(page, "The guest, 2")).to_contain_text("Handled by you")
    await replace(table, clerk=Clerk(page)).asked(partySize=9)
    await expect(request(page, "The guest, 9")).to_be_visible(timeout=PATIENCE)
    holders = (
        "SELECT count(*) FROM tidings.notifications m JOIN tidings.notices n ON n.id = m.notice_id WHERE n.title = $1"
    )
    while await house.owner.fetchval(holders, "Reservation request: The guest, 9") < 2:
        await page.wait_for_timeout(100)


def _notifications_told(page: Page) -> list[str]:
    """The notifications of which the socket of a page tells, over all its lives."""
    told: list[str] = []

    def heard(payload: str | bytes) -> None:
        message = json.loads(payload)
        if message["type"] == "notification":
            told.append(message["data"]["id"])

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", heard)

    page.on("websocket", opened)
    return told
