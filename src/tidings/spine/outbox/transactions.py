"""Runs of handlers whose writes commit together with the settling of their intents: once, or not at all."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

import structlog

from tidings.kit import db
from tidings.spine.outbox import metrics
from tidings.spine.outbox.faults import PASSING, HandlerFailed, is_passing
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.leases import Settlement
from tidings.spine.outbox.outcomes import GivenBack, Outcome
from tidings.spine.outbox.runs import Caller
from tidings.spine.outbox.settling import BREATH, Settler

log = structlog.get_logger("tidings.outbox")

_MOST_LOSSES = 5
_MOST_REMEMBERED = 100_000


@dataclass
class Transactions:
    caller: Caller
    settler: Settler
    pool: db.Pool  # for handlers alone: what they hold up is nothing of the engine's
    losses: Counter[UUID] = field(default_factory=Counter)  # how often a connection was lost while it was handled

    async def run(self, intents: Sequence[Leased]) -> None:
        """What fails as a batch is tried one by one."""
        batches = deque([intents])
        try:
            while batches:
                with metrics.HANDLE_SECONDS.labels(self.caller.kind.name).time():
                    failure = await self._try(batches[0])
                batch = batches.popleft()
                if failure is not None:
                    outcome = self.caller.failed(batch, failure)
                    if len(batch) > 1:
                        batches.extendleft([intent] for intent in reversed(batch))
                    else:
                        self._forget(batch)
                        self.settler.put(batch, outcome)
        except asyncio.CancelledError:
            for batch in batches:
                self.settler.put(batch, GivenBack())
            raise

    async def _try(self, intents: Sequence[Leased]) -> BaseException | None:
        """Returns what the handler failed with; then nothing of it was written, and nothing settled.

        A lost connection costs nothing; but a handler that loses it each time fails like any other.
        """
        try:
            settled, unwanted = await self._transact(intents)
        except HandlerFailed as failed:
            return failed.error
        except PASSING as error:
            if max(self.losses[intent.id] for intent in intents) >= _MOST_LOSSES:
                return error
            log.warning("transaction failed, trying again", kind=self.caller.kind.name, error=repr(error))
            self.settler.put(intents, GivenBack(BREATH))
        except Exception as error:
            return error
        else:
            self._forget(intents)
            self.settler.account(settled)
            self.settler.put(unwanted, GivenBack())
        return None

    def _remember(self, intents: Sequence[Leased]) -> None:
        """Another worker may handle them next, and nobody would forget them here."""
        if len(self.losses) > _MOST_REMEMBERED:
            self.losses.clear()
        self.losses.update(intent.id for intent in intents)

    def _forget(self, intents: Sequence[Leased]) -> None:
        for intent in intents:
            self.losses.pop(intent.id, None)

    async def _transact(self, intents: Sequence[Leased]) -> tuple[list[Settlement], list[Leased]]:
        leases, kind = self.settler.leases, self.caller.kind
        async with self._lent() as connection, connection.transaction():
            wanted = await leases.still_held(connection, intents)
            settled: list[Settlement] = []
            if wanted:
                await connection.execute("SET LOCAL ROLE NONE")  # the handler acts as the user in the URL
                outcomes = await self._call(connection, wanted)
                await connection.execute("RESET ROLE")
                settled = [Settlement(intent, outcome) for intent, outcome in zip(wanted, outcomes, strict=True)]
                ends = self.settler.hands.ending_with(wanted)
                await leases.settle(connection, kind, self.settler.policy, settled, ends)
        kept = set(wanted)
        return settled, [intent for intent in intents if intent not in kept]

    @asynccontextmanager
    async def _lent(self) -> AsyncIterator[db.Connection]:
        """A connection for a handler; whatever it leaves behind in the session is cleared."""
        async with self.pool.acquire() as connection:
            try:
                yield connection
            finally:
                if not db.is_gone(connection):
                    await connection.reset()

    async def _call(self, connection: db.Connection, intents: Sequence[Leased]) -> Sequence[Outcome]:
        try:
            outcomes = await self.caller.in_transaction(connection, intents)
        except Exception as error:
            if db.is_gone(connection):
                self._remember(intents)
                raise
            if is_passing(error):
                raise
            raise HandlerFailed(error) from error
        if not connection.is_in_transaction():
            raise HandlerFailed(RuntimeError("ended the transaction that it was given"))
        return outcomes
