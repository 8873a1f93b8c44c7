"""Values as tokens: what a link carries. Nobody reads one, changes one or makes one without the master key.

The same value always gives the same token (AES-SIV), so that a message that is made again is the same message. A mail
is read years later: tokens are made with the key that hashes, which no rotation changes.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from functools import cached_property

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from tidings.kit.crypto import Keyring, Unsealable

_VERSION = b"\x01"
LONGEST = 2_000
"""Characters of a token."""


@dataclass(frozen=True, repr=False)
class Tokens:
    """Tokens of one purpose."""

    keyring: Keyring
    purpose: str

    @cached_property
    def _cipher(self) -> AESSIV:
        return AESSIV(self.keyring.data.hashing.subkey(self.purpose))

    def write(self, value: bytes) -> str:
        """Only letters, digits, `-` and `_`."""
        sealed = _VERSION + self._cipher.encrypt(value, [_VERSION])
        return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()

    def read(self, token: str) -> bytes:
        """The value, or `Unsealable` for whatever is not a token of ours."""
        sealed = _decoded(token)
        if sealed[: len(_VERSION)] != _VERSION:
            raise Unsealable
        try:
            return self._cipher.decrypt(sealed[len(_VERSION) :], [_VERSION])
        except (InvalidTag, ValueError):
            raise Unsealable from None


def _decoded(token: str) -> bytes:
    if len(token) > LONGEST or not token.isascii():
        raise Unsealable
    try:
        sealed = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise Unsealable from None
    if base64.urlsafe_b64encode(sealed).rstrip(b"=").decode() != token:  # one token, one way to write it
        raise Unsealable
    return sealed
