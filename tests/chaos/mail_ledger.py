"""What a provider of mails has accepted, held against what was settled whenever a worker was killed."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from tests.chaos.endpoint import Endpoint, Hit
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World

_OPEN = "SELECT id::text FROM tidings.deliveries"


@dataclass(frozen=True)
class Death:
    """One kill, once all that was on its way has arrived. `unsettled`: what was accepted by then, and not settled."""

    at: float
    unsettled: frozenset[str]


@dataclass
class MailLedger:
    world: World
    endpoint: Endpoint
    deaths: list[Death] = field(default_factory=list)

    async def died(self) -> None:
        """A worker was killed, and there is no other."""
        await until(lambda: not self.endpoint.connections, "the connections of the killed worker end")
        await until(lambda: not self.world.processes.orphans(), "what it had started is gone")
        still_open = {row["id"] for row in await self.world.fetch(_OPEN)}
        accepted = {hit.key for hit in self.endpoint.hits}
        self.deaths.append(Death(time.monotonic(), frozenset(accepted & still_open)))

    def require_bounded(self) -> Counter[Death]:
        """Each key stands for one message to one person. It comes again only after a kill at which it had been
        accepted and not settled, and then once. Returns how many came again, by kill."""
        again: Counter[Death] = Counter()
        for key, hits in self._by_key().items():
            if len({(hit.path, hit.request.body) for hit in hits}) > 1:
                raise Violated(f"not the same message each time under {key}")
            for first, second in pairwise(hits):
                again[self._explanation(key, first, second)] += 1
        return again

    def _explanation(self, key: str, first: Hit, second: Hit) -> Death:
        for death in self.deaths:
            if first.at < death.at < second.at and key in death.unsettled:
                return death
        raise Violated(f"{key} was sent again {second.at - first.at:.3f} s later, and no kill explains it")

    def _by_key(self) -> dict[str, list[Hit]]:
        found: defaultdict[str, list[Hit]] = defaultdict(list)
        for hit in self.endpoint.hits:
            found[hit.key].append(hit)
        return found
