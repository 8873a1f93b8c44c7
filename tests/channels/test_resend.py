from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.channels.resend_case import resend_adapter
from tests.channels.servers.http_server import Reply, Request, http_server, orderly
from tests.channels.smtp_case import MESSAGE
from tests.channels.times import NOW, PATIENT
from tidings.spine.channels.port import Answer, Attachment, Deferred, Message, Rejected, Sent, Unknown
from tidings.spine.channels.registry import Outside
from tidings.spine.channels.resend import outcome_of

Reaching = Callable[[timedelta], Outside]


async def request_for(message: Message, outside: Reaching) -> Request:
    async with http_server(orderly(Reply(200, b'{"id": "x"}'))) as server:
        adapter = resend_adapter(f"http://127.0.0.1:{server.port}/", outside(PATIENT))
        assert await adapter.send(message) == Sent(receipt="x")
        return server.requests[0]


async def test_a_mail_goes_out_as_resend_takes_it(outside: Reaching) -> None:
    message = replace(
        MESSAGE,
        name="Example, Ann",
        unsubscribe_url="https://example.org/u/abc",
        attachments=(Attachment("a/b.csv", "text/csv; header=present", b"1;2"),),
    )
    request = await request_for(message, outside)
    assert (request.method, request.target) == ("POST", "/emails")
    assert request.headers["authorization"] == "Bearer not a real one"
    assert request.headers["idempotency-key"] == str(MESSAGE.id)
    mail = json.loads(request.body)
    assert b64decode(mail["attachments"][0].pop("content")) == b"1;2"
    assert mail == {
        "from": "news@example.org",
        "to": ['"Example, Ann" <reader@example.com>'],
        "subject": MESSAGE.subject,
        "text": MESSAGE.text,
        "html": MESSAGE.html,
        "headers": {
            "Message-ID": f"<{MESSAGE.id}@example.org>",
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": "<https://example.org/u/abc>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        "tags": [{"name": "delivery", "value": str(MESSAGE.id)}],
        "attachments": [{"filename": "a_b.csv", "content_type": "text/csv; header=present"}],
    }


@pytest.mark.parametrize(
    "message",
    [
        replace(MESSAGE, subject="hi\r\nBcc: x@example.org"),
        replace(MESSAGE, subject="=?utf-8?q?hi=0D=0ABcc=3A_x=40example.org?="),
        replace(MESSAGE, to="a@example.com, b@example.com"),
        replace(MESSAGE, text="lone \ud800"),
        replace(MESSAGE, unsubscribe_url="https://example.org/\r\nBcc: x"),
    ],
)
async def test_what_may_not_be_mailed_is_not_sent(message: Message, outside: Reaching) -> None:
    async with http_server(orderly(Reply(200))) as server:
        adapter = resend_adapter(f"http://127.0.0.1:{server.port}", outside(PATIENT))
        assert isinstance(await adapter.send(message), Rejected)
        assert server.requests == []


@pytest.mark.parametrize(
    ("status", "name", "kind"),
    [
        (400, "validation_error", Rejected),
        (401, "missing_api_key", Deferred),
        (403, "invalid_api_key", Deferred),
        (403, "validation_error", Deferred),
        (404, "not_found", Rejected),
        (409, "concurrent_idempotent_requests", Deferred),
        (409, "invalid_idempotent_request", Rejected),
        (409, "", Deferred),
        (422, "invalid_to_address", Rejected),
        (429, "rate_limit_exceeded", Deferred),
        (429, "daily_quota_exceeded", Deferred),
        (500, "application_error", Deferred),
    ],
)
def test_resends_errors_by_name(status: int, name: str, kind: type) -> None:
    answer = Answer(status, {}, json.dumps({"name": name, "message": "as told"}).encode())
    assert isinstance(outcome_of(answer, NOW), kind)


def test_a_success_whose_answer_was_cut_off_has_no_receipt() -> None:
    assert outcome_of(Answer(200, {}, b'{"id": "49a3', whole=False), NOW) == Sent(receipt=None)


@pytest.mark.parametrize("body", [b"", b"<html>sign in first</html>", b'{"name": "application_error"}', b"[]"])
def test_a_success_without_an_id_may_be_none(body: bytes) -> None:
    assert isinstance(outcome_of(Answer(200, {}, body), NOW), Unknown)


@pytest.mark.parametrize("base_url", ["http://10.0.0.1", "ftp://example.com", "https://api.example.com:22"])
async def test_an_address_of_resend_that_is_not_allowed_is_the_providers_matter(
    base_url: str, outside: Reaching
) -> None:
    assert isinstance(await resend_adapter(base_url, outside(PATIENT)).send(MESSAGE), Deferred)
