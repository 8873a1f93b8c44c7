"""Templates: ours overridden, previewed while it is written, saved, gone back from, retired; and sent as a test."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.support.pipeline import add_person, emit
from tests.ui.house import House


async def test_a_template_is_overridden_previewed_saved_and_rolled_back(house: House) -> None:
    page = await house.visitor()
    await page.goto("/templates")
    await page.get_by_role("link", name="notice, push, every language").click()
    await expect(page.get_by_text("This is what a notice may say.")).to_be_visible()

    text = page.get_by_label("Text", exact=True)
    await text.fill("Hello {{ person.name }}")
    await expect(page.get_by_text("Hello Sample Person")).to_be_visible()
    await text.fill("Hello\n{{ data.nobody }}")
    await expect(page.get_by_text("line 2: there is no 'nobody' here")).to_be_visible()
    await expect(page.get_by_text("Hello Sample Person")).to_be_visible()  # the last that was good
    await text.fill("Hello {{ person.name }}")
    await _save(page, version=1)
    await text.fill("Goodbye {{ person.name }}")
    await _save(page, version=2)

    await page.get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("menuitem", name="Versions").click()
    await page.get_by_role("button", name="Look at version 1").click()
    await expect(text).to_have_value("Hello {{ person.name }}")
    await page.get_by_role("button", name="Go back to version 1").click()
    await expect(page.get_by_text("yours, version 3")).to_be_visible()
    await expect(page.get_by_text("Hello Sample Person")).to_be_visible()

    await page.get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("menuitem", name="Retire…").click()
    await page.get_by_role("button", name="Retire it").click()
    await expect(page.get_by_text("ours", exact=True)).to_be_visible()
    await expect(text).to_have_value("{{ notice.body | default(notice.title, true) }}")


async def test_a_mail_is_shown_as_it_looks_and_filled_with_a_past_fact(house: House) -> None:
    await emit(house.owner, tenant=house.tenant, customer="Guest 4")
    page = await house.visitor()
    await page.goto("/templates/notice/email?locale=it")
    mail = page.frame_locator("[title='The mail']")
    await expect(mail.locator("p", has_text="This is what a notice may say.")).to_be_visible()
    await page.get_by_label("Subject", exact=True).fill("{{ data.customer }}")
    await expect(page.get_by_text("there is no 'customer' here")).to_be_visible()
    await page.get_by_role("combobox", name="Filled with").click()
    await page.get_by_role("option", name="order.paid").click()
    await expect(page.get_by_text("Guest 4", exact=True)).to_be_visible()
    await page.get_by_role("radiogroup", name="Shown as").get_by_text("Plain text").click()
    await expect(page.locator("[title='The mail']")).to_have_count(0)


async def test_a_template_is_tried_on_a_person(house: House) -> None:
    await add_person(house.owner, tenant=house.tenant, email="owner@example.com")
    page = await house.visitor()
    await house.owner.execute(
        "INSERT INTO tidings.providers (tenant, channel, type, name) VALUES ($1, 'email', 'sandbox', 'Sandbox')",
        house.tenant,
    )
    await page.goto("/templates/notice/email")
    await page.get_by_role("button", name="Test…").click()
    await page.get_by_role("combobox", name="To", exact=True).click()
    await page.get_by_role("option", name="The owner").click()
    await page.get_by_role("button", name="Send the test").click()
    await expect(page.get_by_role("dialog").get_by_text("The provider took it.")).to_be_visible(timeout=15_000)


async def _save(page: Page, version: int) -> None:
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text(f"yours, version {version}")).to_be_visible()
