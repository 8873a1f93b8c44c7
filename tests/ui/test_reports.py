"""Reports on their pages: scheduled beside the runs that come of it, paused, run now, followed, sent again, deleted."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import Locator, Page, expect

from tests.api.report_routes import a_schedule
from tests.ui.axe import complaints
from tests.ui.clerk import Clerk
from tests.ui.house import House
from tests.ui.tables import PATIENCE
from tidings.spine.access.identity import Role

_REFUSED = """
WITH missed AS (UPDATE tidings.report_run_recipients SET status = 'failed', delivered_at = NULL,
    error_message = '550 no such mailbox' WHERE run_id = $1 AND email = 'second@example.com')
UPDATE tidings.report_runs SET status = 'partially_delivered' WHERE id = $1
"""

_OF_TYPE = "UPDATE tidings.report_schedules SET report_type = $2 WHERE id = $1"


async def test_one_is_scheduled_paused_run_now_sent_again_and_deleted(house: House) -> None:
    page = await house.visitor()
    await page.goto("/reports")
    await expect(page.get_by_role("heading", name="Nothing is reported yet")).to_be_visible()
    await page.get_by_role("link", name="New schedule").first.click()
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_text("Which report?")).to_be_visible()
    await expect(page.get_by_text("Who gets it?")).to_be_visible()
    await _written(page)
    await expect(previewed(page)).to_have_count(5)
    await expect(previewed(page).first).to_contain_text(re.compile(r"Mon, .* 09:00 in America/New_York"))
    assert await complaints(page) == []
    await page.get_by_role("button", name="Create").click()

    await expect(page.get_by_role("heading", level=1, name="What went out")).to_be_visible()
    await expect(page.get_by_text("every Monday at 09:00 (America/New_York)").first).to_be_visible()
    await expect(page.get_by_role("heading", name="It has not run yet")).to_be_visible()
    await expect(page.get_by_role("list", name="Recipients").get_by_role("listitem")).to_have_count(2)
    about = page.get_by_role("region", name="What it is")
    await page.get_by_role("button", name="Pause What went out…").click()
    await expect(page.get_by_role("dialog")).to_contain_text("Nothing of it runs until it is resumed")
    await page.get_by_role("dialog").get_by_role("button", name="Pause it").click()
    await expect(about).to_contain_text("none, until it is resumed")
    assert await complaints(page) == []
    await page.get_by_role("button", name="Resume What went out").click()
    await expect(about).to_contain_text("09:00 in America/New_York")

    await page.get_by_role("button", name="Run now").click()
    run = runs(page).first
    await expect(run).to_contain_text("delivered", timeout=PATIENCE)
    await expect(run).to_contain_text("asked for")
    await expect(run).to_contain_text("2 sent")
    await run.get_by_role("button", expanded=False).click()
    await expect(run.get_by_role("listitem").filter(has_text="first@example.com")).to_contain_text("sent")
    assert await complaints(page) == []
    async with page.expect_download() as download:
        await run.get_by_role("link", name="Document").click()
    assert (await download.value).suggested_filename.startswith("delivery-summary-")
    await _sent_again(house, page)

    await page.get_by_role("button", name="Delete…").click()
    await expect(page.get_by_role("dialog")).to_contain_text("This cannot be taken back")
    await page.get_by_role("dialog").get_by_role("button", name="Delete the schedule").click()
    await expect(page.get_by_role("heading", name="Nothing is reported yet")).to_be_visible()


async def test_one_is_changed_and_what_the_server_refuses_stands_at_its_field(house: House) -> None:
    page = await house.visitor()
    schedule = await _made(Clerk(page), name="What went out", intervalWeeks=2)
    await page.goto(f"/reports/{schedule['id']}")
    await page.get_by_role("link", name="Change").click()
    await expect(page.get_by_label("Every … weeks")).to_have_value("2")
    await page.get_by_role("radiogroup", name="How often").get_by_text("Monthly").click()
    await page.get_by_label("Day of the month").fill("31")
    await page.locator("input[type=time]").fill("02:30")
    await expect(previewed(page)).to_have_count(5)
    await expect(page.get_by_text("as the month has no such day").first).to_be_visible()
    assert await complaints(page) == []
    await page.get_by_role("radiogroup", name="How often").get_by_text("Cron").click()
    await page.get_by_label("Cron expression").fill("0 9 31 2 *")
    await expect(page.get_by_text("This is no cron expression").first).to_be_visible()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_label("Cron expression")).to_have_attribute("aria-invalid", "true")
    assert await complaints(page) == []
    await page.get_by_role("link", name="Back").click()
    await page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    await page.get_by_label("Cron expression").fill("0 9 * * 1-5")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("by cron: 0 9 * * 1-5 (America/New_York)").first).to_be_visible()


async def test_one_that_could_not_be_made_says_why_and_is_tried_again(house: House) -> None:
    page = await house.visitor()
    schedule = await _made(Clerk(page), name="What went out")
    await house.owner.execute(_OF_TYPE, schedule["id"], "gone")
    await page.goto(f"/reports/{schedule['id']}")
    await page.get_by_role("button", name="Run now").click()
    failed = runs(page).filter(has_text="not made")
    await expect(failed).to_contain_text("there is no report 'gone' any more", timeout=PATIENCE)
    assert await complaints(page) == []
    await house.owner.execute(_OF_TYPE, schedule["id"], "delivery-summary")
    await failed.get_by_role("button", name="Try again").click()
    again = runs(page).filter(has_text="tried again, of run")
    await expect(again).to_contain_text("2 sent", timeout=PATIENCE)
    await expect(again.get_by_role("button", name="Try again")).to_have_count(0)
    await expect(failed).to_be_visible()


async def test_a_list_is_narrowed_and_an_admin_sees_those_of_others(house: House) -> None:
    page, member = await house.visitor(), await house.visitor(Role.MEMBER)
    await _made(Clerk(member), name="The member's")
    paused = await _made(Clerk(page), name="The admin's")
    await Clerk(page).call("POST", f"/schedules/{paused['id']}/pause")
    await page.goto("/reports")
    await expect(schedules(page)).to_have_count(1)
    await expect(schedules(page)).to_contain_text("has not run yet")
    await page.get_by_role("radiogroup", name="Whose").get_by_text("All").click()
    await expect(schedules(page)).to_have_count(2)
    await page.get_by_role("combobox", name="State").click()
    await page.get_by_role("option", name="active").click()
    await expect(schedules(page)).to_have_count(1)
    await expect(schedules(page)).to_contain_text("The member's")
    await expect(page).to_have_url(re.compile(r"owner=all.*status=active|status=active.*owner=all"))
    assert await complaints(page) == []
    await member.goto("/reports?owner=all")
    await expect(schedules(member)).to_contain_text("The member's")
    await expect(member.get_by_role("radiogroup", name="Whose")).to_have_count(0)
    await member.get_by_role("button", name="Pause The member's…").click()
    await member.get_by_role("dialog").get_by_role("button", name="Pause it").click()
    await expect(page.get_by_role("heading", name="No such schedule")).to_be_visible(timeout=PATIENCE)


async def test_one_that_is_not_there_and_a_server_that_is_away_say_so(house: House) -> None:
    page = await house.visitor(Role.MEMBER)
    await page.goto("/reports/1234567")
    await expect(page.get_by_role("heading", name="Not here")).to_be_visible()
    await page.route("**/v1/schedules", lambda route: route.abort())
    await page.goto("/reports")
    await expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    assert await complaints(page) == []


async def _written(page: Page) -> None:
    await page.get_by_role("combobox", name="Report").click()
    await page.get_by_role("option").first.click()
    await page.get_by_role("textbox", name="Name").fill("What went out")
    await page.get_by_role("combobox", name="Timezone").fill("new york")
    await page.get_by_role("option", name="America/New_York").click()
    recipients = page.get_by_role("combobox", name="Recipients")
    for email in ("First@example.com", "second@example.com"):
        await recipients.fill(email)
        await recipients.press("Enter")


async def _sent_again(house: House, page: Page) -> None:
    """After a run that did not reach somebody."""
    made = await house.owner.fetchval("SELECT max(id) FROM tidings.report_runs WHERE tenant = $1", house.tenant)
    await house.owner.execute(_REFUSED, made)
    missed = runs(page).filter(has_text=f"Run {made}, asked for")
    await expect(missed).to_contain_text("partly delivered", timeout=PATIENCE)
    await expect(missed).to_contain_text("550 no such mailbox")
    assert await complaints(page) == []
    await missed.get_by_role("button", name="Send again").click()
    again = runs(page).filter(has_text=f"sent again, of run {made}")
    await expect(again).to_contain_text("1 sent", timeout=PATIENCE)
    await page.get_by_role("combobox", name="State of runs").click()
    await page.get_by_role("option", name="partly delivered").click()
    await expect(again).to_have_count(0)
    await expect(missed).to_be_visible()


async def _made(clerk: Clerk, **fields: Any) -> dict[str, Any]:
    return dict(await clerk.call("POST", "/schedules", a_schedule(**fields)))


def previewed(page: Page) -> Locator:
    return page.get_by_role("list", name="The next five runs").get_by_role("listitem")


def schedules(page: Page) -> Locator:
    return page.get_by_role("list", name="Schedules").get_by_role("listitem")


def runs(page: Page) -> Locator:
    """Not the recipients in them."""
    return page.get_by_role("list", name="Runs").locator("> li")
