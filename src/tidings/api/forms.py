"""Forms of pages that have no script: what they send, in either way that forms are sent."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from starlette.requests import Request

from tidings.api.bodies import read_any_body
from tidings.api.exchange import exchange_of

_LARGEST = 8_192  # bytes
_MOST_FIELDS = 20
_PART = re.compile(r'\bname="([A-Za-z-]{1,40})"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n){0,5}\r?\n([^\r\n]*)')


async def sent_fields(request: Request) -> list[tuple[str, str]]:
    """The fields of a form; none where it is no form."""
    body = await read_any_body(request, _LARGEST)
    return fields_of(exchange_of(request.scope).header(b"content-type") or "", body)


def fields_of(media_type: str, body: bytes) -> list[tuple[str, str]]:
    return _multipart(body) if media_type.lower().startswith("multipart/form-data") else _encoded(body)


def _encoded(body: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(body.decode("utf-8", "replace"), max_num_fields=_MOST_FIELDS)
    except ValueError:
        return []


def _multipart(body: bytes) -> list[tuple[str, str]]:
    """The fields of a form in parts, each the first line of its part: what we ask for is no longer."""
    return _PART.findall(body.decode("utf-8", "replace"))[:_MOST_FIELDS]
