"""A certificate authority that the tests trust, and servers' certificates from it and from another."""

from __future__ import annotations

import ssl
from functools import cache

import trustme


@cache
def authority() -> trustme.CA:
    return trustme.CA()


def server_tls(name: str = "localhost") -> ssl.SSLContext:
    """For a server that we trust, under this name."""
    return _context(authority(), name)


def wrong_server_tls() -> ssl.SSLContext:
    """For a server whose certificate nobody has vouched for."""
    return _context(trustme.CA(), "localhost")


def _context(issuer: trustme.CA, name: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issuer.issue_cert(name).configure_cert(context)
    return context
