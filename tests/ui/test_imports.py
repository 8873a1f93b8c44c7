"""Files of people: checked, refused with the line and the reason, imported, and followed while they run."""

from __future__ import annotations

import re

from playwright.async_api import Page, expect

from tests.ui.axe import complaints
from tests.ui.house import House

MANY = 20_000


async def test_a_wrong_row_is_named_and_the_file_put_right_is_imported(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/imports")
    await expect(page.get_by_role("heading", name="No imports yet")).to_be_visible()
    assert await complaints(page) == []
    await _choose(page, "external_id,name,email\n1,The owner,owner@example.com\n2,The chef,chef at home\n")
    await expect(page.get_by_text("about 2 rows")).to_be_visible()
    await page.get_by_role("button", name="Import", exact=True).click()

    await expect(page).to_have_url(re.compile("import="))
    await expect(page.get_by_text("1 row is wrong; nobody was changed.")).to_be_visible()
    await expect(page.get_by_role("table", name="Wrong rows").get_by_role("row").last).to_contain_text(
        "3Email: must be one e-mail address"
    )
    assert await _people(house) == 0
    assert await complaints(page) == []

    await _choose(page, "external_id,name,email\n1,The owner,owner@example.com\n2,The chef,chef@example.com\n")
    await page.get_by_role("button", name="Check only").click()
    await expect(page.get_by_text("2 people would be created, nobody would be changed")).to_be_visible()
    assert await _people(house) == 0
    await page.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_text("2 people created, nobody changed")).to_be_visible()
    assert await _people(house) == 2
    await expect(page.get_by_role("list", name="Imports").get_by_role("listitem")).to_have_count(3)


async def test_another_window_sees_how_far_an_import_is(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/imports")
    other = await house.second_window(page)
    await other.goto("/settings/imports")
    await expect(other.get_by_text("Live", exact=True)).to_be_visible()
    rows = "".join(f"{n},Somebody,somebody{n}@example.com\n" for n in range(MANY))
    await _choose(page, f"external_id,name,email\n{rows}")
    await page.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_role("progressbar", name="Import")).to_be_visible()
    await expect(page.get_by_text("20,000 people created, nobody changed")).to_be_visible(timeout=60_000)
    await expect(other.get_by_text("20,000 people created, nobody changed")).to_be_visible()  # without a reload


async def test_many_wrong_rows_are_read_page_by_page(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/imports")
    await _choose(page, "name,email\n" + "".join(f"Somebody,nobody{n}\n" for n in range(45)))
    await page.get_by_role("button", name="Check only").click()
    wrong = page.get_by_role("table", name="Wrong rows").get_by_role("row")
    await expect(wrong).to_have_count(21)
    await page.get_by_role("button", name="Next").click()
    await expect(wrong.nth(1)).to_contain_text("22")
    await expect(page).to_have_url(re.compile("errors="))
    await page.go_back()
    await expect(wrong.nth(1)).to_contain_text("2")


async def test_a_file_that_is_none_says_what_is_wrong_with_it(house: House) -> None:
    page = await house.visitor()
    await page.goto("/settings/imports")
    await _choose(page, "name,emial\nSomebody,somebody@example.com\n")
    await page.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_text("did you mean email?")).to_be_visible()


async def _choose(page: Page, text: str) -> None:
    await page.locator("input[type=file]").set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )


async def _people(house: House) -> int:
    amount: int = await house.owner.fetchval("SELECT count(*) FROM tidings.people WHERE tenant = $1", house.tenant)
    return amount
