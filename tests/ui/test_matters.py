"""A notice that several hold: the first to act settles it, on every screen, without a reload."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.ui.axe import complaints
from tests.ui.house import House
from tests.ui.tables import PATIENCE, TOKYO, VIENNA, in_days, laid, request, said, wall

BY_HOST = re.compile(r"Handled by The host: confirmed, \d\d:\d\d")


async def test_two_hold_a_notice_and_what_the_first_does_the_other_sees_without_a_reload(house: House) -> None:
    table = await laid(house)
    host, waiter = await table.host(), await table.host("The waiter")
    for page in (host, waiter, table.manager):
        await page.goto("/inbox")
    await table.asked(note="A table by the window")
    for page in (host, waiter, table.manager):
        await expect(request(page)).to_contain_text("shared", timeout=PATIENCE)
        await expect(request(page).get_by_role("button", name="Reject")).to_be_visible()
    assert await complaints(host) == []

    await request(host).get_by_role("button", name="Confirm").click()
    await expect(request(host)).to_contain_text(re.compile(r"Handled by you: confirmed, \d\d:\d\d"))
    for page in (waiter, table.manager):
        await expect(request(page).get_by_role("status")).to_contain_text(BY_HOST)
    for page in (host, waiter, table.manager):
        await expect(request(page).get_by_role("button", name="Confirm")).to_have_count(0)
        await expect(request(page).get_by_role("button", name="Other…")).to_have_count(0)
    await expect(request(waiter)).to_contain_text("read by The host")  # the admins' notice is another
    assert await complaints(table.manager) == []


async def test_who_comes_too_late_is_told_in_place_and_both_are_on_record(house: House) -> None:
    table = await laid(house)
    host = await table.host()
    reservation = await table.asked()
    await host.goto("/inbox")
    await expect(request(host)).to_be_visible(timeout=PATIENCE)
    await host.route_web_socket(re.compile("/v1/ws"), lambda socket: None)  # it hears of nothing
    await host.reload()
    await expect(request(host)).to_be_visible()
    await table.manager.goto(f"/reservations/{reservation['id']}")
    decision = table.manager.get_by_role("region", name="What is to be decided")
    await decision.get_by_role("button", name="Reject").click()
    await expect(table.manager.get_by_text(re.compile("Handled by you: rejected"))).to_be_visible()

    await request(host).get_by_role("button", name="Confirm").click()
    await expect(request(host).get_by_role("status")).to_contain_text("Handled by The manager: rejected")
    await expect(request(host)).to_contain_text("Somebody was quicker")
    await expect(request(host).get_by_role("button", name="Confirm")).to_have_count(0)
    await request(host).get_by_role("button", name="Who acted").click()
    acted = host.get_by_role("list", name="Who acted").get_by_role("listitem")
    await expect(acted).to_have_text(
        [re.compile("the first.*rejected by The manager"), re.compile("too late.*confirmed by you")]
    )
    await expect(host).to_have_url(re.compile("tried="))


async def test_another_time_is_proposed_by_the_restaurants_clocks_and_the_customer_accepts(house: House) -> None:
    table = await laid(house, "Asia/Tokyo")
    reservation = await table.asked()
    customer = await table.customer()
    await customer.goto("/inbox")
    await table.manager.goto("/inbox")
    await request(table.manager).get_by_role("button", name="Propose another time…").click(timeout=PATIENCE)
    dialog = table.manager.get_by_role("dialog")
    await dialog.get_by_role("button", name="Propose it").click()
    await expect(dialog.get_by_text("Which time do you propose?")).to_be_visible()
    await expect(dialog.get_by_text("By the clocks there, in Asia/Tokyo")).to_be_visible()
    await dialog.get_by_label("Time").fill(wall(in_days(-3, TOKYO)))
    await dialog.get_by_role("button", name="Propose it").click()
    await expect(dialog.get_by_text("Must lie ahead.")).to_be_visible()
    later = in_days(10, TOKYO, hour=20)
    await dialog.get_by_label("Time").fill(wall(later))
    await expect(dialog.get_by_text(f"For you: {said(later)} (Europe/Vienna)")).to_be_visible()
    assert await complaints(table.manager) == []
    await dialog.get_by_role("button", name="Propose it").click()
    await expect(dialog).to_be_hidden()
    await expect(request(table.manager)).to_contain_text("Handled by you: another time was proposed")
    await expect(request(table.manager)).to_contain_text(f"{said(later, TOKYO)} in Asia/Tokyo")

    await table.manager.goto(f"/reservations/{reservation['id']}")
    about = table.manager.get_by_role("region", name="What is asked for")
    await expect(about).to_contain_text("other time proposed")
    await expect(about).to_contain_text(f"{said(later, TOKYO)} in Asia/Tokyo")
    asked = request(customer, "The Anchor proposes another time")
    await asked.get_by_role("button", name="Confirm").click(timeout=PATIENCE)
    await expect(asked).to_contain_text("Handled by you: confirmed")
    await expect(about).to_contain_text("confirmed")
    await expect(about).to_contain_text(said(later, VIENNA))
    decided = table.manager.get_by_role("region", name="What was decided")
    await expect(decided).to_contain_text("Handled by The guest: confirmed")
    await expect(decided.get_by_role("button")).to_have_count(0)


async def test_what_was_done_otherwise_is_said_in_a_note(house: House) -> None:
    table = await laid(house)
    reservation = await table.asked()
    page = table.manager
    await page.goto("/inbox")
    await request(page).get_by_role("button", name="Other…").click(timeout=PATIENCE)
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Settle it").click()
    await expect(dialog.get_by_text("Say what was done.")).to_be_visible()
    await dialog.get_by_label("What was done").fill("They came by, and we found a table.")
    await dialog.get_by_role("button", name="Settle it").click()
    await expect(request(page).get_by_role("status")).to_contain_text("dealt with otherwise")
    await expect(request(page)).to_contain_text("“They came by, and we found a table.”")

    await request(page).get_by_role("link", name=re.compile("^Open")).click()
    await expect(page).to_have_url(re.compile(f"/reservations/{reservation['id']}$"))
    await expect(page.get_by_text("the customer has no answer yet")).to_be_visible()
    await page.get_by_role("button", name="Ask again…").click()
    await page.get_by_role("dialog").get_by_role("button", name="Ask again").click()
    decision = page.get_by_role("region", name="What is to be decided")
    await decision.get_by_role("button", name="Confirm").click(timeout=PATIENCE)
    await expect(page.get_by_role("region", name="What was decided")).to_contain_text("Handled by you: confirmed")


async def test_what_cannot_be_is_taken_back_and_says_why(house: House) -> None:
    table = await laid(house)
    reservation = await table.asked()
    page = table.manager
    await page.goto("/inbox")
    await expect(request(page).get_by_role("button", name="Confirm")).to_be_visible(timeout=PATIENCE)
    await house.owner.execute(
        "UPDATE tidings.reservations SET reserved_for = now() - interval '1 hour' WHERE id = $1", reservation["id"]
    )
    await request(page).get_by_role("button", name="Confirm").click()
    await expect(request(page).get_by_role("alert")).to_contain_text("Its time has passed")
    await expect(request(page).get_by_role("button", name="Confirm")).to_be_visible()
    await request(page).get_by_role("button", name="Dismiss").click()
    await expect(request(page)).to_contain_text("Handled by you: dismissed")


async def test_an_inbox_is_filtered_and_read_and_what_is_shared_is_read_for_all(house: House) -> None:
    table = await laid(house)
    host, page = await table.host(), await table.host("The waiter")
    await page.goto("/inbox?matters=waiting")
    await expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    first = await table.asked(partySize=3)
    await table.asked(partySize=5)
    articles = page.get_by_role("article")
    await expect(articles).to_have_count(2, timeout=PATIENCE)
    await expect(page).to_have_title(re.compile(r"Inbox \(2\)"))
    await request(page, "for 3 on").get_by_role("button", name="Confirm").click()
    await expect(articles).to_have_count(1)
    await expect(page).to_have_title(re.compile(r"Inbox \(1\)"))

    await page.get_by_role("combobox", name="What is to be done").click()
    await page.get_by_role("option", name="Handled").click()
    await expect(page).to_have_url(re.compile("matters=handled"))
    await expect(articles).to_contain_text("Handled by you")
    await page.get_by_role("combobox", name="Level").click()
    await page.get_by_role("option", name="critical").click()
    await expect(page.get_by_role("heading", name="Nothing of the kind")).to_be_visible()
    await page.goto("/inbox?category=reservations&shelf=unread")
    await expect(articles).to_have_count(1)
    await expect(page.get_by_role("combobox", name="Category")).to_have_value("reservations")

    await host.goto("/inbox")
    await expect(host.get_by_role("article")).to_have_count(2, timeout=PATIENCE)
    await expect(host).to_have_title(re.compile(r"Inbox \(1\)"))
    await host.get_by_role("button", name="Mark all as read").click()
    await expect(host.get_by_role("alert").filter(has_text="1 notification is read now.")).to_be_visible()
    await expect(host).to_have_title(re.compile(r"^Inbox ·"))
    await expect(articles).to_have_count(0)  # it was read for all
    await page.goto("/inbox?matters=waiting")
    await expect(request(page)).to_contain_text("read by The host")
    await request(page).get_by_role("button", name="Mark as unread").click()
    await expect(host).to_have_title(re.compile(r"Inbox \(1\)"))
    assert first["status"] == "requested"
