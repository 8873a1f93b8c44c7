"""Keeping leases while handlers run, and letting go of those that could not be kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from tidings.spine.outbox.leases import Leases
from tidings.spine.outbox.pump import Pump


def _nothing_more(pump: Pump) -> None:
    """To stop what ran is enough."""


@dataclass(frozen=True)
class Keeper:
    leases: Leases
    pumps: Mapping[str, Pump]
    on_lost: Callable[[Pump], None] = _nothing_more

    async def renew(self) -> None:
        """Prolongs every lease in our hands; stops what runs under one that is no longer ours."""
        tokens = {token for pump in self.pumps.values() for token in pump.held}
        if not tokens:
            return
        began = time.monotonic()
        lost = await self.leases.renew(list(tokens))
        for pump in self.pumps.values():
            pump.hands.prolong(tokens - lost, began + self._duration)
            self._abandon(pump, lost)

    async def let_go_in_time(self) -> None:
        """For ever: stops what could not be renewed in time, since by now somebody else may have it."""
        while True:
            for pump in self.pumps.values():
                self._abandon(pump, pump.hands.run_out(time.monotonic()))
            await asyncio.sleep(self._duration / 10)

    @property
    def _duration(self) -> float:
        return self.leases.duration.total_seconds()

    def _abandon(self, pump: Pump, lost: set[UUID]) -> None:
        if pump.abandon(lost):
            self.on_lost(pump)
