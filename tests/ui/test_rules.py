"""Rules: written in a form, tried before they count, fired, changed back, deleted."""

from __future__ import annotations

import asyncio
from typing import Any

from playwright.async_api import Page, expect

from tests.support.pipeline import add_person, add_rule, emit
from tests.ui.house import House


async def test_a_rule_is_made_tried_on_past_facts_and_fired(house: House) -> None:
    await add_person(house.owner, tenant=house.tenant, email="owner@example.com")
    for id, total in ((7, 40), (8, 240)):  # noqa: A001
        await emit(house.owner, tenant=house.tenant, id=id, total=total)
    page = await house.visitor()
    await page.goto("/rules")
    await expect(page.get_by_role("heading", name="No rules yet")).to_be_visible()
    await page.get_by_role("link", name="New rule").first.click()
    await _write_large_orders(page)

    await expect(page.get_by_role("region", name="In words")).to_contain_text(
        "When order.paid is recorded and total is more than 100, tell everyone by e-mail at once"
    )
    await expect(page.get_by_text("1 of 2 facts would have been told of")).to_be_visible()
    await expect(page.get_by_role("button", name="total is 40, not greater than 100")).to_be_visible()
    await page.get_by_role("button", name="Order 8 is paid").click()
    await expect(page.get_by_role("row", name="The owner yes")).to_be_visible()
    await page.get_by_role("button", name="As it would look").click()
    await expect(page.frame_locator("[title='The mail']").locator("p", has_text="It was 240.")).to_be_visible()
    await page.keyboard.press("Escape")
    assert await _kept(page) == []  # nothing was sent

    await page.get_by_role("button", name="Make the rule").click()
    await expect(page.get_by_role("heading", name="Large orders", level=1)).to_be_visible()
    await emit(house.owner, tenant=house.tenant, id=9, total=500)
    await emit(house.owner, tenant=house.tenant, id=10, total=5)
    (message,) = await _kept_soon(page)
    assert message["subject"] == "Order 9 is paid"


async def test_what_is_wrong_stands_at_its_field(house: House) -> None:
    await add_rule(house.owner, tenant=house.tenant, name="Taken")
    page = await house.visitor()
    await page.goto("/rules/new")
    await _write_large_orders(page)
    await page.get_by_label("Title", exact=True).fill("Order {{ data.id is paid")
    await expect(page.get_by_label("Title", exact=True)).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_text("It cannot be tried like this")).to_be_visible()
    await page.get_by_label("Title", exact=True).fill("Order")
    await page.get_by_role("combobox", name="Delay").fill("soon")
    await page.get_by_role("button", name="Make the rule").click()
    await expect(page.get_by_text("must be a whole number with its unit").first).to_be_visible()
    await page.get_by_role("combobox", name="Delay").fill("")
    await page.get_by_label("Name", exact=True).fill("Taken")
    await page.get_by_role("button", name="Make the rule").click()
    await expect(page.get_by_role("alert").filter(has_text="Taken").first).to_be_visible()


async def test_a_switch_that_nobody_answers_goes_back(house: House) -> None:
    await add_rule(house.owner, tenant=house.tenant, name="Paid orders")
    page = await house.visitor()
    await page.goto("/rules")
    switch = page.get_by_role("switch", name="Paid orders is on")
    await expect(switch).to_be_checked()
    await page.route("**/v1/rules/*", lambda route: route.abort())
    await switch.click(force=True)
    await expect(page.get_by_text("This did not work")).to_be_visible()
    await expect(switch).to_be_checked()
    await page.unroute_all()
    await switch.click(force=True)
    await expect(switch).not_to_be_checked()
    await page.reload()
    await expect(switch).not_to_be_checked()


async def test_a_rule_is_changed_brought_back_and_deleted(house: House) -> None:
    await add_rule(house.owner, tenant=house.tenant, name="Paid orders")
    page = await house.visitor()
    await page.goto("/rules")
    await page.get_by_role("link", name="Paid orders").click()
    for title in ("First words", "Second words"):
        await page.get_by_label("Title", exact=True).fill(title)
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_role("button", name="Save")).to_be_disabled()

    await page.get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("menuitem", name="Versions").click()
    await page.get_by_role("button", name="Bring back version 2").click()
    await expect(page.get_by_label("Title", exact=True)).to_have_value("First words")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved as version 4.")).to_be_visible()

    await page.get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("menuitem", name="Delete…").click()
    await expect(page.get_by_role("dialog")).to_contain_text("its versions stay on record")
    await page.get_by_role("button", name="Delete the rule").click()
    await expect(page.get_by_role("heading", name="No rules yet")).to_be_visible()


async def test_who_leaves_with_unsaved_words_is_asked(house: House) -> None:
    page = await house.visitor()
    await page.goto("/rules/new")
    await page.get_by_label("Name", exact=True).fill("Half a rule")
    await page.get_by_role("link", name="Templates").click()
    await expect(page.get_by_role("dialog", name="Leave without saving?")).to_be_visible()
    await page.get_by_role("button", name="Stay").click()
    await expect(page.get_by_label("Name", exact=True)).to_have_value("Half a rule")


async def _write_large_orders(page: Page) -> None:
    await page.get_by_label("Name", exact=True).fill("Large orders")
    await page.get_by_role("combobox", name="Fact type").fill("order.paid")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Add a condition").click()
    await page.get_by_role("combobox", name="Field", exact=True).fill("total")
    await page.keyboard.press("Escape")
    await page.get_by_role("combobox", name="Compares").click()
    await page.get_by_role("option", name="is more than").click()
    await page.get_by_label("Value", exact=True).fill("100")
    await page.get_by_label("Title", exact=True).fill("Order {{ data.id }} is paid")
    await page.get_by_label("Body", exact=True).fill("It was {{ data.total }}.")
    await page.get_by_text("e-mail", exact=True).click()


async def _kept(page: Page) -> list[dict[str, Any]]:
    reply = await page.request.get("/v1/sandbox")
    kept: list[dict[str, Any]] = (await reply.json())["data"]
    return kept


async def _kept_soon(page: Page) -> list[dict[str, Any]]:
    for _ in range(100):
        if kept := await _kept(page):
            return kept
        await asyncio.sleep(0.1)
    raise TimeoutError("the sandbox kept nothing")
