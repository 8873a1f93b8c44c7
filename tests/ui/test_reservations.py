"""Reservations on their pages: asked for, followed as they are told of, cancelled; restaurants, agencies, channels."""

from __future__ import annotations

import re
from datetime import timedelta

from playwright.async_api import Locator, Page, expect

from tests.ui.axe import complaints
from tests.ui.clerk import Clerk
from tests.ui.house import House
from tests.ui.tables import PATIENCE, TOKYO, Table, in_days, laid, request, said, wall
from tidings.spine.access.identity import Role

LISTENER = "reservations.restaurant"


async def test_one_is_asked_for_its_history_fills_in_and_it_is_cancelled(house: House) -> None:
    table = await laid(house, "Asia/Tokyo")
    page, time = table.manager, in_days(9, TOKYO)
    host = await table.host()
    await page.goto("/reservations")
    await expect(page.get_by_role("heading", name="Nothing is reserved")).to_be_visible()
    await page.get_by_role("link", name="New reservation").first.click()
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_text("Who wants to come?")).to_be_visible()
    await expect(page.get_by_text("When do they want to come?")).to_be_visible()
    await page.get_by_role("combobox", name="Customer").fill("The host")
    await expect(page.get_by_text("Nobody of the type CUSTOMER")).to_be_visible()
    await page.get_by_role("combobox", name="Customer").fill("The g")
    await page.get_by_role("option", name="The guest").click()
    await page.get_by_label("How many").fill("5")
    await page.get_by_label("Time").fill(wall(time))
    await expect(page.get_by_text(f"For you: {said(time)} (Europe/Vienna)")).to_be_visible()
    await page.get_by_label("Note").fill("A high chair, please.")
    assert await complaints(page) == []
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", level=1, name="The guest at The Anchor")).to_be_visible()
    about = page.get_by_role("region", name="What is asked for")
    await expect(about).to_contain_text(said(time))
    await expect(about).to_contain_text(f"{said(time, TOKYO)} in Asia/Tokyo")

    happened = page.get_by_role("list", name="What happened")
    for told in ("Reservation request: The guest, 5", "Your request at The Anchor", "no agency has a part in it"):
        await expect(happened).to_contain_text(told, timeout=PATIENCE)
    await expect(happened).to_contain_text(re.compile(r"1 person · \d sent"), timeout=PATIENCE)
    await expect(happened.get_by_text("done", exact=True)).to_have_count(4)
    assert await complaints(page) == []

    await host.goto("/inbox")
    await expect(request(host).get_by_role("button", name="Confirm")).to_be_visible()
    await page.get_by_role("button", name="Cancel it…").click()
    await expect(page.get_by_role("dialog")).to_contain_text("This cannot be taken back")
    await page.get_by_role("dialog").get_by_role("button", name="Cancel the reservation").click()
    await expect(about).to_contain_text("cancelled")
    await expect(page.get_by_role("button", name="Cancel it…")).to_have_count(0)
    await expect(page.get_by_role("region", name="What was decided")).to_contain_text("withdrawn")
    await expect(happened).to_contain_text("Cancelled", timeout=PATIENCE)
    await expect(request(host).get_by_role("button", name="Confirm")).to_have_count(0)
    await expect(request(host, "Cancelled: The guest, 5")).to_have_count(1, timeout=PATIENCE)


async def test_what_the_server_refuses_stands_at_its_field(house: House) -> None:
    table = await laid(house)
    page = table.manager
    await page.goto("/reservations/new")
    await page.get_by_role("combobox", name="Customer").fill("The g")
    await page.get_by_role("option", name="The guest").click()
    await page.get_by_label("Time").fill(wall(in_days(3)))
    await table.clerk.call("PATCH", f"/people/{table.guest}", {"userType": "SOMEBODY"})
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_text("There is no such customer.")).to_be_visible()
    await page.get_by_role("link", name="Back").click()
    await page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    await expect(page.get_by_role("heading", level=1, name="Reservations")).to_be_visible()


