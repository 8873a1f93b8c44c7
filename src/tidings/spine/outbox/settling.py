"""Writing outcomes, many at a time, until they are written."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from tidings.spine.outbox import metrics
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.handlers import Kind
from tidings.spine.outbox.hands import Hands
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.leases import Leases, Settlement, judge
from tidings.spine.outbox.outcomes import Failed, Outcome, describe
from tidings.spine.outbox.retry import RetryPolicy

log = structlog.get_logger("tidings.outbox")

BREATH = timedelta(milliseconds=200)
"""How long to wait before trying again what did not work for a passing reason."""

_MOST_AT_ONCE = 5_000


@dataclass
class Settler:
    """Settles what a kind's handler is done with."""

    kind: Kind
    policy: RetryPolicy
    leases: Leases
    hands: Hands
    on_settled: Callable[[Sequence[Settlement]], None]
    waiting: asyncio.Queue[Sequence[Settlement]] = field(default_factory=asyncio.Queue)
    outcomes: Counter[str] = field(default_factory=Counter)  # how many came to what so far

    def put(self, intents: Iterable[Leased], outcome: Outcome) -> None:
        self.waiting.put_nowait([Settlement(intent, outcome) for intent in intents])

    def put_each(self, intents: Sequence[Leased], outcomes: Sequence[Outcome]) -> None:
        self.waiting.put_nowait([Settlement(i, o) for i, o in zip(intents, outcomes, strict=True)])

    async def run(self) -> None:
        """For ever."""
        while True:
            settled = list(await self.waiting.get())
            while len(settled) < _MOST_AT_ONCE and not self.waiting.empty():
                settled += self.waiting.get_nowait()
            if settled:
                await self._settle(settled)

    async def _settle(self, settled: Sequence[Settlement]) -> None:
        """Until it is written: while the database is away, outcomes are kept; the lease fences what comes too late."""
        while True:
            try:
                locked = await self._write(settled)
            except PASSING as error:
                log.warning("settle failed, trying again", kind=self.kind.name, error=repr(error))
            except Exception as error:
                log.exception("an outcome cannot be written", kind=self.kind.name)
                if len(settled) > 1:
                    return await self._settle_one_by_one(settled)
                settled = [Settlement(settled[0].intent, Failed(f"its outcome cannot be written: {describe(error)}"))]
            else:
                self.account(_without(settled, locked))
                return self._settle_later(locked)
            await asyncio.sleep(BREATH.total_seconds())

    async def _write(self, settled: Sequence[Settlement]) -> list[Settlement]:
        ends = self.hands.ending_with(s.intent for s in settled)
        with metrics.SETTLE_SECONDS.labels(self.kind.name).time():
            async with self.leases.pool.acquire() as connection:
                return await self.leases.settle(connection, self.kind, self.policy, settled, ends)

    async def _settle_one_by_one(self, settled: Sequence[Settlement]) -> None:
        for settlement in settled:
            await self._settle([settlement])

    def _settle_later(self, locked: Sequence[Settlement]) -> None:
        """What somebody has locked (a move that is not committed yet) must not hold up the others."""
        loop = asyncio.get_running_loop()
        for settlement in locked:
            loop.call_later(BREATH.total_seconds(), self.waiting.put_nowait, [settlement])

    def account(self, settled: Sequence[Settlement]) -> None:
        """Lets go of intents that are settled, here or in their handler's transaction."""
        self.hands.let_go([s.intent for s in settled])
        metrics.IN_HAND.labels(self.kind.name).set(self.hands.parties.total())
        for outcome, count in Counter(type(judge(s, self.policy)).__name__.lower() for s in settled).items():
            metrics.SETTLED.labels(self.kind.name, outcome).inc(count)
            self.outcomes[outcome] += count
        self.on_settled(settled)


def _without(settled: Sequence[Settlement], locked: Sequence[Settlement]) -> Sequence[Settlement]:
    if not locked:
        return settled
    later = {s.intent.id for s in locked}
    return [s for s in settled if s.intent.id not in later]
