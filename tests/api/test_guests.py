"""People without a login: they ask with an e-mail address, confirm and leave by a link. A GET changes nothing."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from typing import Any

from tests.api.event_routes import created, guests_of, in_
from tests.api.world import Answer, Client, World
from tests.support.pipeline import kept
from tidings.testing import adrain
from tidings.worker.maintenance import maintenance

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


async def posted(client: Client, url: str, **fields: str) -> Answer:
    path = url.removeprefix(re.match(r"https?://[^/]+", url)[0])  # type: ignore[index]
    body = "&".join(f"{name}={value.replace('@', '%40').replace(' ', '+')}" for name, value in fields.items())
    return await client.call("POST", path, data=body, headers=FORM)


async def opened(client: Client, url: str, method: str = "GET") -> Answer:
    return await client.call(method, url.removeprefix(re.match(r"https?://[^/]+", url)[0]))  # type: ignore[index]


async def mails(world: World) -> list[dict[str, Any]]:
    await adrain(world.settings)
    messages: Any = await kept(world.pool, world.settings)  # type: ignore[arg-type]
    return [message for message in messages if message["channel"] == "email"]


def link_in(mail: dict[str, Any], page: str) -> str:
    found = re.search(rf"https?://\S+/guest/{page}/[A-Za-z0-9_-]+", mail["text"])
    assert found, mail["text"]
    return found[0]


async def joined(world: World) -> int:
    count: int = await world.pool.fetchval(
        "SELECT count(*) FROM tidings.event_subscriptions WHERE confirmed_at IS NOT NULL AND left_at IS NULL"
    )
    return count


async def test_a_guest_asks_confirms_is_reminded_leaves_and_comes_back(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin, name="Open <day>")
    page = await opened(world.client, event["joinUrl"])
    assert (page.status, "Open &lt;day&gt;" in page.text) == (200, True)
    assert "script-src 'none'" in page.headers["Content-Security-Policy"]
    asked = await posted(world.client, event["joinUrl"], name="Grace", email="grace@example.com")
    assert (asked.status, "mailbox" in asked.text) == (200, True)
    assert await joined(world) == 0
    (mail,) = await mails(world)
    confirm = link_in(mail, "confirm")
    for method in ("GET", "HEAD", "GET"):  # as scanners do
        assert (await opened(world.client, confirm, method)).status == 200
    assert await joined(world) == 0
    for _ in range(2):
        assert "You are in" in unescape((await posted(world.client, confirm, choice="confirm")).text)
    assert await joined(world) == 1
    _, welcome = await mails(world)
    assert (welcome["to"], welcome["subject"]) == ("grace@example.com", "You have joined Open <day>")
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'event.remind'") == 2
    personal = link_in(welcome, "event")
    assert (await opened(world.client, personal)).status == 200
    assert "You have left" in (await posted(world.client, personal, choice="leave")).text
    assert await joined(world) == 0
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'event.remind'") == 0
    assert "You are in" in (await posted(world.client, personal, choice="join")).text
    assert await joined(world) == 1


async def test_who_is_known_is_not_told_and_gets_the_event_as_the_person_they_are(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    await guests.admin.post("/v1/people", {"name": "Known", "email": "known@example.com"})
    answers = [
        await posted(world.client, event["joinUrl"], name="X", email=email)
        for email in ("Known@example.com", "new@example.com")
    ]
    assert answers[0].text == answers[1].text
    mail = next(mail for mail in await mails(world) if mail["to"] == "known@example.com")
    await posted(world.client, link_in(mail, "confirm"), choice="confirm")
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.people WHERE name IN ('Known', 'X')") == 2
    (subscription,) = (await guests.admin.get(f"/v1/events/{event['id']}/subscriptions")).json["data"]
    assert subscription["person"] == "Known"
    again = await posted(world.client, event["joinUrl"], name="X", email="known@example.com")
    assert again.text == answers[0].text
    assert len([mail for mail in await mails(world) if "confirm" in mail["subject"]]) == 2


async def test_one_address_is_not_flooded(world: World) -> None:
    guests = await guests_of(world)
    events = [await created(guests.admin, name=f"Event {n}") for n in range(7)]
    answers = [await posted(world.client, event["joinUrl"], name="X", email="a@example.com") for event in events]
    assert [answer.status for answer in answers] == [200] * 5 + [429] * 2
    again = await posted(world.client, events[0]["joinUrl"], name="X", email="b@example.com")
    twice = await posted(world.client, events[0]["joinUrl"], name="X", email="b@example.com")
    assert (again.status, twice.status) == (200, 200)
    assert len([mail for mail in await mails(world) if mail["to"] == "b@example.com"]) == 1


async def test_what_is_no_address_no_name_or_no_link_is_refused(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    for fields in ({"name": "X", "email": "nobody"}, {"name": "", "email": "a@example.com"}, {}):
        answer = await posted(world.client, event["joinUrl"], **fields)
        assert answer.status == 422
    for email in ("a@example.com, b@example.com", "a@example.com\r\nBcc: b@example.com"):
        assert (await posted(world.client, event["joinUrl"], name="X", email=email)).status == 422
    for page in ("join", "confirm", "event"):
        for token in ("x", "AAAA", event["joinUrl"].rsplit("/", 1)[1][:-1]):
            assert (await world.client.get(f"/guest/{page}/{token}")).status == 404
            assert (await posted(world.client, f"http://x/guest/{page}/{token}", choice="confirm")).status == 404
    token = event["joinUrl"].rsplit("/", 1)[1]
    assert (await world.client.get(f"/guest/event/{token}")).status == 404
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.event_subscriptions") == 0


async def test_a_cancelled_event_takes_no_guests(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    await posted(world.client, event["joinUrl"], name="X", email="a@example.com")
    (mail,) = await mails(world)
    await guests.admin.post(f"/v1/events/{event['id']}/cancel")
    assert "cancelled" in (await opened(world.client, event["joinUrl"])).text
    assert (await posted(world.client, event["joinUrl"], name="X", email="b@example.com")).status == 409
    assert (await posted(world.client, link_in(mail, "confirm"), choice="confirm")).status == 409
    assert await joined(world) == 0


async def test_what_nobody_confirms_within_a_week_goes_with_who_was_made_for_it(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin, startsAt=in_(days=60))
    await guests.admin.post("/v1/people", {"name": "Known", "email": "known@example.com"})
    for email in ("known@example.com", "new@example.com", "fresh@example.com"):
        await posted(world.client, event["joinUrl"], name="Guest", email=email)
    await world.pool.execute(
        """UPDATE tidings.event_subscriptions SET asked_at = now() - interval '8 days' WHERE person_id IN (
               SELECT person_id FROM tidings.addresses WHERE value <> 'fresh@example.com')"""
    )
    async with world.pool.acquire() as connection, connection.transaction():
        await maintenance(world.settings).function(connection, [])
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.event_subscriptions") == 1
    left = await world.pool.fetch("SELECT value FROM tidings.addresses WHERE kind = 'email' ORDER BY value")
    assert [row["value"] for row in left] == ["fresh@example.com", "known@example.com"]


async def test_the_tokens_of_links_are_in_no_table(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    await posted(world.client, event["joinUrl"], name="X", email="a@example.com")
    (mail,) = await mails(world)
    token = link_in(mail, "confirm").rsplit("/", 1)[1]
    tables = await world.pool.fetch("SELECT table_name FROM information_schema.tables WHERE table_schema = 'tidings'")
    for table in tables:
        rows = await world.pool.fetch(f"SELECT t::text AS row FROM tidings.{table['table_name']} t")
        assert not any(token in row["row"] for row in rows), table["table_name"]


async def test_a_guest_hears_in_the_language_of_their_browser(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    path = event["joinUrl"].removeprefix(re.match(r"https?://[^/]+", event["joinUrl"])[0])  # type: ignore[index]
    body = "name=Gretchen&email=g%40example.com"
    answer = await world.client.call("POST", path, data=body, headers={**FORM, "Accept-Language": "de-CH,de;q=0.9"})
    assert "Postfach" in answer.text
    (mail,) = await mails(world)
    assert mail["subject"].startswith("Bitte bestätigen")


async def test_more_guests_at_once_than_there_are_connections_all_get_an_answer(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    async with asyncio.timeout(30):
        answers = await asyncio.gather(
            *(posted(world.client, event["joinUrl"], name="X", email=f"guest{n}@example.com") for n in range(40))
        )
    assert {answer.status for answer in answers} == {200}


async def test_who_asks_twice_at_once_is_one_person_and_gets_one_mail(world: World) -> None:
    guests = await guests_of(world)
    event = await created(guests.admin)
    await asyncio.gather(*(posted(world.client, event["joinUrl"], name="X", email="a@example.com") for _ in range(4)))
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.people WHERE name = 'X'") == 1
    assert len(await mails(world)) == 1
