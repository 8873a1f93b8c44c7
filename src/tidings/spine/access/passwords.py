"""Passwords. Checking one takes the same time whether there is such a user or not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # only those who check or make one pay for it
    from argon2 import PasswordHasher

SHORTEST = 10
LONGEST = 256
_AT_ONCE = 2  # each takes 64 MiB and a core for a tenth of a second


def hash_password(password: str) -> str:
    return _hasher().hash(password)


def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@dataclass(frozen=True)
class Passwords:
    """Checks passwords off the event loop, a few at a time."""

    hasher: PasswordHasher = field(default_factory=_hasher)
    nobodys: str = field(default_factory=lambda: hash_password("nobody has this password"))  # made before it is needed
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def match(self, password: str, stored: str | None) -> bool:
        """Whether the password is the one stored. Without one stored it is checked all the same, against nobody's."""
        async with self.turns:
            return await asyncio.to_thread(self._verify, password, stored or self.nobodys) and stored is not None

    async def hashed(self, password: str) -> str:
        async with self.turns:
            return await asyncio.to_thread(self.hasher.hash, password)

    def _verify(self, password: str, stored: str) -> bool:
        from argon2.exceptions import InvalidHashError, VerificationError

        try:
            return self.hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False
