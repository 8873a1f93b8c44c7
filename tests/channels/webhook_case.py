"""The webhook adapter's case."""

from __future__ import annotations

from uuid import UUID

from tests.channels.http_cases import Replies, http_case
from tests.channels.servers.http_server import Reply
from tidings.spine.channels.port import Channel, Message
from tidings.spine.channels.webhook import WebhookAdapter

MESSAGE = Message(
    id=UUID("0199d0f0-0000-7000-8000-000000000001"),
    channel=Channel.WEBHOOK,
    to="https://example.com/hook",
    text="Your order was paid",
    data={"type": "order.paid", "orderId": 7},
    secret="whsec_dGhpcyBpcyBhIHNlY3JldCBmb3IgdGVzdHMh",
)

WEBHOOK = http_case(
    "webhook",
    MESSAGE,
    lambda _, outside: WebhookAdapter(outside.http, outside.now),
    Replies(success=Reply(200, b"ok"), credentials=None, gone=Reply(410)),
    receipt=None,
    key_of=lambda request: request.headers["webhook-id"],
    aimed=True,
)
