"""Webhooks to the users' own servers, signed as Standard Webhooks says."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import orjson

from tidings.spine.channels.answers import blaming_the_address, outcome_of_status
from tidings.spine.channels.port import (
    Answer,
    Blame,
    Channel,
    Deferred,
    Http,
    Message,
    Outcome,
    Rejected,
    Sent,
    Unknown,
)
from tidings.spine.channels.registry import Config, Outside, ProviderType

_GONE = 410
_PREFIX = "whsec_"


class WebhookConfig(Config):
    """There is nothing to set up: the secret comes with each endpoint."""


@dataclass(frozen=True)
class WebhookAdapter:
    """Whatever fails is this endpoint's failure: other endpoints share nothing with it."""

    http: Http
    now: Callable[[], datetime]

    async def send(self, message: Message) -> Outcome:
        key = signing_key(message.secret or "")
        if key is None:
            return Rejected("the endpoint has no valid signing secret")
        moment = self.now()
        body = payload(message, moment)
        headers = signed_headers(message.key, int(moment.timestamp()), body, key)
        answer = await self.http.request("POST", message.to, headers=headers, body=body)
        match answer:
            case Answer():
                return _outcome(answer, moment)
            case Deferred() | Rejected() | Unknown():
                return blaming_the_address(answer)

    async def close(self) -> None:
        """Nothing is kept open here."""


def _outcome(answer: Answer, now: datetime) -> Outcome:
    if answer.status == _GONE:
        return Rejected("the endpoint says that it is gone (410)", gone=True)
    return outcome_of_status(answer, now, blame=Blame.ADDRESS) or Sent()


def payload(message: Message, now: datetime) -> bytes:
    """The body. `type` and `timestamp` are the fact's where the message's data name them."""
    data = dict(message.data)
    kind, moment = data.pop("type", "notification"), data.pop("timestamp", None)
    body = {
        "id": message.key,
        "type": kind,
        "timestamp": moment or now.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "data": {"level": message.level, "subject": message.subject, "text": message.text, **data},
    }
    return orjson.dumps(body, default=str)


def signing_key(secret: str) -> bytes | None:
    """The key inside `whsec_…`. None: it is none."""
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def signed_headers(id: str, timestamp: int, body: bytes, key: bytes) -> dict[str, str]:
    signature = hmac.digest(key, f"{id}.{timestamp}.".encode() + body, "sha256")
    return {
        "Content-Type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }


def _build(_: WebhookConfig, outside: Outside) -> WebhookAdapter:
    return WebhookAdapter(outside.http, outside.now)


PROVIDER = ProviderType("webhook", frozenset({Channel.WEBHOOK}), WebhookConfig, _build, safe_to_resend=True)
