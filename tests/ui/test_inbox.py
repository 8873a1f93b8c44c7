"""The inbox: live, in every window, and a way from each notification to where it came from."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.support.pipeline import add_rule, emit
from tests.ui.house import House


async def test_a_notification_appears_by_itself_and_reading_it_here_reads_it_there(house: House) -> None:
    page = await house.visitor(person="The manager")
    await page.goto("/inbox")
    await expect(page.get_by_role("heading", name="Nothing yet")).to_be_visible()
    other = await house.second_window(page)
    await other.goto("/inbox")
    await expect(other.get_by_text("Live", exact=True)).to_be_visible()

    await add_rule(house.owner, tenant=house.tenant, channels=["websocket"])
    await emit(house.owner, tenant=house.tenant, id=7)
    for window in (page, other):
        await expect(window.get_by_role("article")).to_contain_text("Order 7 is paid")
        await expect(window).to_have_title(re.compile(r"Inbox \(1\)"))

    await page.get_by_role("button", name="Mark as read").click()
    await expect(other.get_by_role("button", name="Mark as unread")).to_be_visible()
    await expect(other).to_have_title(re.compile(r"^Inbox ·"))
    await expect(other.get_by_role("link", name="Inbox", exact=True).first).to_be_visible()


async def test_from_what_one_was_told_one_comes_to_its_trace_and_to_why(house: House) -> None:
    page = await house.visitor(person="The manager")
    await add_rule(house.owner, tenant=house.tenant, channels=["websocket"], name="Paid orders")
    await emit(house.owner, tenant=house.tenant)
    await page.goto("/inbox")
    await page.get_by_role("link", name="Where it came from").click()
    await expect(page.get_by_role("heading", name="order.paid", level=1)).to_be_visible()
    await expect(page.get_by_text("The manager").first).to_be_visible()
    await page.go_back()
    await page.get_by_role("link", name="Why me?").click()
    await expect(page.get_by_text("Paid orders").first).to_be_visible()


async def test_what_is_archived_is_out_of_the_way_and_can_be_brought_back(house: House) -> None:
    page = await house.visitor(person="The manager")
    await add_rule(house.owner, tenant=house.tenant, channels=["websocket"])
    await emit(house.owner, tenant=house.tenant)
    await page.goto("/inbox")
    await page.get_by_role("button", name="Archive", exact=True).click()
    await expect(page.get_by_role("article")).to_have_count(0)
    await page.get_by_text("Archived", exact=True).click()
    await expect(page).to_have_url(re.compile("shelf=archived"))
    await page.get_by_role("button", name="Back to the inbox").click()
    await page.get_by_text("All", exact=True).click()
    await expect(page.get_by_role("article")).to_have_count(1)


async def test_who_is_linked_to_nobody_hears_what_to_do(house: House) -> None:
    page = await house.visitor()
    await page.goto("/inbox")
    await expect(page.get_by_role("heading", name="Your login is nobody's yet")).to_be_visible()
