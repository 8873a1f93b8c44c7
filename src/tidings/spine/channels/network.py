"""The one guard that everything outgoing passes: public addresses only, looked up once, and pinned.

A name is looked up here and nowhere else; whoever connects, connects to the addresses that come back. A name that
answers with even one address that is not public is refused altogether: honest services do not mix the two, and a
name that does would get through, or not, by the luck of the order.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import TypeAlias, TypeVar

from tidings.kit.errors import Misconfigured
from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.allowing import Allowed, allowed_from
from tidings.spine.channels.places import Place, place_of
from tidings.spine.channels.port import Deferred, Rejected
from tidings.spine.channels.public_addresses import Address, is_public

WEB = frozenset({"http", "https"})
_FRESH = 5.0  # seconds that a checked answer may be used again
_MOST_KEPT = 10_000
_LOOPBACK = IPv4Address("127.0.0.1")

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
LookUp: TypeAlias = Callable[[str, int], Awaitable[tuple[Address, ...]]]


@dataclass(frozen=True, slots=True)
class Pinned:
    """Addresses that were checked, in the order to try them."""

    addresses: tuple[str, ...]


@dataclass(frozen=True)
class Network:
    """Says what may be connected to. Every refusal can be shown to a user: it does not say what a name resolved to."""

    settings: NetworkSettings
    allowed: Allowed
    look_up: LookUp
    tls: ssl.SSLContext
    _kept: dict[tuple[str, int], tuple[float, Pinned]] = field(default_factory=dict)
    _places: dict[tuple[str, frozenset[str]], Place] = field(default_factory=dict)

    def checked_url(self, url: str, schemes: frozenset[str] = WEB) -> Place | Rejected:
        """The place that the URL names, as far as can be said without looking its host up."""
        known = self._places.get((url, schemes))
        if known is not None:
            return known
        place = place_of(url, schemes)
        if isinstance(place, Rejected):
            return place
        if refused := self.refused_host(place.host, place.port, self.settings.ports):
            return refused
        _keep(self._places, (url, schemes), place)
        return place

    def refused_host(self, host: str, port: int, ports: tuple[int, ...]) -> Rejected | None:
        """Why this host and port are not allowed, as far as can be said without looking the host up."""
        if port not in ports and not self.allowed.port(host, port):
            return Rejected(f"port {port} is not allowed")
        known = spelt_address(host)
        return None if known is None else self._refused((known,), host, port)

    async def resolve(self, host: str, port: int) -> Pinned | Rejected | Deferred:
        """The addresses of the host, all of them checked. `Deferred`: it has none just now."""
        now = asyncio.get_running_loop().time()
        kept = self._kept.get((host, port))
        if kept is not None and kept[0] > now:
            return kept[1]
        try:
            found = await self.look_up(host, port)
        except (OSError, UnicodeError):
            return Deferred("the host's name was not found")
        return self._judged(found, host, port, now)

    def _judged(self, found: tuple[Address, ...], host: str, port: int, now: float) -> Pinned | Rejected | Deferred:
        if not found:
            return Deferred("the host's name was not found")
        if refused := self._refused(found, host, port):
            return refused
        pinned = Pinned(tuple(dict.fromkeys(str(address) for address in found)))
        _keep(self._kept, (host, port), (now + _FRESH, pinned))
        return pinned

    def _refused(self, addresses: tuple[Address, ...], host: str, port: int) -> Rejected | None:
        if all(is_public(address) or self.allowed.address(address, host, port) for address in addresses):
            return None
        return Rejected("the host is not a public address")


def _keep(kept: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = value


def open_network(settings: NetworkSettings, look_up: LookUp | None = None) -> Network:
    """The guard as the settings have it. Raises `Misconfigured` for an allow list or a CA file that cannot be read."""
    try:
        allowed = allowed_from(settings.allow)
    except ValueError as error:
        raise Misconfigured(f"TIDINGS_NETWORK_ALLOW: {error}") from None
    return Network(settings, allowed, look_up or system_look_up, _tls(settings.ca_file))


def _tls(ca_file: Path | None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(ca_file)
        except OSError as error:  # also what it says of a file without certificates
            raise Misconfigured(f"TIDINGS_NETWORK_CA_FILE: {error.strerror or 'holds no certificates'}") from None
    return context


async def system_look_up(host: str, port: int) -> tuple[Address, ...]:
    """As the system resolves names; numbers in any spelling (decimal, octal, hexadecimal) come out as addresses."""
    literal = literal_address(host)
    if literal is not None:
        return (literal,)
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(ip_address(str(where[0]).partition("%")[0]) for *_, where in found)


def literal_address(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def spelt_address(host: str) -> Address | None:
    """The address that a host is wherever it is looked up: a number in any spelling (`0x7f.1`), or `localhost`."""
    if host == "localhost" or host.endswith(".localhost"):
        return _LOOPBACK
    try:
        return literal_address(host) or IPv4Address(socket.inet_aton(host))
    except OSError:
        return None
