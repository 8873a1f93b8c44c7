"""URLs that people may be reached at: what is wrong with one as a text. Whether it may be called is the network's."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

LONGEST_URL = 2048
HTTP_URL = r"^https?://[!-~]+$"
APPRISE_URL = r"^[a-z][a-z0-9]*://[!-~]+$"
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\.?|[0-9A-Fa-f:.]+")


def checked_url(kind: str, text: str) -> str:
    """The URL as it was given, or ValueError. The one place where a URL of a person is let in."""
    if len(text) > LONGEST_URL:
        raise ValueError(f"must have {LONGEST_URL} characters or fewer")
    if not re.fullmatch(APPRISE_URL if kind == "apprise" else HTTP_URL, text):
        raise ValueError(f"must be {'an Apprise URL' if kind == 'apprise' else 'a URL with http or https'}")
    parts = _split(text)
    if kind != "apprise":
        _check_http(parts)
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
