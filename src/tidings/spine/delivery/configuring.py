"""The configuration of a provider: checked when it is saved, sealed at rest, and never shown in full.

A secret that is not given again is kept, as long as it goes where it went before: whoever may change a provider could
otherwise have its secrets sent to a place of their own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr, ValidationError

from tidings.kit.crypto import Unsealable, Vault
from tidings.kit.errors import Fault, ValidationFailed
from tidings.kit.plain_words import plain_words
from tidings.spine.channels.network import Network
from tidings.spine.channels.port import Channel, Rejected
from tidings.spine.channels.providers import PROVIDERS
from tidings.spine.channels.registry import Config, ProviderType, redacted, to_seal
from tidings.spine.channels.smtp import SmtpConfig

PLAIN_TYPES = ("sandbox", "none")
"""Types that every channel has, and that need no configuration."""
_MOST_FAULTS = 20
_LEADS_ELSEWHERE = ("host", "port", "security", "verify")


@dataclass(frozen=True)
class Sealed:
    """A configuration that was accepted: as it is kept, and as it may be shown."""

    config: bytes | None
    shown: dict[str, Any]


@dataclass(frozen=True)
class Configurations:
    """Of the providers of one installation; `vault` is that of providers."""

    vault: Vault
    network: Network

    def accept(self, tenant: str, type: str, given: Mapping[str, Any], kept: bytes | None = None) -> Sealed:
        """Sealed, or `ValidationFailed` with every fault. With `kept`, secrets that are not given stay as they were."""
        provider = PROVIDERS.get(type)
        if provider is None:
            _refuse([Fault(f"config.{name}"[:100], "is not known here") for name in list(given)[:_MOST_FAULTS]])
            return Sealed(None, {})
        before = {} if kept is None else self._opened(tenant, kept)
        config = _validated(provider, {**_secrets(provider, before), **given})
        _refuse([*self._unreachable(config), *_led_elsewhere(provider, config, before, given)])
        return Sealed(self.vault.seal(to_seal(config).encode(), tenant), _json(redacted(config)))

    def _opened(self, tenant: str, kept: bytes) -> dict[str, Any]:
        """Nothing where it cannot be read any more: then all of it must be given again."""
        try:
            opened: dict[str, Any] = json.loads(self.vault.open(kept, tenant))
        except Unsealable:
            return {}
        return opened

    def _unreachable(self, config: Config) -> Iterator[Fault]:
        """Hosts and URLs that the network guard would refuse, as far as can be said without looking names up."""
        judged: list[tuple[str, object]] = [(name, self.network.checked_url(url)) for name, url in config.calls()]
        if isinstance(config, SmtpConfig):
            ports = self.network.settings.mail_ports
            judged.append(("host", self.network.refused_host(config.host, config.port, ports)))
        for name, found in judged:
            if isinstance(found, Rejected):
                yield Fault(f"config.{name}", f"{found.reason}; TIDINGS_NETWORK_ALLOW can allow it")


def types_of(channel: Channel) -> list[str]:
    """The types of providers that a channel can have, apart from those that are built in."""
    own = [name for name, provider in PROVIDERS.items() if channel in provider.channels]
    return own if channel is Channel.WEBSOCKET else [*own, *PLAIN_TYPES]


def _validated(provider: ProviderType, given: Mapping[str, Any]) -> Config:
    try:
        return provider.config.model_validate_json(json.dumps(given))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:_MOST_FAULTS]
    faults = [Fault(".".join(["config", *(str(part)[:100] for part in f["loc"])]), plain_words(f)) for f in found]
    _refuse(faults)
    raise AssertionError("what is not valid has faults")


def _refuse(faults: list[Fault]) -> None:
    if faults:
        raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), tuple(faults))


def _led_elsewhere(
    provider: ProviderType, config: Config, before: Mapping[str, Any], given: Mapping[str, Any]
) -> Iterator[Fault]:
    """Secrets that were not given again although they would now be sent elsewhere, or less safely."""
    now = json.loads(to_seal(config))
    moved = [name for name in now if _leads(name) and before and now[name] != before.get(name)]
    for name in _secrets(provider, before):
        if moved and name not in given:
            yield Fault(f"config.{name}", f"must be given again where {moved[0]} changes")


def _leads(name: str) -> bool:
    return name in _LEADS_ELSEWHERE or name.lower().endswith("url")


def _secrets(provider: ProviderType, kept: Mapping[str, Any]) -> dict[str, Any]:
    """What of a kept configuration is secret, by the names that it has in JSON."""
    if not kept:
        return {}
    config = provider.config.model_validate_json(json.dumps(kept))
    return {name: kept[name] for name, value in _aliased(config).items() if isinstance(value, SecretStr)}


def _aliased(config: Config) -> dict[str, Any]:
    return config.model_dump(mode="python", by_alias=True)


def _json(shown: Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(shown, default=str))
    return plain
