"""The providers that there are: which channels each serves, how it is configured, and how it is built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from tidings.spine.channels.network import Network
from tidings.spine.channels.port import Adapter, Channel, Http


class Config(BaseModel):
    """How a provider is set up. Secrets are `SecretStr`: sealed at rest, written over the API and never shown."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


@dataclass(frozen=True)
class Outside:
    """What an adapter reaches the outside world with."""

    http: Http
    network: Network  # for what is not HTTP
    deadline: timedelta  # of one send, all in all
    now: Callable[[], datetime]


@dataclass(frozen=True)
class ProviderType:
    """One kind of provider. `safe_to_resend`: it deduplicates by our key, or a duplicate does no harm."""

    name: str
    channels: frozenset[Channel]
    config: type[Config]
    build: Callable[[Any, Outside], Adapter]
    safe_to_resend: bool
