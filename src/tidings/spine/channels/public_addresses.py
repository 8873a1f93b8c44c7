"""Which IP addresses belong to the public Internet, and which are somebody's inside."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address

_NOT_PUBLIC_4 = tuple(
    IPv4Network(net)
    for net in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; one cloud keeps its metadata here
        "127.0.0.0/8",
        "168.63.129.16/32",  # one cloud's own control endpoint, though it looks public
        "169.254.0.0/16",  # link-local, and the metadata of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
_GLOBAL_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    IPv6Network(net)
    for net in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: a tunnel to any IPv4 address
        "3fff::/20",  # documentation
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")


def is_public(address: Address) -> bool:
    """Whether the address can be reached by everybody. Of one that carries an IPv4 address, that one is judged.

    Tunnels that nobody serves from any more (6to4, Teredo) are not public, whatever they carry.
    """
    match address:
        case IPv4Address():
            return not any(address in net for net in _NOT_PUBLIC_4)
        case IPv6Address():
            return _is_public_6(address)


def _is_public_6(address: IPv6Address) -> bool:
    carried = address.ipv4_mapped
    if carried is None and address in _NAT64:
        carried = IPv4Address(int(address) & 0xFFFFFFFF)
    if carried is not None:
        return is_public(carried)
    return address in _GLOBAL_6 and not any(address in net for net in _NOT_PUBLIC_6)
