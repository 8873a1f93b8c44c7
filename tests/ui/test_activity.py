"""Activity: from a fact, or from a message, to everything that came of it; what failed is found and sent again."""

from __future__ import annotations

import re
from uuid import UUID

from playwright.async_api import expect

from tests.support.pipeline import add_person, add_rule, emit
from tests.ui.house import House
from tidings.spine.access.identity import Role

_HELD = "UPDATE tidings.deliveries SET status = 'held' WHERE tenant = $1"
_STATUS = "SELECT status FROM tidings.deliveries_finished WHERE tenant = $1"


async def paid(house: House, **person: str) -> UUID:
    """Somebody who can be told, a rule that tells them, one that does not, and the fact."""
    await add_person(house.owner, tenant=house.tenant, **(person or {"push": "a-token-of-a-device"}))
    channel = "email" if "email" in person else "push"
    await add_rule(house.owner, tenant=house.tenant, name="Orders", channels=[channel], category="orders")
    large = {"field": "total", "greater": 100}
    await add_rule(house.owner, tenant=house.tenant, name="Large orders", conditions=large, category="orders")
    return await emit(house.owner, tenant=house.tenant, total=40)


async def test_a_trace_is_opened_from_a_fact_and_shows_the_way_to_the_receipt(house: House) -> None:
    await paid(house)
    page = await house.visitor()
    await page.goto("/activity")
    await page.get_by_label("Type", exact=True).fill("order.*")
    await expect(page).to_have_url(re.compile(r"type=order"))
    await page.get_by_role("link", name="order.paid").click()
    await expect(page.get_by_role("heading", name="order.paid")).to_be_visible()
    steps = page.get_by_role("list", name="What came of the fact, step by step")
    await expect(steps).to_contain_text("total is 40, not greater than 100")
    await expect(steps).to_contain_text("Sent through sandbox")
    await steps.get_by_role("button", name=re.compile("^Delivery push to The owner")).click()
    await expect(page.get_by_role("dialog")).to_contain_text("sandbox:")
    await expect(page).to_have_url(re.compile("delivery="))


async def test_a_trace_is_read_by_keyboard(house: House) -> None:
    fact = await paid(house)
    page = await house.visitor()
    await page.goto(f"/activity/{fact}")
    rule = page.get_by_role("button", name=re.compile("^Rule Large orders"))
    await rule.focus()
    await page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog")
    await expect(drawer).to_contain_text("total is 40, not greater than 100")
    await expect(drawer.get_by_role("link", name="Open the rule")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(drawer).to_have_count(0)
    await expect(rule).to_be_focused()


async def test_a_trace_is_opened_from_a_delivery(house: House) -> None:
    await paid(house)
    page = await house.visitor()
    await page.goto("/activity/deliveries")
    await page.get_by_role("button", name="Open push to The owner").click()
    await page.get_by_role("dialog").get_by_role("link", name="Its trace").click()
    await expect(page.get_by_role("heading", name="order.paid")).to_be_visible()


async def test_a_failed_delivery_is_found_understood_and_sent_again(house: House) -> None:
    await paid(house, email="guest+reject@example.org")
    page = await house.visitor()
    await page.goto("/activity/deliveries")
    await page.get_by_role("combobox", name="State").click()
    await page.get_by_role("option", name="failed").click()
    await expect(page).to_have_url(re.compile("status=failed"))
    await page.get_by_role("button", name="Open email to The owner").click()
    drawer = page.get_by_role("dialog")
    await expect(drawer).to_contain_text("the sandbox was asked to reject it")
    attempts = drawer.get_by_text("refused", exact=True)
    await expect(attempts).to_have_count(1)
    await drawer.get_by_role("button", name="Send again").click()
    await expect(page.get_by_text("It is tried again now.")).to_be_visible()
    await expect(attempts).to_have_count(2)


async def test_all_that_failed_is_sent_again_at_once(house: House) -> None:
    await paid(house, email="guest+reject@example.org")
    page = await house.visitor()
    await page.goto("/activity/deliveries?status=failed")
    await expect(page.get_by_role("button", name="Open email to The owner")).to_be_visible()
    await page.get_by_role("button", name="Retry failed…").click()
    asking = page.get_by_role("dialog")
    await asking.get_by_label("Only where the error contains").fill("asked to reject")
    await asking.get_by_role("button", name="Send again").click()
    await expect(page.get_by_text("One is sent again.")).to_be_visible()


async def test_what_may_have_arrived_is_settled_by_somebody_who_looked(house: House) -> None:
    await paid(house, email="guest+wait@example.org")
    page = await house.visitor()
    await page.goto("/activity/deliveries")
    await expect(page.get_by_role("row").filter(has_text="retrying")).to_be_visible()
    await house.owner.execute(_HELD, house.tenant)
    await page.goto("/activity/deliveries?status=unknown")
    await page.get_by_role("button", name="Open email to The owner").click()
    await page.get_by_role("button", name="Settle…").click()
    asking = page.get_by_role("dialog", name="Settle this delivery")
    await expect(asking.get_by_role("button", name="Settle as sent")).to_be_disabled()
    await asking.get_by_label("How you know").fill("seen in the provider's log")
    await asking.get_by_role("button", name="Settle as sent").click()
    await expect(page.get_by_text("It is settled as sent.")).to_be_visible()
    assert await house.owner.fetchval(_STATUS, house.tenant) == "sent"


async def test_why_somebody_did_not_get_it_is_asked_from_the_trace(house: House) -> None:
    fact = await paid(house)
    await add_person(house.owner, "The cook", house.tenant)
    page = await house.visitor()
    await page.goto(f"/activity/{fact}")
    await page.get_by_role("combobox", name="Why did they (not) get it?").fill("The c")
    await page.get_by_role("option", name="The cook").click()
    await expect(page.get_by_role("heading", name="The cook did not get it")).to_be_visible()
    await expect(page.get_by_text("A condition was not met")).to_be_visible()
    await expect(page.get_by_role("link", name="The rule").first).to_be_visible()


async def test_why_is_answered_over_a_time_with_the_preference_that_decided(house: House) -> None:
    who = await add_person(house.owner, "The manager", house.tenant, external_id="m-1", email="manager@example.com")
    await house.owner.execute(
        "INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted) VALUES ($1, $2, $3, $4, false)",
        *(house.tenant, who, "orders", "email"),
    )
    await paid(house, email="owner@example.com")
    page = await house.visitor()
    await page.goto("/activity/why")
    await page.get_by_role("combobox", name="Person").fill("m-1")
    await page.get_by_role("option", name=re.compile("The manager")).click()
    await page.get_by_role("button", name="Ask").click()
    await expect(page.get_by_text("Not wanted", exact=True)).to_be_visible()
    await expect(page.get_by_role("link", name="Their preferences")).to_have_attribute("href", re.compile(str(who)))


async def test_a_member_sees_the_fact_and_not_whom_it_was_told(house: House) -> None:
    fact = await paid(house)
    page = await house.visitor(Role.MEMBER)
    await page.goto("/activity")
    await expect(page.get_by_role("tab", name="Deliveries")).to_have_count(0)
    await page.goto(f"/activity/{fact}")
    await expect(page.get_by_role("heading", name="What it caused is for admins")).to_be_visible()


async def test_on_a_phone_the_trace_is_a_list_that_fits(house: House) -> None:
    fact = await paid(house)
    page = await house.visitor(phone=True)
    await page.goto(f"/activity/{fact}")
    await expect(page.get_by_role("list", name="What came of the fact, step by step")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
