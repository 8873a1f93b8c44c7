"""Pages of a list. A cursor is opaque, signed, and good for the list of one tenant only."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tidings.kit.crypto import Hasher
from tidings.kit.errors import Fault, ValidationFailed

DEFAULT_LIMIT = 20
MOST = 100
LONGEST_CURSOR = 512
_SIGNATURE_BYTES = 16

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some items, and where to go on; None where there is no more."""

    items: Sequence[T]
    next_position: Any | None


def page_of(rows: Sequence[T], limit: int, position: Callable[[T], Any]) -> Page[T]:
    """A page out of `limit + 1` rows that were asked for: the one too many says that there is more."""
    if len(rows) <= limit:
        return Page(rows, None)
    return Page(rows[:limit], position(rows[limit - 1]))


@dataclass(frozen=True)
class Cursors:
    """Writes and reads cursors. One that we did not write for this list is not valid, whoever's it is."""

    hasher: Hasher

    def write(self, listing: str, tenant: str, position: Any) -> str:
        body = json.dumps(position, separators=(",", ":"))
        return base64.urlsafe_b64encode(self._sign(listing, tenant, body) + body.encode()).rstrip(b"=").decode()

    def read(self, listing: str, tenant: str, cursor: str) -> Any:
        try:
            raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
            body = raw[_SIGNATURE_BYTES:].decode()
        except ValueError:
            raise _invalid() from None
        if not hmac.compare_digest(raw[:_SIGNATURE_BYTES], self._sign(listing, tenant, body)):
            raise _invalid()
        return json.loads(body)

    def _sign(self, listing: str, tenant: str, body: str) -> bytes:
        return self.hasher.hash(json.dumps([listing, tenant, body]))[:_SIGNATURE_BYTES]


def _invalid() -> ValidationFailed:
    return ValidationFailed(
        "cursor: is not valid", (Fault("cursor", "is not one that this list gave out; leave it out to start again"),)
    )
