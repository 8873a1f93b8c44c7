"""Firebase: access tokens, what is posted, and what its answers mean."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from tests.channels.meanings import meaning_of
from tests.channels.provider_cases import PUSH_MESSAGE, fcm_at
from tests.channels.servers import firebase as server
from tests.channels.servers.firebase import Firebase
from tests.channels.servers.http_server import Reply
from tests.channels.servers.talking import talking
from tidings.spine.channels.fcm import FcmConfig, body_of, data_of, outcome
from tidings.spine.channels.port import Adapter, Answer, Blame, Deferred, Level, Rejected, Sent
from tidings.spine.channels.registry import Outside

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DEADLINE = timedelta(seconds=10)
Reaching = Callable[[timedelta], Outside]


@asynccontextmanager
async def adapter_of(firebase: Firebase, outside: Outside) -> AsyncIterator[Adapter]:
    async with talking(firebase.answer) as talked:
        adapter = fcm_at(talked.url, outside)
        try:
            yield adapter
        finally:
            await adapter.close()


async def test_a_push_is_sent_with_its_data_as_texts(outside: Reaching) -> None:
    firebase = Firebase()
    async with adapter_of(firebase, outside(DEADLINE)) as adapter:
        assert await adapter.send(replace(PUSH_MESSAGE, level=Level.CRITICAL)) == Sent(server.NAME)
    message = firebase.sent[0]
    assert message["notification"] == {"title": "Paid", "body": "Your order was paid"}
    assert message["data"] == {"orderId": "7"}
    assert message["android"] == {"priority": "HIGH", "notification": {"tag": PUSH_MESSAGE.key}}
    assert message["apns"]["headers"]["apns-collapse-id"] == PUSH_MESSAGE.key


def test_what_is_said_of_one_thing_takes_the_place_of_what_was_said_before() -> None:
    message = body_of(replace(PUSH_MESSAGE, thread="of-reservation-7"))["message"]
    assert message["android"]["notification"]["tag"] == "of-reservation-7"
    assert message["webpush"]["notification"]["tag"] == "of-reservation-7"
    assert message["apns"]["headers"]["apns-collapse-id"] == "of-reservation-7"


async def test_one_access_token_serves_many_sends_at_once(outside: Reaching) -> None:
    firebase = Firebase()
    async with adapter_of(firebase, outside(DEADLINE)) as adapter:
        found = await asyncio.gather(*(adapter.send(PUSH_MESSAGE) for _ in range(20)))
        assert await adapter.send(PUSH_MESSAGE) == Sent(server.NAME)
    assert set(found) == {Sent(server.NAME)}
    assert firebase.exchanges == 1


async def test_a_token_is_asked_for_anew_shortly_before_it_expires(outside: Reaching) -> None:
    firebase, times = Firebase(), [NOW]
    async with adapter_of(firebase, replace(outside(DEADLINE), now=lambda: times[-1])) as adapter:
        await adapter.send(PUSH_MESSAGE)
        times.append(NOW + timedelta(minutes=58))
        await adapter.send(PUSH_MESSAGE)
        assert firebase.exchanges == 1
        times.append(NOW + timedelta(minutes=59, seconds=1))
        await adapter.send(PUSH_MESSAGE)
    assert firebase.exchanges == 2


async def test_a_token_that_was_revoked_is_replaced_once(outside: Reaching) -> None:
    firebase = Firebase()
    async with adapter_of(firebase, outside(DEADLINE)) as adapter:
        await adapter.send(PUSH_MESSAGE)
        firebase.revoked.add("access-1")
        found = await asyncio.gather(*(adapter.send(PUSH_MESSAGE) for _ in range(5)))
    assert set(found) == {Sent(server.NAME)}
    assert firebase.exchanges == 2


async def test_a_new_token_that_is_refused_too_is_the_providers_matter(outside: Reaching) -> None:
    firebase = Firebase(revoked={"access-1", "access-2"})
    async with adapter_of(firebase, outside(DEADLINE)) as adapter:
        found = await adapter.send(PUSH_MESSAGE)
    assert isinstance(found, Deferred)
    assert found.blame is Blame.PROVIDER
    assert firebase.exchanges == 2


@pytest.mark.parametrize(
    "reply",
    [
        Reply(400, b'{"error": "invalid_grant", "error_description": "Invalid JWT Signature."}'),
        Reply(500),
        Reply(200, b"{}"),
        Reply(200, b'{"access_token": 7}'),
        Reply(302, headers={"Location": "http://169.254.169.254/"}),
    ],
)
async def test_without_an_access_token_it_waits_and_blames_the_provider(reply: Reply, outside: Reaching) -> None:
    firebase = Firebase(on_exchange=lambda: reply)
    async with adapter_of(firebase, outside(DEADLINE)) as adapter:
        found = await adapter.send(PUSH_MESSAGE)
    assert isinstance(found, Deferred)
    assert found.blame is Blame.PROVIDER
    assert found.reason.startswith("no access token")
    assert firebase.sent == []


async def test_an_exchange_that_failed_is_tried_again_by_the_next_send(outside: Reaching) -> None:
    replies = [Reply(503, headers={"Retry-After": "7"})]
    firebase = Firebase(on_exchange=lambda: replies.pop() if replies else None)
    async with adapter_of(firebase, outside(DEADLINE)) as adapter:
        found = await adapter.send(PUSH_MESSAGE)
        assert isinstance(found, Deferred)
        assert found.after == timedelta(seconds=7)
        assert await adapter.send(PUSH_MESSAGE) == Sent(server.NAME)


async def test_a_device_that_is_no_more_is_gone(outside: Reaching) -> None:
    async with adapter_of(Firebase(), outside(DEADLINE)) as adapter:
        found = await adapter.send(replace(PUSH_MESSAGE, to="gone"))
    assert found == Rejected("FCM: UNREGISTERED: Requested entity was not found.", gone=True)


ABOUT_THE_TOKEN = "The registration token is not a valid FCM registration token"


@pytest.mark.parametrize(
    ("reply", "meaning"),
    [
        (server.accepted(), "sent"),
        (server.refusal(200, "INTERNAL", "INTERNAL"), "deferred"),
        (Reply(200, b'{"error": {"status": "NEW"}}'), "rejected"),
        (Reply(200, b"{}"), "unknown"),
        (Reply(200, b"<html>"), "unknown"),
        (server.refusal(404, "NOT_FOUND", "UNREGISTERED"), "gone"),
        (Reply(404, b"<html>"), "gone"),
        (server.refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", ABOUT_THE_TOKEN), "gone"),
        (server.refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", "Message is too big"), "rejected"),
        (server.refusal(400, "INVALID_ARGUMENT"), "rejected"),
        (server.refusal(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"), "rejected"),
        (server.refusal(403, "PERMISSION_DENIED"), "deferred"),
        (server.refusal(401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"), "deferred"),
        (server.refusal(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), "deferred"),
        (server.refusal(503, "UNAVAILABLE", "UNAVAILABLE"), "deferred"),
        (server.refusal(500, "INTERNAL", "INTERNAL"), "deferred"),
        (Reply(502, b"<html>"), "deferred"),
        (Reply(400, b'{"error": {"details": [7, {"errorCode": []}]}}'), "rejected"),
    ],
)
def test_what_an_answer_means(reply: Reply, meaning: str) -> None:
    assert meaning_of(outcome(Answer(reply.status, {}, reply.body), NOW)) == meaning


def test_a_violation_of_the_tokens_field_means_that_it_is_gone() -> None:
    violation = {"fieldViolations": [{"field": "message.token", "description": "Invalid"}]}
    error = {"status": "INVALID_ARGUMENT", "message": "Invalid value", "details": [violation]}
    assert meaning_of(outcome(Answer(400, {}, json.dumps({"error": error}).encode()), NOW)) == "gone"


def test_names_that_firebase_keeps_are_left_out_of_the_data() -> None:
    data = {
        "from": "x",
        "whatsapp": {},
        "google.a": "x",
        "gcm.b": "x",
        "text": "t",
        "list": [1, {"a": None}],
        "flag": True,
    }
    assert data_of(data) == {"text": "t", "list": '[1, {"a": null}]', "flag": "true"}


@pytest.mark.parametrize(
    "account",
    [
        "canary",
        "[]",
        "{}",
        server.service_account("https://example.com", private_key="canary"),
        server.service_account("https://example.com", project_id="canary/../x"),
    ],
)
def test_a_service_account_that_is_none_is_refused_without_being_shown(account: str) -> None:
    with pytest.raises(ValidationError) as refused:
        FcmConfig.model_validate({"serviceAccount": account})
    assert "not the JSON of a service account" in refused.value.errors(include_input=False)[0]["msg"]
    assert "canary" not in str(refused.value)


def test_a_key_that_would_take_minutes_to_read_is_not_read() -> None:
    account = server.service_account("https://example.com", private_key="A" * 10_000)
    with pytest.raises(ValidationError, match="look at private_key"):
        FcmConfig.model_validate({"serviceAccount": account})


def test_the_file_of_a_service_account_may_be_given_as_it_is_or_as_its_text() -> None:
    text = server.service_account("https://example.com")
    given, kept = ({"serviceAccount": each} for each in (json.loads(text), text))
    found = [FcmConfig.model_validate_json(json.dumps(each)).service_account for each in (given, kept)]
    assert [json.loads(each.get_secret_value()) for each in found] == [json.loads(text)] * 2
