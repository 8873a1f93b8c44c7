"""One pump for each kind: leases what fits, runs it, settles it. A slow kind holds up nobody but itself."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

import structlog

from tidings.kit import db
from tidings.kit.settings import OutboxSettings
from tidings.spine.outbox import metrics
from tidings.spine.outbox.faults import PASSING, HandlerFailed, is_away
from tidings.spine.outbox.handlers import Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.lanes import LaneQueue, share
from tidings.spine.outbox.leases import Leases, Settlement, judge
from tidings.spine.outbox.outcomes import Failed, GivenBack, Outcome, describe, outcome_of
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
    leasing: bool = False
    outcomes: Counter[str] = field(default_factory=Counter)  # how many came to what so far
    settled: asyncio.Queue[Sequence[Settlement]] = field(default_factory=asyncio.Queue)

    def offer(self, tenants: Iterable[str], *, afresh: bool) -> bool:
        """Tells the pump which lanes have something due; returns whether it has lanes to work on."""
        self.queue.offer(tenants, time.monotonic(), afresh=afresh)
        self.offered.set()
        return bool(self.queue)

    def next_visit(self) -> float | None:
        """Seconds until lanes that gave nothing should be offered again."""
        return self.queue.next_visit(time.monotonic())

    async def run(self) -> None:
        """Leases for as long as there are lanes and room, and settles. Ends by cancellation, or loudly by a fault."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._lease_for_ever())
            tasks.create_task(self._settle_for_ever())

    async def _lease_for_ever(self) -> None:
        while True:
            await self.offered.wait()
            self.offered.clear()
            await self._drain()

    async def _drain(self) -> None:
        found = False
        while not self.stopping and (quotas := self._quotas()):
            intents = await self._lease(quotas)
            if intents:
                self.begin(intents)
                found = True
        if found and not self.queue:
            self.idle.set()

    async def _lease(self, quotas: Mapping[str, int]) -> list[Intent]:
        self.leasing = True
        try:
            with metrics.LEASE_SECONDS.labels(self.kind.name).time():
                return await self.leases.lease(self.kind, self.queue, quotas)
        except PASSING as error:
            log.warning("lease failed, trying again", kind=self.kind.name, error=repr(error))
            await asyncio.sleep(_BREATH.total_seconds())
            return []
        finally:
            self.leasing = False

    def _quotas(self) -> dict[str, int]:
        capacity = self.kind.capacity(self.settings)
        room = min(capacity - self.in_hand.total(), self.kind.size(self.settings))
        # Only slots can be kept free for others. A batch takes none: one lane may fill it, as it may be the only one.
        shared = capacity if self.kind.shape is Shape.ONE else capacity * 2
        return share(self.queue.since, shared, room, self.in_hand)

    def begin(self, intents: Sequence[Intent]) -> None:
        """Starts what was leased, all of it at once: nothing that is leased waits in a queue of ours."""
        token = intents[0].token
        self.held[token] = len(intents)
        self.in_hand.update(intent.tenant for intent in intents)
        metrics.LEASED.labels(self.kind.name).inc(len(intents))
        metrics.IN_HAND.labels(self.kind.name).set(self.in_hand.total())
        if self.stopping:
            self._put(intents, GivenBack())
        elif self.kind.shape is Shape.ONE:
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
            self._put([intent], outcome)

    async def _run_batch(self, intents: Sequence[Intent]) -> None:
        outcomes: Sequence[Outcome] = [GivenBack()] * len(intents)
        try:
            with metrics.HANDLE_SECONDS.labels(self.kind.name).time():
                outcomes = await run_batch(self.kind, intents)
        finally:
            self.settled.put_nowait([Settlement(i, o) for i, o in zip(intents, outcomes, strict=True)])

    async def _run_in_transaction(self, intents: Sequence[Intent]) -> None:
        """The handler's writes and the settling commit together. What fails as a batch is tried one by one."""
        batches = deque([intents])
        try:
            while batches:
                with metrics.HANDLE_SECONDS.labels(self.kind.name).time():
                    failure = await self._try_in_transaction(batches[0])
                batch = batches.popleft()
                if failure is not None and len(batch) > 1:
                    batches.extendleft([intent] for intent in reversed(batch))
                elif failure is not None:
                    self._put(batch, outcome_of(failure))
        except asyncio.CancelledError:
            for batch in batches:
                self._put(batch, GivenBack())
            raise

    async def _try_in_transaction(self, intents: Sequence[Intent]) -> BaseException | None:
        """Returns what the handler failed with; then nothing of it was written, and nothing settled."""
        try:
            settled, unwanted = await self._transact(intents)
        except HandlerFailed as failed:
            return failed.error
        except PASSING as error:
            log.warning("transaction failed, trying again", kind=self.kind.name, error=repr(error))
            self._put(intents, GivenBack(_BREATH))
        except Exception as error:
            return error
        else:
            self._account(settled)
            self._put(unwanted, GivenBack())
        return None

    async def _transact(self, intents: Sequence[Intent]) -> tuple[list[Settlement], list[Intent]]:
        token = intents[0].token
        async with self._lent() as connection, connection.transaction():
            wanted = await self.leases.still_held(connection, intents)
            settled: list[Settlement] = []
            if wanted:
                await connection.execute("SET LOCAL ROLE NONE")  # the handler acts as the user in the URL
                outcome = await self._call(connection, wanted)
                await connection.execute("RESET ROLE")
                settled = [Settlement(intent, outcome) for intent in wanted]
                ends = [token] if self.held[token] == len(wanted) else []
                await self.leases.settle(connection, self.kind, self.policy, settled, ends)
        kept = set(wanted)
        return settled, [intent for intent in intents if intent not in kept]

    @contextlib.asynccontextmanager
    async def _lent(self) -> AsyncIterator[db.Connection]:
        """A connection for a handler; whatever it leaves behind in the session is cleared."""
        async with self.leases.pool.acquire() as connection:
            try:
                yield connection
            finally:
                if not connection.is_closed():
                    await connection.reset()

    async def _call(self, connection: db.Connection, intents: Sequence[Intent]) -> Outcome:
        try:
            outcome = await call_in_transaction(self.kind, connection, intents)
        except Exception as error:
            if is_away(error, connection):
                raise
            raise HandlerFailed(error) from error
        if not connection.is_in_transaction():
            raise HandlerFailed(RuntimeError("ended the transaction that it was given"))
        return outcome

    def _put(self, intents: Iterable[Intent], outcome: Outcome) -> None:
        self.settled.put_nowait([Settlement(intent, outcome) for intent in intents])

    async def _settle_for_ever(self) -> None:
        while True:
            settled = list(await self.settled.get())
            while len(settled) < _MOST_SETTLED_AT_ONCE and not self.settled.empty():
                settled += self.settled.get_nowait()
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
                self._account(_without(settled, locked))
                return self._settle_later(locked)
            await asyncio.sleep(_BREATH.total_seconds())

    async def _write(self, settled: Sequence[Settlement]) -> list[Settlement]:
        counts = Counter(s.intent.token for s in settled)
        ends = [token for token, count in counts.items() if self.held[token] == count]
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
            loop.call_later(_BREATH.total_seconds(), self.settled.put_nowait, [settlement])

    def _account(self, settled: Sequence[Settlement]) -> None:
        """Frees the room that these intents took."""
        for token, count in Counter(s.intent.token for s in settled).items():
            self.held[token] -= count
            if not self.held[token]:
                del self.held[token]
        self.in_hand.subtract(s.intent.tenant for s in settled)
        self.in_hand += Counter()  # drops zeros
        metrics.IN_HAND.labels(self.kind.name).set(self.in_hand.total())
        for outcome, count in Counter(type(judge(s, self.policy)).__name__.lower() for s in settled).items():
            metrics.SETTLED.labels(self.kind.name, outcome).inc(count)
            self.outcomes[outcome] += count
        if self.kind.ordered:
            self.queue.revisit({s.intent.tenant for s in settled})
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
        with contextlib.suppress(asyncio.TimeoutError):
            async with asyncio.timeout(within.total_seconds()):
                while self.leasing or self.running:
                    await asyncio.sleep(0.01)
        for task in list(self.running):
            task.cancel()
        while self.leasing or self.held:
            await asyncio.sleep(0.01)


def _without(settled: Sequence[Settlement], locked: Sequence[Settlement]) -> Sequence[Settlement]:
    if not locked:
        return settled
    later = {s.intent.id for s in locked}
    return [s for s in settled if s.intent.id not in later]
