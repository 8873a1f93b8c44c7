"""The operator's own list of what may be connected to though it is not public."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from tidings.spine.channels.places import ascii_host
from tidings.spine.channels.public_addresses import Address


@dataclass(frozen=True, slots=True)
class Allowed:
    """`host` and networks are allowed on every port, `host:port` on that one alone."""

    hosts: frozenset[str]
    pairs: frozenset[tuple[str, int]]
    networks: tuple[IPv4Network | IPv6Network, ...]

    def port(self, host: str, port: int) -> bool:
        """Whether this port is allowed, though it is not on the list of ports."""
        return self._named(host, port) or self._in_networks(host)

    def address(self, address: Address, host: str, port: int) -> bool:
        """Whether the address that the host resolved to is allowed, though it is not public."""
        return self._named(host, port) or any(address in network for network in self.networks)

    def _named(self, host: str, port: int) -> bool:
        return host in self.hosts or (host, port) in self.pairs

    def _in_networks(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.networks)


def allowed_from(words: tuple[str, ...]) -> Allowed:
    """The list from its words: `host`, `host:port`, or a network such as `10.0.0.0/8`. Raises `ValueError`."""
    hosts, pairs, networks = set[str](), set[tuple[str, int]](), []
    for word in words:
        if "/" in word:
            networks.append(ip_network(word))
            continue
        host, port = _split(word)
        if port is None:
            hosts.add(host)
        else:
            pairs.add((host, port))
    return Allowed(frozenset(hosts), frozenset(pairs), tuple(networks))


def _split(word: str) -> tuple[str, int | None]:
    if word.count(":") > 1 and not word.startswith("["):
        name, colon, port = word, "", ""
    else:
        name, colon, port = word.rpartition(":") if not word.endswith("]") and ":" in word else (word, "", "")
    host = ascii_host(name.strip("[]"))
    if host is None or (colon and not (port.isascii() and port.isdigit() and int(port) <= 65535)):
        raise ValueError(f"{word!r} is no host, host:port or network such as 10.0.0.0/8")
    return host, int(port) if colon else None
