"""Channels: a provider is added, tried for real, understood where it fails, turned off, resumed and removed."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page, expect

from tests.channels.servers.smtp_server import SmtpServer, smtp_server
from tests.support.pipeline import add_person
from tests.ui.axe import complaints
from tests.ui.house import House
from tidings.spine.access.identity import Role

_OPENED = """UPDATE tidings.providers SET failures = 5, openings = 1, opened_at = now(), last_error_at = now(),
    open_until = now() + interval '1 hour', last_error = 'the mail server is away' WHERE tenant = $1"""
_SANDBOX = "INSERT INTO tidings.providers (tenant, channel, type, name) VALUES ($1, $2, 'sandbox', $3)"
_NOT_WANTED = {".": "554 5.7.1 not wanted here"}


async def test_a_provider_is_added_from_nothing_and_a_test_shows_its_answer(house: House) -> None:
    await add_person(house.owner, tenant=house.tenant, email="owner@example.com")
    page = await house.visitor()
    await page.goto("/channels")
    await expect(page.get_by_role("heading", name="No providers yet")).to_be_visible()
    assert await complaints(page) == []
    async with smtp_server() as server:
        await page.get_by_role("link", name="Add a provider").last.click()
        await _add_mail_server(page, server)
        await _test(page)
        await expect(page.get_by_role("status").filter(has_text="The provider took it.")).to_be_visible(timeout=15_000)
        await expect(page.get_by_text("queued as 4711")).to_be_visible()
        assert b"A test of House mail" in server.mails[0]
    await page.get_by_role("link", name="Its delivery").click()
    await expect(page.get_by_role("dialog")).to_contain_text("queued as 4711")


async def test_a_provider_that_refuses_says_why(house: House) -> None:
    await add_person(house.owner, tenant=house.tenant, email="owner@example.com")
    page = await house.visitor()
    await page.goto("/channels/new?channel=email")
    async with smtp_server(_NOT_WANTED) as server:
        await _add_mail_server(page, server)
        await _test(page)
        await expect(page.get_by_role("status").filter(has_text="is not tried again")).to_be_visible(timeout=15_000)
        await expect(page.get_by_text("not wanted here")).to_be_visible()
        assert await complaints(page) == []


async def test_what_is_wrong_stands_at_its_field_and_a_secret_never_comes_back(house: House) -> None:
    page = await house.visitor()
    await page.goto("/channels/new?channel=email")
    await page.get_by_label("From address").fill("nobody")
    await page.get_by_role("button", name="Add the provider").click()
    address = page.get_by_label("From address")
    await expect(address).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_label("Host")).to_have_attribute("aria-invalid", "true")
    await address.fill("post@example.com")
    await page.get_by_label("Host").fill("192.168.0.1")
    await page.get_by_role("textbox", name="Password").fill("correct horse battery staple")
    await page.get_by_role("button", name="Add the provider").click()
    await expect(page.get_by_text("the host is not a public address")).to_be_visible()
    await expect(page.get_by_label("Host")).to_have_value("192.168.0.1")
    await page.get_by_label("Host").fill("127.0.0.1")
    assert await complaints(page) == []
    await page.get_by_role("button", name="Add the provider").click()

    password = page.get_by_role("textbox", name="Password")
    await expect(password).to_have_attribute("placeholder", "Stored …aple; type to replace")
    assert "correct horse" not in await page.content()
    await page.get_by_label("Host").fill("localhost")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("must be given again where host changes")).to_be_visible()
    await page.get_by_label("Host").fill("127.0.0.1")
    await page.get_by_label("From name").fill("The house")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved, and in use.")).to_be_visible()
    config = await _config(page)
    assert (config["fromName"], config["password"]) == ("The house", "…aple")


async def test_another_of_the_same_name_is_refused_at_the_name(house: House) -> None:
    await house.owner.execute(_SANDBOX, house.tenant, "push", "Firebase")
    page = await house.visitor()
    await page.goto("/channels/new?channel=push&type=sandbox")
    await page.get_by_role("textbox", name="Name", exact=True).fill("Firebase")
    await page.get_by_role("button", name="Add the provider").click()
    await expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_text("has this name already")).to_be_visible()


async def test_a_switch_that_nobody_answers_goes_back(house: House) -> None:
    await house.owner.execute(_SANDBOX, house.tenant, "email", "House mail")
    page = await house.visitor()
    await page.goto("/channels")
    switch = page.get_by_role("switch", name="House mail is on")
    await expect(switch).to_be_checked()
    assert await complaints(page) == []
    await page.route("**/v1/providers/*", lambda route: route.abort())
    await switch.click(force=True)
    await expect(page.get_by_text("This did not work")).to_be_visible()
    await expect(switch).to_be_checked()
    await page.unroute_all()
    await switch.click(force=True)
    await expect(switch).not_to_be_checked()
    await expect(page.get_by_text("turned off", exact=True)).to_be_visible()
    await page.reload()
    await expect(switch).not_to_be_checked()


async def test_a_circuit_that_opens_is_seen_without_a_reload_and_closed_by_hand(house: House) -> None:
    await house.owner.execute(_SANDBOX, house.tenant, "email", "House mail")
    page = await house.visitor()
    await page.goto("/channels")
    await expect(page.get_by_text("well", exact=True)).to_be_visible()
    await house.owner.execute(_OPENED, house.tenant)
    await expect(page.get_by_text("resting after failures")).to_be_visible(timeout=15_000)
    await expect(page.get_by_text("the mail server is away")).to_be_visible()
    await page.get_by_role("link", name="House mail").click()
    await page.get_by_role("button", name="Resume now…").click()
    await page.get_by_role("dialog").get_by_role("button", name="Resume").click()
    await expect(page.get_by_text("What waits goes out now.")).to_be_visible()
    await expect(page.get_by_text("well", exact=True)).to_be_visible()


async def test_limits_are_set_and_a_provider_is_removed_after_a_question(house: House) -> None:
    await house.owner.execute(_SANDBOX, house.tenant, "sms", "Texts")
    page = await house.visitor()
    await page.goto("/channels")
    await page.get_by_role("link", name="Texts").click()
    await page.get_by_label("Most sends in a time").fill("10")
    await page.get_by_role("combobox", name="The time").fill("soon")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("combobox", name="The time")).to_have_attribute("aria-invalid", "true")
    await page.get_by_role("combobox", name="The time").fill("1m")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved, and in use.")).to_be_visible()
    await page.goto("/channels")
    await expect(page.get_by_text("at most 10 in 1m")).to_be_visible()

    await page.get_by_role("link", name="Texts").click()
    await page.get_by_role("button", name="Remove…").click()
    asking = page.get_by_role("dialog", name="Remove Texts?")
    await asking.get_by_role("button", name="Cancel").click()
    await page.get_by_role("button", name="Remove…").click()
    await asking.get_by_role("button", name="Remove the provider").click()
    await expect(page.get_by_role("heading", name="No providers yet")).to_be_visible()


async def test_where_receipts_go_is_there_to_be_copied(house: House) -> None:
    page = await house.visitor()
    await page.goto("/channels/new?channel=email&type=resend")
    await page.get_by_label("From address").fill("post@example.com")
    await page.get_by_label("API key").fill("not a real key at all")
    await page.get_by_role("button", name="Add the provider").click()
    await expect(page.get_by_role("heading", name="Receipts")).to_be_visible()
    await expect(page.get_by_role("button", name=f"{house.stack.url}/v1/receipts/")).to_be_visible()
    assert await complaints(page) == []


async def test_a_member_sees_no_forms(house: House) -> None:
    await house.owner.execute(_SANDBOX, house.tenant, "email", "House mail")
    page = await house.visitor(Role.MEMBER)
    for path in ("/channels", "/channels/new"):
        await page.goto(path)
        await expect(page.get_by_role("heading", name="Not for your role")).to_be_visible()
        await expect(page.get_by_role("main").get_by_role("textbox")).to_have_count(0)
        await expect(page.get_by_role("main").get_by_role("switch")).to_have_count(0)
        await expect(page.get_by_role("link", name="Add a provider")).to_have_count(0)


async def _add_mail_server(page: Page, server: SmtpServer) -> None:
    await page.get_by_role("textbox", name="Name", exact=True).fill("House mail")
    await page.get_by_label("From address").fill("post@example.com")
    await page.get_by_label("Host").fill("127.0.0.1")
    await page.get_by_label("Port").fill(str(server.port))
    await page.get_by_role("combobox", name="Security").click()
    await page.get_by_role("option", name="none").click()
    await page.get_by_role("button", name="Add the provider").click()
    await expect(page.get_by_role("heading", name="House mail")).to_be_visible()


async def _test(page: Page) -> None:
    await page.get_by_role("combobox", name="To", exact=True).click()
    await page.get_by_role("option", name="The owner").click()
    await page.get_by_role("button", name="Send the test").click()


async def _config(page: Page) -> dict[str, Any]:
    reply = await page.request.get("/v1/providers")
    (provider,) = (await reply.json())["data"]
    config: dict[str, Any] = provider["config"]
    return config
