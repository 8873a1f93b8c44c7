"""By keyboard alone: whatever is reached shows that it is, and nothing needs a mouse."""

from __future__ import annotations

import re

from playwright.async_api import Page, expect

from tests.support.pipeline import add_person, add_rule, emit
from tests.ui.house import House
from tests.ui.tables import PATIENCE, laid, request
from tests.ui.test_outbox import DEAD

_REACHED = """() => {
    const reached = document.activeElement;
    const { outlineStyle, boxShadow } = getComputedStyle(reached);
    const label = reached.labels?.[0]?.textContent ?? "";
    const name = reached.getAttribute("aria-label") ?? (label || reached.textContent);
    const visible = outlineStyle !== "none" || boxShadow !== "none" || reached.matches("input, textarea");
    return { name: name.trim(), visible: visible || reached === document.body };
}"""


async def test_a_dead_letter_is_found_by_search_and_tried_again(house: House) -> None:
    await house.owner.execute(DEAD, house.tenant)
    page = await house.visitor()
    await page.keyboard.press("Control+k")
    await expect(page.get_by_placeholder("Go to a page")).to_be_focused()
    await page.keyboard.type("dead let")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Outbox", level=1)).to_be_visible()
    await _to(page, re.compile("^Dead"))
    await page.keyboard.press("Enter")
    await _to(page, re.compile("^invoice.send"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_contain_text("the printer is on fire")
    await _to(page, re.compile("^Try again"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("It is tried again now.")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_what_one_was_told_is_read_and_followed_to_its_trace(house: House) -> None:
    await add_rule(house.owner, tenant=house.tenant, channels=["websocket"])
    page = await house.visitor(person="The manager")
    await emit(house.owner, tenant=house.tenant)
    await _to(page, re.compile("^Inbox"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("article")).to_have_count(1)
    await _to(page, re.compile("^Mark as read"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Mark as unread")).to_be_visible()
    await _to(page, re.compile("^Where it came from"), back=True)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="order.paid", level=1)).to_be_visible()


async def test_a_rule_is_made(house: House) -> None:
    await add_person(house.owner, tenant=house.tenant, email="owner@example.com")
    page = await house.visitor()
    await page.keyboard.press("/")
    await expect(page.get_by_placeholder("Go to a page")).to_be_focused()
    await page.keyboard.type("rules")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Rules", level=1)).to_be_visible()
    await _to(page, re.compile("^New rule"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="New rule", level=1)).to_be_visible()
    for label, text in (("Name", "Large orders"), ("Fact type", "order.paid")):
        await _to(page, re.compile(rf"^{label}"))
        await page.keyboard.type(text)
    await page.keyboard.press("Escape")
    await _to(page, re.compile("^e-mail"))
    await page.keyboard.press("Space")
    for label, text in (("Title", "It is paid"), ("Body", "Thank you.")):
        await _to(page, re.compile(rf"^{label}"))
        await page.keyboard.type(text)
    await _to(page, re.compile("^Make the rule"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Large orders", level=1)).to_be_visible()


async def test_a_request_is_answered_and_where_its_buttons_were_one_finds_oneself(house: House) -> None:
    table = await laid(house)
    await table.asked(partySize=2)
    await table.asked(partySize=3)
    page = table.manager
    await page.goto("/inbox")
    await expect(page.get_by_role("article")).to_have_count(2, timeout=PATIENCE)
    await _to(page, re.compile("^Confirm"))
    await page.keyboard.press("Enter")
    await expect(request(page, "The guest, 3")).to_contain_text("Handled by you: confirmed")
    ground = request(page, "The guest, 3").get_by_role("group")
    await expect(ground).to_be_focused()
    await _to(page, re.compile("^Propose another time"))
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Time")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(page.get_by_role("button", name="Propose another time…")).to_be_focused()
    await _to(page, re.compile("^Other"))
    await page.keyboard.press("Enter")
    await expect(dialog.get_by_label("What was done")).to_be_focused()
    await page.keyboard.type("Settled on the telephone.")
    await _to(page, re.compile("^Settle it"))
    await page.keyboard.press("Enter")
    await expect(request(page, "The guest, 2")).to_contain_text("Settled on the telephone.")
    await expect(request(page, "The guest, 2").get_by_role("group")).to_be_focused()
    await _to(page, re.compile("^Who acted"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("list", name="Who acted")).to_contain_text("dealt with otherwise by you")


async def _to(page: Page, name: re.Pattern[str], *, back: bool = False) -> None:
    """Presses Tab until it is there."""
    names = []
    for _ in range(80):
        await page.keyboard.press("Shift+Tab" if back else "Tab")
        reached = await page.evaluate(_REACHED)
        assert reached["visible"], f"nothing shows that one is at {reached['name']}"
        names.append(reached["name"][:40])
        if name.match(reached["name"]):
            return
    raise AssertionError(f"{name.pattern} cannot be reached: {names}")
