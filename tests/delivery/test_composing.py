"""What a mail carries beside its words: attachments, and links that are one person's alone and kept nowhere."""

from __future__ import annotations

import email
import email.policy
import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest

import tidings
from tests.delivery.mail_servers import slow_mail_server
from tests.support.pipeline import Owner, add_person, add_provider, add_url, drain, emit, kept
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import ADDRESSES
from tidings.spine.channels.port import Channel, Message
from tidings.spine.delivery.composing import Composer
from tidings.spine.delivery.leases import DeliveryLeases
from tidings.spine.delivery.table import DELIVERIES, Delivery
from tidings.spine.notify.attaching import KeptAttachment
from tidings.spine.notify.fanning import FanOut
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer
from tidings.spine.outbox.handlers import Kind
from tidings.spine.outbox.lanes import BEGINNING, LaneQueue

EVERYONE = tidings.Selector(tidings.By.EVERYONE)
CALENDAR = "text/calendar; method=REQUEST; charset=utf-8"
ICS = "BEGIN:VCALENDAR\r\nSUMMARY:Caffè\r\nEND:VCALENDAR\r\n"


@tidings.listener("order.paid", name="with an appointment")
async def invited(fact: object) -> tidings.Notice:
    files = [tidings.TextAttachment("invite.ics", CALENDAR, ICS), tidings.TextAttachment("a.txt", "text/plain", "")]
    return tidings.Notice("Come", "At seven", [EVERYONE], ["email", "push", "webhook"], attachments=files)


@tidings.listener("order.paid", name="with a letter")
async def missing(fact: object) -> tidings.Notice:
    return tidings.Notice("See", "It", [EVERYONE], ["email"], attachments=[KeptAttachment("letter", "7")])


@tidings.listener("order.paid", name="with a link")
async def linked(fact: object) -> tidings.Notice:
    properties = {"actionLabel": "Confirm", "actionUrl": "https://example.com/not-this"}
    return tidings.Notice("Confirm", "Please", [EVERYONE], ["email"], link="confirm", properties=properties)


async def test_attachments_arrive_with_a_mail_and_with_nothing_else(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, email="ada@example.com", push="token")
    await add_url(owner, sending, person, "webhook", "https://hooks.example.com/in")
    async with slow_mail_server(0) as server:
        await add_provider(owner, sending, "email", "smtp", config=server.config)
        await emit(owner)
        await drain(sending, invited)
    (mail,) = server.mails
    invite, other = email.message_from_bytes(mail, policy=email.policy.default).iter_attachments()
    assert (invite.get_filename(), invite.get_content_type()) == ("invite.ics", "text/calendar")
    assert dict(invite["Content-Type"].params) == {"method": "REQUEST", "charset": "utf-8"}
    assert invite.get_payload(decode=True) == ICS.encode()
    assert (other.get_filename(), other.get_payload(decode=True)) == ("a.txt", b"")
    for message in await kept(owner, sending):
        assert message["attachments"] == []
        assert "VCALENDAR" not in json.dumps(message)


async def test_the_sandbox_keeps_what_an_attachment_is_and_not_its_content(owner: Owner, sending: Settings) -> None:
    await add_person(owner, email="ada@example.com")
    await emit(owner)
    await drain(sending, invited)
    (message,) = await kept(owner, sending)
    size = len(ICS.encode())
    assert message["attachments"][0] == {"name": "invite.ics", "mediaType": CALENDAR, "bytes": size}


async def test_a_file_that_nobody_keeps_holds_up_its_own_mail_alone(owner: Owner, sending: Settings) -> None:
    await add_person(owner, email="ada@example.com")
    await emit(owner)
    await drain(sending, invited, missing)
    assert [message["subject"] for message in await kept(owner, sending)] == ["Come"]
    (error,) = await owner.fetch("SELECT last_error FROM tidings.deliveries_finished WHERE status = 'failed'")
    assert error["last_error"] == "its template cannot be rendered: attachments: the letter 7 is not kept here"


@pytest.mark.parametrize(
    "attachments",
    [
        [("a.ics", "text/calendar\r\nBcc: a@example.com", "")],
        [("a.ics", "calendar", "")],
        [("a\nb.ics", "text/calendar", "")],
        [("", "text/calendar", "")],
        [("a.ics", "text/calendar", "a\0")],
        [("a.ics", "text/calendar", "\ud800")],
        [("a.ics", "text/calendar", "x" * (128 * 1024 + 1))],
        [("a.ics", "text/calendar", "ü" * 40_000), ("b.ics", "text/calendar", "ü" * 40_000)],
        [("a.ics", "text/calendar", "")] * 11,
    ],
)
def test_what_could_not_be_attached_is_refused_where_it_is_said(attachments: list[tuple[str, str, str]]) -> None:
    with pytest.raises(ValueError, match=r"."):
        tidings.Notice("T", "B", [EVERYONE], ["email"], attachments=[tidings.TextAttachment(*a) for a in attachments])


