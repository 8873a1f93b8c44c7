"""The providers that there are: which channels each serves, how it is configured, and how it is built."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FieldSerializationInfo,
    SecretStr,
    SerializerFunctionWrapHandler,
    field_serializer,
)
from pydantic.alias_generators import to_camel

from tidings.spine.channels.network import Network
from tidings.spine.channels.port import Adapter, Channel, Http

_LONG_ENOUGH = 16  # for a secret that its last four characters do not give away
_IN_CLEAR = "in clear"

Secret: TypeAlias = Annotated[SecretStr, Field(min_length=1, max_length=8_192)]
"""Never empty: anybody could sign with that."""


class Config(BaseModel):
    """How a provider is set up. Secrets are `SecretStr`: sealed at rest, written over the API and never shown."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, hide_input_in_errors=True
    )

    @field_serializer("*", mode="wrap", when_used="json")
    def _in_clear_where_asked(
        self, value: Any, ordinary: SerializerFunctionWrapHandler, info: FieldSerializationInfo
    ) -> Any:
        if isinstance(value, SecretStr) and info.context == _IN_CLEAR:
            return value.get_secret_value()
        return ordinary(value)

    def calls(self) -> Iterator[tuple[str, str]]:
        """The URLs that its adapter calls, by the fields that they are in."""
        for name, value in self.model_dump(mode="python", by_alias=True).items():
            if name.lower().endswith("url") and isinstance(value, str):
                yield name, value


@dataclass(frozen=True)
class Outside:
    """What an adapter reaches the outside world with."""

    http: Http
    network: Network  # for what is not HTTP
    deadline: timedelta  # of one send, all in all
    now: Callable[[], datetime]


@dataclass(frozen=True)
class ProviderType:
    """One kind of provider. `safe_to_resend`: it deduplicates by our key, or a duplicate does no harm. `lines`: how
    many messages it takes at a time, by its configuration, where more would only wait for each other."""

    name: str
    channels: frozenset[Channel]
    config: type[Config]
    build: Callable[[Any, Outside], Adapter]
    safe_to_resend: bool
    lines: Callable[[Any], int] | None = None


def redacted(config: Config) -> dict[str, Any]:
    """The configuration as it may be shown: of a secret its last four characters, or only that it is set."""
    return {name: _shown(value) for name, value in config.model_dump(mode="python", by_alias=True).items()}


def _shown(value: Any) -> Any:
    match value:
        case SecretStr():
            return _ending(value.get_secret_value())
        case dict():
            return {name: _shown(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_shown(inner) for inner in value]
        case _:
            return value


def _ending(secret: str) -> str:
    return f"…{secret[-4:]}" if len(secret) >= _LONG_ENOUGH else "set"


def to_seal(config: Config) -> str:
    """The configuration as JSON with its secrets in clear: to be encrypted, and read again by `model_validate_json`."""
    return config.model_dump_json(by_alias=True, context=_IN_CLEAR)
