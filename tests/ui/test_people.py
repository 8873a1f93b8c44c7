"""People: created, reached, refused with a reason at the field, joined to topics, deleted; and hidden from members."""

from __future__ import annotations

import re

from playwright.async_api import Page, expect

from tests.support.pipeline import add_person
from tests.ui.axe import complaints
from tests.ui.house import House
from tidings.spine.access.identity import Role


async def test_a_person_is_created_and_an_address_that_cannot_be_says_why_at_its_field(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/people")
    await expect(page.get_by_role("heading", name="Nobody yet")).to_be_visible()
    await page.get_by_role("button", name="New person").first.click()
    dialog = page.get_by_role("dialog", name="New person")
    await dialog.get_by_label("Name").fill("The head waiter")
    await dialog.get_by_label("E-mail").fill("waiter at example.com")
    await dialog.get_by_role("button", name="Create").click()
    await expect(dialog.get_by_label("E-mail")).to_have_attribute("aria-invalid", "true")
    await dialog.get_by_label("E-mail").fill("waiter@example.com")
    await dialog.get_by_label("External id").fill("w-1")
    await dialog.get_by_role("combobox", name="Timezone").fill("vienna")
    await page.get_by_role("option", name="Europe/Vienna").first.click()
    await dialog.get_by_role("button", name="Create").click()

    await expect(page.get_by_role("heading", name="The head waiter", level=1)).to_be_visible()
    addresses = page.get_by_role("list", name="Addresses")
    await expect(addresses.get_by_role("listitem")).to_have_count(1)
    await _add(page, "Phone", "0043 1 2345")
    await expect(page.get_by_text("Must be a number in E.164, such as +390612345678.")).to_be_visible()
    await page.get_by_label("Address", exact=True).fill("+4312345678")
    await page.get_by_label("Address", exact=True).press("Enter")
    await expect(addresses.get_by_role("listitem")).to_have_count(2)
    await page.get_by_role("button", name="Remove E-mail waiter@example.com").click()
    await page.get_by_role("button", name="Remove it").click()
    await expect(addresses.get_by_role("listitem")).to_have_count(1)
    assert await complaints(page) == []

    await page.get_by_role("link", name="All people").click()
    await expect(page.get_by_role("listitem")).to_contain_text("+4312345678")
    assert await complaints(page) == []


async def test_a_webhooks_secret_is_shown_once(house: House) -> None:
    person = await add_person(house.owner, tenant=house.tenant)
    page = await house.visitor()
    await page.goto(f"/settings/people?person={person}")
    await _add(page, "Webhook", "https://hooks.example.com/in/7")
    await expect(page.get_by_text(re.compile("^whsec_"))).to_be_visible()
    await expect(page.get_by_role("list", name="Addresses")).to_contain_text("https://hooks.example.com/…")
    await page.reload()
    await expect(page.get_by_role("list", name="Addresses")).to_contain_text("https://hooks.example.com/…")
    await expect(page.get_by_text(re.compile("^whsec_"))).to_have_count(0)


async def test_a_disabled_address_says_why_and_is_used_again(house: House) -> None:
    person = await add_person(house.owner, tenant=house.tenant, email="owner@example.com")
    page = await house.visitor()
    await page.goto(f"/settings/people?person={person}")
    await expect(page.get_by_text("owner@example.com")).to_be_visible()
    await house.owner.execute(
        "UPDATE tidings.addresses SET disabled_at = now(), disabled_reason = 'mailbox is full' WHERE person_id = $1",
        person,
    )
    await expect(page.get_by_text("mailbox is full")).to_be_visible()  # without a reload
    await page.get_by_role("button", name="Use it again").click()
    await expect(page.get_by_text("mailbox is full")).to_have_count(0)


async def test_topics_and_preferences_are_kept(house: House) -> None:
    person = await add_person(house.owner, tenant=house.tenant, email="owner@example.com")
    await house.owner.execute("INSERT INTO tidings.categories VALUES ($1, 'news', 'News')", house.tenant)
    page = await house.visitor()
    await page.goto(f"/settings/people?person={person}")
    await page.get_by_label("Join a topic").fill("menu changes")
    await expect(page.get_by_role("button", name="Join", exact=True)).to_be_disabled()
    await page.get_by_label("Join a topic").fill("menu.changes")
    await page.get_by_role("button", name="Join", exact=True).click()
    await expect(page.get_by_role("list", name="Topics")).to_contain_text("menu.changes")
    await page.get_by_role("checkbox", name="News, e-mail").uncheck()
    await page.get_by_role("button", name="Save preferences").click()
    await expect(page.get_by_text("Saved. It counts from the next message on.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("checkbox", name="News, e-mail")).not_to_be_checked()
    await page.get_by_role("button", name="Leave menu.changes").click()
    await expect(page.get_by_role("list", name="Topics")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_text("None. Rules can tell everybody who joined a topic.")).to_be_visible()


async def test_a_person_is_found_changed_and_deleted(house: House) -> None:
    for n, name in enumerate(("The owner", "The chef", "The porter")):
        await add_person(house.owner, name, tenant=house.tenant, external_id=f"p-{n}", email=f"p{n}@example.com")
    page = await house.visitor()
    await page.goto("/settings/people")
    people = page.get_by_role("list", name="People").get_by_role("listitem")
    await expect(people).to_have_count(3)
    await page.get_by_label("Name or e-mail").fill("P1@example.com")
    await expect(people).to_have_count(1)
    await expect(page).to_have_url(re.compile("q=P1"))
    await page.get_by_label("Name or e-mail").fill("the por")
    await expect(page.get_by_role("link", name="The porter")).to_be_visible()
    await page.get_by_role("link", name="The porter").click()

    await page.get_by_label("External id").fill("p-0")
    await page.get_by_role("button", name="Save", exact=True).first.click()
    await expect(page.get_by_text("Somebody else has this external id already.")).to_be_visible()
    await page.get_by_role("link", name="All people").click()
    await expect(page.get_by_role("dialog", name="Leave without saving?")).to_be_visible()
    await page.get_by_role("button", name="Stay").click()
    await page.get_by_label("External id").fill("porter")
    await page.get_by_role("button", name="Save", exact=True).first.click()
    await expect(page.get_by_text("Saved.")).to_be_visible()

    await page.get_by_role("button", name="Delete…").click()
    await expect(page.get_by_role("dialog")).to_contain_text("what still waits for them is not sent")
    await page.get_by_role("button", name="Delete this person").click()
    await expect(people).to_have_count(2)
    assert await house.owner.fetchval("SELECT count(*) FROM tidings.people WHERE tenant = $1", house.tenant) == 2


async def test_a_removal_that_nobody_answers_is_taken_back(house: House) -> None:
    person = await add_person(house.owner, tenant=house.tenant, email="owner@example.com")
    page = await house.visitor()
    await page.goto(f"/settings/people?person={person}")
    await page.route("**/addresses/*", lambda route: route.abort())
    await page.get_by_role("button", name="Remove E-mail owner@example.com").click()
    await page.get_by_role("button", name="Remove it").click()
    await expect(page.get_by_text("This did not work")).to_be_visible()
    await expect(page.get_by_role("list", name="Addresses")).to_contain_text("owner@example.com")


async def test_a_member_sees_no_people_and_nothing_to_press(house: House) -> None:
    person = await add_person(house.owner, tenant=house.tenant, email="owner@example.com")
    page = await house.visitor(Role.MEMBER)
    for place in ("people", "groups", "imports", "suppressions", f"people?person={person}"):
        await page.goto(f"/settings/{place}")
        await expect(page.get_by_role("heading", name="Not for your role").first).to_be_visible()
        await expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)
        await expect(page.get_by_role("main").get_by_role("textbox")).to_have_count(0)


async def _add(page: Page, kind: str, address: str) -> None:
    await page.get_by_role("combobox", name="Kind").click()
    await page.get_by_role("option", name=kind, exact=True).click()
    await page.get_by_label("Address", exact=True).fill(address)
    await page.get_by_role("button", name="Add", exact=True).first.click()
