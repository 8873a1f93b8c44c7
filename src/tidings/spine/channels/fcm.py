"""Push through Firebase Cloud Messaging (HTTP v1).

What it is about, or else the delivery's id, is the tag of the notification (Android, web) and its collapse id (Apple):
a duplicate replaces the first on the screen, and so does the news that somebody has acted. Android's `collapse_key` is
not used: Firebase keeps only four of them for a device that is offline, and would drop other deliveries.

Its own error code decides: a token that is unregistered, or none, is gone; one of another sender is rejected, as is
a message that is not valid; quotas, faults of theirs and credentials wait. Without a code the HTTP status decides;
404 means that the token is gone. A 401 is tried once more with a new access token.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import Field

from tidings.spine.channels.answers import json_object, retry_after
from tidings.spine.channels.google_tokens import AccessTokens, ServiceAccount, ServiceAccountJson
from tidings.spine.channels.port import (
    Answer,
    Channel,
    Deferred,
    Http,
    Level,
    Message,
    Outcome,
    Rejected,
    Sent,
    Unknown,
)
from tidings.spine.channels.registry import Config, Outside, ProviderType
from tidings.spine.channels.verdicts import (
    Verdict,
    object_in,
    objects_in,
    of_status,
    outcome_of,
    reason_of,
    text_in,
    without_receipt,
)

_SCOPE = "https://www.googleapis.com/auth/firebase.messaging"
_LEFT_OUT = frozenset({"from", "message_type", "notification", "collapse_key", "whatsapp"})
_RESERVED_PREFIXES = ("google.", "gcm.")
_CODES: Mapping[str, Verdict] = {
    "APNS_AUTH_ERROR": Verdict.WAIT,
    "INTERNAL": Verdict.WAIT,
    "INVALID_ARGUMENT": Verdict.REJECTED,
    "NOT_FOUND": Verdict.GONE,
    "PERMISSION_DENIED": Verdict.WAIT,
    "QUOTA_EXCEEDED": Verdict.WAIT,
    "RESOURCE_EXHAUSTED": Verdict.WAIT,
    "SENDER_ID_MISMATCH": Verdict.REJECTED,
    "THIRD_PARTY_AUTH_ERROR": Verdict.WAIT,
    "UNAUTHENTICATED": Verdict.WAIT,
    "UNAVAILABLE": Verdict.WAIT,
    "UNREGISTERED": Verdict.GONE,
}


class FcmConfig(Config):
    """A service account of a Firebase project, as its JSON file has it."""

    service_account: ServiceAccountJson = Field(
        description="the whole JSON file that Google gives out",
        json_schema_extra={"contentMediaType": "application/json"},
    )
    base_url: str = "https://fcm.googleapis.com"

    def calls(self) -> Iterator[tuple[str, str]]:
        yield from super().calls()
        account = ServiceAccount.model_validate_json(self.service_account.get_secret_value())
        yield "serviceAccount", account.token_uri


@dataclass(frozen=True)
class Fcm:
    url: str
    http: Http
    tokens: AccessTokens
    deadline: timedelta
    now: Callable[[], datetime]

    async def send(self, message: Message) -> Outcome:
        """One deadline over all requests that it takes."""
        posted = asyncio.Event()
        try:
            async with asyncio.timeout(self.deadline.total_seconds()):
                return await self._send(json.dumps(body_of(message)).encode(), posted)
        except TimeoutError:
            return Unknown("FCM: no answer in time") if posted.is_set() else Deferred("FCM: no access token in time")

    async def _send(self, body: bytes, posted: asyncio.Event) -> Outcome:
        token = await self.tokens.current()
        answer = await self._post(token, body, posted) if isinstance(token, str) else token
        if isinstance(answer, Answer) and answer.status == 401 and isinstance(token, str):
            self.tokens.refused(token)
            token = await self.tokens.current()
            answer = await self._post(token, body, posted) if isinstance(token, str) else token
        return outcome(answer, self.now()) if isinstance(answer, Answer) else answer

    async def _post(self, token: str, body: bytes, posted: asyncio.Event) -> Answer | Deferred | Rejected | Unknown:
        posted.set()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        return await self.http.request("POST", self.url, headers=headers, body=body)

    async def close(self) -> None:
        await self.tokens.close()


def body_of(message: Message) -> dict[str, Any]:
    urgent = message.level is not Level.INFO
    tag = message.thread or message.key
    shown = {"title": message.subject or "", "body": message.text}
    return {
        "message": {
            "token": message.to,
            "notification": {name: text for name, text in shown.items() if text},
            "data": data_of(message.data),
            "android": {"priority": "HIGH" if urgent else "NORMAL", "notification": {"tag": tag}},
            "apns": {"headers": {"apns-collapse-id": tag, "apns-priority": "10" if urgent else "5"}},
            "webpush": {"notification": {"tag": tag, "renotify": urgent}},
        }
    }


def data_of(data: Mapping[str, Any]) -> dict[str, str]:
    """What goes along for the app: texts as they are, all else as JSON.

    What Firebase keeps for itself is left out, and what is meant for another channel.
    """
    return {
        name: value if isinstance(value, str) else json.dumps(value, default=str)
        for name, value in data.items()
        if name not in _LEFT_OUT and not name.startswith(_RESERVED_PREFIXES)
    }


def outcome(answer: Answer, now: datetime) -> Outcome:
    """What Firebase's answer means."""
    body = json_object(answer)
    success = 200 <= answer.status < 300
    if success and "error" not in body:
        name = text_in(body, "name")
        return Sent(name) if name else without_receipt("FCM", answer.status)
    error = object_in(body, "error")
    code, said = _code(error), text_in(error, "message")
    if code == "INVALID_ARGUMENT" and _is_about_the_token(error):
        return outcome_of(Verdict.GONE, reason_of("FCM", code, said))
    unlisted = Verdict.GONE if answer.status == 404 else Verdict.REJECTED if success else of_status(answer.status)
    verdict = _CODES.get(code, unlisted) if code else unlisted
    return outcome_of(verdict, reason_of("FCM", code or answer.status, said), retry_after(answer.headers, now))


def _code(error: Mapping[str, Any]) -> str | None:
    """The messaging code, which says more, or else the general one."""
    codes = (text_in(detail, "errorCode") for detail in objects_in(error, "details"))
    return next((code for code in codes if code), None) or text_in(error, "status")


def _is_about_the_token(error: Mapping[str, Any]) -> bool:
    details = objects_in(error, "details")
    fields = [text_in(each, "field") for detail in details for each in objects_in(detail, "fieldViolations")]
    said = (text_in(error, "message") or "").lower()
    return "message.token" in fields or "registration token" in said


def _build(config: FcmConfig, outside: Outside) -> Fcm:
    account = ServiceAccount.model_validate_json(config.service_account.get_secret_value())
    url = f"{config.base_url.rstrip('/')}/v1/projects/{account.project_id}/messages:send"
    tokens = AccessTokens(account, _SCOPE, outside.http, outside.now)
    return Fcm(url, outside.http, tokens, outside.deadline, outside.now)


PROVIDER = ProviderType("fcm", frozenset({Channel.PUSH}), FcmConfig, _build, safe_to_resend=True)
