"""The sandbox: what was kept arrives in the open page, is opened as it would have looked, and is cleared."""

from __future__ import annotations

import re

from playwright.async_api import Locator, Page, expect

from tests.support.pipeline import add_person, add_rule, add_url, emit, sending_settings
from tests.ui.axe import complaints
from tests.ui.house import House
from tidings.spine.access.identity import Role


async def told(house: House, *channels: str) -> None:
    """Somebody who can be told, and a rule that tells everybody."""
    addresses = {"email": "owner@example.com", "phone": "+436601234567"}
    await add_person(house.owner, tenant=house.tenant, **addresses)
    await add_rule(house.owner, tenant=house.tenant, channels=list(channels))


async def test_a_message_arrives_without_a_reload_and_is_opened_as_it_would_have_looked(house: House) -> None:
    await told(house, "email")
    page = await house.visitor()
    await page.goto("/sandbox")
    await expect(page.get_by_role("heading", name="Nothing kept yet")).to_be_visible()
    assert await complaints(page) == []
    await emit(house.owner, tenant=house.tenant)
    await _message(page, "Order 7 is paid").click(timeout=15_000)
    await expect(page).to_have_url(re.compile("message="))
    mail = page.frame_locator("[title='The mail']")
    await expect(mail.locator("p", has_text="Thank you.")).to_be_visible()
    await expect(page.get_by_text("To The owner, owner@example.com")).to_be_visible()
    assert await complaints(page) == []

    await emit(house.owner, tenant=house.tenant, id=8)
    await expect(_message(page, "Order 8 is paid")).to_be_visible(timeout=15_000)
    await expect(page.get_by_role("heading", name="Order 7 is paid")).to_be_visible()  # what is open stays open
    await page.get_by_role("tab", name="Source").click()
    await expect(page.get_by_role("region", name="HTML")).to_contain_text("<html")
    await page.get_by_role("link", name="Its trace").click()
    await expect(page.get_by_role("heading", name="order.paid")).to_be_visible()


async def test_messages_are_found_by_channel_and_by_person(house: House) -> None:
    await told(house, "email", "sms")
    await add_person(house.owner, "The cook", house.tenant, email="cook@example.com")
    await emit(house.owner, tenant=house.tenant)
    page = await house.visitor()
    await page.goto("/sandbox")
    await expect(_message(page)).to_have_count(3, timeout=15_000)
    await page.get_by_role("combobox", name="Channel").click()
    await page.get_by_role("option", name="SMS").click()
    await expect(_message(page)).to_have_count(1)
    await _message(page).click()
    await expect(page.get_by_text("one SMS")).to_be_visible()
    await page.goto("/sandbox")
    await page.get_by_role("combobox", name="Person").fill("The c")
    await page.get_by_role("option", name="The cook").click()
    await expect(_message(page)).to_have_count(1)
    await expect(_message(page, "cook@example.com")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("combobox", name="Person")).to_have_value(re.compile("^The cook"))
    await expect(_message(page)).to_have_count(1)


async def test_a_message_is_opened_by_keyboard_over_the_list_of_a_phone(house: House) -> None:
    await told(house, "email")
    await emit(house.owner, tenant=house.tenant)
    page = await house.visitor(phone=True)
    await page.goto("/sandbox")
    message = _message(page, "Order 7 is paid")
    await expect(message).to_be_visible(timeout=15_000)
    await message.focus()
    await page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Message")
    await expect(drawer.get_by_role("heading", name="Order 7 is paid")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await complaints(page) == []
    await page.keyboard.press("Escape")
    await expect(drawer).to_have_count(0)
    await expect(message).to_be_focused()


async def test_the_sandbox_is_cleared_after_a_question(house: House) -> None:
    await told(house, "email")
    await emit(house.owner, tenant=house.tenant)
    page = await house.visitor()
    await page.goto("/sandbox")
    await _message(page, "Order 7 is paid").click(timeout=15_000)
    await page.get_by_role("button", name="Clear…").click()
    asking = page.get_by_role("dialog", name="Clear the sandbox?")
    await asking.get_by_role("button", name="Cancel").click()
    await expect(_message(page)).to_have_count(1)
    await page.get_by_role("button", name="Clear…").click()
    await asking.get_by_role("button", name="Clear the sandbox").click()
    await expect(page.get_by_text("One message is gone.")).to_be_visible()
    await expect(page.get_by_role("heading", name="Nothing kept yet")).to_be_visible()


async def test_a_member_is_told_that_it_is_not_for_them(house: House) -> None:
    page = await house.visitor(Role.MEMBER)
    await page.goto("/sandbox")
    await expect(page.get_by_role("heading", name="Not for your role")).to_be_visible()
    await expect(page.get_by_role("button", name="Clear…")).to_have_count(0)


def _message(page: Page, text: str = "") -> Locator:
    return page.get_by_role("list", name="Messages").get_by_role("button").filter(has_text=text)


async def test_a_slack_message_is_shown_with_its_buttons_which_lead_to_a_page_with_one(house: House) -> None:
    settings = sending_settings(house.stack.database_url)
    person = await add_person(house.owner, tenant=house.tenant)
    await add_url(house.owner, settings, person, "slack", "https://hooks.slack.com/services/T0/B0/x", house.tenant)
    await add_rule(house.owner, tenant=house.tenant, channels=["slack"], shared=True)
    page = await house.visitor()
    await page.goto("/sandbox")
    await emit(house.owner, tenant=house.tenant)
    await _message(page, "Order 7 is paid").click(timeout=15_000)
    async with page.context.expect_page() as opened:
        await page.get_by_role("link", name="Confirm", exact=True).click()
    answering = await opened.value
    await expect(answering.get_by_role("button")).to_have_count(1)
    await answering.get_by_role("button", name="Confirm").click()
    await expect(answering.get_by_text("Done: confirmed.")).to_be_visible()
    handled = await house.owner.fetchval("SELECT action FROM tidings.actions WHERE tenant = $1 AND won", house.tenant)
    assert handled == "CONFIRMED"
