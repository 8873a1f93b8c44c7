"""WhatsApp through Meta: what is posted, and what its answers mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.channels.meanings import meaning_of
from tests.channels.provider_cases import WHATSAPP_MESSAGE, meta_at
from tests.channels.servers import meta as server
from tests.channels.servers.http_server import Reply
from tests.channels.servers.talking import talking
from tidings.spine.channels.meta import outcome
from tidings.spine.channels.port import Answer, Blame, Deferred, Message, Outcome, Rejected, Sent
from tidings.spine.channels.registry import Outside

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
Reaching = Callable[[timedelta], Outside]


async def sent(message: Message, outside: Reaching, **config: object) -> tuple[Outcome, dict[str, Any]]:
    """What came of it, and the body that Meta was posted last."""
    async with talking(server.answer) as talked:
        found = await meta_at(talked.url, outside(timedelta(seconds=10)), **config).send(message)
        return found, json.loads(talked.requests[-1].body) if talked.requests else {}


async def test_a_text_is_posted_and_its_id_is_the_receipt(outside: Reaching) -> None:
    found, body = await sent(WHATSAPP_MESSAGE, outside)
    assert found == Sent(server.WAMID)
    assert body["to"] == "15005550001"
    assert body["text"] == {"body": "Your order was paid", "preview_url": False}


async def test_a_template_is_sent_with_its_parameters(outside: Reaching) -> None:
    template = {"name": "order_paid", "language": "en_GB", "parameters": ["Paid", 7]}
    found, body = await sent(replace(WHATSAPP_MESSAGE, data={"whatsapp": template}), outside)
    assert found == Sent(server.WAMID)
    assert body["type"] == "template"
    assert body["template"] == {
        "name": "order_paid",
        "language": {"code": "en_GB"},
        "components": [
            {"type": "body", "parameters": [{"type": "text", "text": "Paid"}, {"type": "text", "text": "7"}]}
        ],
    }


async def test_a_template_without_parameters_has_no_components(outside: Reaching) -> None:
    found, body = await sent(replace(WHATSAPP_MESSAGE, data={"whatsapp": {"name": "hello"}}), outside)
    assert found == Sent(server.WAMID)
    assert body["template"] == {"name": "hello", "language": {"code": "en"}}


@pytest.mark.parametrize("template", [{}, {"name": ""}, "hello", None, {"name": "hello", "parameters": [{}]}])
async def test_a_template_that_is_none_is_rejected_and_not_sent(template: object, outside: Reaching) -> None:
    found, body = await sent(replace(WHATSAPP_MESSAGE, data={"whatsapp": template}), outside)
    assert isinstance(found, Rejected)
    assert body == {}


async def test_what_is_no_phone_number_is_gone_and_not_sent(outside: Reaching) -> None:
    found, body = await sent(replace(WHATSAPP_MESSAGE, to="a-name"), outside)
    assert isinstance(found, Rejected)
    assert found.gone
    assert body == {}


async def test_a_number_that_is_not_on_whatsapp_is_rejected(outside: Reaching) -> None:
    found, _ = await sent(replace(WHATSAPP_MESSAGE, to=f"+{server.NOT_ON_WHATSAPP}"), outside)
    assert found == Rejected("Meta: 131026: (#131026) Message undeliverable")


async def test_a_wrong_token_is_the_providers_matter_and_not_shown(outside: Reaching) -> None:
    found, _ = await sent(WHATSAPP_MESSAGE, outside, accessToken="canary")
    assert isinstance(found, Deferred)
    assert found.blame is Blame.PROVIDER
    assert "canary" not in found.reason


@pytest.mark.parametrize(
    ("reply", "meaning"),
    [
        (server.accepted(), "sent"),
        (server.refusal(200, 131026, "Undeliverable"), "rejected"),
        (server.refusal(200, 130429, "Too fast"), "deferred"),
        (server.refusal(200, 999999, "Something new"), "rejected"),
        (Reply(200, b'{"messages": []}'), "unknown"),
        (Reply(200, b'{"messages": [{"id": 7}]}'), "unknown"),
        (Reply(200, b"ok"), "unknown"),
        (server.refusal(429, 130429, "Rate limit"), "deferred"),
        (server.refusal(400, 80007, "Rate limit"), "deferred"),
        (server.refusal(400, 131048, "Spam rate limit"), "deferred"),
        (server.refusal(400, 131056, "Pair rate limit"), "deferred for the address"),
        (server.refusal(400, 131026, "Undeliverable"), "rejected"),
        (server.refusal(400, 131047, "Re-engagement"), "rejected"),
        (server.refusal(400, 131050, "Stopped"), "gone"),
        (server.refusal(401, 190, "Expired"), "deferred"),
        (server.refusal(403, 368, "Blocked"), "deferred"),
        (server.refusal(401, 0, "Credentials"), "deferred"),
        (server.refusal(500, 131000, "Wrong"), "deferred"),
        (server.refusal(400, 1, "Unknown"), "deferred"),
        (server.refusal(400, 2, "Down"), "deferred"),
        (server.refusal(404, 132001, "No such template"), "rejected"),
        (server.refusal(400, 999999, "Something new"), "rejected"),
        (server.refusal(503, 999999, "Something new"), "deferred"),
        (Reply(400, b'{"error": "no"}'), "rejected"),
        (Reply(502, b"<html>"), "deferred"),
    ],
)
def test_what_an_answer_means(reply: Reply, meaning: str) -> None:
    assert meaning_of(outcome(Answer(reply.status, {}, reply.body), NOW)) == meaning


def test_the_details_of_an_error_are_its_reason() -> None:
    error = {"code": 131009, "message": "(#131009)", "error_data": {"details": "Parameter\nvalue\x00 is not valid"}}
    found = outcome(Answer(400, {}, json.dumps({"error": error}).encode()), NOW)
    assert found == Rejected("Meta: 131009: Parameter value is not valid")
