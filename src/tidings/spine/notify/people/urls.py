"""URLs that people may be reached at: what is wrong with one as a text, and whether the network would refuse it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

LONGEST_URL = 2048
HTTP_URL = r"^https?://[!-~]+$"
APPRISE_URL = r"^[a-z][a-z0-9]*://[!-~]+$"
Refusal: TypeAlias = Callable[[str, str], str | None]
"""Says of a URL, by the kind of address that it is, why nothing would ever be sent there; None where it may be."""
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\.?|[0-9A-Fa-f:.]+")


def not_called(kind: str, url: str) -> None:
    """The `Refusal` for what is only compared with: an address that is suppressed may be any."""


def checked_url(kind: str, text: str, refusal: Refusal) -> str:
    """The URL as it was given, or ValueError. The one place where a URL of a person is let in."""
    if len(text) > LONGEST_URL:
        raise ValueError(f"must have {LONGEST_URL} characters or fewer")
    if not re.fullmatch(APPRISE_URL if kind == "apprise" else HTTP_URL, text):
        raise ValueError(f"must be {'an Apprise URL' if kind == 'apprise' else 'a URL with http or https'}")
    parts = _split(text)
    if kind != "apprise":
        _check_http(parts)
    if refused := refusal(kind, text):
        raise ValueError(refused)
    return text


def where_it_leads(kind: str, url: str) -> str:
    """No more of it than may be shown. Of an Apprise URL that is the service: its host is often a token."""
    parts = urlsplit(url)
    return f"{parts.scheme}://…" if kind == "apprise" else f"{parts.scheme}://{parts.hostname}/…"


def _split(text: str) -> SplitResult:
    try:
        return urlsplit(text)
    except ValueError:
        raise ValueError("is not a URL") from None


def _check_http(parts: SplitResult) -> None:
    if "@" in parts.netloc or "\\" in parts.netloc:
        raise ValueError("must not have a user or a password in it")
    if not parts.hostname or not _HOST.fullmatch(parts.hostname):
        raise ValueError("must name a host")
    try:
        parts.port  # noqa: B018  # raises for a port that is none
    except ValueError:
        raise ValueError("must have a port from 0 to 65535, or none") from None
