"""Whose turn it is to ask the provider: one request at a time of all processes, evenly spread."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from tidings.modules.organizations.dns.port import NoTurn
from tidings.spine.access.limiter import Limiter

APART = timedelta(milliseconds=250)
PATIENCE = timedelta(minutes=2)
_LEAST_WAIT = 0.005  # seconds; the clock of the database and ours do not agree on where a moment ends


class Turns:
    """Turns are at least `apart` from each other, by the clock of the database, whoever takes them.

    Four in a second would let eight through in one: four that were left, and four that came back meanwhile. One in a
    quarter of a second never lets more than four through in any second.

    In this process they go by the order of asking; only the first in the line asks the database.
    """

    def __init__(self, limiter: Limiter, bucket: str, apart: timedelta = APART, patience: timedelta = PATIENCE) -> None:
        self._limiter = limiter
        self._bucket = bucket
        self._apart = apart
        self._patience = patience
        self._line = asyncio.Lock()

    async def take(self) -> None:
        """Returns when it is our turn. `NoTurn`: it was not within our patience."""
        limit = asyncio.timeout(self._patience.total_seconds())
        try:
            async with limit, self._line:
                await self._taken()
        except TimeoutError:
            if not limit.expired():  # the database is away
                raise
            raise NoTurn("Too many requests are waiting for the DNS provider.", self._apart) from None

    async def _taken(self) -> None:
        while True:
            allowance = await self._limiter.take(self._bucket, 1, self._apart)
            if allowance.allowed:
                return
            await asyncio.sleep(max(allowance.reset_after.total_seconds(), _LEAST_WAIT))
