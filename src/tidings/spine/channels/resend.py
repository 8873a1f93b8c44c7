"""Mail through Resend's API."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any

import orjson
from pydantic import AfterValidator, Field, SecretStr

from tidings.spine.channels.answers import in_short, json_object, outcome_of_status
from tidings.spine.channels.mail_config import MailConfig
from tidings.spine.channels.mail_headers import Mailbox
from tidings.spine.channels.mime import checked_heading, list_headers, media_type, safe_file_name
from tidings.spine.channels.port import Answer, Channel, Deferred, Http, Message, Outcome, Rejected, Sent, Unknown
from tidings.spine.channels.registry import Outside, ProviderType, Secret

_AT_WORK = timedelta(seconds=5)  # the first request with this key is still being served


def _of_webhook(secret: SecretStr) -> SecretStr:
    if not secret.get_secret_value().startswith("whsec_"):
        raise ValueError("must be the signing secret of a webhook, which begins with whsec_")
    return secret


class ResendConfig(MailConfig):
    api_key: Secret
    webhook_secret: Annotated[Secret, AfterValidator(_of_webhook)] | None = Field(
        None, description="what its receipts are signed with: `whsec_…`"
    )
    base_url: str = "https://api.resend.com"


@dataclass(frozen=True)
class ResendAdapter:
    """Resend keeps our key for a day: a mail that may have been sent can be sent again."""

    http: Http
    url: str
    authorization: str = field(repr=False)
    sender: Mailbox
    now: Callable[[], datetime]

    async def send(self, message: Message) -> Outcome:
        body = mail_as_json(message, self.sender)
        if isinstance(body, Rejected):
            return body
        headers = {
            "Authorization": self.authorization,
            "Content-Type": "application/json",
            "Idempotency-Key": message.key,
        }
        answer = await self.http.request("POST", self.url, headers=headers, body=body)
        match answer:
            case Answer():
                return outcome_of(answer, self.now())
            case Rejected():  # of our own configuration, which may be put right: the address or the key
                return Deferred(f"Resend cannot be asked: {answer.reason}")
            case Deferred() | Unknown():
                return answer

    async def close(self) -> None:
        """The connections are the client's."""


def mail_as_json(message: Message, sender: Mailbox) -> bytes | Rejected:
    heading = checked_heading(message)
    if isinstance(heading, Rejected):
        return heading
    mail: dict[str, Any] = {
        "from": str(sender),
        "to": [str(heading.recipient)],
        "subject": heading.subject,
        "text": message.text,
        "headers": {"Message-ID": f"<{message.id}@{sender.domain}>", **list_headers(message)},
        "tags": [{"name": "delivery", "value": message.key}],
    }
    if message.html is not None:
        mail["html"] = message.html
    if message.attachments:
        mail["attachments"] = [_attached(one.name, media_type(one), one.content) for one in message.attachments]
    return _dumped(mail)


def _dumped(mail: dict[str, Any]) -> bytes | Rejected:
    try:
        return orjson.dumps(mail)
    except orjson.JSONEncodeError:
        return Rejected("the text has characters in it that are none")


def _attached(name: str, kind: str, content: bytes) -> dict[str, str]:
    return {"filename": safe_file_name(name), "content_type": kind, "content": b64encode(content).decode()}


def outcome_of(answer: Answer, now: datetime) -> Outcome:
    """What Resend's answer means: by its status, and where one status means several things, by the error's name."""
    said = json_object(answer)
    name, words = str(said.get("name", "")), str(said.get("message", ""))
    match answer.status, name:
        case 409, "concurrent_idempotent_requests":
            return Deferred(in_short("answered 409", words), after=_AT_WORK)
        case 409, "invalid_idempotent_request":
            return Rejected(in_short("sent before with another content", words))
        case 409, _:
            return Deferred(in_short("answered 409", words), after=_AT_WORK)
        case 403, "validation_error":  # the sender's domain is not verified: a matter of the account
            return Deferred(in_short("sender refused (403)", words))
    refused = outcome_of_status(answer, now, said=f"{name} {words}".strip())
    if refused is None and answer.whole and "id" not in said:
        return Unknown(in_short(f"answered {answer.status} without an id", f"{name} {words}"))
    return refused or Sent(receipt=str(said["id"]) if "id" in said else None)


def build(config: ResendConfig, outside: Outside) -> ResendAdapter:
    authorization = f"Bearer {config.api_key.get_secret_value()}"
    url = f"{config.base_url.rstrip('/')}/emails"
    return ResendAdapter(outside.http, url, authorization, config.sender, outside.now)


PROVIDER = ProviderType("resend", frozenset({Channel.EMAIL}), ResendConfig, build, safe_to_resend=True)