def confirm(delivery: Delivery, data: Mapping[str, Any]) -> str:
    return f"https://example.com/confirm/{data['event']}/{delivery.person_id}"


async def composer(pool: db.Pool, sending: Settings, **links: Any) -> Composer:
    vault = (await unlocked(sending, pool)).vault(ADDRESSES)
    return Composer(pool, vault, Renderer(), lambda delivery: None, links)


async def leased(owner: Owner, pool: db.Pool, sending: Settings, channel: str = "email") -> list[Delivery]:
    """The deliveries of a notice with a link, to everybody."""
    notice: UUID = await owner.fetchval(
        """INSERT INTO tidings.notices (id, tenant, listener, title, body, template, level, category, channels,
               audience, properties, link)
           VALUES (tidings.uuid7(), 'default', 'test', 'Confirm', 'Please', 'notice', 'info', 'general', ARRAY[$1],
               '[{"by": "everyone"}]', '{"event": 7, "actionUrl": "https://example.com/not-this"}', 'confirm')
           RETURNING id""",
        channel,
    )
    await owner.execute("INSERT INTO tidings.tallies (notice_id, tenant) VALUES ($1, 'default')", notice)
    await FanOut({channel: "sandbox"}).reach(owner, [notice])
    party = str(await owner.fetchval("SELECT id FROM tidings.providers"))
    hour = sending.outbox.lease
    leases = DeliveryLeases(pool, DELIVERIES, uuid4(), hour, hour, sending.delivery)
    found = await leases.lease(Kind(channel, print), LaneQueue({party: BEGINNING}), {party: 10})
    return [each for each in found if isinstance(each, Delivery)]


async def test_each_person_gets_a_link_of_their_own_in_the_words_and_nowhere_else(
    owner: Owner, pool: db.Pool, sending: Settings
) -> None:
    for n in range(3):
        await add_person(owner, f"Number {n}", email=f"{n}@example.com")
    composing = await composer(pool, sending, confirm=confirm)
    found: dict[UUID, Message] = {}
    for delivery in await leased(owner, pool, sending):
        found[delivery.person_id] = await composing.compose(delivery)
    assert len(found) == 3
    for person, message in found.items():
        url = f"https://example.com/confirm/7/{person}"
        assert url in message.text
        assert f'href="{url}"' in (message.html or "")
        assert "not-this" not in f"{message.text} {message.html}"
        assert str(person) not in json.dumps(message.data, default=str)
        assert all(str(other) not in message.text for other in found if other != person)


async def test_other_channels_do_not_have_it(owner: Owner, pool: db.Pool, sending: Settings) -> None:
    await add_person(owner, phone="+390612345678")
    (delivery,) = await leased(owner, pool, sending, "sms")
    message = await (await composer(pool, sending, confirm=confirm)).compose(delivery)
    assert message.channel is Channel.SMS
    assert "confirm/7" not in message.text


async def test_a_link_that_cannot_be_made_says_so(owner: Owner, pool: db.Pool, sending: Settings) -> None:
    def wanting(delivery: Delivery, data: Mapping[str, Any]) -> str:
        return str(data["somethingElse"])

    await add_person(owner, email="ada@example.com")
    (delivery,) = await leased(owner, pool, sending)
    with pytest.raises(TemplateError, match="nobody here makes the link 'confirm'"):
        await (await composer(pool, sending)).compose(delivery)
    with pytest.raises(TemplateError, match="cannot be made of this"):
        await (await composer(pool, sending, confirm=wanting)).compose(delivery)


async def test_a_mail_whose_link_nobody_makes_is_refused_for_good(owner: Owner, sending: Settings) -> None:
    await add_person(owner, email="ada@example.com")
    await emit(owner)
    await drain(sending, linked)
    row = await owner.fetchrow("SELECT status, attempts, last_error FROM tidings.deliveries_finished")
    assert row is not None
    said = "its template cannot be rendered: link: nobody here makes the link 'confirm'"
    assert tuple(row) == ("failed", 1, said)
    assert await kept(owner, sending) == []
