from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.channels.servers.http_server import Reply, http_server, orderly
from tests.channels.times import NOW, PATIENT
from tests.channels.webhook_case import MESSAGE
from tidings.spine.channels.port import Blame, Deferred, Rejected
from tidings.spine.channels.registry import Outside
from tidings.spine.channels.webhook import WebhookAdapter, signed_headers

Reaching = Callable[[timedelta], Outside]


async def test_a_webhook_is_signed_so_that_its_receiver_can_tell(outside: Reaching) -> None:
    reach = outside(PATIENT)
    async with http_server(orderly(Reply(204))) as server:
        await WebhookAdapter(reach.http, reach.now).send(replace(MESSAGE, to=f"http://127.0.0.1:{server.port}/hook"))
        request = server.requests[0]
    signed = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode() + request.body
    digest = hmac.new(b"this is a secret for tests!", signed, hashlib.sha256).digest()
    assert request.headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()
    assert request.headers["webhook-timestamp"] == str(int(NOW.timestamp()))
    assert json.loads(request.body) == {
        "id": str(MESSAGE.id),
        "type": "order.paid",
        "timestamp": "2026-11-16T12:00:00.000000Z",
        "data": {"level": "info", "subject": None, "text": "Your order was paid", "orderId": 7},
    }


def test_the_signature_is_that_of_the_standards_own_example() -> None:
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    headers = signed_headers("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}', key)
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize("secret", [None, "", "whsec_", "whsec_not base64", "whsec_ü"])
async def test_without_a_secret_nothing_is_sent(secret: str | None, outside: Reaching) -> None:
    reach = outside(PATIENT)
    found = await WebhookAdapter(reach.http, reach.now).send(replace(MESSAGE, secret=secret))
    assert isinstance(found, Rejected)


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
async def test_whatever_fails_is_that_endpoints_matter(status: int, outside: Reaching) -> None:
    reach = outside(PATIENT)
    async with http_server(orderly(Reply(status, b"the inside of somebody"))) as server:
        message = replace(MESSAGE, to=f"http://127.0.0.1:{server.port}/hook")
        found = await WebhookAdapter(reach.http, reach.now).send(message)
    assert isinstance(found, Deferred | Rejected)
    assert not isinstance(found, Deferred) or found.blame is Blame.ADDRESS
    assert "inside" not in found.reason


def test_a_secret_does_not_show_when_a_message_is_printed() -> None:
    assert "whsec" not in repr(MESSAGE)
