"""WhatsApp through Meta's Cloud API.

It has no idempotency key, so an attempt without an answer is not repeated by itself. The code inside `error` decides:
limits, tokens, blocked accounts and faults of theirs wait; a number that cannot take WhatsApp messages is rejected,
and so is free text outside the 24-hour window, or a template that does not exist or does not fit. Where a code is not
in the table, the HTTP status decides. A success with an error in it is an error.

`data["whatsapp"]` may name an approved template: `{"name": "…", "language": "en", "parameters": ["…"]}`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tidings.spine.channels.answers import json_object, retry_after
from tidings.spine.channels.meta_codes import CODES
from tidings.spine.channels.phones import phone_number
from tidings.spine.channels.port import Answer, Channel, Http, Message, Outcome, Rejected, Sent
from tidings.spine.channels.registry import Config, Outside, ProviderType, Secret
from tidings.spine.channels.verdicts import (
    Verdict,
    number_in,
    object_in,
    objects_in,
    of_status,
    outcome_of,
    reason_of,
    text_in,
    without_receipt,
)

_VERSION = "v21.0"


class MetaConfig(Config):
    """A phone number of a WhatsApp business account, and a token that may send from it."""

    phone_number_id: Annotated[
        str, Field(pattern="^[0-9]{1,32}$", description="Meta's id of the number, not the number")
    ]
    access_token: Secret = Field(description="of a system user, with `whatsapp_business_messaging`")
    app_secret: Secret | None = Field(None, description="what its receipts are signed with")
    verify_token: Secret | None = Field(None, description="a word of your choice that Meta asks for, once")
    base_url: str = "https://graph.facebook.com"


class MetaTemplate(BaseModel):
    """A template that Meta has approved, and what fills the places in its body."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: Annotated[str, Field(min_length=1, max_length=512)]
    language: Annotated[str, Field(min_length=2, max_length=15)] = "en"
    parameters: tuple[str | int | float, ...] = ()


@dataclass(frozen=True)
class Meta:
    config: MetaConfig
    http: Http
    now: Callable[[], datetime]

    async def send(self, message: Message) -> Outcome:
        number = phone_number(message.to)
        if number is None:
            return Rejected("This is not a phone number with its country code.", gone=True)
        try:
            body = json.dumps(body_of(message, number)).encode()
        except ValidationError:
            return Rejected('data["whatsapp"] does not name a template as Meta wants it: name, language, parameters.')
        url = f"{self.config.base_url.rstrip('/')}/{_VERSION}/{self.config.phone_number_id}/messages"
        answer = await self.http.request("POST", url, headers=self._headers, body=body)
        return outcome(answer, self.now()) if isinstance(answer, Answer) else answer

    async def close(self) -> None:
        """Holds nothing open."""

    @property
    def _headers(self) -> Mapping[str, str]:
        token = self.config.access_token.get_secret_value()
        return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}


def body_of(message: Message, number: str) -> dict[str, Any]:
    """The request. Raises `ValidationError` for a template that is none."""
    to = {"messaging_product": "whatsapp", "recipient_type": "individual", "to": number.removeprefix("+")}
    if "whatsapp" not in message.data:
        return {**to, "type": "text", "text": {"body": message.text, "preview_url": False}}
    return {**to, "type": "template", "template": _template(MetaTemplate.model_validate(message.data["whatsapp"]))}


def _template(template: MetaTemplate) -> dict[str, Any]:
    named: dict[str, Any] = {"name": template.name, "language": {"code": template.language}}
    if not template.parameters:
        return named
    texts = [{"type": "text", "text": str(value)} for value in template.parameters]
    return {**named, "components": [{"type": "body", "parameters": texts}]}


def outcome(answer: Answer, now: datetime) -> Outcome:
    """What Meta's answer means."""
    body = json_object(answer)
    success = 200 <= answer.status < 300
    if success and "error" not in body:
        receipt = next((text_in(each, "id") for each in objects_in(body, "messages")), None)
        return Sent(receipt) if receipt else without_receipt("Meta", answer.status)
    error = object_in(body, "error")
    code = number_in(error, "code")
    unlisted = Verdict.REJECTED if success else of_status(answer.status)
    verdict = unlisted if code is None else CODES.get(code, unlisted)
    said = text_in(object_in(error, "error_data"), "details") or text_in(error, "message")
    return outcome_of(
        verdict, reason_of("Meta", answer.status if code is None else code, said), retry_after(answer.headers, now)
    )


def _build(config: MetaConfig, outside: Outside) -> Meta:
    return Meta(config, outside.http, outside.now)


PROVIDER = ProviderType("meta", frozenset({Channel.WHATSAPP}), MetaConfig, _build, safe_to_resend=False)
