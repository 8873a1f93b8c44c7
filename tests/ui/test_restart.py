"""The stack dies under open pages. It has a stack of its own, since others would miss theirs."""

from __future__ import annotations

from playwright.async_api import expect

from tests.support.pipeline import add_rule, emit
from tests.ui.house import House


async def test_an_open_page_says_that_the_stack_is_gone_and_goes_on_by_itself(house: House) -> None:
    await add_rule(house.owner, tenant=house.tenant, channels=["websocket"])
    page = await house.visitor(person="The manager")
    await page.goto("/inbox")
    await expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible()

    house.stack.kill()
    await expect(page.get_by_role("status").filter(has_text="Reconnecting")).to_be_visible()
    await emit(house.owner, tenant=house.tenant, id=8)
    await page.get_by_text("Archived", exact=True).click()
    await expect(page.get_by_text("The server cannot be reached")).to_be_visible(timeout=15_000)
    await page.get_by_text("All", exact=True).click()
    await page.get_by_role("link", name="Outbox").click()  # a page that was not loaded yet

    house.stack.start()
    await house.stack.ready()
    await expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible(timeout=60_000)
    await expect(page.get_by_role("heading", name="Outbox", level=1)).to_be_visible(timeout=60_000)
    await page.get_by_role("link", name="Inbox", exact=True).click()
    await expect(page.get_by_role("article")).to_contain_text("Order 8 is paid", timeout=60_000)
    await expect(page.get_by_text("The server cannot be reached")).to_have_count(0)
