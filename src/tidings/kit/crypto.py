"""The master key: what is encrypted with it, and what is hashed under it.

Every purpose has a subkey of its own (HKDF), so that nothing made for one can be used for another. What is sealed
carries the id of its key: a keyring may hold older keys, seals with the first and opens with any.
"""

from __future__ import annotations

import base64
import hmac
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tidings.kit.configuration import MISSING_KEY
from tidings.kit.errors import Misconfigured, TidingsError
from tidings.kit.settings import Settings

_VERSION = b"\x01"
_ID_BYTES = 4
_NONCE_BYTES = 12
_KEY_BYTES = 32
_ENCODED = re.compile(r"[A-Za-z0-9_-]{43}=?")


class Unsealable(TidingsError):
    """What was kept cannot be read with the master key that is set."""


@dataclass(frozen=True, repr=False)
class MasterKey:
    """32 secret bytes, and the subkeys derived from them."""

    secret: bytes

    @cached_property
    def id(self) -> bytes:
        """Names the key without telling anything about it."""
        return self.subkey("key id")[:_ID_BYTES]

    def subkey(self, purpose: str) -> bytes:
        return HKDF(hashes.SHA256(), _KEY_BYTES, salt=None, info=b"tidings " + purpose.encode()).derive(self.secret)


class Vault:
    """Seals and opens values of one purpose. AES-256-GCM; the context is bound to the value, not kept in it."""

    def __init__(self, keys: Sequence[MasterKey], purpose: str) -> None:
        self._current = keys[0].id
        self._ciphers = {key.id: AESGCM(key.subkey(purpose)) for key in keys}

    def seal(self, value: bytes, context: str = "") -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        sealed = self._ciphers[self._current].encrypt(nonce, value, context.encode())
        return _VERSION + self._current + nonce + sealed

    def open(self, sealed: bytes, context: str = "") -> bytes:
        """The value, or `Unsealable` when it was changed, has another context, or its key is not there."""
        body = sealed[len(_VERSION) + _ID_BYTES :]
        cipher = self._ciphers.get(sealed[len(_VERSION) : len(_VERSION) + _ID_BYTES])
        if cipher is None or sealed[:1] != _VERSION:
            raise Unsealable
        try:
            return cipher.decrypt(body[:_NONCE_BYTES], body[_NONCE_BYTES:], context.encode())
        except (InvalidTag, ValueError):
            raise Unsealable from None


class Hasher:
    """Hashes random tokens of one purpose with HMAC-SHA256: useless without the master key."""

    def __init__(self, keys: Sequence[MasterKey], purpose: str) -> None:
        self._subkeys = [key.subkey(purpose) for key in keys]

    def hash(self, token: str) -> bytes:
        return hmac.digest(self._subkeys[0], token.encode("utf-8", "surrogatepass"), sha256)

    def hashes(self, token: str) -> list[bytes]:
        """The token under every key of the ring: what was hashed before a rotation is found still."""
        return [hmac.digest(subkey, token.encode("utf-8", "surrogatepass"), sha256) for subkey in self._subkeys]


@dataclass(frozen=True, repr=False)
class Keyring:
    """The master key in use, and any older ones after it."""

    keys: tuple[MasterKey, ...]

    def vault(self, purpose: str) -> Vault:
        return Vault(self.keys, purpose)

    def hasher(self, purpose: str) -> Hasher:
        return Hasher(self.keys, purpose)


def open_keyring(settings: Settings) -> Keyring:
    """The master key that is set, or `Misconfigured` with what to do."""
    return Keyring((MasterKey(_decoded(_configured(settings))),))


def _configured(settings: Settings) -> str:
    if settings.master_key is not None:
        return settings.master_key.get_secret_value()
    if settings.master_key_file is None:
        raise Misconfigured(MISSING_KEY)
    try:
        return settings.master_key_file.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"TIDINGS_MASTER_KEY_FILE: cannot be read ({error})") from None


def _decoded(text: str) -> bytes:
    if not _ENCODED.fullmatch(text.strip()):
        raise Misconfigured("TIDINGS_MASTER_KEY: must be 32 bytes in base64url (43 or 44 characters)")
    return base64.urlsafe_b64decode(text.strip().rstrip("=") + "=")
