"""Who is told what of a reservation, over which channels, in whose language."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.support.dining import Table, lay
from tests.support.pipeline import Owner
from tests.support.transports import Work
from tidings.kit.db import Pool
from tidings.kit.settings import Settings
from tidings.modules.reservations.model import UserType
from tidings.testing import adrain

SENT = "sent"


async def test_one_request_is_told_to_four_kinds_of_people_each_over_their_channels(work: Work, table: Table) -> None:
    reservation = await table.request(agency_id=table.agency, note="By the window")
    await work()
    (manager,), (admin,) = await table.told(table.manager), await table.told(table.admin)
    (customer,), (agent,) = await table.told(table.customer), await table.told(table.agent)
    everybody = {"email": SENT, "push": SENT, "websocket": SENT}
    assert manager["channels"] == everybody | {"sms": SENT}
    assert admin["channels"] == everybody  # Slack has no address yet: that is on record, and no failure
    assert customer["channels"] == everybody
    assert agent["channels"] == everybody
    matter = f"reservation:{reservation}"
    for staff in (manager, admin):
        assert (staff["title"], staff["level"]) == ("Reservation request: A guest, 4", "warning")
        assert (staff["shared"], staff["matter"]) == (True, matter)
        assert "By the window" in staff["body"]
        assert "City Tables" in staff["body"]
    for informed in (customer, agent):
        assert (informed["shared"], informed["matter"], informed["actions"]) == (False, None, [])
        assert "By the window" not in informed["body"]
    assert customer["title"] == "Your request at Da Rosa"
    assert agent["title"] == "A guest: Your request at Da Rosa"
    missing = "SELECT missing FROM tidings.notifications WHERE person_id = $1"
    assert await table.owner.fetchval(missing, table.admin) == ["slack"]


async def test_nobody_of_another_place_is_told(work: Work, table: Table, pool: Pool, owner: Owner) -> None:
    elsewhere = await lay(pool, owner)
    await table.request()
    await work()
    assert await elsewhere.told(elsewhere.manager) == []
    assert await table.told(table.agent) == []  # no agency has a part in it


async def test_what_is_about_to_happen_is_urgent_and_reaches_the_customer_by_sms(work: Work, table: Table) -> None:
    await table.request(time=await table.now() + timedelta(hours=1))
    await work()
    (customer,), (manager,) = await table.told(table.customer), await table.told(table.manager)
    assert (customer["level"], customer["channels"]["sms"]) == ("critical", SENT)
    assert manager["level"] == "critical"


async def test_each_step_is_told_to_those_whom_it_concerns(work: Work, table: Table) -> None:
    reservation = await table.request(agency_id=table.agency)
    await work()
    better = await table.now() + timedelta(days=4)
    await table.act(reservation, table.manager, "POSTPONED", proposed_time=better)
    await work()
    await table.act(reservation, table.customer, "CONFIRMED")
    await work()
    shown = better.astimezone(ZoneInfo("Europe/Rome")).strftime("%H:%M")
    assert await table.titles(table.customer) == [
        "Your request at Da Rosa",
        "Da Rosa proposes another time",
        "Confirmed: Da Rosa",
    ]
    assert f"{shown} (Europe/Rome)" in (await table.told(table.customer))[1]["body"]
    manager = await table.titles(table.manager)
    assert [title.partition(":")[0] for title in manager if not title.startswith("Reservation")] == [
        "Waiting for A guest",
        "A guest accepts",
    ]
    agent = await table.titles(table.agent)
    assert [title.partition(": ")[2] for title in agent] == await table.titles(table.customer)
    assert await table.status(reservation) == "confirmed"
    assert await table.facts(reservation) == ["requested", "postponed", "confirmed"]


async def test_a_decision_of_the_staff_is_told_to_the_customer_and_not_to_the_staff_again(
    work: Work, table: Table
) -> None:
    reservation = await table.request()
    await work()
    await table.act(reservation, table.admin, "REJECTED")
    await work()
    assert (await table.titles(table.customer))[-1] == "Da Rosa cannot take your reservation"
    assert await table.titles(table.manager) == ["Reservation request: A guest, 4"]
    said = await table.owner.fetch("SELECT listener, verdict FROM tidings.processed_by WHERE NOT told")
    assert [(row["listener"], "one of them did it" in row["verdict"]) for row in said if "rest" in row["listener"]] == [
        ("reservations.restaurant", True)
    ]


async def test_a_cancellation_is_told_to_all_who_were_asked(work: Work, table: Table) -> None:
    reservation = await table.request(agency_id=table.agency)
    await work()
    await table.cancel(reservation)
    await work()
    for person in (table.manager, table.admin):
        assert (await table.titles(person))[-1] == "Cancelled: A guest, 4"
    assert (await table.titles(table.customer))[-1] == "Your reservation at Da Rosa is cancelled"
    assert [each["actions"] for each in await table.told(table.manager) if each["title"].startswith("Cancelled")] == [
        []
    ]


async def test_a_cancellation_is_told_once_over_each_channel(work: Work, table: Table) -> None:
    reservation = await table.request()
    await work()
    await table.cancel(reservation)
    await work()
    assert not [each for each in await table.told(table.manager) if each["filed"]]


async def test_what_was_decided_before_it_was_told_is_not_told_as_open(work: Work, table: Table) -> None:
    reservation = await table.request()
    await table.cancel(reservation)
    await work()
    assert await table.titles(table.customer) == ["Your reservation at Da Rosa is cancelled"]
    asked = [each for each in await table.told(table.manager) if each["actions"]]
    assert all(set(each["channels"].values()) == {"skipped"} for each in asked)


@pytest.mark.parametrize(
    ("locale", "staff", "customer"),
    [
        ("it", "Richiesta di prenotazione: A guest, 4", "La tua richiesta a Da Rosa"),
        ("de-AT", "Reservierungsanfrage: A guest, 4", "Ihre Anfrage bei Da Rosa"),
        ("ja", "Reservation request: A guest, 4", "Your request at Da Rosa"),
    ],
)
async def test_each_is_told_in_a_language_of_theirs(
    settings: Settings, pool: Pool, owner: Owner, locale: str, staff: str, customer: str
) -> None:
    table = await lay(pool, owner, locale=locale)
    guest = await table.add("A guest", UserType.CUSTOMER, locale=locale, email="other@example.com", push="d", phone="1")
    await table.request(customer_id=guest)
    await adrain(settings)
    assert await table.titles(table.manager) == [staff]
    assert await table.titles(guest) == [customer]
    assert await table.titles(table.admin) == ["Reservation request: A guest, 4"]


async def test_the_time_is_told_by_the_clock_of_the_place(settings: Settings, pool: Pool, owner: Owner) -> None:
    table = await lay(pool, owner, timezone="Asia/Tokyo")
    time = (await table.now() + timedelta(days=3)).replace(hour=3, minute=30, second=0)
    await table.request(time=time)
    await adrain(settings)
    (customer,) = await table.told(table.customer)
    assert "12:30 (Asia/Tokyo)" in customer["body"]


async def test_a_customer_who_is_gone_holds_up_nobody(work: Work, table: Table) -> None:
    reservation = await table.request()
    await table.owner.execute("DELETE FROM tidings.people WHERE id = $1", table.customer)
    await work()
    assert await table.titles(table.manager) == ["Reservation request: a guest, 4"]
    await table.act(reservation, table.manager, "CONFIRMED")
    await work()
    assert await table.status(reservation) == "confirmed"


async def test_a_name_with_braces_and_markup_stays_what_it_is(settings: Settings, table: Table) -> None:
    name = "{when} {{ data }} <b>A guest</b>"
    guest = await table.add(name, UserType.CUSTOMER, email="braces@example.com", push="e", phone="2")
    await table.request(customer_id=guest, note="{actor} {0.__class__}")
    await adrain(settings)
    (manager,) = await table.told(table.manager)
    assert manager["title"] == f"Reservation request: {name}, 4"
    assert "Note: {actor} {0.__class__}" in manager["body"]
