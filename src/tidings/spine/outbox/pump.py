"""One pump for each kind: leases what fits, runs it, has it settled. A slow kind holds up nobody but itself."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

import structlog

from tidings.kit import db
from tidings.kit.settings import OutboxSettings
from tidings.spine.outbox import metrics
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.handlers import Kind, Shape
from tidings.spine.outbox.hands import Hands, Held
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.lanes import LaneQueue, share
from tidings.spine.outbox.leases import Leases, Settlement
from tidings.spine.outbox.outcomes import GivenBack, Outcome
from tidings.spine.outbox.runs import Caller
from tidings.spine.outbox.settling import BREATH, Settler
from tidings.spine.outbox.transactions import Transactions

log = structlog.get_logger("tidings.outbox")


@dataclass(frozen=True)
class Run:
    """A call of the handler that is under way."""

    token: UUID
    parties: frozenset[str]


@dataclass
class Pump:
    kind: Kind
    settings: OutboxSettings
    leases: Leases
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    lending: db.Pool | None = None  # connections for handlers; the engine's own where it has no other use for them
    queue: LaneQueue = field(default_factory=LaneQueue)
    hands: Hands = field(default_factory=Hands)
    running: dict[asyncio.Task[None], Run] = field(default_factory=dict)
    offered: asyncio.Event = field(default_factory=asyncio.Event)
    leasing: int = 0  # how many leases are being asked for
    stopping: bool = False

    def offer(self, parties: Iterable[str], looked_at: float, *, afresh: bool) -> bool:
        """Tells the pump which lanes have something due; returns whether it can lease from them now.

        One whose hands are full goes on by itself when something is settled, and needs nobody to watch over it.
        """
        self.queue.offer(parties, looked_at, afresh=afresh)
        self.offered.set()
        return bool(self.queue) and bool(self._quotas())

    def next_visit(self) -> float | None:
        """Seconds until lanes that gave nothing should be offered again."""
        return self.queue.next_visit(time.monotonic())

    @property
    def held(self) -> Mapping[UUID, Held]:
        """Leases that are not settled yet, by token."""
        return self.hands.leases

    @property
    def in_hand(self) -> Counter[str]:
        """How many intents of each party are not settled yet."""
        return self.hands.parties

    @property
    def outcomes(self) -> Counter[str]:
        """How many intents came to what so far."""
        return self.settler.outcomes

    async def run(self) -> None:
        """Leases for as long as there are lanes and room, and settles. Ends by cancellation, or loudly by a fault."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._lease_for_ever())
                tasks.create_task(self.settler.run())
        finally:
            self.caller.close()

    async def _lease_for_ever(self) -> None:
        while True:
            await self.offered.wait()
            self.offered.clear()
            await self._drain()

    async def _drain(self) -> None:
        found = False
        while not self.stopping and (quotas := self._quotas()):
            began = time.monotonic()
            intents = await self._lease(quotas)
            if intents:
                self.begin(intents, began)
                found = True
        if found and not self.queue:
            self.idle.set()

    async def _lease(self, quotas: Mapping[str, int]) -> list[Leased]:
        self.leasing += 1
        try:
            with metrics.LEASE_SECONDS.labels(self.kind.name).time():
                return await self.leases.lease(self.kind, self.queue, quotas)
        except PASSING as error:
            log.warning("lease failed, trying again", kind=self.kind.name, error=repr(error))
            await asyncio.sleep(BREATH.total_seconds())
            return []
        finally:
            self.leasing -= 1

    async def take(self, ids: Sequence[UUID]) -> None:
        """Leases and begins those of these rows that wait, as far as there is room; the others wait in their lanes,
        for whoever has some. Raises what the database fails with."""
        self.leasing += 1
        try:
            began = time.monotonic()
            intents, left = await self.leases.lease_named(self.kind, ids, self._shares)
            if intents:
                self.begin(intents, began)
        finally:
            self.leasing -= 1
        if left:
            self.offer(left, began, afresh=True)

    def _shares(self, wanted: Mapping[str, int]) -> dict[str, int]:
        return {} if self.stopping else self._quotas_of(list(wanted))

    def _quotas(self) -> dict[str, int]:
        return self._quotas_of(list(self.queue.since))

    def _quotas_of(self, lanes: Sequence[str]) -> dict[str, int]:
        size, in_hand = self.kind.size(self.settings), self.in_hand
        if self.kind.shape is Shape.ONE:
            room = min(self.runs - in_hand.total(), size)
            return share(lanes, self.runs, room, in_hand)
        if len(self.running) >= self.runs:
            return {}
        room = min(self.runs * size - in_hand.total(), size)
        return share(self._free_lanes(lanes), room * 2, room, Counter())  # one lane may fill a batch

    def _free_lanes(self, lanes: Sequence[str]) -> Sequence[str]:
        """The last run that is free is for parties that have none: a batch that hangs may be all one party's."""
        if not 0 < len(self.running) == self.runs - 1:
            return lanes
        busy = {party for run in self.running.values() for party in run.parties}
        return [party for party in lanes if party not in busy]

    def begin(self, intents: Sequence[Leased], leased_at: float | None = None) -> None:
        """Starts what was leased, all of it at once: nothing that is leased waits in a queue of ours.

        `leased_at` is a time, by our own clock, when the lease had not begun yet.
        """
        now = time.monotonic()
        ends_at = (now if leased_at is None else leased_at) + self.leases.duration.total_seconds()
        self.hands.take(intents, ends_at)
        metrics.LEASED.labels(self.kind.name).inc(len(intents))
        metrics.IN_HAND.labels(self.kind.name).set(self.in_hand.total())
        if self.stopping or now >= ends_at:  # frozen while it leased: somebody else may have it by now
            self.settler.put(intents, GivenBack())
        elif self.kind.shape is Shape.ONE:
            for intent in intents:
                self._spawn([intent], self._run_one(intent))
        elif self.kind.shape is Shape.BATCH:
            self._spawn(intents, self._run_batch(intents))
        else:
            self._spawn(intents, self.transactions.run(intents))

    def _spawn(self, intents: Sequence[Leased], run: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(run)
        self.running[task] = Run(intents[0].token, frozenset(intent.party for intent in intents))
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.running.pop(task, None)
        if self.queue:
            self.offered.set()

    async def _run_one(self, intent: Leased) -> None:
        outcome: Outcome = GivenBack()
        try:
            with metrics.HANDLE_SECONDS.labels(self.kind.name).time():
                outcome = await self.caller.one(intent)
        finally:
            self.settler.put([intent], outcome)

    async def _run_batch(self, intents: Sequence[Leased]) -> None:
        outcomes: Sequence[Outcome] = [GivenBack()] * len(intents)
        try:
            with metrics.HANDLE_SECONDS.labels(self.kind.name).time():
                outcomes = await self.caller.batch(intents, self.leases.is_wanted)
        finally:
            self.settler.put_each(intents, outcomes)

    def _settled(self, settled: Sequence[Settlement]) -> None:
        if self.kind.ordered:
            self.queue.revisit({s.intent.party for s in settled})
        if self.queue.limited:
            self.queue.rouse({s.intent.party for s in settled})
        if self.queue:
            self.offered.set()
        if self.kind.shape is Shape.TRANSACTION:
            self.idle.set()  # what it wrote may be for others here, who need not wait to be told

    @cached_property
    def runs(self) -> int:
        return self.kind.runs(self.settings)

    @cached_property
    def caller(self) -> Caller:
        return Caller(self.kind, self.runs)

    @cached_property
    def settler(self) -> Settler:
        return Settler(self.kind, self.kind.policy(self.settings), self.leases, self.hands, self._settled)

    @cached_property
    def transactions(self) -> Transactions:
        return Transactions(self.caller, self.settler, self.lending or self.leases.pool)

    def abandon(self, lost: set[UUID]) -> bool:
        """Cancels what runs under a lease that is no longer ours: somebody else has it now. Returns whether any did."""
        tasks = [task for task, run in self.running.items() if run.token in lost]
        for task in tasks:
            task.cancel()
        return bool(tasks)

    async def stop(self, within: timedelta) -> None:
        """Leases nothing more, lets what runs finish within the time given, gives the rest back, settles all."""
        self.stopping = True
        with contextlib.suppress(asyncio.TimeoutError):
            async with asyncio.timeout(within.total_seconds()):
                while self.leasing or self.running:
                    await asyncio.sleep(0.01)
        for task in list(self.running):
            task.cancel()
        while self.leasing or self.held:
            await asyncio.sleep(0.01)
