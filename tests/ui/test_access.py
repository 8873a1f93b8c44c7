"""Keys and users: what comes in here, who does, and what becomes of them when they may no longer."""

from __future__ import annotations

import re

from playwright.async_api import Page, expect

from tests.support.pipeline import add_person
from tests.ui.axe import complaints
from tests.ui.house import DESK, House
from tidings.spine.access.identity import Role


async def test_a_key_is_made_shown_once_used_and_revoked(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/keys")
    await expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()
    assert await complaints(page) == []
    await page.get_by_role("button", name="New key").first.click()
    await page.get_by_label("Name").fill("Booking site")
    await page.get_by_role("checkbox", name="Outbox: read").check()
    assert await complaints(page) == []
    await page.get_by_role("button", name="Make the key").click()
    secret = await page.get_by_label("The key “Booking site”").input_value()
    await expect(page.get_by_text("Nothing will show this key again.")).to_be_visible()
    await page.get_by_role("button", name="Done").click()

    keys = page.get_by_role("list", name="API keys")
    await expect(keys).to_contain_text("facts:write, outbox:read")
    await page.reload()
    await expect(keys).to_contain_text("in use")
    assert secret not in await page.content()
    assert await _emit(page, secret) == 201
    assert await complaints(page) == []

    await page.get_by_role("button", name="Revoke Booking site…").click()
    await page.get_by_role("button", name="Revoke it").click()
    await expect(keys).to_contain_text("revoked")
    assert await _emit(page, secret) == 401


async def test_somebody_is_invited_signs_in_by_the_link_and_becomes_somebody(house: House) -> None:
    await add_person(house.owner, tenant=house.tenant, email="manager@example.com")
    page = await house.visitor()
    await page.goto("/settings/users")
    await page.get_by_role("button", name="Invite").click()
    await page.get_by_label("E-mail").fill("new@example.com")
    await page.get_by_label("Name").fill("The new one")
    await page.get_by_role("dialog").get_by_role("button", name="Invite").click()
    link = await page.get_by_label("Sign-in link for The new one").input_value()
    assert await complaints(page) == []
    await page.get_by_role("button", name="Done").click()
    users = page.get_by_role("list", name="Users")
    await expect(users.get_by_role("listitem").filter(has_text="The new one")).to_contain_text("never signed in")
    assert await complaints(page) == []

    theirs = await _elsewhere(house, link)
    await theirs.goto("/settings/users")
    await expect(theirs.get_by_role("heading", name="Not for your role")).to_be_visible()

    await _more(page, "The new one", "Who they are…")
    await page.get_by_role("combobox", name="Person").click()
    await page.get_by_role("option", name="manager@example.com").click()
    await page.get_by_role("button", name="Link", exact=True).click()
    await expect(users.get_by_role("listitem").filter(has_text="The new one")).to_contain_text("is The owner")
    await theirs.goto("/inbox")
    await expect(theirs.get_by_role("heading", name="Nothing yet")).to_be_visible()

    await page.get_by_role("combobox", name="Role of The new one").click()
    await page.get_by_role("option", name="admin").click()
    await expect(page.get_by_text("They are an admin now.")).to_be_visible()
    await theirs.goto("/settings/users")
    await expect(theirs.get_by_role("list", name="Users")).to_be_visible()

    await _more(page, "The new one", "Remove…")
    await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    await expect(users).not_to_contain_text("The new one")
    await theirs.reload()
    await expect(theirs.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_another_link_voids_the_one_before(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/users?new=true")
    await page.get_by_label("E-mail").fill(f"{house.tenant}@example.com")
    await page.get_by_role("dialog").get_by_role("button", name="Invite").click()
    first = await page.get_by_role("textbox", name=re.compile("Sign-in link")).input_value()
    await page.get_by_role("button", name="Done").click()
    await _more(page, f"{house.tenant}@example.com", "Sign-in link…")
    await page.get_by_role("button", name="Make the link").click()
    second = await page.get_by_role("textbox", name=re.compile("Sign-in link")).input_value()
    assert first != second
    stale = await (await house.browser.new_context(viewport=DESK)).new_page()  # type: ignore[arg-type]
    await stale.goto(first)
    await stale.get_by_role("button", name="Sign in").click()
    await expect(stale.get_by_role("alert")).to_be_visible()
    await _elsewhere(house, second)


async def test_the_last_admin_and_oneself_stay_and_it_is_said_why(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/users")
    await page.get_by_role("button", name="More about The visitor").click()
    remove = page.get_by_role("menuitem", name="Remove…")
    await expect(remove).to_be_disabled()
    await expect(remove).to_contain_text("The last admin stays")
    await house.visitor()
    await page.reload()
    mine = page.get_by_role("listitem").filter(has_text="you")
    await mine.get_by_role("button", name="More about").click()
    await expect(remove).to_contain_text("Not yourself: another admin can.")


async def test_a_member_gets_no_permission(house: House) -> None:
    page = await house.visitor(Role.MEMBER)
    for tab in ("keys", "users"):
        await page.goto(f"/settings/{tab}")
        await expect(page.get_by_role("heading", name="Not for your role")).to_be_visible()
        await expect(page.get_by_role("button", name=re.compile("New key|Invite"))).to_have_count(0)
    assert await complaints(page) == []


async def _more(page: Page, name: str, deed: str) -> None:
    await page.get_by_role("button", name=f"More about {name}").click()
    await page.get_by_role("menuitem", name=deed).click()


async def _elsewhere(house: House, link: str) -> Page:
    """Another browser, of whoever was given the link."""
    page = await (await house.browser.new_context(viewport=DESK, base_url=house.stack.url)).new_page()  # type: ignore[arg-type]
    await page.goto(link)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    return page


async def _emit(page: Page, secret: str) -> int:
    headers = {"Authorization": f"Bearer {secret}", "Cookie": ""}
    body = {"type": "order.paid", "data": {"id": 7}}
    reply = await page.request.post("/v1/facts", headers=headers, data=body)
    return reply.status
