"""What clients send about people, and what is to be written of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import time
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field
from pydantic.alias_generators import to_camel

from tidings.api.bodies import Input
from tidings.kit.errors import Fault, ValidationFailed
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.addresses import Kind, NewAddress, new_address, signing_secret
from tidings.spine.notify.people.person import Writing
from tidings.spine.notify.people.urls import APPRISE_URL, HTTP_URL, LONGEST_URL, Refusal, not_called

_MOST_OF_A_KIND = 20
_KINDS = {
    "email": Kind.EMAIL,
    "phone": Kind.PHONE,
    "push_tokens": Kind.PUSH,
    "slack_webhook": Kind.SLACK,
    "webhooks": Kind.WEBHOOK,
    "apprise_urls": Kind.APPRISE,
}


def _addressed(kind: Kind) -> Callable[[str], str]:
    """Checks that a text can be an address of this kind, and leaves it as it is."""

    def check(text: str) -> str:
        new_address(kind, text, not_called)
        return text

    return check


def _clock(text: str) -> str:
    fields.clock(text)
    return text


Name = Annotated[
    str, Field(min_length=1, max_length=fields.LONGEST_NAME, pattern=fields.NAME), AfterValidator(fields.person_name)
]
ExternalId = Annotated[str, Field(min_length=1, max_length=255, pattern=fields.PLAIN), AfterValidator(fields.one_line)]
Label = Annotated[str, Field(min_length=1, max_length=100, pattern=fields.PLAIN), AfterValidator(fields.one_line)]
Locale = Annotated[
    str, Field(min_length=2, max_length=64, pattern=fields.LOCALE, examples=["pt-BR"]), AfterValidator(fields.locale)
]
Timezone = Annotated[
    str,
    Field(max_length=64, pattern=fields.ZONE, examples=["Europe/Rome"], description="of the IANA database"),
    AfterValidator(fields.timezone),
]
Clock = Annotated[str, Field(pattern=fields.CLOCK, examples=["22:00"]), AfterValidator(_clock)]
Email = Annotated[
    str,
    Field(max_length=254, examples=["somebody@example.com"], json_schema_extra={"pattern": fields.MAILBOX}),
    AfterValidator(_addressed(Kind.EMAIL)),  # says what is wrong; that a pattern does not match says nothing
]
Phone = Annotated[
    str,
    Field(max_length=32, examples=["+390612345678"], json_schema_extra={"pattern": fields.PHONE}),
    AfterValidator(_addressed(Kind.PHONE)),
]
PushToken = Annotated[
    str, Field(min_length=1, max_length=4096, pattern="^[!-~]+$"), AfterValidator(_addressed(Kind.PUSH))
]
HttpUrl = Annotated[
    str,
    Field(max_length=LONGEST_URL, pattern=HTTP_URL, examples=["https://hooks.example.com/in/7"]),
    AfterValidator(_addressed(Kind.SLACK)),
]
AppriseUrl = Annotated[
    str,
    Field(max_length=LONGEST_URL, pattern=APPRISE_URL, examples=["ntfys://ntfy.example.com/topic"]),
    AfterValidator(_addressed(Kind.APPRISE)),
]
Secret = Annotated[str, Field(max_length=128, pattern="^whsec_[A-Za-z0-9+/]+=*$"), AfterValidator(signing_secret)]
UserId = Annotated[UUID, Field(strict=False)]


class QuietHoursBody(Input):
    """By the person's own clock; over midnight where `until` is earlier. From a time until the same time is never."""

    from_: Clock = Field(alias="from")
    until: Clock


class WebhookBody(Input):
    url: HttpUrl
    secret: Secret | None = Field(None, description="to sign with; made and shown once, where it is left out")


class _OwnFields(Input):
    locale: Locale | None = None
    timezone: Timezone | None = None
    quiet_hours: QuietHoursBody | None = None


class OwnBody(_OwnFields):
    """What people may set of themselves. What is left out stays as it is."""

    def writing(self) -> Writing:
        return Writing(_columns(self, ("locale", "timezone")) | _quiet(self))


class _PersonFields(_OwnFields):
    user_type: Label | None = None
    user_id: UserId | None = Field(None, description="a login with a role in this tenant")
    email: Email | None = None
    phone: Phone | None = None
    push_tokens: Annotated[list[PushToken], Field(max_length=_MOST_OF_A_KIND)] = Field(default_factory=list)
    slack_webhook: HttpUrl | None = None
    webhooks: Annotated[list[WebhookBody], Field(max_length=_MOST_OF_A_KIND)] = Field(default_factory=list)
    apprise_urls: Annotated[list[AppriseUrl], Field(max_length=_MOST_OF_A_KIND)] = Field(default_factory=list)

    def writing(self, refusal: Refusal) -> Writing:
        """With addresses; `ValidationFailed` with every URL that the network would refuse."""
        columns = _columns(self, ("external_id", "user_type", "name", "locale", "timezone", "user_id")) | _quiet(self)
        addresses: dict[Kind, list[NewAddress]] = {_KINDS[name]: [] for name in _KINDS if name in self.model_fields_set}
        faults: list[Fault] = []
        for kind, path, text, secret in self._addresses():
            try:
                addresses[kind].append(new_address(kind, text, refusal, secret))
            except ValueError as error:
                faults.append(Fault(path, str(error)))
        if faults:
            raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), tuple(faults))
        return Writing(columns, addresses)

    def _addresses(self) -> Iterator[tuple[Kind, str, str, str | None]]:
        """Every address that is given, with the path of its field and, of a webhook, its secret."""
        for name, text in (("email", self.email), ("phone", self.phone), ("slack_webhook", self.slack_webhook)):
            if text is not None:
                yield _KINDS[name], to_camel(name), text, None
        for name, texts in (("push_tokens", self.push_tokens), ("apprise_urls", self.apprise_urls)):
            for place, text in enumerate(texts):
                yield _KINDS[name], f"{to_camel(name)}.{place}", text, None
        for place, hook in enumerate(self.webhooks):
            yield Kind.WEBHOOK, f"webhooks.{place}.url", hook.url, hook.secret


class UpsertBody(_PersonFields):
    """A person, by their external id. What is left out stays as it was."""

    name: Name


class NewPersonBody(UpsertBody):
    """A person to be created."""

    external_id: ExternalId | None = Field(None, description="your own id for them")


class PersonChangesBody(_PersonFields):
    """What is to be changed: what is left out stays. Addresses that are given replace all of their kind."""

    name: Name = Field(default_factory=str)
    external_id: ExternalId | None = None


def _columns(body: Input, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(body, name) for name in names if name in body.model_fields_set}


def _quiet(body: _OwnFields) -> dict[str, time | None]:
    if "quiet_hours" not in body.model_fields_set:
        return {}
    hours = body.quiet_hours
    begin, end = (None, None) if hours is None else (fields.clock(hours.from_), fields.clock(hours.until))
    return {"quiet_from": begin, "quiet_until": end}
