"""My integrations: one is added, tried until it has ended, chosen for an event, turned off, changed and deleted."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from playwright.async_api import Page, expect

from tests.ui.axe import complaints
from tests.ui.clerk import Clerk
from tests.ui.house import House
from tidings.spine.access.identity import Role

PATIENCE = 15_000


async def test_an_integration_is_added_and_a_test_is_followed_until_it_ended(house: House) -> None:
    page = await house.visitor(Role.MEMBER, person="The guest")
    await page.goto("/integrations")
    await expect(page.get_by_role("heading", name="No integrations yet")).to_be_visible()
    await page.get_by_role("button", name="New integration").first.click()
    form = page.get_by_role("dialog")
    await form.get_by_role("button", name="Add").click()
    await expect(form.get_by_text("What do you call it?")).to_be_visible()
    await form.get_by_label("Name").fill("My phone")
    await form.get_by_label("Apprise URL").fill("nonsense")
    await form.get_by_label("Tags").fill("Urgent")
    await page.keyboard.press("Enter")
    await form.get_by_role("button", name="Add").click()
    await expect(form.locator(".mantine-PasswordInput-error")).to_be_visible()
    assert await complaints(page) == []
    await form.get_by_label("Apprise URL").fill("json://phone.example.com/a-secret-path")
    await form.get_by_role("button", name="Add").click()
    await expect(form).to_be_hidden()
    row = page.get_by_role("list", name="My integrations").get_by_role("listitem")
    await expect(row).to_contain_text("My phone")
    await expect(row).to_contain_text("urgent")
    assert "a-secret-path" not in await page.content()

    await _do(page, "My phone", "Send a test…")
    trial = page.get_by_role("dialog")
    await trial.get_by_role("button", name="Send the test").click()
    await expect(trial.get_by_role("status").filter(has_text="The service took it.")).to_be_visible(timeout=PATIENCE)
    assert await complaints(page) == []
    kept = await Clerk(await house.visitor()).call("GET", "/sandbox?channel=apprise")
    assert len(kept) == 1
    assert "A test of My phone" in json.dumps(kept)


async def test_what_is_chosen_for_an_event_is_where_one_hears_of_it(house: House) -> None:
    page = await house.visitor(Role.MEMBER, person="The guest")
    await _integration(page, "My phone", ["urgent"])
    chat = await _integration(page, "Team chat", ["work"])
    start = (datetime.now(UTC) + timedelta(days=9)).isoformat()
    wanted = {"name": "Summer party", "startsAt": start, "timezone": "Europe/Vienna"}
    event = (await Clerk(page).call("POST", "/events", wanted))["id"]
    await page.goto(f"/events/{event}")
    await page.get_by_role("button", name="Join", exact=True).click()
    mine = page.get_by_role("region", name="You have joined")
    await mine.get_by_role("combobox", name="Where").click()
    await page.get_by_role("option", name="Team chat").click()
    await page.get_by_role("option", name="all tagged “urgent”").click()
    await page.keyboard.press("Escape")
    assert await complaints(page) == []
    await mine.get_by_role("button", name="Save").click()
    await expect(mine.get_by_text("Not saved yet")).to_be_hidden()
    chosen = (await Clerk(page).call("GET", f"/events/{event}/subscriptions/me"))["selectors"]
    assert chosen == [{"integrationId": chat, "tag": None}, {"integrationId": None, "tag": "urgent"}]
    await page.reload()
    await expect(mine.get_by_text("Team chat")).to_be_visible()
    for name in ("My phone", "Team chat"):
        await _turn_off(page, name)
    await page.goto(f"/events/{event}")
    await expect(mine.get_by_text("you would hear of the event nowhere")).to_be_visible()


async def test_one_is_turned_off_changed_and_deleted(house: House) -> None:
    page = await house.visitor(Role.MEMBER, person="The guest")
    await _integration(page, "My phone", [])
    await _integration(page, "Team chat", [])
    await _turn_off(page, "My phone")
    rows = page.get_by_role("list", name="My integrations").get_by_role("listitem")
    await page.get_by_role("button", name="What can be done with My phone").click()
    await expect(page.get_by_role("menuitem", name="Send a test…")).to_be_disabled()
    await page.keyboard.press("Escape")

    await _do(page, "My phone", "Change…")
    form = page.get_by_role("dialog")
    await form.get_by_label("Name").fill("Team chat")
    await form.get_by_role("button", name="Save").click()
    await expect(form.get_by_role("alert").or_(form.locator(".mantine-TextInput-error"))).to_be_visible()
    await form.get_by_label("Name").fill("Old phone")
    await form.get_by_role("button", name="Save").click()
    await expect(rows.filter(has_text="Old phone")).to_have_count(1)

    await _do(page, "Old phone", "Delete…")
    await page.get_by_role("button", name="Delete it").click()
    await expect(rows).to_have_count(1)


async def test_a_login_that_is_nobodys_hears_what_that_means(house: House) -> None:
    page = await house.visitor(Role.MEMBER)
    await page.goto("/integrations")
    await expect(page.get_by_role("heading", name="Your login is nobody's yet")).to_be_visible()
    assert await complaints(page) == []


async def _integration(page: Page, name: str, tags: list[str]) -> str:
    url = f"json://example.com/{name.replace(' ', '-')}"
    made = await Clerk(page).call("POST", "/integrations", {"name": name, "url": url, "tags": tags})
    return str(made["id"])


async def _do(page: Page, name: str, deed: str) -> None:
    await page.get_by_role("button", name=f"What can be done with {name}").click()
    await page.get_by_role("menuitem", name=deed).click()


async def _turn_off(page: Page, name: str) -> None:
    await page.goto("/integrations")
    switch = page.get_by_role("switch", name=f"{name} is on")
    async with page.expect_response(lambda reply: reply.request.method == "PATCH"):
        await switch.press("Space")
    await expect(switch).not_to_be_checked()
