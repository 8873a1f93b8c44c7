"""Buttons in messages: whoever was asked acts by one, without a login. A GET changes nothing, and the first wins."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from datetime import timedelta
from html import unescape

import asyncpg
import pytest

from tests.api.booking import House, house_of, link_in, opened, pressed, token_of
from tests.api.world import World, api_settings, running
from tidings.api.secret_paths import without_secrets
from tidings.kit import logging as our_logging
from tidings.kit.settings import LogSettings
from tidings.spine.notify.matters.model import Action

HEADERS = {
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


@pytest.fixture
async def house(world: World) -> House:
    return await house_of(world)


async def test_a_request_is_confirmed_by_the_button_of_a_mail_and_by_nobody_after_that(house: House) -> None:
    id = await house.requested()  # noqa: A001
    mail, other = await house.sent("waiter"), await house.sent("trade")
    confirm, client = link_in(mail, "Confirm"), house.world.client
    page = await opened(client, confirm)
    assert (page.status, mail["subject"] in unescape(page.text)) == (200, True)
    assert page.text.count("<button") == 1
    assert ">Confirm</button>" in page.text
    assert "in the name of Waiter" in page.text
    assert await house.status(id) == "requested"
    done = await pressed(client, confirm, "CONFIRMED")
    assert (done.status, "Done: confirmed." in done.text, "<button" in done.text) == (200, True, False)
    assert await house.status(id) == "confirmed"
    for link, action in ((link_in(other, "Reject"), "REJECTED"), (link_in(other, "Confirm"), "CONFIRMED")):
        late = await pressed(client, link, action)
        assert (late.status, "Handled by Waiter: confirmed." in late.text) == (409, True)
        assert "<button" not in late.text
    assert await house.status(id) == "confirmed"
    told = [m["subject"] for m in await house.messages() if m["to"] == "customer@example.com"]
    assert told == ["Your request at The mill", "Confirmed: The mill"]


async def test_scanners_that_open_every_link_settle_nothing(house: House) -> None:
    id = await house.requested()  # noqa: A001
    mails = [await house.sent("waiter"), await house.sent("trade"), await house.sent("trade", "slack")]
    facts = await house.world.pool.fetchval("SELECT count(*) FROM tidings.facts")
    for button in [button for mail in mails for button in mail["buttons"]]:
        for method in ("GET", "HEAD", "HEAD", "GET", "HEAD"):
            assert (await opened(house.world.client, button["url"], method)).status == 200
    assert (await house.settled(), await house.status(id)) == ([], "requested")
    assert await house.world.pool.fetchval("SELECT count(*) FROM tidings.facts") == facts


@pytest.mark.parametrize("body", ["", "action=REJECTED", "action=", "choice=confirm", "List-Unsubscribe=One-Click"])
async def test_a_post_that_does_not_say_what_the_link_is_for_does_nothing_and_asks_again(
    house: House, body: str
) -> None:
    await house.requested()
    confirm = link_in(await house.sent("waiter"), "Confirm")
    path, form = f"/act/{token_of(confirm)}", {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await house.world.client.call("POST", path, data=body, headers=form)
    assert (answer.status, ">Confirm</button>" in answer.text) == (400, True)
    assert await house.settled() == []


async def test_pressed_twice_it_is_done_once(house: House) -> None:
    await house.requested()
    confirm = link_in(await house.sent("waiter"), "Confirm")
    answers = [await pressed(house.world.client, confirm, "CONFIRMED") for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 200]
    assert len({answer.text for answer in answers}) == 1
    assert len(await house.settled()) == 1
    confirmed = "SELECT count(*) FROM tidings.facts WHERE type = 'reservation.confirmed'"
    assert await house.world.pool.fetchval(confirmed) == 1


async def test_whoever_comes_later_reads_who_was_first_how_and_when(house: House) -> None:
    await house.requested()
    mail = await house.sent("waiter")
    await pressed(house.world.client, link_in(mail, "Reject"), "REJECTED")
    at = await house.world.pool.fetchval("SELECT created_at FROM tidings.actions WHERE won")
    page = await opened(house.world.client, link_in(await house.sent("trade"), "Confirm"))
    assert (page.status, "Handled by Waiter: rejected." in page.text, "<button" in page.text) == (200, True, False)
    assert f"{at:%Y}, " in page.text
    assert "(Europe/Rome)" in page.text
    changed_their_mind = await pressed(house.world.client, link_in(mail, "Confirm"), "CONFIRMED")
    assert (changed_their_mind.status, "Handled by Waiter: rejected." in changed_their_mind.text) == (409, True)


async def test_a_link_is_worth_nothing_once_somebody_has_acted_in_the_inbox(house: House) -> None:
    id = await house.requested()  # noqa: A001
    mail = await house.sent("waiter")
    trade = str(house.people["trade"])
    (asked,) = (await house.admin.get(f"/v1/inbox?person={trade}")).json["data"]
    acted = await house.admin.post(f"/v1/notifications/{asked['id']}/actions?person={trade}", {"action": "DISMISSED"})
    assert acted.status == 201, acted.text
    page = await opened(house.world.client, link_in(mail, "Confirm"))
    assert (page.status, "Handled by Trade: dismissed." in page.text) == (200, True)
    assert (await pressed(house.world.client, link_in(mail, "Confirm"), "CONFIRMED")).status == 409
    assert await house.status(id) == "requested"


async def test_of_many_at_once_one_wins_and_the_others_read_who(house: House) -> None:
    id = await house.requested()  # noqa: A001
    mails = [await house.sent("waiter"), await house.sent("trade"), await house.sent("trade", "slack")]
    pairs = [
        (button["url"], action)
        for mail in mails
        for button, action in zip(mail["buttons"], ("CONFIRMED", "REJECTED"), strict=True)
    ]
    answers = await asyncio.gather(*(pressed(house.world.client, url, action) for url, action in pairs * 3))
    ((action, actor, won), *others) = await house.settled()
    assert (won, any(won for _, _, won in others)) == (True, False)
    assert await house.status(id) == action.lower()
    assert {answer.status for answer in answers} == {200, 409}
    done = sum("Done:" in answer.text for answer in answers)
    assert done == sum(answer.status == 200 for answer in answers)
    facts = "SELECT count(*) FROM tidings.facts WHERE type IN ('reservation.confirmed', 'reservation.rejected')"
    assert await house.world.pool.fetchval(facts) == 1
    assert actor is not None


async def test_the_record_says_by_which_message_it_was_done_and_in_whose_name(house: House) -> None:
    id = await house.requested()  # noqa: A001
    slack = await house.sent("trade", "slack")
    await pressed(house.world.client, slack["buttons"][0]["url"], "CONFIRMED")
    ((_, actor, _),) = await house.settled()
    row = await house.world.pool.fetchrow(
        "SELECT id, person_id, channel FROM tidings.deliveries_finished WHERE channel = 'slack'"
    )
    assert row is not None
    assert (actor, row["person_id"]) == (f"link:{row['id']}", house.people["trade"])
    metadata = await house.world.pool.fetchval(
        "SELECT metadata ->> 'actor' FROM tidings.facts WHERE type = 'reservation.confirmed'"
    )
    assert metadata == actor
    delivery = await house.admin.get(f"/v1/deliveries/{row['id']}")
    assert (delivery.status, delivery.json["data"]["channel"]) == (200, "slack")
    shown = await house.admin.get(f"/v1/reservations/{id}")
    assert shown.json["data"]["status"] == "confirmed"


async def test_what_can_not_be_done_any_more_is_said_and_nothing_is_settled(house: House) -> None:
    id = await house.requested()  # noqa: A001
    mail = await house.sent("waiter")
    await house.world.pool.execute("UPDATE tidings.reservations SET reserved_for = now() WHERE id = $1", id)
    for _ in range(2):
        refused = await pressed(house.world.client, link_in(mail, "Confirm"), "CONFIRMED")
        assert refused.status == 409
        assert "This cannot be done any more.\nIts time has passed" in refused.text
    assert (await house.settled(), await house.status(id)) == ([], "requested")
    assert (await pressed(house.world.client, link_in(mail, "Reject"), "REJECTED")).status == 200
    assert await house.status(id) == "rejected"


async def test_what_the_customer_took_back_cannot_be_confirmed(house: House) -> None:
    id = await house.requested()  # noqa: A001
    mail = await house.sent("waiter")
    assert (await house.admin.post(f"/v1/reservations/{id}/cancel")).status == 200
    page = await opened(house.world.client, link_in(mail, "Confirm"))
    assert (page.status, "withdrawn" in page.text, "<button" in page.text) == (200, True, False)
    assert (await pressed(house.world.client, link_in(mail, "Confirm"), "CONFIRMED")).status == 409
    assert await house.status(id) == "cancelled"


async def test_a_link_that_has_ended_says_so_shows_nothing_and_does_nothing(house: House) -> None:
    id = await house.requested()  # noqa: A001
    mail = await house.sent("waiter")
    links, link = await house.links(), await house.read(link_in(mail, "Confirm"))
    ended = links.url(replace(link, until=link.until - timedelta(days=8)))
    for answer in (await opened(house.world.client, ended), await pressed(house.world.client, ended, "CONFIRMED")):
        assert (answer.status, "This link has expired" in answer.text, "<button" in answer.text) == (410, True, False)
        assert mail["subject"] not in unescape(answer.text)
        assert '/inbox">Sign in</a>' in answer.text
    assert (await house.settled(), await house.status(id)) == ([], "requested")


async def test_what_is_no_link_of_ours_leads_nowhere_in_one_way(house: House) -> None:
    await house.requested()
    mail = await house.sent("waiter")
    links, link = await house.links(), await house.read(link_in(mail, "Confirm"))
    good = links.token(link)
    unsubscribe = token_of(mail["unsubscribeUrl"])
    wrong = [
        "x",
        "AAAA",
        good[:-1],
        good + "A",
        good[:-1] + ("A" if good[-1] != "A" else "B"),
        unsubscribe,
        links.token(replace(link, tenant="globex")),
        links.token(replace(link, tenant="nowhere")),
        links.token(replace(link, notification_id=link.delivery_id)),
        links.token(replace(link, action=Action.POSTPONED)),
        links.token(replace(link, action=Action.WITHDRAWN)),
    ]
    answers = [await opened(house.world.client, token) for token in wrong]
    answers += [await pressed(house.world.client, token, "CONFIRMED") for token in wrong]
    assert {answer.status for answer in answers} == {404}
    assert len({answer.text for answer in answers}) == 1
    assert "This link does not work" in answers[0].text
    for path in ("unsubscribe", "guest/event", "guest/confirm", "guest/join"):
        assert (await house.world.client.get(f"/{path}/{good}")).status == 404
    assert await house.settled() == []


async def test_a_link_for_what_this_notice_does_not_ask_leads_nowhere(house: House) -> None:
    """What a person whom another time was proposed to can do is to accept and to decline."""
    id = await house.requested()  # noqa: A001
    await house.messages()
    waiter = str(house.people["waiter"])
    (asked,) = (await house.admin.get(f"/v1/inbox?person={waiter}&open=true")).json["data"]
    body = {"action": "POSTPONED", "proposedTime": "2027-01-07T19:00:00Z"}
    assert (await house.admin.post(f"/v1/notifications/{asked['id']}/actions?person={waiter}", body)).status == 201
    mail = await house.sent("customer")
    links, link = await house.links(), await house.read(link_in(mail, "Confirm"))
    dismiss = links.url(replace(link, action=Action.DISMISSED))
    assert (await opened(house.world.client, dismiss)).status == 404
    assert (await pressed(house.world.client, dismiss, "DISMISSED")).status == 404
    assert (await pressed(house.world.client, link_in(mail, "Confirm"), "CONFIRMED")).status == 200
    assert await house.status(id) == "confirmed"


@pytest.mark.parametrize("gone", ["people", "notifications", "notices"])
async def test_a_link_of_who_or_what_is_gone_leads_nowhere(house: House, gone: str) -> None:
    await house.requested()
    confirm = link_in(await house.sent("waiter"), "Confirm")
    link = await house.read(confirm)
    ids = {
        "people": house.people["waiter"],
        "notifications": link.notification_id,
        "notices": await house.world.pool.fetchval(
            "SELECT notice_id FROM tidings.notifications WHERE id = $1", link.notification_id
        ),
    }
    await house.world.pool.execute(f"DELETE FROM tidings.{gone} WHERE id = $1", ids[gone])
    assert (await opened(house.world.client, confirm)).status == 404
    assert (await pressed(house.world.client, confirm, "CONFIRMED")).status == 404
    assert await house.settled() == []


async def test_the_page_loads_nothing_runs_nothing_and_is_not_kept(house: House) -> None:
    await house.requested(note="<script>alert(1)</script>")
    confirm = link_in(await house.sent("waiter"), "Confirm")
    pages = [await opened(house.world.client, confirm), await pressed(house.world.client, confirm, "CONFIRMED")]
    for page in pages:
        assert {name: page.headers[name] for name in HEADERS} == HEADERS
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "Set-Cookie" not in page.headers
        assert "<script" not in page.text
    assert "&lt;script&gt;alert(1)" in pages[0].text


@pytest.mark.parametrize(
    ("locale", "accepted", "label", "words"),
    [
        ("it-IT", "de", "Accetta", "Rispondi a nome di Waiter"),
        ("de", "it", "Bestätigen", "Sie antworten im Namen von Waiter"),
        (None, "it;q=0.4, de;q=0.9", "Confirm", "You answer in the name of Waiter"),
    ],
)
async def test_the_page_speaks_as_the_mail_does(
    world: World, locale: str | None, accepted: str, label: str, words: str
) -> None:
    house = await house_of(world, (locale, None, None))
    await house.requested()
    mail = await house.sent("waiter")
    page = await opened(world.client, link_in(mail, label), **{"Accept-Language": accepted})
    assert f">{label}</button>" in page.text
    assert words in page.text
    wrong = await opened(world.client, "x", **{"Accept-Language": "de"})
    assert "Dieser Link funktioniert nicht" in wrong.text


async def test_strangers_who_ask_too_often_wait(database_url: str) -> None:
    async with running(api_settings(database_url, api={"rate_limit": 2})) as client:
        assert [(await client.get("/act/x")).status for _ in range(3)] == [404, 404, 429]


async def test_a_token_is_in_no_log_no_table_and_no_answer(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    id = await house.requested()  # noqa: A001
    mails = [await house.sent("waiter"), await house.sent("trade"), await house.sent("trade", "slack")]
    tokens = [token_of(button["url"]) for mail in mails for button in mail["buttons"]]
    assert len(set(tokens)) == 6
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    our_logging.configure(LogSettings(level="debug", format="json"))
    try:
        for token in tokens:
            await opened(house.world.client, token)
            await house.world.client.get(f"/act/{token}/")
            await house.world.client.get(f"/Act//{token}")
            await house.world.client.call("PUT", f"/act/{token}")
        await pressed(house.world.client, tokens[0], "CONFIRMED")
        await pressed(house.world.client, tokens[3], "REJECTED")
        await house.messages()
        logged = capsys.readouterr().err
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    assert logged.count("tidings.access") == 26
    (asked, *_) = (await house.admin.get(f"/v1/inbox?person={house.people['trade']}")).json["data"]
    notice = asked["noticeId"]
    paths = [f"/v1/inbox?person={person}" for person in house.people.values()]
    paths += ["/v1/facts", "/v1/deliveries", f"/v1/notices/{notice}", f"/v1/facts/{asked['factId']}/trace"]
    paths += [f"/v1/notifications/{asked['id']}/actions?person={house.people['trade']}", f"/v1/reservations/{id}"]
    answers = [await house.admin.get(path) for path in paths]
    assert {answer.status for answer in answers} == {200}
    places = [logged, *(answer.text for answer in answers), *(await _rows(house.world))]
    assert not [token for token in tokens for place in places if token[:20] in place]


async def _rows(world: World) -> list[str]:
    """Everything that is in any table."""
    owner = await asyncpg.connect(world.settings.database.url)
    tables = await owner.fetch(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'tidings'"
    )
    rows = []
    for table in tables:
        rows += await owner.fetch(f"SELECT t::text AS row FROM tidings.{table['name']} t")
    await owner.close()
    return [row["row"] for row in rows]


async def test_a_message_that_goes_out_by_other_ways_has_no_link(house: House) -> None:
    await house.admin.call(
        "PUT", "/v1/usual-channels/ADMIN_USER", json={"channels": ["email", "push", "sms", "webhook", "slack"]}
    )
    trade = house.people["trade"]
    changed = {
        "phone": "+390612345678",
        "pushTokens": ["device"],
        "webhooks": [{"url": "https://hooks.example.com/in"}],
    }
    assert (await house.admin.call("PATCH", f"/v1/people/{trade}", json=changed)).status == 200
    await house.requested()
    found = {m["channel"]: m for m in await house.messages() if m["name"] == "Trade"}
    assert set(found) == {"email", "push", "sms", "webhook", "slack"}
    for channel, message in found.items():
        assert bool(message["buttons"]) == (channel in ("email", "slack")), channel
        assert ("/act/" in json.dumps({**message, "buttons": []})) == (channel == "email"), channel
        assert "/act/" not in json.dumps(message["data"])


def test_only_the_token_is_left_out_of_a_path() -> None:
    assert without_secrets("/act/abc") == "/act/{token}"
    assert without_secrets("/prefix/Act/abc/def") == "/prefix/act/{token}"
    assert without_secrets("/activity/abc") == "/activity/abc"
