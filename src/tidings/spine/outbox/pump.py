"""One pump for each kind: leases what fits, runs it, settles it. A slow kind holds up nobody but itself."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

import structlog

from tidings.kit import db
from tidings.kit.settings import OutboxSettings
from tidings.spine.outbox import metrics
from tidings.spine.outbox.handlers import Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.lanes import LaneQueue, share
from tidings.spine.outbox.leases import Leases, Settlement, judge
from tidings.spine.outbox.outcomes import GivenBack, Outcome, outcome_of
from tidings.spine.outbox.retry import RetryPolicy
from tidings.spine.outbox.runs import call_in_transaction, run_batch, run_one

log = structlog.get_logger("tidings.outbox")

_BREATH = timedelta(milliseconds=200)
_MOST_SETTLED_AT_ONCE = 5_000


@dataclass
class Pump:
    kind: Kind
    settings: OutboxSettings
    leases: Leases
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    queue: LaneQueue = field(default_factory=LaneQueue)
    stopping: bool = False
    in_hand: Counter[str] = field(default_factory=Counter)
    held: dict[UUID, int] = field(default_factory=dict)  # token → intents not settled yet
    running: dict[asyncio.Task[None], UUID] = field(default_factory=dict)
    offered: asyncio.Event = field(default_factory=asyncio.Event)
    settled: asyncio.Queue[Settlement] = field(default_factory=asyncio.Queue)

    def offer(self, tenants: Iterable[str], *, afresh: bool) -> None:
        """Tells the pump which lanes have something due."""
        self.queue.offer(tenants, afresh=afresh)
        self.offered.set()

    async def run(self) -> None:
        """Leases for as long as there are lanes and room. Ends by cancellation."""
        settler = asyncio.create_task(self._settle_for_ever())
        try:
            while True:
                await self.offered.wait()
                self.offered.clear()
                await self._drain()
        finally:
            settler.cancel()

    async def _drain(self) -> None:
        while not self.stopping and (quotas := self._quotas()):
            try:
                with metrics.LEASE_SECONDS.labels(self.kind.name).time():
                    intents = await self.leases.lease(self.kind, self.queue, quotas)
            except db.AWAY as error:
                log.warning("lease failed, trying again", kind=self.kind.name, error=repr(error))
                await asyncio.sleep(_BREATH.total_seconds())
                continue
            if intents:
                self.begin(intents)
        if not self.queue:
            self.idle.set()

    def _quotas(self) -> dict[str, int]:
        capacity = self.kind.capacity(self.settings)
        room = min(capacity - self.in_hand.total(), self.kind.size(self.settings))
        most = max(1, capacity * 3 // 4) if self.kind.shape is Shape.ONE else capacity
        return share(self.queue.since, room, self.in_hand, most)

    def begin(self, intents: Sequence[Intent]) -> None:
        """Starts what was leased, all of it at once: nothing that is leased waits in a queue of ours."""
        token = intents[0].token
        self.held[token] = len(intents)
        self.in_hand.update(intent.tenant for intent in intents)
        metrics.LEASED.labels(self.kind.name).inc(len(intents))
        metrics.IN_HAND.labels(self.kind.name).set(self.in_hand.total())
        if self.kind.shape is Shape.ONE:
            for intent in intents:
                self._spawn(token, self._run_one(intent))
        elif self.kind.shape is Shape.BATCH:
            self._spawn(token, self._run_batch(intents))
        else:
            self._spawn(token, self._run_in_transaction(intents))

    def _spawn(self, token: UUID, run: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(run)
        self.running[task] = token
        task.add_done_callback(lambda done: self.running.pop(done, None))

    async def _run_one(self, intent: Intent) -> None:
        outcome: Outcome = GivenBack()
        try:
            with metrics.HANDLE_SECONDS.labels(self.kind.name).time():
                outcome = await run_one(self.kind, intent)
        finally:
            self.settled.put_nowait(Settlement(intent, outcome))

    async def _run_batch(self, intents: Sequence[Intent]) -> None:
        outcomes: Sequence[Outcome] = [GivenBack()] * len(intents)
        try:
            with metrics.HANDLE_SECONDS.labels(self.kind.name).time():
                outcomes = await run_batch(self.kind, intents)
        finally:
            for intent, outcome in zip(intents, outcomes, strict=True):
                self.settled.put_nowait(Settlement(intent, outcome))

    async def _run_in_transaction(self, intents: Sequence[Intent]) -> None:
        """The handler's writes and the settling commit together. What fails as a batch is tried one by one."""
        try:
            with metrics.HANDLE_SECONDS.labels(self.kind.name).time():
                self._account(await self._transact(intents))
        except asyncio.CancelledError:
            self._put(intents, GivenBack())
            raise
        except db.AWAY:
            self._put(intents, GivenBack(_BREATH))
        except Exception as error:
            if len(intents) == 1:
                return self._put(intents, outcome_of(error))
            for intent in intents:
                await self._run_in_transaction([intent])

    async def _transact(self, intents: Sequence[Intent]) -> list[Settlement]:
        token = intents[0].token
        ends = [token] if self.held[token] == len(intents) else []
        async with self.leases.pool.acquire() as connection, connection.transaction():
            wanted = await self.leases.still_held(connection, intents)
            outcome: Outcome = GivenBack()
            if wanted:
                await connection.execute("SET LOCAL ROLE NONE")  # the handler acts as the user in the URL
                outcome = await call_in_transaction(self.kind, connection, wanted)
                await connection.execute("RESET ROLE")
            kept = set(wanted)
            settled = [Settlement(intent, outcome if intent in kept else GivenBack()) for intent in intents]
            await self.leases.settle(connection, self.kind, self.policy, settled, ends)
        return settled

    def _put(self, intents: Sequence[Intent], outcome: Outcome) -> None:
        for intent in intents:
            self.settled.put_nowait(Settlement(intent, outcome))

    async def _settle_for_ever(self) -> None:
        while True:
            settled = [await self.settled.get()]
            while len(settled) < _MOST_SETTLED_AT_ONCE and not self.settled.empty():
                settled.append(self.settled.get_nowait())
            await self._settle(settled)

    async def _settle(self, settled: Sequence[Settlement]) -> None:
        """Until it is written: while the database is away, outcomes are kept; the lease fences what comes too late."""
        counts = Counter(s.intent.token for s in settled)
        ends = [token for token, count in counts.items() if self.held[token] == count]
        while True:
            try:
                with metrics.SETTLE_SECONDS.labels(self.kind.name).time():
                    async with self.leases.pool.acquire() as connection:
                        await self.leases.settle(connection, self.kind, self.policy, settled, ends)
                return self._account(settled)
            except db.AWAY as error:
                log.warning("settle failed, trying again", kind=self.kind.name, error=repr(error))
                await asyncio.sleep(_BREATH.total_seconds())

    def _account(self, settled: Sequence[Settlement]) -> None:
        """Frees the room that these intents took."""
        for token, count in Counter(s.intent.token for s in settled).items():
            self.held[token] -= count
            if not self.held[token]:
                del self.held[token]
        self.in_hand.subtract(s.intent.tenant for s in settled)
        self.in_hand += Counter()  # drops zeros
        metrics.IN_HAND.labels(self.kind.name).set(self.in_hand.total())
        for outcome, count in Counter(type(judge(s, self.policy)) for s in settled).items():
            metrics.SETTLED.labels(self.kind.name, outcome.__name__.lower()).inc(count)
        if self.queue:
            self.offered.set()

    @cached_property
    def policy(self) -> RetryPolicy:
        return self.kind.policy(self.settings)

    def abandon(self, lost: set[UUID]) -> None:
        """Cancels what runs under a lease that is no longer ours: somebody else has it now."""
        for task, token in list(self.running.items()):
            if token in lost:
                task.cancel()

    async def stop(self, within: timedelta) -> None:
        """Leases nothing more, lets what runs finish within the time given, gives the rest back, settles all."""
        self.stopping = True
        if self.running:
            await asyncio.wait(self.running, timeout=within.total_seconds())
        for task in list(self.running):
            task.cancel()
        while self.held:
            await asyncio.sleep(0.01)
