"""Events in two browsers: made, joined, moved, announced, left and cancelled, with the process on a real Temporal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import Locator, Page, expect

from tests.support.pipeline import add_person
from tests.support.postgres import Server
from tests.support.temporal import DevServer
from tests.ui.axe import complaints
from tests.ui.clerk import Clerk
from tests.ui.house import House, Stack, on_temporal, running
from tidings.spine.access.identity import Role

TOKYO, VIENNA = ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/Vienna")
PATIENCE = 20_000
_SLOW = """INSERT INTO tidings.providers (tenant, channel, type, name, rate, rate_period)
    VALUES ($1, 'email', 'sandbox', 'a slow one', 1, interval '2 seconds')"""


@pytest.fixture(scope="module")
def stack(postgres_18: Server, temporal_server: DevServer) -> Iterator[Stack]:
    """With Temporal, whose ids of processes others use too."""
    with postgres_18.database() as url, running(url, on_temporal(temporal_server.address)) as stack:
        yield stack


async def test_an_event_is_made_joined_elsewhere_and_moved_and_reminders_move_without_a_reload(apart: House) -> None:
    organiser = await apart.visitor(Role.MEMBER, person="The organiser")
    guest = await apart.visitor(Role.MEMBER, person="The guest")
    start = _in_days(10, TOKYO, hour=20)
    await organiser.goto("/events")
    await expect(organiser.get_by_role("heading", name="Nothing is planned")).to_be_visible()
    await organiser.get_by_role("link", name="New event").first.click()
    await organiser.get_by_role("button", name="Create").click()
    await expect(organiser.get_by_text("What is it called?")).to_be_visible()
    await expect(organiser.get_by_text("When does it start?")).to_be_visible()
    await organiser.get_by_label("Name").fill("Call with Tokyo")
    await organiser.get_by_role("combobox", name="Timezone").fill("tokyo")
    await organiser.get_by_role("option", name="Asia/Tokyo").click()
    await organiser.get_by_label("Start").fill(_wall(start))
    await expect(organiser.get_by_text(f"For you: {_said(start)} (Europe/Vienna)")).to_be_visible()
    assert await complaints(organiser) == []
    await organiser.get_by_role("button", name="Create").click()
    await expect(organiser.get_by_role("heading", level=1, name="Call with Tokyo")).to_be_visible()

    await guest.goto("/events")
    row = guest.get_by_role("list", name="Events").get_by_role("listitem")
    await expect(row).to_contain_text(_said(start))
    await expect(row).to_contain_text(f"{_said(start, TOKYO)} in Asia/Tokyo")
    await row.get_by_role("link", name="Call with Tokyo").click()
    await guest.get_by_role("button", name="Join", exact=True).click()
    reminders = guest.get_by_role("list", name="My reminders").get_by_role("listitem")
    await expect(reminders).to_have_count(2)
    await expect(reminders.first).to_contain_text(_said(start - timedelta(days=1)))
    await expect(reminders.last).to_contain_text(_said(start - timedelta(hours=1)))
    await expect(guest.get_by_role("region", name="Subscribers")).to_have_count(0)

    await expect(organiser.get_by_role("list", name="Subscribers")).to_contain_text("The guest")
    await organiser.get_by_role("link", name="Change").click()
    later = start + timedelta(hours=1, minutes=30)
    await organiser.get_by_label("Start").fill(_wall(later))
    note = organiser.get_by_role("status").filter(has_text="When you save this")
    await expect(note).to_contain_text("moves 1 hour 30 minutes later")
    await expect(note).to_contain_text("1 subscriber is told that the start changed")
    await organiser.get_by_role("button", name="Save").click()
    await expect(organiser.get_by_role("heading", level=1, name="Call with Tokyo")).to_be_visible()
    await expect(reminders.first).to_contain_text(_said(later - timedelta(days=1)))
    await expect(reminders.last).to_contain_text(_said(later - timedelta(hours=1)))

    said = organiser.get_by_role("list", name="What was said")
    await expect(said).to_contain_text("a change", timeout=PATIENCE)
    await guest.goto("/inbox")
    told = guest.get_by_role("article").filter(has_text="Event update: Call with Tokyo")
    await expect(told).to_have_count(1, timeout=PATIENCE)


async def test_an_announcement_is_watched_as_its_totals_grow(apart: House) -> None:
    organiser = await apart.visitor(Role.MEMBER, person="The organiser")
    event = await _event(organiser)
    await apart.owner.execute(_SLOW, apart.tenant)
    admin = Clerk(await apart.visitor())
    for name in ("first", "second", "third"):
        person = await add_person(apart.owner, tenant=apart.tenant, name=name, email=f"{name}@example.com")
        await admin.call("POST", f"/events/{event}/subscriptions", {"personId": str(person)})
    await organiser.goto(f"/events/{event}")
    runs = organiser.get_by_role("region", name="How it runs")
    await expect(runs.get_by_role("status")).to_contain_text("running", timeout=PATIENCE)

    await organiser.get_by_role("button", name="Announce…").click()
    writing = organiser.get_by_role("dialog")
    await writing.get_by_role("button", name="Announce").click()
    await expect(writing.get_by_text("What is it about?")).to_be_visible()
    await writing.get_by_label("Title").fill("Bring a coat")
    await writing.get_by_label("What you say").fill("It will be cold.")
    await writing.get_by_text("warning", exact=True).click()
    await expect(writing.get_by_text("3 people are told.")).to_be_visible()
    assert await complaints(organiser) == []
    await writing.get_by_role("button", name="Announce").click()
    await expect(writing).to_be_hidden()

    await organiser.get_by_role("button", name="Bring a coat").click(timeout=PATIENCE)
    drawer = organiser.get_by_role("dialog")
    await expect(_total(drawer, "All")).to_have_text("3")
    await expect(_total(drawer, "Under way")).to_have_text(re.compile("1|2"), timeout=PATIENCE)
    await expect(_total(drawer, "Delivered")).to_have_text("3", timeout=PATIENCE)
    await expect(_total(drawer, "Under way")).to_have_text("0")
    results = drawer.get_by_role("list", name="What became of it, by subscriber").get_by_role("listitem")
    await expect(results).to_have_count(3)
    assert await complaints(organiser) == []
    await drawer.get_by_role("combobox", name="What became of it").click()
    await organiser.get_by_role("option", name="failed").click()
    await expect(organiser).to_have_url(re.compile("result=failed"))
    await expect(drawer.get_by_role("heading", name="Nobody here")).to_be_visible()


async def test_some_are_told_and_one_is_taken_off_the_list(apart: House) -> None:
    page = await apart.visitor(person="The organiser")
    event = await _event(page)
    for name in ("first", "second"):
        person = await add_person(apart.owner, tenant=apart.tenant, name=name, email=f"{name}@example.com")
        await Clerk(page).call("POST", f"/events/{event}/subscriptions", {"personId": str(person)})
    await page.goto(f"/events/{event}")
    await page.get_by_role("button", name="Announce…").click()
    writing = page.get_by_role("dialog")
    await writing.get_by_label("Title").fill("For you alone")
    await writing.get_by_label("What you say").fill("The key is under the stone.")
    await writing.get_by_text("some of them").click()
    await writing.get_by_role("button", name="Announce").click()
    await expect(writing.get_by_text("Choose somebody, or tell all.")).to_be_visible()
    await writing.get_by_role("combobox", name="Whom").click()
    await page.get_by_role("option", name="second").click()
    await page.keyboard.press("Tab")
    await expect(writing.get_by_text("1 person is told.")).to_be_visible()
    await writing.get_by_role("button", name="Announce").click()
    await page.get_by_role("button", name="For you alone").click(timeout=PATIENCE)
    drawer = page.get_by_role("dialog")
    await expect(_total(drawer, "All")).to_have_text("1")
    await expect(_total(drawer, "Delivered")).to_have_text("1", timeout=PATIENCE)
    await expect(drawer.get_by_role("list")).to_contain_text("second")
    await page.keyboard.press("Escape")

    await page.get_by_role("button", name="Remove first…").click()
    await expect(page.get_by_role("dialog")).to_contain_text("their reminders are removed")
    await page.get_by_role("button", name="Take off the list").click()
    await expect(page.get_by_role("list", name="Subscribers").get_by_role("listitem")).to_have_count(1)


async def test_offsets_are_chosen_a_reminder_is_asked_for_and_one_leaves(apart: House) -> None:
    event = await _event(await apart.visitor(person="The organiser"))
    page = await apart.visitor(Role.MEMBER, person="The guest")
    await page.goto(f"/events/{event}")
    await page.get_by_role("button", name="Join", exact=True).click()
    mine = page.get_by_role("region", name="You have joined")
    await mine.get_by_text("1 day before").first.click()
    await mine.get_by_text("10 minutes before").click()
    await mine.get_by_label("Another", exact=True).fill("2")
    await mine.get_by_role("button", name="Add").click()
    await expect(mine.get_by_text("Not saved yet")).to_be_visible()
    await mine.get_by_role("button", name="Save").click()
    reminders = mine.get_by_role("list", name="My reminders").get_by_role("listitem")
    await expect(reminders).to_have_text(
        [re.compile("2 hours before"), re.compile("1 hour before"), re.compile("10 minutes before")]
    )
    assert await complaints(page) == []

    await mine.get_by_role("button", name="Remind me").click()
    await page.get_by_role("menuitem", name="In 1 hour").click()
    await expect(reminders).to_have_count(4)
    await expect(reminders.first).to_contain_text("Remind me, in")
    await mine.get_by_role("button", name=re.compile("Remove the reminder of")).click()
    await expect(reminders).to_have_count(3)

    for offset in ("2 hours before", "1 hour before", "10 minutes before"):
        await mine.get_by_role("checkbox", name=offset).press("Space")
    await expect(mine.get_by_text("No reminders. You still hear of changes")).to_be_visible()
    await mine.get_by_role("button", name="Save").click()
    await expect(mine.get_by_text("None to come.")).to_be_visible()

    await mine.get_by_role("button", name="Leave…").click()
    await page.get_by_role("button", name="Leave", exact=True).click()
    await expect(page.get_by_role("button", name="Join", exact=True)).to_be_visible()


async def test_an_event_is_cancelled_for_everybody_who_looks(apart: House) -> None:
    organiser = await apart.visitor(Role.MEMBER, person="The organiser")
    guest = await apart.visitor(Role.MEMBER, person="The guest")
    event = await _event(organiser)
    await guest.goto(f"/events/{event}")
    await guest.get_by_role("button", name="Join", exact=True).click()
    await expect(guest.get_by_role("list", name="My reminders").get_by_role("listitem")).to_have_count(2)
    await organiser.goto(f"/events/{event}")
    await organiser.get_by_role("button", name="Cancel the event…").click()
    asked = organiser.get_by_role("dialog")
    await expect(asked).to_contain_text("1 subscriber is told at once")
    await asked.get_by_role("button", name="Cancel the event").click()
    await expect(guest.get_by_text("No more reminders: the event is cancelled.")).to_be_visible()
    await expect(organiser.get_by_role("button", name="Announce…")).to_have_count(0)
    await expect(organiser.get_by_role("list", name="What was said")).to_contain_text("critical", timeout=PATIENCE)
    await expect(organiser.get_by_role("region", name="How it runs").get_by_role("status")).to_contain_text(
        "ended", timeout=PATIENCE
    )


async def test_who_was_slower_chooses_what_to_keep(apart: House) -> None:
    page = await apart.visitor(Role.MEMBER, person="The organiser")
    event = await _event(page)
    await page.goto(f"/events/{event}/edit")
    await page.get_by_label("Location").fill("The hall")
    await Clerk(page).call("PATCH", f"/events/{event}", {"name": "Autumn party"})
    await page.get_by_role("button", name="Save").click()
    meanwhile = page.get_by_role("alert").filter(has_text="Somebody changed this event meanwhile")
    await expect(meanwhile).to_be_visible()
    await meanwhile.get_by_role("button", name="Keep mine").click()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("heading", level=1, name="Autumn party", exact=True)).to_be_visible()
    await expect(page.get_by_role("region", name="What it is")).to_contain_text("The hall")


async def test_the_hour_that_is_missing_and_the_one_that_repeats_are_told(apart: House) -> None:
    page = await apart.visitor(person="The organiser")
    await page.goto("/events/new")
    year = datetime.now(UTC).year + 1
    missing, twice = _last_sunday(year, 3), _last_sunday(year, 10)
    await page.get_by_label("Start").fill(f"{missing}T02:30")
    await expect(page.get_by_text("leap over 02:30 that night")).to_contain_text("03:00 (GMT+2)")
    await page.get_by_label("Start").fill(f"{twice}T02:30")
    which = page.get_by_role("radiogroup", name="Start: the first or the second 02:30?")
    await which.get_by_label("The second: 02:30, GMT+1 (01:30 UTC)").check()
    await page.get_by_label("Name").fill("Night shift")
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", level=1, name="Night shift")).to_be_visible()
    (made,) = await Clerk(page).call("GET", "/events")
    assert datetime.fromisoformat(made["startsAt"]) == datetime.fromisoformat(f"{twice}T01:30:00+00:00")


async def test_a_calendar_of_ones_own_is_made_read_replaced_and_revoked(apart: House) -> None:
    page = await apart.visitor(Role.MEMBER, person="The guest")
    event = await _event(page)
    await Clerk(page).call("POST", f"/events/{event}/subscriptions", {})
    await page.goto("/events")
    await page.get_by_role("button", name="My calendar…").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Make an address").click()
    address = await dialog.get_by_label("The address of your calendar").input_value()
    read = await page.request.get(address)
    assert "SUMMARY:Summer party" in await read.text()
    await dialog.get_by_role("button", name="Done").click()
    await page.get_by_role("button", name="My calendar…").click()
    await expect(dialog).to_contain_text("Last readnow")
    await dialog.get_by_role("button", name="Replace…").click()
    await page.get_by_role("button", name="Replace it").click()
    assert await dialog.get_by_label("The address of your calendar").input_value() != address
    assert (await page.request.get(address)).status == 404
    await dialog.get_by_role("button", name="Done").click()
    await page.get_by_role("button", name="My calendar…").click()
    await dialog.get_by_role("button", name="Revoke…").click()
    await page.get_by_role("button", name="Revoke it").click()
    await expect(dialog.get_by_role("button", name="Make an address")).to_be_visible()


async def test_an_event_goes_into_a_calendar_as_a_file(apart: House) -> None:
    page = await apart.visitor(Role.MEMBER, person="The organiser")
    event = await _event(page)
    await page.goto(f"/events/{event}")
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="For my calendar (.ics)").click()
    download = await downloading.value
    assert download.suggested_filename == f"event-{event}.ics"
    assert "SUMMARY:Summer party" in (await download.path()).read_text()


async def test_a_login_that_is_nobodys_sees_and_hears_what_to_do(apart: House) -> None:
    event = await _event(await apart.visitor(person="The organiser"))
    member = await apart.visitor(Role.MEMBER)
    await member.goto("/events")
    await expect(member.get_by_role("note")).to_contain_text("An admin of this tenant can link your login")
    await expect(member.get_by_role("link", name="Summer party")).to_be_visible()
    await expect(member.get_by_role("link", name="New event")).to_have_count(0)
    await member.goto(f"/events/{event}")
    await expect(member.get_by_role("note")).to_contain_text("none of them is you")
    await expect(member.get_by_role("button", name="Join", exact=True)).to_have_count(0)
    assert await complaints(member) == []

    admin = await apart.visitor()
    await admin.goto("/events/new")
    await admin.get_by_label("Name").fill("For the organiser")
    await admin.get_by_label("Start").fill(_wall(_in_days(5, VIENNA, hour=18)))
    await admin.get_by_role("button", name="Create").click()
    await expect(admin.get_by_text("Who organises it?")).to_be_visible()
    await admin.get_by_role("combobox", name="Organiser").fill("The org")
    await admin.get_by_role("option", name="The organiser").click()
    await admin.get_by_role("button", name="Create").click()
    await expect(admin.get_by_role("heading", level=1, name="For the organiser")).to_be_visible()
    await expect(admin.get_by_role("region", name="What it is")).to_contain_text("The organiser")


async def test_what_is_past_joined_and_organised_is_found(apart: House) -> None:
    page = await apart.visitor(person="The organiser")
    past, coming = await _event(page, name="Long ago"), await _event(page, name="Soon")
    await apart.owner.execute(
        "UPDATE tidings.events SET starts_at = now() - interval '3 days', ends_at = NULL WHERE id = $1", past
    )
    await Clerk(page).call("POST", f"/events/{coming}/subscriptions", {})
    await page.goto("/events")
    rows = page.get_by_role("list", name="Events").get_by_role("listitem")
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("joined")
    await page.get_by_text("Past", exact=True).click()
    await expect(rows).to_contain_text("Long ago")
    await page.get_by_text("Joined", exact=True).click()
    await expect(page.get_by_text("You have joined none of them.")).to_be_visible()
    await expect(page).to_have_url(re.compile("past=true"))


async def _event(page: Page, name: str = "Summer party", **more: Any) -> int:
    """In ten days, in Vienna; organised by who is signed in there."""
    start = _in_days(10, VIENNA, hour=18)
    body = {"name": name, "startsAt": start.isoformat(), "timezone": "Europe/Vienna", **more}
    return int((await Clerk(page).call("POST", "/events", body))["id"])


def _total(drawer: Locator, label: str) -> Locator:
    return drawer.locator(f"dt:text-is('{label}') + dd")


def _in_days(days: int, zone: ZoneInfo, hour: int) -> datetime:
    return (datetime.now(zone) + timedelta(days=days)).replace(hour=hour, minute=0, second=0, microsecond=0)


def _wall(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M")


def _said(moment: datetime, zone: ZoneInfo = VIENNA) -> str:
    """As the page says it in British English."""
    there = moment.astimezone(zone)
    month = "Sept" if there.month == 9 else there.strftime("%b")
    return f"{there:%a}, {there.day} {month} {there:%Y, %H:%M}"


def _last_sunday(year: int, month: int) -> str:
    day = datetime(year, month, 31, tzinfo=UTC)
    return (day - timedelta(days=(day.weekday() + 1) % 7)).strftime("%Y-%m-%d")
