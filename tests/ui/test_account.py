"""One's own settings: what one hears and where, one's clock, and one's password."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.ui.axe import complaints
from tests.ui.house import House
from tidings.spine.access.identity import Role

PASSWORD = "a long enough password"


async def test_what_one_does_not_want_is_kept_and_what_is_required_stays(house: House) -> None:
    await _category(house, "news", "News")
    await _category(house, "security", "Security", required=True)
    page = await house.visitor(Role.MEMBER, person="The manager")
    await page.goto("/settings/me")
    for where in ("everywhere", "Inbox"):
        required = page.get_by_role("checkbox", name=f"Security, {where}")
        await expect(required).to_be_checked()
        await expect(required).to_be_disabled()

    await page.get_by_role("button", name="All channels").click()
    await page.get_by_role("checkbox", name="News, E-mail").uncheck()
    await expect(page.get_by_text("Not saved yet")).to_be_visible()
    await page.get_by_role("checkbox", name="Everything, SMS").uncheck()
    await expect(page.get_by_role("checkbox", name="News, SMS")).not_to_be_checked()
    await expect(page.get_by_role("checkbox", name="Security, SMS")).to_be_checked()
    await page.get_by_role("button", name="Save preferences").click()
    await expect(page.get_by_text("Your preferences are saved.")).to_be_visible()

    await page.reload()
    await page.get_by_role("button", name="All channels").click()
    await expect(page.get_by_role("checkbox", name="News, E-mail")).not_to_be_checked()
    await expect(page.get_by_role("checkbox", name="News, Push")).to_be_checked()
    await expect(page.get_by_role("checkbox", name="Everything, SMS")).not_to_be_checked()
    assert await complaints(page) == []


async def test_on_a_phone_a_whole_category_is_turned_off_in_its_card(house: House) -> None:
    await _category(house, "news", "News")
    await _category(house, "security", "Security", required=True)
    page = await house.visitor(Role.MEMBER, person="The manager", phone=True)
    await page.goto("/settings/me")
    await page.get_by_role("group", name="News").get_by_role("switch").press("Space")
    await page.get_by_role("button", name="Save preferences").click()
    await expect(page.get_by_text("Your preferences are saved.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("group", name="News").get_by_role("checkbox")).not_to_be_checked()
    await expect(page.get_by_role("group", name="Security").get_by_role("switch")).to_have_count(0)
    assert await complaints(page) == []


async def test_what_was_marked_and_not_saved_is_not_lost_without_a_word(house: House) -> None:
    page = await house.visitor(Role.MEMBER, person="The manager")
    await page.goto("/settings/me")
    await page.get_by_role("checkbox", name="Everything, Inbox").uncheck()
    await page.get_by_role("link", name="Outbox").click()
    await page.get_by_role("button", name="Stay").click()
    await expect(page.get_by_role("checkbox", name="Everything, Inbox")).not_to_be_checked()
    await page.get_by_role("button", name="Undo").click()
    await page.get_by_role("link", name="Outbox").click()
    await expect(page.get_by_role("heading", level=1, name="Outbox")).to_be_visible()


async def test_clock_and_quiet_hours_are_ones_own_to_set(house: House) -> None:
    page = await house.visitor(Role.MEMBER, person="The manager")
    await page.goto("/settings/me")
    about = page.get_by_role("region", name="Language and time")
    zone = about.get_by_role("combobox", name="Timezone")
    await zone.fill("kolkata")
    await page.get_by_role("option", name="Asia/Kolkata").click()
    await about.get_by_role("switch", name="Quiet hours").check()
    await about.get_by_label("From").fill("21:30")
    await expect(about.get_by_text("from 21:30 until 07:00 the next day")).to_be_visible()
    await about.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved. It counts from now on.")).to_be_visible()
    await page.reload()
    await expect(zone).to_have_value("Asia/Kolkata")
    await expect(about.get_by_label("From")).to_have_value("21:30")


async def test_a_password_is_set_changed_and_signs_in(house: House) -> None:
    page = await house.visitor(Role.MEMBER, person="The manager")
    email = (await (await page.request.get("/v1/session")).json())["data"]["email"]
    await page.goto("/settings/me")
    await _set(page, "short", "short")
    await expect(page.get_by_text("At least 10 characters.", exact=True)).to_be_visible()
    await _set(page, PASSWORD, PASSWORD)
    await expect(page.get_by_text("Your password is set.")).to_be_visible()

    await page.get_by_label("Present password").fill("not the one it was")
    await _set(page, f"{PASSWORD} 2", f"{PASSWORD} 2")
    await expect(page.get_by_text("This is not your present password.")).to_be_visible()
    await page.get_by_label("Present password").fill(PASSWORD)
    await page.get_by_role("button", name="Change password").click()
    await expect(page.get_by_label("Present password")).to_have_value("")

    await page.get_by_role("button", name="account").click()
    await page.get_by_role("menuitem", name="Sign out").click()
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password", exact=True).fill(f"{PASSWORD} 2")
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("button", name="account").click()
    await page.get_by_role("menuitem", name="My preferences").click()
    await expect(page.get_by_role("heading", level=1, name="My preferences")).to_be_visible()


async def test_a_login_that_is_nobodys_hears_what_that_means(house: House) -> None:
    member = await house.visitor(Role.MEMBER)
    await member.goto("/settings/me")
    await expect(member.get_by_role("heading", name="Your login is nobody's yet")).to_be_visible()
    await expect(member.get_by_text("An admin of this tenant can link")).to_be_visible()
    await expect(member.get_by_label("New password")).to_be_visible()
    assert await complaints(member) == []
    admin = await house.visitor()
    await admin.goto("/settings/me")
    await admin.get_by_role("main").get_by_role("link", name="Keys and users").click()
    await expect(admin.get_by_role("list", name="Users")).to_be_visible()


async def _set(page: Page, password: str, again: str) -> None:
    await page.get_by_label("New password").fill(password)
    await page.get_by_label("The new one again").fill(again)
    await page.get_by_role("region", name="Password").get_by_role("button", name="password", exact=False).last.click()


async def _category(house: House, id: str, name: str, *, required: bool = False) -> None:
    await house.owner.execute(
        "INSERT INTO tidings.categories (tenant, id, name, required) VALUES ($1, $2, $3, $4)",
        house.tenant,
        id,
        name,
        required,
    )
