"""Categories: made, changed, required of everybody, deleted."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.ui.axe import complaints
from tests.ui.house import House
from tidings.spine.access.identity import Role


async def test_a_category_is_made_required_and_deleted(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/categories")
    await expect(page.get_by_role("heading", name="No categories yet")).to_be_visible()
    await page.get_by_role("button", name="New category").first.click()
    await page.get_by_label("Name").fill("Orders")
    await page.get_by_label("Id", exact=True).fill("Orders of today")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Letters, digits, and _ . : -")).to_be_visible()
    assert await complaints(page) == []
    await page.get_by_label("Id", exact=True).fill("orders")
    await page.get_by_role("button", name="Save").click()
    listed = page.get_by_role("list", name="Categories")
    await expect(listed).to_contain_text("everybody chooses")

    await page.get_by_role("button", name="New category").click()
    await page.get_by_label("Name").fill("Once more")
    await page.get_by_label("Id", exact=True).fill("orders")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("There is a category with this id.")).to_be_visible()
    await page.get_by_role("button", name="Cancel").click()

    await page.get_by_role("button", name="Edit Orders").click()
    await page.get_by_role("switch", name="Required").check()
    await expect(page.get_by_text("Who has turned it off hears of it again")).to_be_visible()
    await page.get_by_role("button", name="Save").click()
    await expect(listed).to_contain_text("required of everybody")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    assert await complaints(page) == []

    await page.reload()
    await page.get_by_role("button", name="Edit Orders").click()
    await page.get_by_role("button", name="Delete…").click()
    await page.get_by_role("button", name="Delete it").click()
    await expect(page.get_by_role("heading", name="No categories yet")).to_be_visible()


async def test_one_that_another_deleted_meanwhile_is_said_to_be_gone(house: House) -> None:
    page = await house.visitor()
    await page.request.put("/v1/categories/news", headers=await _token(page), data={"name": "News"})
    await page.goto("/settings/categories?open=news")
    await page.get_by_role("button", name="Delete…").click()
    await page.route(
        "**/v1/categories/news", lambda route: route.continue_(url=f"{house.stack.url}/v1/categories/gone")
    )
    await page.get_by_role("button", name="Delete it").click()
    await expect(page.get_by_role("alert")).to_have_text("It is not there any more.")


async def test_a_member_sees_them_and_changes_nothing(house: House) -> None:
    admin = await house.visitor()
    await admin.request.put("/v1/categories/news", headers=await _token(admin), data={"name": "News"})
    page = await house.visitor(Role.MEMBER)
    await page.goto("/settings/categories?open=news")
    await expect(page.get_by_role("list", name="Categories")).to_contain_text("News")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)


async def _token(page: Page) -> dict[str, str]:
    session = await (await page.request.get("/v1/session")).json()
    return {"X-CSRF-Token": session["data"]["csrfToken"]}
