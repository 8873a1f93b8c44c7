"""Suppressions: added by hand with a reason, found by their address, lifted after a question."""

from __future__ import annotations

from playwright.async_api import expect

from tests.ui.axe import complaints
from tests.ui.house import House


async def test_an_address_is_suppressed_and_lifted(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/suppressions")
    await expect(page.get_by_role("heading", name="Nothing is suppressed")).to_be_visible()
    await page.get_by_role("button", name="Suppress an address").click()
    dialog = page.get_by_role("dialog", name="Suppress an address")
    await dialog.get_by_label("Address").fill("nobody")
    await dialog.get_by_role("button", name="Suppress it").click()
    await expect(dialog.get_by_text("Must be one e-mail address.")).to_be_visible()
    await dialog.get_by_label("Address").fill("left@example.com")
    await dialog.get_by_label("Why").fill("asked by phone")
    await dialog.get_by_role("button", name="Suppress it").click()

    suppressions = page.get_by_role("list", name="Suppressions").get_by_role("listitem")
    await expect(suppressions).to_contain_text("asked by phone")
    assert await complaints(page) == []
    await page.get_by_role("button", name="Lift left@example.com…").click()
    await page.get_by_role("button", name="Cancel").click()
    await expect(suppressions).to_have_count(1)
    await page.get_by_role("button", name="Lift left@example.com…").click()
    async with page.expect_response(lambda reply: reply.request.method == "DELETE"):
        await page.get_by_role("button", name="Lift it").click()
    await expect(page.get_by_role("heading", name="Nothing is suppressed")).to_be_visible()
    assert await house.owner.fetchval("SELECT count(*) FROM tidings.suppressions WHERE tenant = $1", house.tenant) == 0


async def test_one_address_is_found_among_many_and_why(house: House) -> None:
    for n in range(25):
        await house.owner.execute(
            """INSERT INTO tidings.suppressions (tenant, kind, fingerprint, value, reason, detail)
               VALUES ($1, 'email', $2, $2, $3, 'no such user')""",
            house.tenant,
            f"gone{n}@example.com",
            "complained" if n == 7 else "bounced",
        )
    page = await house.visitor(phone=True)
    await page.goto("/settings/suppressions")
    suppressions = page.get_by_role("list", name="Suppressions").get_by_role("listitem")
    await expect(suppressions).to_have_count(20)
    await page.get_by_role("button", name="Older").click()
    await expect(suppressions).to_have_count(5)
    await page.get_by_label("Address").fill("GONE7@example.com")
    await expect(suppressions).to_have_count(1)
    await expect(suppressions).to_contain_text("complained")
    await page.get_by_role("button", name="Lift gone7@example.com…").click()
    await expect(page.get_by_role("dialog")).to_contain_text("called our mail unwanted")


async def test_a_lift_that_nobody_answers_is_taken_back(house: House) -> None:
    await house.owner.execute(
        "INSERT INTO tidings.suppressions VALUES ($1, 'email', 'gone@example.com', 'gone@example.com', 'manual')",
        house.tenant,
    )
    page = await house.visitor()
    await page.goto("/settings/suppressions")
    await page.route("**/v1/suppressions?kind=*", lambda route: route.abort())
    await page.get_by_role("button", name="Lift gone@example.com…").click()
    await page.get_by_role("button", name="Lift it").click()
    await expect(page.get_by_text("This did not work")).to_be_visible()
    await expect(page.get_by_role("list", name="Suppressions")).to_contain_text("gone@example.com")
