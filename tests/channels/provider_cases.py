"""The cases of the providers that speak HTTP in a language of their own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from uuid import UUID

from tests.channels.http_cases import Replies, http_case
from tests.channels.servers import firebase, meta, twilio
from tests.channels.servers.http_server import Reply
from tidings.spine.channels import fcm as fcm_adapter
from tidings.spine.channels import meta as meta_adapter
from tidings.spine.channels import slack as slack_adapter
from tidings.spine.channels import twilio as twilio_adapter
from tidings.spine.channels.fcm import Fcm
from tidings.spine.channels.port import Adapter, Channel, Message, Outcome, Sent, Unknown
from tidings.spine.channels.registry import Outside, ProviderType

ID = UUID("0199d0f0-0000-7000-8000-000000000002")


def built(provider: ProviderType, outside: Outside, **config: object) -> Adapter:
    return provider.build(provider.config.model_validate(config), outside)


def twilio_at(base_url: str, outside: Outside, **config: object) -> Adapter:
    given = {"accountSid": twilio.ACCOUNT, "authToken": twilio.TOKEN, "from": "+15005550006", "baseUrl": base_url}
    return built(twilio_adapter.PROVIDER, outside, **(given | config))


def meta_at(base_url: str, outside: Outside, **config: object) -> Adapter:
    given = {"phoneNumberId": meta.NUMBER_ID, "accessToken": meta.TOKEN, "baseUrl": base_url}
    return built(meta_adapter.PROVIDER, outside, **(given | config))


def fcm_at(base_url: str, outside: Outside) -> Adapter:
    account = firebase.service_account(base_url)
    return built(fcm_adapter.PROVIDER, outside, serviceAccount=account, baseUrl=base_url)


@dataclass(frozen=True)
class _Warm:
    """Has its access token, if it can get one, before the time of a send begins."""

    adapter: Fcm

    async def send(self, message: Message) -> Outcome:
        await self.adapter.tokens.current()
        return await self.adapter.send(message)

    async def close(self) -> None:
        await self.adapter.close()


def warm_fcm_at(base_url: str, outside: Outside) -> Adapter:
    adapter = fcm_at(base_url, outside)
    assert isinstance(adapter, Fcm)
    return _Warm(adapter)


def slack_at(_: str, outside: Outside) -> Adapter:
    return built(slack_adapter.PROVIDER, outside)


SMS_MESSAGE = Message(ID, Channel.SMS, "+15005550001", "Your order was paid")
WHATSAPP_MESSAGE = Message(ID, Channel.WHATSAPP, "+15005550001", "Your order was paid")
PUSH_MESSAGE = Message(ID, Channel.PUSH, "device-1", "Your order was paid", subject="Paid", data={"orderId": 7})
SLACK_MESSAGE = Message(ID, Channel.SLACK, "https://hooks.example.com/T/B/x", "Your order was paid", subject="Paid")
_WAIT = {"Retry-After": "7"}

TWILIO = http_case(
    "twilio",
    SMS_MESSAGE,
    twilio_at,
    Replies(
        success=twilio.accepted(),
        busy=twilio.refusal(503, 20503, "Service unavailable"),
        waits=twilio.refusal(429, 20429, "Too Many Requests", **_WAIT),
        credentials=twilio.refusal(401, 20003, "Authenticate"),
        rejected=twilio.refusal(400, 21617, "The message is too long"),
        gone=twilio.refusal(400, 21614, "'To' number is not a valid mobile number"),
    ),
    receipt=twilio.SID,
)

META = http_case(
    "meta",
    WHATSAPP_MESSAGE,
    meta_at,
    Replies(
        success=meta.accepted(),
        busy=meta.refusal(500, 131000, "Something went wrong"),
        waits=meta.refusal(429, 130429, "Rate limit hit", **_WAIT),
        credentials=meta.refusal(401, 190, "Access token has expired"),
        rejected=meta.refusal(400, 131047, "Re-engagement message"),
        gone=meta.refusal(400, 131050, "The person has stopped marketing messages"),
    ),
    receipt=meta.WAMID,
)

FCM = http_case(
    "fcm",
    PUSH_MESSAGE,
    warm_fcm_at,
    Replies(
        success=firebase.accepted(),
        busy=firebase.refusal(503, "UNAVAILABLE", "UNAVAILABLE"),
        waits=firebase.refusal(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", **_WAIT),
        credentials=firebase.refusal(401, "UNAUTHENTICATED"),
        rejected=firebase.refusal(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
        gone=firebase.refusal(404, "NOT_FOUND", "UNREGISTERED"),
        always={"/token": firebase.token_reply()},
    ),
    receipt=firebase.NAME,
    key_of=lambda request: str(json.loads(request.body)["message"]["apns"]["headers"]["apns-collapse-id"]),
    cut_off=(Sent, Unknown),  # its own deadline is over all requests, and may come before that of the last one
)

SLACK = http_case(
    "slack",
    SLACK_MESSAGE,
    slack_at,
    Replies(
        success=Reply(200, b"ok"),
        busy=Reply(500, b"rollup_error"),
        credentials=None,
        rejected=Reply(403, b"action_prohibited"),
        gone=Reply(404, b"no_service"),
    ),
    receipt=None,
    aimed=True,
)