async def test_a_list_is_narrowed_and_the_address_keeps_it(house: House) -> None:
    table = await laid(house)
    page = table.manager
    garden = await table.clerk.call("POST", "/restaurants", {"name": "The Garden", "timezone": "Asia/Tokyo"})
    await table.asked(partySize=2)
    off = await table.asked(partySize=3, restaurantId=garden["id"], time=in_days(20).isoformat())
    await table.clerk.call("POST", f"/reservations/{off['id']}/cancel")
    await page.goto("/reservations")
    rows = page.get_by_role("list", name="Reservations").get_by_role("listitem")
    await expect(rows).to_have_count(2)
    await expect(rows.first).to_contain_text(f"{said(in_days(20), TOKYO)} in Asia/Tokyo")
    await page.get_by_role("combobox", name="State").click()
    await page.get_by_role("option", name="requested").click()
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("waits for an answer")
    await page.get_by_role("combobox", name="Restaurant").click()
    await page.get_by_role("option", name="The Garden").click()
    await expect(page.get_by_role("heading", name="No such reservation")).to_be_visible()
    await page.goto(f"/reservations?restaurant={garden['id']}")
    await expect(rows).to_contain_text("The guest, 3 people")
    later = in_days(15).astimezone().isoformat().replace("+", "%2B")
    await page.goto(f"/reservations?since={later}")
    await expect(rows).to_have_count(1)
    await page.goto(f"/reservations?until={later}")
    await expect(rows).to_contain_text("The guest, 2 people")


async def test_a_listener_that_has_given_up_is_tried_again_from_there(house: House) -> None:
    table = await laid(house)
    page, reservation = table.manager, await table.asked()
    await page.goto(f"/reservations/{reservation['id']}")
    happened = page.get_by_role("list", name="What happened")
    await expect(happened.get_by_text("done", exact=True)).to_have_count(4, timeout=PATIENCE)
    await house.owner.execute(
        "UPDATE tidings.outbox_finished SET status = 'dead', attempts = 5, last_error = 'the kitchen is on fire' "
        "WHERE tenant = $1 AND kind LIKE '%' || $2",
        house.tenant,
        LISTENER,
    )
    await page.reload()
    await expect(happened).to_contain_text("the kitchen is on fire")
    await expect(happened).to_contain_text("5 attempts")
    assert await complaints(page) == []
    await happened.get_by_role("link", name="In the outbox").click()
    await expect(page.get_by_role("dialog")).to_contain_text("the kitchen is on fire")
    await page.go_back()
    await happened.get_by_role("button", name="Try again: Restaurant").click()
    await expect(happened.get_by_text("the kitchen is on fire")).to_have_count(0, timeout=PATIENCE)
    await expect(request_lines(page)).to_have_count(2)


async def test_restaurants_are_made_changed_and_deleted_unless_they_have_reservations(house: House) -> None:
    page = await house.visitor()
    await page.goto("/reservations")
    await expect(page.get_by_role("heading", name="Make a restaurant first")).to_be_visible()
    await page.get_by_role("link", name="New restaurant").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Create").click()
    await expect(dialog.get_by_text("What is it called?")).to_be_visible()
    await dialog.get_by_label("Name").fill("The Anchor")
    await dialog.get_by_role("combobox", name="Timezone").fill("tokyo")
    await page.get_by_role("option", name="Asia/Tokyo").click()
    await dialog.get_by_label("After minutes").fill("0")
    await dialog.get_by_role("button", name="Create").click()
    await expect(dialog.get_by_text("Minutes, from 1 to a week of them.")).to_be_visible()
    await dialog.get_by_label("After minutes").fill("90")
    assert await complaints(page) == []
    await dialog.get_by_role("button", name="Create").click()
    row = page.get_by_role("list", name="Restaurants").get_by_role("listitem")
    await expect(row).to_contain_text("escalated after 1 h 30 min, 2 times at most")

    await page.get_by_role("button", name="Edit The Anchor").click()
    await expect(page).to_have_url(re.compile("open="))
    await dialog.get_by_label("Name").fill("The Old Anchor")
    await dialog.get_by_role("switch", name="Tell admins where nobody acts").click()
    await dialog.get_by_role("button", name="Save").click()
    await expect(row).to_contain_text("never escalated")
    await page.get_by_role("link", name="Its people: The Old Anchor").click()
    await expect(page.get_by_role("dialog").get_by_role("heading", name="Members")).to_be_visible()

    clerk = Clerk(page)
    (made,) = await clerk.call("GET", "/restaurants")
    guest = await clerk.call("POST", "/people", {"name": "The guest", "userType": "CUSTOMER"})
    reservation = await Table(house, page, clerk, made, guest["id"]).asked()
    await page.goto(f"/reservations/restaurants?open={made['id']}")
    await dialog.get_by_role("button", name="Delete…").click()
    sure = page.get_by_role("dialog", name="Delete The Old Anchor?")
    await sure.get_by_role("button", name="Delete it").click()
    await expect(sure.get_by_role("alert")).to_have_text("It has reservations, and stays for them.")
    await house.owner.execute("DELETE FROM tidings.reservations WHERE id = $1", reservation["id"])
    await sure.get_by_role("button", name="Delete it").click()
    await expect(page.get_by_role("heading", name="No restaurants yet")).to_be_visible()


