"""Groups: made, filled, emptied, renamed and deleted; and who is where, seen from the person too."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.support.pipeline import add_person
from tests.ui.axe import complaints
from tests.ui.house import House


async def test_a_group_is_made_and_people_come_and_go(house: House) -> None:
    for name in ("The chef", "The cook", "The porter"):
        await add_person(house.owner, name, tenant=house.tenant)
    page = await house.visitor()
    await page.goto("/settings/groups")
    await expect(page.get_by_role("heading", name="No groups yet")).to_be_visible()
    await page.get_by_role("button", name="New group").first.click()
    dialog = page.get_by_role("dialog", name="New group")
    await dialog.get_by_label("Name").fill("The kitchen")
    await expect(dialog.get_by_label("External id")).to_have_value("the-kitchen")
    await dialog.get_by_label("External id").fill("")
    await dialog.get_by_role("button", name="Create").click()
    await expect(dialog.get_by_text("Rules and files name it by this id.")).to_be_visible()
    await dialog.get_by_label("External id").fill("kitchen")
    await dialog.get_by_role("button", name="Create").click()

    await expect(page.get_by_role("heading", name="Nobody is in it yet")).to_be_visible()
    choose = page.get_by_role("combobox", name="Add people")
    for name in ("The chef", "The cook"):
        await choose.fill(name)
        await page.get_by_role("option", name=name).click()
    await page.get_by_role("button", name="Add", exact=True).click()
    members = page.get_by_role("list", name="Members").get_by_role("listitem")
    await expect(members).to_have_count(2)
    assert await complaints(page) == []

    await page.get_by_role("button", name="Take out The cook").click()
    await expect(members).to_have_count(1)
    await page.get_by_role("link", name="The chef").click()
    await expect(page.get_by_role("heading", name="The chef", level=1)).to_be_visible()
    await page.get_by_role("link", name="The kitchen").click()
    await expect(page).to_have_url(re.compile("group="))
    await expect(members).to_have_count(1)


async def test_who_is_taken_out_comes_back_where_nobody_answers(house: House) -> None:
    person = await add_person(house.owner, tenant=house.tenant)
    group = await _group(house, "kitchen", "The kitchen")
    await house.owner.execute("INSERT INTO tidings.group_members VALUES ($1, $2, $3)", house.tenant, group, person)
    page = await house.visitor()
    await page.goto(f"/settings/groups?group={group}")
    await page.route("**/members/*", lambda route: route.abort())
    await page.get_by_role("button", name="Take out The owner").click()
    await expect(page.get_by_text("This did not work")).to_be_visible()
    await expect(page.get_by_role("list", name="Members")).to_contain_text("The owner")


async def test_a_group_is_found_renamed_and_deleted_and_its_people_stay(house: House) -> None:
    person = await add_person(house.owner, tenant=house.tenant)
    group = await _group(house, "kitchen", "The kitchen")
    await _group(house, "bar", "The bar")
    await house.owner.execute("INSERT INTO tidings.group_members VALUES ($1, $2, $3)", house.tenant, group, person)
    page = await house.visitor()
    await page.goto("/settings/groups")
    groups = page.get_by_role("list", name="Groups").get_by_role("listitem")
    await expect(groups).to_have_count(2)
    assert await complaints(page) == []
    await page.get_by_label("Name").fill("the k")
    await expect(groups).to_have_count(1)
    await page.get_by_role("link", name="The kitchen").click()
    drawer = page.get_by_role("dialog", name="Group")
    await drawer.get_by_label("External id").fill("bar")
    await drawer.get_by_role("button", name="Save").click()
    await expect(drawer.get_by_text("Another group has this external id already.")).to_be_visible()
    await drawer.get_by_role("button", name="Undo").click()
    await drawer.get_by_label("Name").fill("The kitchens")
    await drawer.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("link", name="The kitchens")).to_have_count(1)

    await drawer.get_by_role("button", name="Delete the group…").click()
    await expect(page.get_by_role("dialog", name="Delete The kitchens?")).to_contain_text("Its people stay")
    await page.get_by_role("button", name="Delete the group", exact=True).click()
    await expect(page.get_by_role("heading", name="No such group")).to_be_visible()
    assert await house.owner.fetchval("SELECT name FROM tidings.people WHERE id = $1", person) == "The owner"


async def _group(house: House, external_id: str, name: str) -> object:
    return await house.owner.fetchval(
        "INSERT INTO tidings.groups (tenant, external_id, name) VALUES ($1, $2, $3) RETURNING id",
        house.tenant,
        external_id,
        name,
    )
