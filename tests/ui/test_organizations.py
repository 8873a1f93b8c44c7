"""Organisations on their pages: asked for, taken on or back under one's eyes, invited to, come into by a mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from playwright.async_api import Page, expect

from tests.support.postgres import Server
from tests.support.temporal import DevServer
from tests.ui.axe import complaints
from tests.ui.founding import PASSWORD, PATIENCE, STEPS, office_of, step
from tests.ui.house import House, Stack, on_temporal, running
from tidings.spine.access.identity import Role
from tidings.spine.access.people import Tenants

_SLOW = """INSERT INTO tidings.providers (tenant, channel, type, name, rate, rate_period)
    VALUES ($1, 'email', 'sandbox', 'one mail an hour', 1, interval '1 hour')"""


@pytest.fixture(scope="module")
def stack(postgres_18: Server, temporal_server: DevServer) -> Iterator[Stack]:
    with postgres_18.database() as url, running(url, on_temporal(temporal_server.address)) as stack:
        yield stack


async def test_one_is_asked_for_and_taken_on_and_its_admin_comes_in_by_the_mail(house: House) -> None:
    office = await office_of(house)
    page, domain = office.admin, f"{house.tenant}.example.org"
    await page.goto("/organizations")
    await expect(page.get_by_role("heading", name="No organisations yet")).to_be_visible()
    await page.get_by_role("link", name="New organisation").first.click()
    await _written(page, domain)
    await page.get_by_role("button", name="Take it on").click()
    await expect(page).to_have_url(re.compile(r"/organizations/bootstrap/[0-9a-f-]{36}/status$"))
    await expect(page.get_by_role("heading", level=1, name="The North Clinic")).to_be_visible()

    waiting = page.get_by_role("list", name="Steps").locator("[aria-current=step]")
    await expect(waiting).to_contain_text("It waits, and then looks, until", timeout=PATIENCE)
    await expect(page.get_by_role("status").filter(has_text="steps are done")).to_have_text("3 of 8 steps are done.")
    assert await complaints(page) == []
    await page.get_by_role("button", name="Look up DNS now").click()
    for title in STEPS:
        await expect(step(page, title)).to_contain_text("done", timeout=PATIENCE)
    outcome = page.get_by_role("region", name="It is active")
    await expect(outcome).to_contain_text("1 mail sent")
    await expect(page.get_by_role("button", name=re.compile("Look up|Cancel it"))).to_have_count(0)
    assert await complaints(page) == []

    await page.goto("/sandbox")
    await page.get_by_role("list", name="Messages").get_by_role("button").filter(has_text="ada@north").click()
    mail = page.frame_locator("[title='The mail']")
    address = await mail.get_by_role("link", name="Accept the invitation").get_attribute("href")
    assert address is not None
    ada = await office.stranger()
    for _ in range(3):
        assert (await ada.request.get(address)).ok  # as programs do that read mail
    await ada.goto(address)
    await expect(ada.get_by_role("heading", name="You are invited to The North Clinic")).to_be_visible()
    assert "token" not in ada.url
    await ada.get_by_label("New password").fill("too short")
    await ada.get_by_role("button", name="Accept the invitation").click()
    await expect(ada.get_by_text("At least 10 characters.", exact=True)).to_be_visible()
    assert await complaints(ada) == []
    for field in ("New password", "The same again"):
        await ada.get_by_label(field).fill(PASSWORD)
    await ada.get_by_role("button", name="Accept the invitation").click()
    await expect(ada.get_by_role("heading", level=1, name="The North Clinic", exact=True)).to_be_visible()
    assert (await (await ada.request.get("/v1/session")).json())["data"]["email"] == "ada@north.example.com"
    await ada.get_by_role("link", name="Organisations", exact=True).click()
    await expect(ada.get_by_role("link", name="The North Clinic")).to_be_visible()
    await expect(ada.get_by_role("link", name="New organisation")).to_have_count(0)
    await ada.goto(address)
    await expect(ada.get_by_role("heading", name="Accepted already")).to_be_visible()


async def _written(page: Page, domain: str) -> None:
    """Every field is found at fault, and mended."""
    send, name, subdomain = (
        page.get_by_role("button", name="Take it on"),
        page.get_by_role("textbox", name="Name", exact=True),
        page.get_by_role("textbox", name="Subdomain"),
    )
    await send.click()
    for fault in ("What is it called?", "Under which name is it reached?", "Whom does one write to?",
                  "Their first name", "Their last name", "Where is the invitation sent?"):  # fmt: skip
        await expect(page.get_by_text(fault)).to_be_visible()
    await expect(name).to_be_focused()
    await name.fill("The North Clinic")
    await expect(subdomain).to_have_value("the-north-clinic")
    await expect(page.get_by_text(f"the-north-clinic.{domain} can be had.")).to_be_visible()
    for wrong, fault in (("nörd", "Letters a to z"), ("n-", "At least 3"), ("-north", "begin or end"),
                         ("www", "reserved")):  # fmt: skip
        await subdomain.fill(wrong)
        await expect(page.get_by_text(fault)).to_be_visible()
        await expect(subdomain).to_have_attribute("aria-invalid", "true")
    await send.click()
    await expect(subdomain).to_be_focused()
    await subdomain.fill("north")
    await expect(page.get_by_text(f"north.{domain} can be had.")).to_be_visible()
    await page.get_by_label("Contact e-mail").fill("office@north.example.com")
    await page.get_by_label("Minutes").fill("46")
    await expect(page.get_by_text("Minutes, from 1 to 45.")).to_be_visible()
    await page.get_by_label("Minutes").fill("45")
    people = page.get_by_role("list", name="Who is invited")
    await people.get_by_label("First name of person 1").fill("Ada")
    await people.get_by_label("Last name of person 1").fill("Admin")
    await people.get_by_label("E-mail of person 1").fill("ada@north")
    await expect(people.get_by_text("An e-mail address, such as")).to_be_visible()
    await people.get_by_label("E-mail of person 1").fill("ada@north.example.com")
    await page.get_by_role("button", name="Add somebody").click()
    await people.get_by_label("E-mail of person 2").fill("Ada@north.example.com")
    await expect(people.get_by_text("Each address once.")).to_be_visible()
    await people.get_by_role("button", name="Remove person 2").click()
    await people.get_by_role("combobox", name="Role of person 1").click()
    await page.get_by_role("option", name="member").click()
    await expect(page.get_by_text("At least one must be a provider admin.")).to_be_visible()
    await people.get_by_role("combobox", name="Role of person 1").click()
    await page.get_by_role("option", name="provider admin").click()
    await expect(page.locator("form [aria-invalid=true]")).to_have_count(0)
    assert await complaints(page) == []


async def test_one_that_is_cancelled_half_way_is_seen_to_be_undone(house: House) -> None:
    office = await office_of(house)
    page, id = office.admin, await office.asked("south")  # noqa: A001
    await page.goto(f"/organizations/bootstrap/{id}/status")
    await page.get_by_role("button", name="Cancel it…").click()
    asked = page.get_by_role("dialog", name="Cancel The south clinic?")
    await expect(asked).to_contain_text(f"south.{house.tenant}.example.org can be had by others")
    await asked.get_by_role("button", name="Go on with it").click()
    await expect(step(page, "Wait for DNS")).to_contain_text("at work")
    await page.get_by_role("button", name="Cancel it…").click()
    await asked.get_by_role("button", name="Cancel it", exact=True).click()
    for title in STEPS[:3]:
        await expect(step(page, title)).to_contain_text("taken back", timeout=PATIENCE)
    await expect(step(page, "Wait for DNS")).to_contain_text("stopped here")
    for title in STEPS[4:]:
        await expect(step(page, title)).to_contain_text("not begun")
    await expect(page.get_by_role("region", name="Taking it on")).to_contain_text("cancelled")
    await expect(page.get_by_role("region", name="It was cancelled")).to_contain_text("Wait for DNS")
    await expect(page.get_by_role("button", name=re.compile("Look up|Cancel it"))).to_have_count(0)
    assert await complaints(page) == []
    await page.get_by_role("link", name="What happened, in full").click()
    happened = page.get_by_role("list", name="What happened")
    for fact in ("DNS removed", "Permissions revoked", "Deactivated", "Cancelled"):
        await expect(happened.get_by_text(fact, exact=True)).to_be_visible()
    await expect(page.get_by_text("Nothing is granted")).to_be_visible()
    free = await office.clerk.call("GET", "/organizations/subdomains/south")
    assert free["available"]


async def test_each_stands_below_its_parent_and_roles_there_say_what_one_may(house: House) -> None:
    office = await office_of(house)
    page, north = office.admin, await office.taken_on("north")
    east = await office.asked("east", type="partner", parentId=north)
    await page.goto("/organizations")
    rows = page.get_by_role("list", name="Organisations").get_by_role("listitem")
    await expect(rows).to_have_count(2)
    await expect(rows.first).to_contain_text("The north clinic")
    await expect(rows.last).to_contain_text("Partner of The north clinic")
    assert await complaints(page) == []
    await page.get_by_role("combobox", name="State").click()
    await page.get_by_role("option", name="being taken on").click()
    await expect(rows.first).to_contain_text("shown for what is below it")
    await rows.first.get_by_role("link", name="The north clinic").click()
    await expect(page.get_by_role("region", name="What it is").get_by_role("link", name="The east")).to_be_visible()
    await expect(page.get_by_role("region", name="What its roles may do")).to_contain_text("invitations.manage")
    await expect(page.get_by_role("list", name="What happened").get_by_role("listitem").first).to_contain_text(
        "Asked for"
    )
    invited = page.get_by_role("list", name="Invitations").get_by_role("listitem")
    await expect(invited).to_have_count(2)
    assert await complaints(page) == []

    member = await office.joined("member@north.example.com")
    await expect(invited.filter(has_text="member@north.example.com")).to_contain_text("accepted", timeout=PATIENCE)
    await member.goto(f"/organizations/{north}")
    await expect(member.get_by_role("region", name="What happened")).to_contain_text("Invitation accepted")
    await expect(member.get_by_role("region", name="Invitations")).to_have_count(0)
    await member.goto(f"/organizations/bootstrap/{east}/status")
    await expect(step(member, "Wait for DNS")).to_contain_text("at work")
    await expect(member.get_by_role("button", name=re.compile("Look up|Cancel it"))).to_have_count(0)
    await member.goto("/organizations/bootstrap")
    await expect(member.get_by_role("heading", name="Not for your role")).to_be_visible()

    theirs = await office.joined("admin@north.example.com")
    await theirs.goto(f"/organizations/bootstrap/{east}/status")
    await expect(theirs.get_by_role("button", name="Cancel it…")).to_be_visible()
    await theirs.get_by_role("button", name="Look up DNS now").click()
    await expect(theirs.get_by_role("region", name="It is active")).to_be_visible(timeout=PATIENCE)


async def test_a_link_that_is_void_says_why_and_what_to_do(house: House) -> None:
    office = await office_of(house)
    page, id = office.admin, await office.taken_on("west")  # noqa: A001
    first = await office.link("member@west.example.com")
    await page.goto(f"/organizations/{id}")
    row = page.get_by_role("list", name="Invitations").get_by_role("listitem").filter(has_text="member@")
    await row.get_by_role("button", name="Send again to").click()
    await expect(row).to_contain_text("link number 2")
    await expect(row).to_contain_text("mail sent", timeout=PATIENCE)
    guest = await office.stranger()
    await _refused(guest, first, "There is a newer link")
    second = await office.link("member@west.example.com")
    await house.owner.execute(
        "UPDATE tidings.user_invitations_projection SET expires_at = now() - interval '1 minute' WHERE tenant = $1",
        house.tenant,
    )
    await _refused(guest, second, "This invitation has expired")
    await row.get_by_role("button", name="Revoke the invitation of").click()
    await page.get_by_role("dialog").get_by_role("button", name="Revoke it").click()
    await expect(row).to_contain_text("revoked")
    await expect(row.get_by_role("button")).to_have_count(0)
    await _refused(guest, second, "Taken back")
    await _refused(guest, "/auth/accept-invitation?token=" + "A" * 43, "This link leads nowhere")
    await _refused(guest, "/auth/accept-invitation", "This link leads nowhere")


async def test_nobody_comes_in_before_it_is_ready_nor_in_the_name_of_another(house: House) -> None:
    """The provider of mails takes one an hour: the first who was invited has theirs, and the bootstrap waits."""
    office = await office_of(house)
    await house.owner.execute(_SLOW, house.tenant)
    page, id = office.admin, await office.mailing("far")  # noqa: A001
    await page.goto(f"/organizations/bootstrap/{id}/status")
    await expect(step(page, "Mail the invitations")).to_contain_text("1 sent, 1 on their way", timeout=PATIENCE)
    (mailed,) = await office.clerk.call("GET", "/sandbox?channel=email")
    link, guest = await office.link(mailed["to"]), await office.stranger()
    await _refused(guest, link, "Not ready yet")
    assert await complaints(guest) == []
    await house.owner.execute(
        "UPDATE tidings.providers SET rate = NULL, rate_period = NULL WHERE tenant = $1", house.tenant
    )
    await expect(page.get_by_role("region", name="It is active")).to_be_visible(timeout=PATIENCE)
    await guest.get_by_role("button", name="Try again").click()
    await expect(guest.get_by_label("New password")).to_be_visible()

    somebody = await house.visitor(Role.MEMBER)
    await somebody.goto(link)
    await expect(somebody.get_by_role("status")).to_contain_text(f"this invitation is for {mailed['to']}")
    await expect(somebody.get_by_role("button", name="Accept the invitation")).to_have_count(0)
    assert await complaints(somebody) == []
    await somebody.get_by_role("button", name="Sign out").click()
    await expect(somebody.get_by_label("New password")).to_be_visible()


async def test_a_tenant_without_a_domain_says_who_can_change_that(house: House) -> None:
    elsewhere = replace(house, tenant=f"t{uuid4().hex[:10]}")
    await Tenants(house.owner).create(elsewhere.tenant, "Without a domain")
    page = await elsewhere.visitor()
    for address in ("/organizations", "/organizations/bootstrap"):
        await page.goto(address)
        await expect(page.get_by_role("heading", name="This tenant has no domain yet")).to_be_visible()
        await expect(page.get_by_text(f"{elsewhere.tenant}=example.com")).to_be_visible()
        assert await complaints(page) == []


async def _refused(page: Page, link: str, why: str) -> None:
    await page.goto(link)
    await expect(page.get_by_role("heading", level=1, name=why)).to_be_visible()