async def test_an_agency_is_made_and_an_id_that_is_taken_is_said_at_its_field(house: House) -> None:
    page = await house.visitor()
    await Clerk(page).call("POST", "/groups", {"externalId": "tours", "name": "Tours"})
    await page.goto("/reservations/agencies")
    await page.get_by_role("button", name="New agency").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("Tables & Tours")
    await dialog.get_by_label("External id").fill("tours")
    await dialog.get_by_role("button", name="Create").click()
    await expect(dialog.get_by_label("External id")).to_have_attribute("aria-invalid", "true")
    await dialog.get_by_label("External id").fill("tables")
    await dialog.get_by_role("button", name="Create").click()
    row = page.get_by_role("list", name="Agencies").get_by_role("listitem")
    await expect(row).to_contain_text("Tables & Tours")
    await page.get_by_role("button", name="Edit Tables & Tours").click()
    await dialog.get_by_role("button", name="Delete…").click()
    await page.get_by_role("button", name="Delete it").click()
    await expect(page.get_by_role("heading", name="No agencies yet")).to_be_visible()


async def test_channels_are_chosen_by_type_and_reset_to_usual(house: House) -> None:
    page = await house.visitor()
    await page.goto("/reservations/channels")
    customers = page.get_by_role("listitem").filter(has_text="Customers")
    await expect(customers).to_contain_text("as usual")
    await page.get_by_role("button", name="Edit Customers").click()
    dialog = page.get_by_role("dialog")
    told = dialog.get_by_role("group", name="Told over")
    for channel in ("e-mail", "push", "inbox"):
        await told.get_by_role("checkbox", name=channel).press("Space")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_text("One at least")).to_be_visible()
    await told.get_by_role("checkbox", name="WhatsApp").press("Space")
    assert await complaints(page) == []
    await dialog.get_by_role("button", name="Save").click()
    await expect(customers).to_contain_text("WhatsApp")
    await expect(customers).to_contain_text("as you have said")
    await page.get_by_role("button", name="Reset to usual: Customers").click()
    await expect(customers).to_contain_text("e-mail")
    await expect(customers).not_to_contain_text("WhatsApp")


async def test_a_member_sees_what_is_theirs_and_a_customer_asks_for_themselves(house: House) -> None:
    table = await laid(house)
    customer, stranger = await table.customer(), await house.visitor(Role.MEMBER, person="A stranger")
    await customer.goto("/reservations/new")
    await expect(customer.get_by_role("combobox", name="Customer")).to_have_count(0)
    await customer.get_by_label("Time").fill(wall(in_days(3) + timedelta(hours=1)))
    await customer.get_by_role("button", name="Create").click()
    await expect(customer.get_by_role("heading", level=1, name="The guest at The Anchor")).to_be_visible()
    await expect(customer.get_by_role("button", name="Cancel it…")).to_be_visible()
    await expect(customer.get_by_role("region", name="What happened")).to_have_count(0)
    await expect(customer.get_by_text("You have not been asked yourself")).to_be_visible()
    assert await complaints(customer) == []
    address = customer.url

    await stranger.goto(address)
    await expect(stranger.get_by_role("heading", name="Not here")).to_be_visible()
    await stranger.goto("/reservations/new")
    await expect(stranger.get_by_role("heading", name="Your login is no customer's")).to_be_visible()
    await stranger.goto("/reservations/restaurants")
    await expect(stranger.get_by_role("list", name="Restaurants")).to_contain_text("The Anchor")
    await expect(stranger.get_by_role("button", name="Edit The Anchor")).to_have_count(0)
    await expect(stranger.get_by_role("tab", name="Channels")).to_have_count(0)

    await customer.get_by_role("button", name="Cancel it…").click()
    await customer.get_by_role("dialog").get_by_role("button", name="Cancel the reservation").click()
    await expect(customer.get_by_role("region", name="What is asked for")).to_contain_text("cancelled")
    await expect(customer.get_by_role("button", name="Cancel it…")).to_have_count(0)


def request_lines(page: Page) -> Locator:
    """The notices of a request to who decides, in its history."""
    return page.get_by_role("list", name="What happened").get_by_role(
        "link", name="Reservation request: The guest, 4", exact=True
    )
