"""Where a resolver of DNS names is, as settings write it."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

_PORT = 53


def nameserver(text: str) -> tuple[str, int]:
    """The address and port of `8.8.8.8`, `127.0.0.1:5353`, `[2001:4860:4860::8888]` or `[::1]:5353`.

    Raises `ValueError` for all else. A name is none: who would look it up, if this is who looks names up?
    """
    try:
        parts = urlsplit(f"//{text}")
        host, port = str(ip_address(parts.hostname or "")), parts.port
    except ValueError:
        raise ValueError(f"{text} is not an IP address, or one with a port such as 127.0.0.1:5353") from None
    if parts.netloc != text or "@" in text or text.endswith(":") or port == 0:
        raise ValueError(f"{text} is not an IP address, or one with a port such as 127.0.0.1:5353")
    return host, _PORT if port is None else port
