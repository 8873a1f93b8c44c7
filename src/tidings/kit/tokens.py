"""Values as tokens: what a link carries. Nobody reads one, changes one or makes one without the master key.

The same value always gives the same token (AES-SIV), so that a message that is made again is the same message. A token
carries the id of its key, as what a vault seals does: it stays good for as long as the keyring holds that key.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from tidings.kit.crypto import MasterKey, Unsealable

_VERSION = b"\x01"
_ID_BYTES = 4
_HEAD = len(_VERSION) + _ID_BYTES
LONGEST = 2_000
"""Characters of a token."""


class Tokens:
    """Tokens of one purpose."""

    def __init__(self, keys: Sequence[MasterKey], purpose: str) -> None:
        self._current = keys[0].id
        self._ciphers = {key.id: AESSIV(key.subkey(purpose)) for key in keys}

    def write(self, value: bytes) -> str:
        """Only letters, digits, `-` and `_`."""
        head = _VERSION + self._current
        sealed = head + self._ciphers[self._current].encrypt(value, [head])
        return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()

    def read(self, token: str) -> bytes:
        """The value, or `Unsealable` for whatever is not a token of ours."""
        sealed = _decoded(token)
        cipher = self._ciphers.get(sealed[len(_VERSION) : _HEAD])
        if cipher is None or sealed[:1] != _VERSION:
            raise Unsealable
        try:
            return cipher.decrypt(sealed[_HEAD:], [sealed[:_HEAD]])
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
