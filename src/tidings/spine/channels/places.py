"""URLs that may be sent to, taken apart once: what is checked is what is connected to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address
from urllib.parse import SplitResult, urlsplit

import idna

from tidings.spine.channels.port import Rejected

_LONGEST_URL = 2_048
_LONGEST_HOST = 253
_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\\ud800-\udfff\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_AUTHORITY = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<name>[^\[\]:@%]+))(?::(?P<port>[0-9]{1,5}))?")
_PRINTABLE = re.compile(r"[!-~]*")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a URL points: a host in lower-case ASCII (an IPv6 address without brackets), a port and a target."""

    scheme: str
    host: str
    port: int
    target: str  # path and query, starting with a slash

    @property
    def authority(self) -> str:
        """As the Host header has it."""
        return bracketed(self.host) if self.port == _PORTS.get(self.scheme) else f"{bracketed(self.host)}:{self.port}"


def place_of(url: str, schemes: frozenset[str]) -> Place | Rejected:
    """The place that a URL names. Refused is whatever two programs might read differently."""
    if len(url) > _LONGEST_URL:
        return Rejected(f"the URL is longer than {_LONGEST_URL} characters")
    if _UNSAFE.search(url):
        return Rejected("the URL has a space, a backslash or an invisible character in it")
    try:
        return _place(urlsplit(url), schemes)
    except ValueError:
        return Rejected("this is not a URL")


def _place(parts: SplitResult, schemes: frozenset[str]) -> Place | Rejected:
    if parts.scheme not in schemes:
        return Rejected(f"the URL must start with {' or '.join(f'{scheme}://' for scheme in sorted(schemes))}")
    if "@" in parts.netloc:
        return Rejected("a URL with a user name in it is not allowed")
    found = _AUTHORITY.fullmatch(parts.netloc)
    host = ascii_host(found["six"] or found["name"]) if found else None
    if found is None or host is None:
        return Rejected("the URL's host is not valid")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not _PRINTABLE.fullmatch(target):
        return Rejected("the URL's path must be percent-encoded")
    return Place(parts.scheme, host, int(found["port"] or _PORTS.get(parts.scheme, 0)), target)


def ascii_host(name: str) -> str | None:
    """A host as it is looked up: lower case, without a final dot, internationalised names in their ASCII form.

    None: not a host.
    """
    if ":" in name:
        return _ipv6(name)
    if not name.isascii():
        try:
            name = idna.encode(name, uts46=True).decode()
        except (idna.IDNAError, UnicodeError):
            return None
    name = name.lower().removesuffix(".")
    return name if len(name) <= _LONGEST_HOST and _HOST.fullmatch(name) else None


def _ipv6(name: str) -> str | None:
    try:
        address = IPv6Address(name)
    except ValueError:
        return None
    return None if address.scope_id else str(address)


def bracketed(host: str) -> str:
    """A host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host
