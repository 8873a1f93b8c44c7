"""What a client says of a provider."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BeforeValidator, Field

from tidings.api.bodies import Input
from tidings.api.bodies.rules import Slug
from tidings.spine.channels.port import Channel
from tidings.spine.channels.providers import PROVIDERS
from tidings.spine.delivery.configuring import PLAIN_TYPES
from tidings.spine.delivery.providers import NewProvider
from tidings.spine.notify.saying import TEMPLATE

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_TYPES = {"enum": [*PROVIDERS, *PLAIN_TYPES]}


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 8.0 is as whole as 8."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_WHOLE = BeforeValidator(_whole)  # last, so that the schema keeps what is said of the number
Name = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]
Span = Annotated[str, Field(pattern="^[1-9][0-9]{0,3}[smhd]$", description="such as 30s, 15m, 2h or 7d")]
Configurable = Literal["email", "sms", "whatsapp", "push", "slack", "webhook", "apprise"]
Priority = Annotated[int, Field(ge=0, le=1_000_000, description="the lowest is used first"), _WHOLE]
Concurrency = Annotated[int, Field(ge=1, le=10_000), _WHOLE]
Attempts = Annotated[int, Field(ge=1, le=100), _WHOLE]


class RateBody(Input):
    count: Annotated[int, Field(ge=1, le=1_000_000), _WHOLE]
    period: Span


class NewProviderBody(Input):
    """A provider to be made. `GET /v1/provider-types` says what its configuration consists of."""

    channel: Configurable
    type: Annotated[str, Field(max_length=50, json_schema_extra=_TYPES)]
    name: Name
    config: dict[str, Any] = Field(default_factory=dict)
    enabled: bool = True
    priority: Priority = 100
    concurrency: Concurrency | None = Field(None, description="most sends at a time, by all workers together")
    rate: RateBody | None = Field(None, description="most sends in a time, by all workers together")
    on_unknown: Literal["resend", "hold"] | None = Field(None, description="of what may have been sent")
    max_attempts: Attempts | None = None
    expires_after: Span | None = Field(None, description="what was not sent by then has failed; default 24h")

    def wanted(self) -> NewProvider:
        limits = limits_of(self.model_dump(exclude={"channel", "type", "name", "config"}))
        return NewProvider(Channel(self.channel), self.type, self.name, self.config, limits)


class ProviderChangesBody(Input):
    """What is left out stays as it is. Secrets that are left out of the configuration stay as they are."""

    name: Name = Field(default_factory=str)
    config: dict[str, Any] = Field(default_factory=dict)
    enabled: bool = Field(default_factory=bool)
    priority: Priority = Field(default_factory=int)
    concurrency: Concurrency | None = None
    rate: RateBody | None = None
    on_unknown: Literal["resend", "hold"] | None = None
    max_attempts: Attempts | None = None
    expires_after: Span | None = None


class ProviderTrialBody(Input):
    """A test-send, of a template too where one is named."""

    person_id: Annotated[UUID, Field(strict=False)] = Field(description="who gets it, at their first address")
    template: Slug = Field(TEMPLATE, description="what dresses it: a template of yours, or one of ours")
    data: dict[str, Any] | None = Field(None, description="what the template is filled with")


def limits_of(given: dict[str, Any]) -> dict[str, Any]:
    """As the provider's columns have it."""
    limits = dict(given)
    if "rate" in limits:
        rate = limits["rate"]
        limits["rate"] = None if rate is None else rate["count"]
        limits["rate_period"] = None if rate is None else _span(rate["period"])
    if limits.get("expires_after") is not None:
        limits["expires_after"] = _span(limits["expires_after"])
    return limits


def _span(text: str) -> timedelta:
    return timedelta(**{_UNITS[text[-1]]: int(text[:-1])})
