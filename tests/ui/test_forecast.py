"""The forecast: a calendar of what will go out, by one's own clock and by that of whom it is for."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from playwright.async_api import expect

from tests.support.pipeline import add_person, add_rule, emit
from tests.ui.house import House

_LATER = "SELECT tidings.schedule('reminder.send', '{}', run_at => $2, tenant => $1)"
_VIENNA = ZoneInfo("Europe/Vienna")


async def scheduled(house: House, days: int) -> datetime:
    """At noon in Vienna, so many days from now."""
    day = datetime.now(_VIENNA).date() + timedelta(days=days)
    noon = datetime.combine(day, time(12), _VIENNA)
    await house.owner.execute(_LATER, house.tenant, noon)
    return noon


async def test_an_empty_calendar_says_what_would_be_in_it(house: House) -> None:
    page = await house.visitor()
    await page.goto("/forecast")
    await expect(page.get_by_role("heading", name="Nothing is planned")).to_be_visible()


async def test_a_day_is_opened_and_what_goes_out_has_its_time(house: House) -> None:
    noon = await scheduled(house, 3)
    page = await house.visitor()
    await page.goto("/forecast?days=7")
    await page.get_by_role("button", name=re.compile(f"{noon:%A} {noon.day} {noon:%B}")).click()
    await expect(page).to_have_url(re.compile(f"day={noon:%Y-%m-%d}"))
    drawer = page.get_by_role("dialog")
    await expect(drawer).to_contain_text("12:00")
    await drawer.get_by_role("link", name="reminder.send").click()
    await expect(page).to_have_url(re.compile("/outbox"))


async def test_what_waits_for_quiet_hours_shows_the_time_of_whom_it_is_for(house: House) -> None:
    tokyo = datetime.now(ZoneInfo("Asia/Tokyo"))
    hours = [(tokyo + timedelta(hours=shift)).time() for shift in (-1, 2)]
    quiet: dict[str, Any] = dict(zip(("quiet_from", "quiet_until"), hours, strict=True))
    await add_person(house.owner, tenant=house.tenant, push="token", timezone="Asia/Tokyo", **quiet)
    await add_rule(house.owner, tenant=house.tenant)
    await emit(house.owner, tenant=house.tenant)
    page = await house.visitor()
    due = (datetime.now(UTC) + timedelta(hours=2)).astimezone(_VIENNA)
    await page.goto(f"/forecast?day={due:%Y-%m-%d}")
    drawer = page.get_by_role("dialog")
    await expect(drawer).to_contain_text("Order 7 is paid", timeout=20_000)
    await expect(drawer).to_contain_text("in Asia/Tokyo")


async def test_on_a_phone_the_days_are_a_list_that_fits(house: House) -> None:
    noon = await scheduled(house, 5)
    page = await house.visitor(phone=True)
    await page.goto("/forecast")
    await page.get_by_role("button", name=re.compile(f"{noon:%A} {noon.day} {noon:%B}")).click()
    await expect(page.get_by_role("dialog")).to_contain_text("12:00")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
