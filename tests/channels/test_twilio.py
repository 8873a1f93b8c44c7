"""Twilio: what is posted, and what its answers mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from tests.channels.meanings import meaning_of
from tests.channels.provider_cases import SMS_MESSAGE, WHATSAPP_MESSAGE, twilio_at
from tests.channels.servers import twilio as server
from tests.channels.servers.http_server import Reply
from tests.channels.servers.talking import talking
from tidings.spine.channels.port import Answer, Blame, Deferred, Message, Outcome, Rejected, Sent, Unknown
from tidings.spine.channels.registry import Outside
from tidings.spine.channels.twilio import TwilioConfig, outcome

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DEADLINE = timedelta(seconds=10)
Reaching = Callable[[timedelta], Outside]


async def sent(message: Message, outside: Reaching, **config: object) -> tuple[Outcome, dict[str, str]]:
    """What came of it, and the form that Twilio was posted last."""
    async with talking(server.answer) as talked:
        found = await twilio_at(talked.url, outside(DEADLINE), **config).send(message)
        return found, server.form_in(talked.requests[-1]) if talked.requests else {}


async def test_a_text_message_is_posted_and_its_sid_is_the_receipt(outside: Reaching) -> None:
    found, form = await sent(SMS_MESSAGE, outside)
    assert found == Sent(server.SID)
    assert form == {"To": "+15005550001", "From": "+15005550006", "Body": "Your order was paid"}


async def test_a_messaging_service_and_a_callback_are_named(outside: Reaching) -> None:
    callback = "https://tidings.example.com/v1/receipts/twilio"
    config = {"from": None, "messagingServiceSid": "MG01", "statusCallback": callback}
    found, form = await sent(SMS_MESSAGE, outside, **config)
    assert found == Sent(server.SID)
    assert form["MessagingServiceSid"] == "MG01"
    assert form["StatusCallback"] == callback
    assert "From" not in form


async def test_whatsapp_addresses_carry_its_prefix(outside: Reaching) -> None:
    found, form = await sent(WHATSAPP_MESSAGE, outside, **{"from": "whatsapp:+15005550006"})
    assert found == Sent(server.SID)
    assert (form["To"], form["From"]) == ("whatsapp:+15005550001", "whatsapp:+15005550006")


async def test_a_whatsapp_template_is_sent_by_its_content_sid(outside: Reaching) -> None:
    template = {"contentSid": "HX01", "variables": {"1": "Paid", "2": 7}}
    found, form = await sent(replace(WHATSAPP_MESSAGE, data={"whatsapp": template}), outside)
    assert found == Sent(server.SID)
    assert form["ContentSid"] == "HX01"
    assert json.loads(form["ContentVariables"]) == {"1": "Paid", "2": "7"}
    assert "Body" not in form


@pytest.mark.parametrize("template", [{}, {"contentSid": "x"}, "HX01", None, {"contentSid": "HX01", "variables": [1]}])
async def test_a_template_that_is_none_is_rejected_and_not_sent(template: object, outside: Reaching) -> None:
    found, form = await sent(replace(WHATSAPP_MESSAGE, data={"whatsapp": template}), outside)
    assert isinstance(found, Rejected)
    assert form == {}


@pytest.mark.parametrize("to", ["", "0155500001", "whatsapp:+15005550001", "+1500\n5550001", "client:ann", "+1" * 20])
async def test_what_is_no_phone_number_is_gone_and_not_sent(to: str, outside: Reaching) -> None:
    found, form = await sent(replace(SMS_MESSAGE, to=to), outside)
    assert isinstance(found, Rejected)
    assert found.gone
    assert form == {}


async def test_a_number_is_written_as_twilio_wants_it(outside: Reaching) -> None:
    _, form = await sent(replace(SMS_MESSAGE, to=" +1 (500) 555-0001"), outside)
    assert form["To"] == "+15005550001"


async def test_an_unsubscribed_number_is_gone_with_twilios_reason(outside: Reaching) -> None:
    found, _ = await sent(replace(SMS_MESSAGE, to=server.UNSUBSCRIBED), outside)
    assert found == Rejected("Twilio: 21610: Attempt to send to unsubscribed recipient", gone=True)


async def test_a_full_queue_waits_as_long_as_twilio_says(outside: Reaching) -> None:
    found, _ = await sent(replace(SMS_MESSAGE, to=server.FULL), outside)
    assert found == Deferred("Twilio: 20429: Too Many Requests", timedelta(seconds=7))


async def test_a_wrong_token_is_the_providers_matter_and_not_shown(outside: Reaching) -> None:
    found, _ = await sent(SMS_MESSAGE, outside, authToken="canary")
    assert isinstance(found, Deferred)
    assert found.blame is Blame.PROVIDER
    assert "canary" not in found.reason


@pytest.mark.parametrize(
    ("reply", "meaning"),
    [
        (server.accepted(), "sent"),
        (server.accepted(error_code=30007, error_message="Filtered"), "rejected"),
        (server.accepted(error_code=99999, error_message="Something new"), "rejected"),
        (server.accepted(error_code=20429), "deferred"),
        (server.accepted(sid=None), "unknown"),
        (Reply(200, b"<html>"), "unknown"),
        (Reply(201, b"[" * 100_000), "unknown"),
        (server.refusal(400, 21211, "Invalid"), "gone"),
        (server.refusal(400, 21614, "No mobile"), "gone"),
        (server.refusal(400, 21610, "Unsubscribed"), "gone"),
        (server.refusal(400, 21606, "Not our sender"), "deferred"),
        (server.refusal(400, 21408, "Country"), "rejected"),
        (server.refusal(400, 30003, "Unreachable"), "deferred for the address"),
        (server.refusal(400, 63003, "Not on WhatsApp"), "gone"),
        (server.refusal(400, 63016, "Outside the window"), "rejected"),
        (server.refusal(400, 63018, "Too fast"), "deferred"),
        (server.refusal(400, 63999, "Something new"), "rejected"),
        (server.refusal(401, 20003, "Authenticate"), "deferred"),
        (server.refusal(404, 20404, "Not found"), "deferred"),
        (server.refusal(429, 20429, "Too many"), "deferred"),
        (server.refusal(500, 20500, "Internal"), "deferred"),
        (Reply(400, b"null"), "rejected"),
        (Reply(302, b""), "deferred"),
        (Reply(502, b"<html>"), "deferred"),
        (Reply(400, b'{"code": "21211", "message": 5}'), "gone"),
        (Reply(400, b'{"code": true}'), "rejected"),
    ],
)
def test_what_an_answer_means(reply: Reply, meaning: str) -> None:
    found = outcome(Answer(reply.status, {}, reply.body), NOW)
    assert meaning_of(found) == meaning
    if isinstance(found, Unknown):
        assert "Twilio" in found.reason


@pytest.mark.parametrize("sender", [{}, {"from": "+15005550006", "messagingServiceSid": "MG01"}])
def test_an_account_has_one_sender(sender: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="either from or messagingServiceSid"):
        TwilioConfig.model_validate({"accountSid": server.ACCOUNT, "authToken": "canary", **sender})


def test_the_token_is_not_shown() -> None:
    config = TwilioConfig.model_validate({"accountSid": "AC1", "authToken": "canary", "from": "+15005550006"})
    assert "canary" not in repr(config) + config.model_dump_json()
