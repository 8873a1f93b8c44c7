"""Answering by the button of a mail, without signing in: a real browser, which runs no script there."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from playwright.async_api import Page, expect

from tests.support.pipeline import add_person, add_rule, emit, kept, sending_settings
from tests.ui.house import House

_LOOKS = 100


async def test_the_first_of_two_presses_the_button_and_the_other_reads_who_it_was(house: House) -> None:
    for name in ("First", "Second"):
        await add_person(house.owner, name, house.tenant, email=f"{name.lower()}@example.com")
    await add_rule(house.owner, tenant=house.tenant, title="Pack it?", channels=["email"], shared=True)
    await emit(house.owner, tenant=house.tenant)
    mails = {mail["name"]: mail for mail in await _kept(house, 2)}
    first, second = [await _opened(house, mails[name], "Confirm") for name in ("First", "Second")]
    await expect(second.get_by_role("heading")).to_have_text("Pack it?")
    await expect(first.get_by_role("status")).to_contain_text("You answer in the name of First")
    await first.get_by_role("button", name="Confirm").click()
    await expect(first.get_by_role("status")).to_contain_text("Done: confirmed.")
    await first.reload()
    await expect(first.get_by_role("status")).to_contain_text("Done: confirmed.")
    await second.get_by_role("button", name="Confirm").click()
    await expect(second.get_by_role("status")).to_contain_text("Handled by First: confirmed.")
    await expect(second.get_by_role("button")).to_have_count(0)


async def _opened(house: House, mail: dict[str, Any], label: str) -> Page:
    """The mail as HTML, and its button pressed: in a browser of its own, where nobody has signed in."""
    context = await house.browser.new_context(java_script_enabled=False)
    page = await context.new_page()
    await page.set_content(mail["html"])
    async with context.expect_page() as opening:
        await page.get_by_role("link", name=label).click()
    opened = await opening.value
    await opened.wait_for_url(re.compile(r"/act/"))
    return opened


async def _kept(house: House, count: int) -> list[dict[str, Any]]:
    settings = sending_settings(house.stack.database_url)
    for _ in range(_LOOKS):
        found = [message for message in await kept(house.owner, settings) if message["subject"] == "Pack it?"]
        if len(found) == count:
            return found
        await asyncio.sleep(0.1)
    raise TimeoutError(f"the sandbox did not keep {count} mails")
