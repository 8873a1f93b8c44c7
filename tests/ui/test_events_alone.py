"""Events while Temporal is away: reminders move all the same, and the page says how things stand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from playwright.async_api import expect

from tests.ui.clerk import Clerk
from tests.ui.house import House
from tidings.spine.access.identity import Role


async def test_without_temporal_reminders_move_and_the_page_says_what_waits(house: House) -> None:
    page = await house.visitor(Role.MEMBER, person="The organiser")
    clerk, start = Clerk(page), datetime.now(UTC) + timedelta(days=9)
    wanted = {"name": "Summer party", "startsAt": start.isoformat(), "timezone": "Europe/Vienna"}
    event = (await clerk.call("POST", "/events", wanted))["id"]
    await clerk.call("POST", f"/events/{event}/subscriptions", {})
    await page.goto(f"/events/{event}")
    runs = page.get_by_role("region", name="How it runs")
    await expect(runs.get_by_role("status")).to_have_text("not started yet")
    await expect(runs).to_contain_text("2 to come")

    first = page.get_by_role("list", name="My reminders").get_by_role("listitem").first
    before = await first.text_content()
    await clerk.call("PATCH", f"/events/{event}", {"startsAt": (start + timedelta(days=1)).isoformat()})
    await expect(first).not_to_have_text(before or "")

    await house.owner.execute("UPDATE tidings.processes SET started_at = now() WHERE id = $1", f"event-{event}")
    await page.reload()
    await expect(runs.get_by_role("status")).to_have_text("Temporal cannot be reached")
    await expect(runs).to_contain_text("Reminders go out all the same")
