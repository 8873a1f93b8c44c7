"""The house itself: its door, its walls, and what it does when the ground is gone for a while."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

from playwright.async_api import expect

from tests.support.pipeline import add_rule, sending_settings
from tests.ui.axe import complaints
from tests.ui.house import House
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.identity import Role
from tidings.spine.access.people import Tenants, Users
from tidings.spine.access.purposes import SIGN_IN_LINKS
from tidings.spine.access.sessions import make_sign_in_link


async def test_who_has_no_session_is_led_to_the_door_and_then_to_where_they_were_going(house: House) -> None:
    users = Users(house.owner)
    email = f"{uuid4().hex}@example.com"
    user_id = await users.create(email, "The owner", "a long enough password")
    await users.join(user_id, house.tenant, Role.ADMIN)
    context = await house.browser.new_context(base_url=house.stack.url)
    page = await context.new_page()
    await page.goto("/outbox?status=dead")
    await expect(page).to_have_url(re.compile("/sign-in"))
    assert await complaints(page) == []
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password", exact=True).fill("not this one, no")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_be_visible()
    await page.get_by_label("Password", exact=True).fill("a long enough password")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page).to_have_url(re.compile(r"/outbox\?status=dead"))

    await page.get_by_role("button", name=re.compile("account|The owner")).click()
    await page.get_by_role("menuitem", name="Sign out").click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    await page.goto("/outbox")
    await expect(page).to_have_url(re.compile("/sign-in"))


async def test_who_has_two_tenants_goes_from_one_to_the_other(house: House) -> None:
    other = f"t{uuid4().hex[:10]}"
    await Tenants(house.owner).create(other, "The other tenant")
    users = Users(house.owner)
    user_id = await users.create(f"{uuid4().hex}@example.com", "The owner", None)
    for tenant in (house.tenant, other):
        await users.join(user_id, tenant, Role.ADMIN)
    await add_rule(house.owner, tenant=other, name="Only there")
    hasher = (await unlocked(sending_settings(house.stack.database_url), house.owner)).hasher(SIGN_IN_LINKS)
    link = await make_sign_in_link(house.owner, hasher, user_id, house.tenant, timedelta(minutes=5))
    context = await house.browser.new_context(base_url=house.stack.url)
    page = await context.new_page()
    await page.goto(f"/sign-in?token={link}&to=/rules")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", name="No rules yet")).to_be_visible()
    await page.get_by_role("button", name="A tenant").click()
    await page.get_by_role("menuitem", name="The other tenant").click()
    await expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()  # where a change leads
    await page.get_by_role("link", name="Rules", exact=True).click()
    await expect(page.get_by_role("link", name="Only there")).to_be_visible()


async def test_whoever_comes_next_sees_nothing_of_who_was_there_before(house: House) -> None:
    await add_rule(house.owner, tenant=house.tenant, name="For admins only")
    users, email = Users(house.owner), f"{uuid4().hex}@example.com"
    await users.join(await users.create(email, "A member", "a long enough password"), house.tenant, Role.MEMBER)
    page = await house.visitor()
    await page.get_by_role("link", name="Rules", exact=True).click()
    await expect(page.get_by_role("link", name="For admins only")).to_be_visible()
    await house.owner.execute("DELETE FROM tidings.sessions WHERE tenant = $1", house.tenant)
    await expect(page).to_have_url(re.compile("/sign-in"), timeout=20_000)
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password", exact=True).fill("a long enough password")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", name="Not for your role")).to_be_visible()
    await expect(page.get_by_role("link", name="For admins only")).to_have_count(0)


async def test_a_window_that_does_not_know_of_the_move_changes_nothing_elsewhere(house: House) -> None:
    other, users = f"t{uuid4().hex[:10]}", Users(house.owner)
    await Tenants(house.owner).create(other, "The other tenant")
    user_id = await users.create(f"{uuid4().hex}@example.com", "The owner", None)
    for tenant in (house.tenant, other):
        await users.join(user_id, tenant, Role.ADMIN)
    hasher = (await unlocked(sending_settings(house.stack.database_url), house.owner)).hasher(SIGN_IN_LINKS)
    link = await make_sign_in_link(house.owner, hasher, user_id, house.tenant, timedelta(minutes=5))
    page = await (await house.browser.new_context(base_url=house.stack.url)).new_page()
    await page.route_web_socket("**/v1/ws", lambda socket: None)  # nobody tells it
    await page.goto(f"/sign-in?token={link}&to=/settings/categories")
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("button", name="New category").first.click()
    await page.get_by_label("Name", exact=True).fill("News")
    await page.get_by_label("Id", exact=True).fill("news")
    await house.owner.execute("UPDATE tidings.sessions SET tenant = $1 WHERE user_id = $2", other, user_id)
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Only an operator may act in another tenant")).to_be_visible()
    assert await house.owner.fetchval("SELECT count(*) FROM tidings.categories WHERE id = 'news'") == 0


async def test_an_address_that_leads_nowhere_says_so_within_the_house(house: House) -> None:
    page = await house.visitor()
    await page.goto("/no/such/page")
    await expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    assert await complaints(page) == []
    await page.get_by_role("link", name="To the overview").click()
    await expect(page.get_by_role("heading", name="Overview")).to_be_visible()


async def test_a_page_whose_data_cannot_be_read_breaks_alone(house: House) -> None:
    page = await house.visitor()
    nonsense = '{"data": [{"surprise": true}], "pagination": {"limit": 1, "nextCursor": null}}'
    await page.route(
        re.compile(r"/v1/outbox(\?|$)"), lambda route: route.fulfill(body=nonsense, content_type="application/json")
    )
    await page.get_by_role("link", name="Outbox").click()
    await expect(page.get_by_role("alert").first).to_be_visible()
    await page.unroute_all()
    await page.get_by_role("button", name="Try again").first.click()
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_colours_that_were_chosen_stay(house: House) -> None:
    page = await house.visitor()
    await page.get_by_role("button", name=re.compile("account|The visitor")).click()
    await page.get_by_role("menuitem", name="Dark colours").click()
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")


async def test_a_phone_has_the_same_pages_behind_a_button(house: House) -> None:
    page = await house.visitor(phone=True)
    await page.get_by_role("button", name="Navigation", exact=True).click()
    await page.get_by_role("link", name="Outbox").click()
    await expect(page.get_by_role("heading", name="Outbox", level=1)).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
