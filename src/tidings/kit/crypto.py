"""Secrets kept: what is encrypted, what is hashed, and the keys that it takes.

The master key encrypts nothing but data keys, which the database has (`tidings.data_keys`): another master key means
wrapping those few again. Every purpose has a subkey of its own (HKDF), so that nothing made for one can be used for
another. What is sealed carries the id of its data key: a ring may hold several, seals with one and opens with any.
"""

from __future__ import annotations

import base64
import hmac
import os
import re
import secrets
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tidings.kit.configuration import MISSING_KEY
from tidings.kit.errors import Misconfigured, TidingsError, Unavailable
from tidings.kit.settings import Settings

VERSION = b"\x01"
ID_BYTES = 4
_NONCE_BYTES = 12
_KEY_BYTES = 32
_ENCODED = re.compile(r"[A-Za-z0-9_-]{43}=?")


class Unsealable(TidingsError):
    """What was kept cannot be read with the keys that are here."""


class Locked(Unavailable):
    """The data keys have not been read from the database yet; try again."""


@dataclass(frozen=True, repr=False)
class Key:
    """32 secret bytes, and the subkeys derived from them: a master key, or a data key."""

    secret: bytes

    @cached_property
    def id(self) -> bytes:
        """Names the key without telling anything about it."""
        return self.subkey("key id")[:ID_BYTES]

    def subkey(self, purpose: str) -> bytes:
        return HKDF(hashes.SHA256(), _KEY_BYTES, salt=None, info=b"tidings " + purpose.encode()).derive(self.secret)

    def text(self) -> str:
        """As it is configured."""
        return base64.urlsafe_b64encode(self.secret).decode()


def new_key() -> Key:
    return Key(secrets.token_bytes(_KEY_BYTES))


@dataclass(frozen=True, repr=False)
class DataKeys:
    """One key to hash with, for good, and those to open with; the first of them seals."""

    hashing: Key
    sealing: tuple[Key, ...]


@dataclass(repr=False)
class Keyring:
    """The master key, and the data keys once they are there. Vaults and hashers may be made before that."""

    master: Key
    held: DataKeys | None = None

    @property
    def data(self) -> DataKeys:
        if self.held is None:
            raise Locked
        return self.held

    def vault(self, purpose: str) -> Vault:
        return Vault(self, purpose)

    def hasher(self, purpose: str) -> Hasher:
        return Hasher(self, purpose)


@dataclass(frozen=True, repr=False)
class Vault:
    """Seals and opens values of one purpose. AES-256-GCM; the context is bound to the value, not kept in it."""

    keyring: Keyring
    purpose: str
    ciphers: dict[bytes, AESGCM] = field(default_factory=dict)

    def seal(self, value: bytes, context: str = "") -> bytes:
        key = self.keyring.data.sealing[0]
        nonce = os.urandom(_NONCE_BYTES)
        return VERSION + key.id + nonce + self._cipher(key.id).encrypt(nonce, value, context.encode())

    def open(self, sealed: bytes, context: str = "") -> bytes:
        """The value, or `Unsealable` when it was changed, has another context, or its key is not there."""
        body = sealed[len(VERSION) + ID_BYTES :]
        cipher = self._cipher(key_of(sealed))
        try:
            return cipher.decrypt(body[:_NONCE_BYTES], body[_NONCE_BYTES:], context.encode())
        except (InvalidTag, ValueError):
            raise Unsealable from None

    def _cipher(self, key_id: bytes | None) -> AESGCM:
        data = self.keyring.data
        if key_id not in self.ciphers:
            self.ciphers.update({key.id: AESGCM(key.subkey(self.purpose)) for key in data.sealing})
        if key_id is None or key_id not in self.ciphers:
            raise Unsealable
        return self.ciphers[key_id]


@dataclass(frozen=True, repr=False)
class Hasher:
    """Hashes random tokens of one purpose with HMAC-SHA256: useless without the master key."""

    keyring: Keyring
    purpose: str

    @cached_property
    def _subkey(self) -> bytes:
        return self.keyring.data.hashing.subkey(self.purpose)

    def hash(self, token: str) -> bytes:
        return hmac.digest(self._subkey, token.encode("utf-8", "surrogatepass"), sha256)


def key_of(sealed: bytes) -> bytes | None:
    """The id of the key that a value is sealed with; None for what was not sealed here."""
    return sealed[len(VERSION) : len(VERSION) + ID_BYTES] if sealed[: len(VERSION)] == VERSION else None


def wrap(master: Key, key: Key, use: str) -> bytes:
    """A data key as the database may have it. What it is for is bound to it."""
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + _wrapping(master).encrypt(nonce, key.secret, use.encode())


def unwrap(master: Key, wrapped: bytes, use: str) -> Key:
    """The data key, or `Unsealable`."""
    try:
        return Key(_wrapping(master).decrypt(wrapped[:_NONCE_BYTES], wrapped[_NONCE_BYTES:], use.encode()))
    except (InvalidTag, ValueError):
        raise Unsealable from None


def _wrapping(master: Key) -> AESGCM:
    return AESGCM(master.subkey("data keys"))


def open_keyring(settings: Settings) -> Keyring:
    """A ring with the master key that is set and no data keys yet; `Misconfigured` with what to do where it is none."""
    return Keyring(decoded(_configured(settings)))


def _configured(settings: Settings) -> str:
    if settings.master_key is not None:
        return settings.master_key.get_secret_value()
    if settings.master_key_file is None:
        raise Misconfigured(MISSING_KEY)
    try:
        return settings.master_key_file.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"TIDINGS_MASTER_KEY_FILE: cannot be read ({error})") from None


def decoded(text: str, name: str = "TIDINGS_MASTER_KEY") -> Key:
    """The master key that a text stands for."""
    if not _ENCODED.fullmatch(text.strip()):
        raise Misconfigured(f"{name}: must be 32 bytes in base64url (43 or 44 characters)")
    return Key(base64.urlsafe_b64decode(text.strip().rstrip("=") + "="))
