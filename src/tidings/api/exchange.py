"""What is known about one request while it is served."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:-]{1,128}")
_TRACEPARENT = re.compile(rb"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_SCOPE_KEY = "tidings"


@dataclass(slots=True)
class Exchange:
    """The request's headers, its id, the headers that its response will carry, and whose data it is about."""

    headers: dict[bytes, bytes] = field(repr=False)
    request_id: str
    added: list[tuple[bytes, bytes]] = field(default_factory=list)
    tenant: str | None = None

    def header(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    @property
    def traceparent(self) -> str | None:
        value = self.headers.get(b"traceparent")
        return value.decode() if value is not None and _TRACEPARENT.fullmatch(value) else None


def begin_exchange(scope: Any) -> Exchange:
    """An id that the caller gave is kept, if it is one; otherwise the request gets a new one."""
    headers = dict(scope["headers"])
    given = headers.get(b"x-request-id")
    known = given is not None and _REQUEST_ID.fullmatch(given)
    exchange = Exchange(headers, given.decode() if given is not None and known else os.urandom(16).hex())
    scope[_SCOPE_KEY] = exchange
    return exchange


def exchange_of(scope: Any) -> Exchange:
    exchange: Exchange = scope[_SCOPE_KEY]
    return exchange
