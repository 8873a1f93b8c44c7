"""What came in, and the ways to see that it was the provider who sent it. Everything is compared in constant time."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha1, sha256

from pydantic import SecretStr

TOLERANCE = timedelta(minutes=5)
_PREFIX = "whsec_"
_MOST_SIGNATURES = 10


@dataclass(frozen=True, slots=True)
class Posted:
    """A request as it came: headers by name in lower case, the body untouched. `url` is where the provider was told to
    send it: by our configured public address, never by a header."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


def signed_as_standard(posted: Posted, secret: SecretStr, now: datetime) -> bool:
    """As Svix and Standard Webhooks sign: id, time and body, by a secret that begins with `whsec_`; not long ago."""
    key = webhook_key(secret.get_secret_value())
    name, at = posted.headers.get("svix-id"), posted.headers.get("svix-timestamp", "")
    if key is None or not name or not _recent(at, now):
        return False
    expected = base64.b64encode(hmac.digest(key, f"{name}.{at}.".encode() + posted.body, sha256)).decode()
    given = posted.headers.get("svix-signature", "").split()[:_MOST_SIGNATURES]
    return any(same(signature, f"v1,{expected}") for signature in given)


def webhook_key(secret: str) -> bytes | None:
    """The bytes of a `whsec_` secret, or None where it is none."""
    if not secret.startswith(_PREFIX):
        return None
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def signed_by_url(posted: Posted, fields: Mapping[str, list[str]], secret: SecretStr, signature: str) -> bool:
    """As Twilio signs: the URL, then every field and its value in the order of their names, by HMAC-SHA1."""
    text = posted.url + "".join(f"{name}{value}" for name in sorted(fields) for value in sorted(set(fields[name])))
    digest = hmac.digest(secret.get_secret_value().encode(), text.encode("utf-8", "replace"), sha1)
    return same(signature, base64.b64encode(digest).decode())


def signed_by_body(posted: Posted, secret: SecretStr, signature: str) -> bool:
    """As Meta signs: the body, by HMAC-SHA256, in hex."""
    expected = hmac.new(secret.get_secret_value().encode(), posted.body, sha256).hexdigest()
    return same(signature, f"sha256={expected}")


def same(given: str, expected: str) -> bool:
    """Whether two texts are equal, in a time that tells nothing about where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode("utf-8", "replace"))


def _recent(at: str, now: datetime) -> bool:
    if not (at.isascii() and at.isdigit() and len(at) <= 10):
        return False
    return abs(now - datetime.fromtimestamp(int(at), UTC)) <= TOLERANCE
