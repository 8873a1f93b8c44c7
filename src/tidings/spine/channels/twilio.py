"""SMS and WhatsApp through Twilio.

Twilio has no idempotency key for messages, so an attempt without an answer is not repeated by itself. Its own error
code decides, where it gives one: numbers that cannot be reached and people who have unsubscribed are gone; what
Twilio or WhatsApp does not let this message do (outside the 24-hour window, filtered, too long) is rejected; limits,
credentials, senders that are not ours and faults of theirs wait. Without a code the HTTP status decides. A success
with an error in it is an error.

For WhatsApp, `data["whatsapp"]` may name an approved template: `{"contentSid": "HX…", "variables": {"1": "…"}}`.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Self
from urllib.parse import quote, urlencode

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from tidings.spine.channels.answers import json_object, retry_after
from tidings.spine.channels.phones import phone_number
from tidings.spine.channels.places import place_of
from tidings.spine.channels.port import Answer, Channel, Http, Message, Outcome, Rejected, Sent
from tidings.spine.channels.registry import Config, Outside, ProviderType, Secret
from tidings.spine.channels.twilio_codes import CODES
from tidings.spine.channels.verdicts import (
    Verdict,
    number_in,
    of_status,
    outcome_of,
    reason_of,
    text_in,
    without_receipt,
)


def _callback(url: str) -> str:
    """Twilio calls it, not we: it must be a URL, and may lead wherever Twilio goes."""
    place = place_of(url, frozenset({"http", "https"}))
    if isinstance(place, Rejected):
        raise ValueError(place.reason)
    return url


class TwilioConfig(Config):
    """An account of Twilio, and who its messages come from: a number, or a messaging service that picks one."""

    account_sid: Annotated[str, Field(pattern="^AC[0-9a-zA-Z]{1,64}$", description="`AC…`")]
    auth_token: Secret = Field(description="signs its receipts, too")
    sender: Annotated[
        str | None, Field(alias="from", max_length=64, description="a number of the account, or a sender's name")
    ] = None
    messaging_service_sid: Annotated[
        str | None, Field(pattern="^MG[0-9a-zA-Z]{1,64}$", description="`MG…`, in place of `from`")
    ] = None
    status_callback: Annotated[str, Field(max_length=1000), AfterValidator(_callback)] | None = Field(
        None, description="where its receipts go: `{public address}/v1/receipts/{id}`"
    )
    base_url: str = "https://api.twilio.com"

    @model_validator(mode="after")
    def _has_one_sender(self) -> Self:
        if (self.sender is None) == (self.messaging_service_sid is None):
            raise ValueError("Give either from or messagingServiceSid.")
        return self


class ContentTemplate(BaseModel):
    """A template that WhatsApp has approved, by Twilio's id of it."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)

    content_sid: Annotated[str, Field(pattern="^HX[0-9a-zA-Z]{1,64}$")]
    variables: dict[str, str | int | float] = Field(default_factory=dict)


@dataclass(frozen=True)
class Twilio:
    config: TwilioConfig
    http: Http
    now: Callable[[], datetime]

    async def send(self, message: Message) -> Outcome:
        number = phone_number(message.to)
        if number is None:
            return Rejected("This is not a phone number with its country code.", gone=True)
        try:
            form = form_of(self.config, message, number)
        except ValidationError:
            return Rejected('data["whatsapp"] does not name a template as Twilio wants it: contentSid and variables.')
        body = urlencode(form, errors="replace").encode()
        answer = await self.http.request("POST", self._url, headers=self._headers, body=body)
        return outcome(answer, self.now()) if isinstance(answer, Answer) else answer

    async def close(self) -> None:
        """Holds nothing open."""

    @property
    def _url(self) -> str:
        account = quote(self.config.account_sid, safe="")
        return f"{self.config.base_url.rstrip('/')}/2010-04-01/Accounts/{account}/Messages.json"

    @property
    def _headers(self) -> Mapping[str, str]:
        pair = f"{self.config.account_sid}:{self.config.auth_token.get_secret_value()}"
        return {
            "Authorization": "Basic " + b64encode(pair.encode()).decode(),
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }


def form_of(config: TwilioConfig, message: Message, number: str) -> dict[str, str]:
    """The fields of the request. Raises `ValidationError` for a template that is none."""
    prefix = "whatsapp:" if message.channel is Channel.WHATSAPP else ""
    form = {"To": prefix + number}
    if config.sender is not None:
        form["From"] = prefix + config.sender.removeprefix("whatsapp:")
    if config.messaging_service_sid is not None:
        form["MessagingServiceSid"] = config.messaging_service_sid
    if config.status_callback is not None:
        form["StatusCallback"] = config.status_callback
    return form | _content(message)


def _content(message: Message) -> dict[str, str]:
    if message.channel is not Channel.WHATSAPP or "whatsapp" not in message.data:
        return {"Body": message.text}
    template = ContentTemplate.model_validate(message.data["whatsapp"])
    variables = {name: str(value) for name, value in template.variables.items()}
    return {"ContentSid": template.content_sid, "ContentVariables": json.dumps(variables)}


def outcome(answer: Answer, now: datetime) -> Outcome:
    """What Twilio's answer means."""
    body = json_object(answer)
    success = 200 <= answer.status < 300
    code = number_in(body, "error_code") if success else number_in(body, "code")
    if success and code is None:
        sid = text_in(body, "sid")
        return Sent(sid) if sid else without_receipt("Twilio", answer.status)
    said = text_in(body, "error_message") if success else text_in(body, "message")
    unlisted = Verdict.REJECTED if success else of_status(answer.status)
    verdict = unlisted if code is None else CODES.get(code, unlisted)
    return outcome_of(verdict, reason_of("Twilio", code or answer.status, said), retry_after(answer.headers, now))


def _build(config: TwilioConfig, outside: Outside) -> Twilio:
    return Twilio(config, outside.http, outside.now)


PROVIDER = ProviderType(
    "twilio", frozenset({Channel.SMS, Channel.WHATSAPP}), TwilioConfig, _build, safe_to_resend=False
)
