"""Buttons in messages: in mails and Slack, in the reader's language, the same each time, and nowhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

import tidings
from tests.channels.servers.http_server import Reply
from tests.channels.servers.slack import webhook
from tests.channels.servers.talking import talking
from tests.support.pipeline import Owner, add_person, add_provider, add_url, drain, emit, kept
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.notify.matters.links import ActionLink, open_action_links
from tidings.spine.notify.matters.model import Action

EVERYONE = tidings.Selector(tidings.By.EVERYONE)
CHANNELS = ["email", "slack", "sms", "push", "webhook", "websocket"]
ALL = (Action.CONFIRMED, Action.REJECTED, Action.POSTPONED, Action.DISMISSED, Action.CUSTOM)
LABELS = {"en": ("Confirm", "Reject"), "de": ("Bestätigen", "Ablehnen"), "it": ("Accetta", "Rifiuta")}
PROPERTIES = {"actionUrl": "https://example.com/orders/7", "actionLabel": "Open"}


@tidings.listener("order.paid", name="asks")
async def asks(fact: object) -> tidings.Notice:
    return tidings.Notice("Pack it?", "Order 7", [EVERYONE], CHANNELS, shared=True, actions=ALL, properties=PROPERTIES)


@tidings.listener("order.paid", name="asks in German")
async def asks_in_german(fact: object) -> tidings.Notice:
    return tidings.Notice(
        "Einpacken?", "", [EVERYONE], ["email"], shared=True, actions=ALL, properties={"locale": "de"}
    )


@tidings.listener("order.paid", name="asks as usual")
async def asks_as_usual(fact: object) -> tidings.Notice:
    return tidings.Notice("Seen?", "", [EVERYONE], ["email"], shared=True)


@tidings.listener("order.paid", name="asks for more")
async def asks_for_more(fact: object) -> tidings.Notice:
    actions = [Action.POSTPONED, Action.CUSTOM]
    return tidings.Notice("When?", "", [EVERYONE], ["email"], shared=True, actions=actions, properties=PROPERTIES)


@tidings.listener("order.paid", name="informs")
async def informs(fact: object) -> tidings.Notice:
    return tidings.Notice("Paid", "", [EVERYONE], ["email"], properties=PROPERTIES)


def buttons_in(html: str) -> dict[str, str]:
    """The buttons of a mail, by label."""
    found = re.findall(r'<a\s[^>]*href="([^"]+)"[^>]*>\s*([^<]+?)\s*</a>', html)
    return {label: url for url, label in found}


async def links_of(owner: Owner, sending: Settings, urls: Mapping[str, str]) -> dict[str, ActionLink]:
    links = open_action_links(await unlocked(sending, owner), "")
    found = {label: links.read(url.rpartition("/act/")[2]) for label, url in urls.items()}
    return {label: link for label, link in found.items() if link is not None}


@pytest.mark.parametrize("language", LABELS)
async def test_mails_have_them_in_both_parts_and_slack_below_its_text(
    owner: Owner, sending: Settings, language: str
) -> None:
    person = await add_person(owner, email="owner@example.com", locale=f"{language}-CH")
    async with talking(webhook) as slack:
        await add_url(owner, sending, person, "slack", f"{slack.url}/services/T/B/secret")
        await add_provider(owner, sending, "slack", "slack")
        await emit(owner)
        await drain(sending, asks)
        (posted,) = [json.loads(request.body) for request in slack.requests]
    (mail,) = [message for message in await kept(owner, sending) if message["channel"] == "email"]
    in_html = {label: url for label, url in buttons_in(mail["html"]).items() if "/act/" in url}
    assert tuple(in_html) == LABELS[language]
    assert buttons_in(mail["html"])["Open"] == "https://example.com/orders/7"
    lines = mail["text"].splitlines()
    assert {label: lines[lines.index(f"{label}:") + 1] for label in in_html} == in_html
    elements = posted["blocks"][-1]["elements"]
    in_slack = {each["text"]["text"]: each["url"] for each in elements}
    assert tuple(in_slack) == LABELS[language]
    assert "/act/" not in posted["text"]
    for channel, urls in (("email", in_html), ("slack", in_slack)):
        links = await links_of(owner, sending, urls)
        assert [link.action for link in links.values()] == [Action.CONFIRMED, Action.REJECTED]
        row = await owner.fetchrow(
            """SELECT d.id, d.notification_id, d.tenant, d.due_at FROM tidings.deliveries_finished d
               WHERE d.channel = $1 AND d.person_id = $2""",
            channel,
            person,
        )
        assert row is not None
        for link in links.values():
            assert (link.delivery_id, link.notification_id, link.tenant) == tuple(row)[:3]
            assert link.until == row["due_at"].replace(microsecond=0) + timedelta(days=7)


async def test_nothing_else_that_is_sent_has_them(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner, email="owner@example.com", phone="+390612345678", push="device")
    await add_url(owner, sending, person, "webhook", "https://hooks.example.com/in")
    await emit(owner)
    await drain(sending, asks)
    messages = await kept(owner, sending)
    assert {message["channel"] for message in messages} == {"email", "sms", "push", "webhook"}
    for message in messages:
        assert ("/act/" in json.dumps(message)) == (message["channel"] == "email")
        assert "/act/" not in json.dumps(message["data"])


async def test_each_person_has_links_of_their_own(owner: Owner, sending: Settings) -> None:
    people = [await add_person(owner, f"Number {n}", email=f"{n}@example.com") for n in range(3)]
    await emit(owner)
    await drain(sending, asks)
    mails = await kept(owner, sending)
    urls = {f"{mail['name']} {label}": url for mail in mails for label, url in buttons_in(mail["html"]).items()}
    links = await links_of(owner, sending, urls)
    whose = {
        await owner.fetchval("SELECT person_id FROM tidings.notifications WHERE id = $1", link.notification_id)
        for link in links.values()
    }
    assert (len(links), whose) == (6, set(people))


@pytest.mark.parametrize(
    ("listener", "expected"),
    [
        (asks_in_german, ["Bestätigen", "Ablehnen"]),
        (asks_as_usual, ["Confirm", "Dismiss"]),
        (asks_for_more, []),
        (informs, []),
    ],
)
async def test_what_a_mail_offers_is_what_can_be_done_with_a_click(
    owner: Owner, sending: Settings, listener: Any, expected: list[str]
) -> None:
    await add_person(owner, email="owner@example.com")
    await emit(owner)
    await drain(sending, listener)
    (mail,) = await kept(owner, sending)
    assert [label for label, url in buttons_in(mail["html"]).items() if "/act/" in url] == expected
    assert ("Whoever has this e-mail can answer" in mail["text"]) == bool(expected)
    assert ("https://example.com/orders/7" in mail["html"]) == (listener in (asks_for_more, informs))


async def test_a_message_that_is_tried_again_is_the_same_message(owner: Owner, sending: Settings) -> None:
    """Slack is posted to twice: the first time it was busy."""
    answers = iter([Reply(500, b"rollup_error"), Reply(200, b"ok")])
    person = await add_person(owner)
    async with talking(lambda request: next(answers)) as slack:
        await add_url(owner, sending, person, "slack", f"{slack.url}/services/T/B/secret")
        await add_provider(owner, sending, "slack", "slack")
        await emit(owner)
        await drain(sending, asks)
        await owner.execute("UPDATE tidings.deliveries SET run_at = now() WHERE channel = 'slack'")
        await drain(sending, asks)
        first, second = (request.body for request in slack.requests)
    assert first == second
    assert b"/act/" in first


async def test_a_template_of_ones_own_places_them_by_label_and_url(owner: Owner, sending: Settings) -> None:
    await owner.execute(
        """INSERT INTO tidings.templates (tenant, name, channel, locale, version, subject, text)
           VALUES ('default', 'notice', 'email', '', 1, 'Own', $1)""",
        "{% for each in links %}{{ each.label }} here {{ each.url }}\n{% endfor %}{{ links | length }}",
    )
    await add_person(owner, email="owner@example.com")
    await emit(owner)
    await drain(sending, asks)
    (mail,) = await kept(owner, sending)
    confirm, reject, count = mail["text"].splitlines()
    assert re.fullmatch(r"Confirm here https?://\S+/act/[\w-]+", confirm)
    assert re.fullmatch(r"Reject here https?://\S+/act/[\w-]+", reject)
    assert count == "2"
    assert len(mail["buttons"]) == 2


async def test_links_are_in_no_table_whatever_became_of_their_message(owner: Owner, sending: Settings) -> None:
    person = await add_person(owner)
    async with talking(lambda request: Reply(403, b"action_prohibited")) as slack:
        await add_url(owner, sending, person, "slack", f"{slack.url}/services/T/B/secret")
        await add_provider(owner, sending, "slack", "slack")
        await emit(owner)
        await drain(sending, asks)
        (posted,) = [json.loads(request.body) for request in slack.requests]
    token = posted["blocks"][-1]["elements"][0]["url"].rpartition("/")[2]
    for table in ("delivery_attempts", "deliveries_finished", "notices", "notifications", "facts"):
        rows = await owner.fetch(f"SELECT t::text AS row FROM tidings.{table} t")
        assert rows
        assert not any(token in row["row"] for row in rows)
