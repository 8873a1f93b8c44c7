"""Slack: what is posted to a webhook, and what its answers mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.channels.http_cases import unused_port
from tests.channels.meanings import meaning_of
from tests.channels.provider_cases import SLACK_MESSAGE, slack_at
from tests.channels.servers.http_server import Reply
from tests.channels.servers.slack import webhook
from tests.channels.servers.talking import talking
from tidings.spine.channels.port import Answer, Blame, Button, Deferred, Rejected, Sent
from tidings.spine.channels.registry import Outside
from tidings.spine.channels.slack import body_of, outcome

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DEADLINE = timedelta(seconds=10)
Reaching = Callable[[timedelta], Outside]


async def test_a_message_is_posted_as_a_header_and_a_section(outside: Reaching) -> None:
    async with talking(webhook) as server:
        message = replace(SLACK_MESSAGE, to=f"{server.url}/services/T/B/secret")
        assert await slack_at("", outside(DEADLINE)).send(message) == Sent()
        body = json.loads(server.requests[0].body)
    assert [block["type"] for block in body["blocks"]] == ["header", "section"]
    assert body["text"] == "Paid\nYour order was paid"


async def test_a_long_message_is_cut_to_what_slack_takes(outside: Reaching) -> None:
    async with talking(webhook) as server:
        to = f"{server.url}/services/T/B/secret"
        message = replace(SLACK_MESSAGE, to=to, subject="s" * 500, text="<&>" * 5_000)
        assert await slack_at("", outside(DEADLINE)).send(message) == Sent()


async def test_buttons_are_links_below_the_text_the_first_the_main_one(outside: Reaching) -> None:
    buttons = (Button("Confirm", "https://example.com/act/a"), Button("x" * 500, "https://example.com/act/b"))
    async with talking(webhook) as server:
        message = replace(SLACK_MESSAGE, to=f"{server.url}/services/T/B/secret", buttons=buttons)
        assert await slack_at("", outside(DEADLINE)).send(message) == Sent()
        assert await slack_at("", outside(DEADLINE)).send(replace(message, subject=None)) == Sent()
        first, second = (json.loads(request.body) for request in server.requests)
    assert [block["type"] for block in first["blocks"]] == ["header", "section", "actions"]
    assert [block["type"] for block in second["blocks"]] == ["section", "actions"]
    confirm, other = first["blocks"][2]["elements"]
    assert (confirm["text"]["text"], confirm["url"]) == ("Confirm", "https://example.com/act/a")
    assert (confirm.get("style"), other.get("style")) == ("primary", None)
    assert first["text"] == "Paid\nYour order was paid"


async def test_a_webhook_that_is_no_more_is_gone(outside: Reaching) -> None:
    async with talking(webhook) as server:
        message = replace(SLACK_MESSAGE, to=f"{server.url}/services/T/B/old")
        assert await slack_at("", outside(DEADLINE)).send(message) == Rejected("Slack: no_service", gone=True)


async def test_a_server_that_is_down_is_this_addresses_failure(outside: Reaching) -> None:
    message = replace(SLACK_MESSAGE, to=f"http://127.0.0.1:{unused_port()}/services/T/B/secret")
    found = await slack_at("", outside(DEADLINE)).send(message)
    assert isinstance(found, Deferred)
    assert found.blame is Blame.ADDRESS


async def test_an_internal_address_is_refused_and_the_url_not_repeated(outside: Reaching) -> None:
    message = replace(SLACK_MESSAGE, to="http://169.254.169.254/canary")
    found = await slack_at("", outside(DEADLINE)).send(message)
    assert isinstance(found, Rejected)
    assert "canary" not in found.reason


def test_nothing_in_the_text_is_a_mention_or_a_link() -> None:
    body = body_of(replace(SLACK_MESSAGE, text="<!channel> & <https://example.com|here>"))
    expected = "&lt;!channel&gt; &amp; &lt;https://example.com|here&gt;"
    assert body["blocks"][1]["text"]["text"] == expected
    assert body["text"] == f"Paid\n{expected}"


@pytest.mark.parametrize("length", range(2_990, 3_005))
def test_a_cut_leaves_no_half_entity(length: int) -> None:
    section = body_of(replace(SLACK_MESSAGE, text="x" * length + "&" * 20))["blocks"][1]["text"]["text"]
    assert len(section) <= 3_000
    assert set(section.strip("x…").split("&amp;")) <= {""}


def test_a_message_without_a_subject_has_no_header() -> None:
    assert [block["type"] for block in body_of(replace(SLACK_MESSAGE, subject=None))["blocks"]] == ["section"]


@pytest.mark.parametrize(
    ("reply", "meaning"),
    [
        (Reply(200, b"ok"), "sent"),
        (Reply(200, b"ok\n"), "sent"),
        (Reply(200, b"invalid_payload"), "rejected"),
        (Reply(200, b"<html>"), "unknown"),
        (Reply(200, b""), "unknown"),
        (Reply(400, b"invalid_payload"), "rejected"),
        (Reply(400, b"no_text"), "rejected"),
        (Reply(403, b"action_prohibited"), "rejected"),
        (Reply(403, b"invalid_token"), "gone"),
        (Reply(404, b"no_service"), "gone"),
        (Reply(404, b"channel_not_found"), "gone"),
        (Reply(404, b"no_team"), "gone"),
        (Reply(404, b""), "gone"),
        (Reply(410, b"channel_is_archived"), "rejected"),
        (Reply(403, b"<html>"), "deferred for the address"),
        (Reply(429, b""), "deferred for the address"),
        (Reply(500, b"rollup_error"), "deferred for the address"),
        (Reply(503, b""), "deferred for the address"),
    ],
)
def test_what_an_answer_means(reply: Reply, meaning: str) -> None:
    assert meaning_of(outcome(Answer(reply.status, {}, reply.body), NOW)) == meaning


def test_slack_says_how_long_to_wait() -> None:
    found = outcome(Answer(429, {"retry-after": "30"}, b"rate_limited"), NOW)
    assert found == Deferred("Slack: 429", timedelta(seconds=30), Blame.ADDRESS)


def test_what_some_server_says_is_not_repeated() -> None:
    found = outcome(Answer(500, {}, b"canary: the inside of a network"), NOW)
    assert isinstance(found, Deferred)
    assert "canary" not in found.reason
