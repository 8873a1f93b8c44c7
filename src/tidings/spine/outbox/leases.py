"""The lease engine: lease, renew, settle, rescue. Written once; intents and deliveries both use it."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, assert_never
from uuid import UUID, uuid4

from tidings.kit.db import Connection, Pool, affected
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.handlers import KeyPolicy, Kind
from tidings.spine.outbox.intents import Intent, Leased, Row
from tidings.spine.outbox.lanes import LaneQueue
from tidings.spine.outbox.leasing import NOBODY, LeaseTable
from tidings.spine.outbox.outcomes import Again, Dead, Failed, GivenBack, Outcome, Succeeded
from tidings.spine.outbox.retry import RetryPolicy, bounded

Shares: TypeAlias = Callable[[Mapping[str, int]], Mapping[str, int]]
"""How many of each party there is room for, of as many as wait."""
Look: TypeAlias = Callable[[LeaseTable], LeaseTable]
"""How a table is looked through now for what is due."""
_FINAL = (Succeeded, Dead)
MOST_CRASHES = 3
CRASHED = f"crashed its worker {MOST_CRASHES} times while it ran alone"


def whole(table: LeaseTable) -> LeaseTable:
    """Nothing of it is left for others."""
    return table


@dataclass(frozen=True, slots=True)
class Settlement:
    """One intent and what became of it."""

    intent: Leased
    outcome: Outcome


@dataclass(frozen=True)
class Leases:
    pool: Pool
    table: LeaseTable
    worker: UUID
    duration: timedelta
    dedup_window: timedelta
    look: Look = field(default=whole, kw_only=True, repr=False)

    @property
    def looking(self) -> LeaseTable:
        """The table as it is looked through now for what is due: some of it may be left for others."""
        return self.look(self.table)

    def leased(self, row: Row, token: UUID) -> Leased:
        """A row of this table, as its handlers see it."""
        return Intent(row, token)

    def own_arguments(self, kind: Kind) -> tuple[Any, ...]:
        """What the table's own SQL takes when rows finish."""
        return (kind.keys is KeyPolicy.ONCE, self.dedup_window)

    def notes(self, outcomes: Sequence[Outcome]) -> tuple[Any, ...]:
        """What a table with notes keeps of these outcomes, as one argument; nothing, for one without."""
        return ()

    async def lease(self, kind: Kind, queue: LaneQueue, quotas: Mapping[str, int]) -> list[Leased]:
        """Leases what is due in these lanes, up to their quotas, under one token."""
        token, began = uuid4(), time.monotonic()
        async with self.pool.acquire() as connection:
            rows = await self.fetch(connection, kind, queue, quotas, token)
        leased = [self.leased(row, token) for row in rows]
        now = time.monotonic()
        queue.advance(quotas, _progress(leased, rows), now, now - began)
        return leased

    async def fetch(
        self, connection: Connection, kind: Kind, queue: LaneQueue, quotas: Mapping[str, int], token: UUID
    ) -> Sequence[Row]:
        return await connection.fetch(
            self.looking.lease_in_order_sql if kind.ordered else self.looking.lease_sql,
            kind.name,
            list(quotas),
            [queue.since[party] for party in quotas],
            list(quotas.values()),
            token,
            self.worker,
            self.duration,
        )

    async def lease_named(self, kind: Kind, ids: Sequence[UUID], shares: Shares) -> tuple[list[Leased], set[str]]:
        """Leases those of these rows that wait, as far as there is room for their parties; the others are left to
        whoever looks for what is due, from now on. Returns what was leased, and the parties of which some was not.
        """
        token = uuid4()
        async with self.pool.acquire() as connection, connection.transaction():
            named = await connection.fetch(self.table.named_sql, kind.name, ids)
            if not named:
                return [], set()
            wanted = Counter(row["party"] for row in named)
            room = {party: min(most, wanted[party]) for party, most in shares(wanted).items()}
            mine, others = divided(named, await self.allowed(connection, room, named=True))
            rows = await self._fetch_named(connection, kind, mine, token) if mine else []
            if others:
                await connection.execute(self.table.unleave_sql, [row["id"] for row in others])
        return [self.leased(row, token) for row in rows], {row["party"] for row in others}

    async def allowed(
        self, connection: Connection, quotas: Mapping[str, int], *, named: bool = False
    ) -> Mapping[str, int]:
        """How many of each party may be leased now, of as many as are wanted."""
        return quotas

    async def _fetch_named(self, connection: Connection, kind: Kind, rows: Sequence[Row], token: UUID) -> Sequence[Row]:
        ids = [row["id"] for row in rows]
        return await connection.fetch(self.table.lease_named_sql, kind.name, ids, token, self.worker, self.duration)

    async def lease_suspect(self, kinds: Iterable[str]) -> Leased | None:
        """Leases one intent of a lease that ran out, to be run with nothing beside it."""
        token = uuid4()
        row = await self.pool.fetchrow(
            self.table.lease_suspect_sql, list(kinds), token, self.worker, self.duration, MOST_CRASHES
        )
        return None if row is None else self.leased(row, token)

    async def still_held(self, connection: Connection, intents: Sequence[Leased]) -> list[Leased]:
        """Those of a batch that nobody has cancelled or moved, or is about to; locked until the commit."""
        rows = await connection.fetch(
            self.table.still_held_sql, [i.id for i in intents], [i.generation for i in intents], intents[0].token
        )
        held = {row["id"] for row in rows}
        return [intent for intent in intents if intent.id in held]

    async def is_wanted(self, intent: Leased) -> bool:
        """Whether a leased intent may still be run: nobody has cancelled or moved it, or suspended its tenant."""
        try:
            wanted: bool = await self.pool.fetchval(self.table.wanted_sql, intent.id, intent.generation, intent.token)
        except PASSING:
            return False
        return wanted

    async def settle(
        self,
        connection: Connection,
        kind: Kind,
        policy: RetryPolicy,
        settled: Sequence[Settlement],
        tokens: Sequence[UUID],
    ) -> list[Settlement]:
        """Writes outcomes and ends the leases in `tokens`, in one statement where all went well.

        A stale settlement changes nothing. Returns those that could not be written yet: somebody has them locked.
        """
        judged = [_judged(s, policy) for s in settled]
        finished = [s for s in judged if isinstance(s.outcome, _FINAL)]
        postponed = [s for s in judged if not isinstance(s.outcome, _FINAL)] if len(finished) < len(judged) else []
        if not postponed and await self._succeed(connection, kind, finished, tokens) == len(finished):
            return []
        async with connection.transaction():
            await self._finish(connection, kind, finished)
            if postponed:
                await self._postpone(connection, policy, postponed)
            await connection.execute(self.table.rearm_sql, *_identities(finished))
            unsettled = await self._unsettled(connection, settled)
            ended = set(tokens) - {s.intent.token for s in unsettled}
            await connection.execute("DELETE FROM tidings.leases WHERE token = ANY ($1::uuid[])", list(ended))
        return unsettled

    async def _unsettled(self, connection: Connection, settled: Sequence[Settlement]) -> list[Settlement]:
        ids, _, tokens = _identities(settled)
        rows = await connection.fetch(self.table.unsettled_sql, ids, tokens)
        locked = {row["id"] for row in rows}
        return [s for s in settled if s.intent.id in locked]

    async def _succeed(
        self, connection: Connection, kind: Kind, settled: Sequence[Settlement], tokens: Sequence[UUID]
    ) -> int:
        """The commonest case. Returns how many it wrote: what is dead, or was moved meanwhile, is for `_finish`."""
        if any(isinstance(s.outcome, Dead) for s in settled):
            return 0
        places = [s.intent.place for s in settled]
        more = (*self.notes([s.outcome for s in settled]), *self.own_arguments(kind))
        return affected(await connection.execute(self.table.succeed_sql, *_identities(settled), places, tokens, *more))

    async def _finish(self, connection: Connection, kind: Kind, settled: Sequence[Settlement]) -> None:
        errors = [_error(s.outcome) for s in settled]
        more = (*self.notes([s.outcome for s in settled]), *self.own_arguments(kind))
        await connection.execute(self.table.finish_sql, *_identities(settled), errors, [], *more)

    async def _postpone(self, connection: Connection, policy: RetryPolicy, settled: Sequence[Settlement]) -> None:
        outcomes = [s.outcome for s in settled]
        await connection.execute(
            self.table.postpone_sql,
            *_identities(settled),
            [_delay(s.intent, o, policy) for s, o in zip(settled, outcomes, strict=True)],
            [o.at if isinstance(o, Again) else None for o in outcomes],
            [_error(o) for o in outcomes],
            *self.notes(outcomes),
        )

    async def renew(self, tokens: Sequence[UUID]) -> set[UUID]:
        """Prolongs leases by the database's clock; returns those that are no longer held."""
        rows = await self.pool.fetch(
            """UPDATE tidings.leases SET expires_at = now() + $2, worker = $3
               WHERE token = ANY ($1::uuid[]) RETURNING token""",
            tokens,
            self.duration,
            self.worker,
        )
        return set(tokens) - {row["token"] for row in rows}

    async def rescue(self) -> int:
        """Takes back what dead or frozen workers hold. Returns how many intents."""
        return len(await self.pool.fetch(self.table.rescue_sql, self.duration / 2, self.duration / 3))

    async def bury(self, kinds: Iterable[Kind]) -> int:
        """Makes dead letters of those that crashed their worker too often while they ran alone. Returns how many."""
        buried = 0
        for same in _by_key_policy(kinds).values():
            own, names = self.own_arguments(same[0]), [kind.name for kind in same]
            buried += affected(await self.pool.execute(self.table.bury_sql, names, CRASHED, MOST_CRASHES, *own))
        return buried

    async def expire(self, worker: UUID, *, crashed: bool) -> int:
        """Ends the leases of a worker that is known to be gone, so that nobody has to wait for them.

        One that crashed is to be charged with it, however long it ran; one that was stopped is not. Returns how many.
        """
        return affected(
            await self.pool.execute(
                """UPDATE tidings.leases SET expires_at = now() - interval '1 second', alone = $2, worker = $3
                   WHERE worker = $1""",
                worker,
                crashed,
                NOBODY,
            )
        )

    async def accompany(self, workers: Sequence[UUID]) -> None:
        """What these workers run is no longer alone: should all die at once, it was not to blame for certain."""
        await self.pool.execute("UPDATE tidings.leases SET alone = false WHERE worker = ANY ($1::uuid[])", workers)


def divided(rows: Sequence[Row], quotas: Mapping[str, int]) -> tuple[list[Row], list[Row]]:
    """Those that are within the quotas of their parties, in their order, and the others."""
    taken: Counter[str] = Counter()
    within: list[Row] = []
    beyond: list[Row] = []
    for row in rows:
        taken[row["party"]] += 1
        (within if taken[row["party"]] <= quotas.get(row["party"], 0) else beyond).append(row)
    return within, beyond


def judge(settlement: Settlement, policy: RetryPolicy) -> Outcome:
    """An intent that failed with its last attempt is dead."""
    outcome, intent = settlement.outcome, settlement.intent
    if not isinstance(outcome, Failed) or outcome.held:
        return outcome
    if intent.attempt >= (intent.max_attempts or policy.max_attempts):
        return Dead(outcome.error, outcome.note)
    return outcome


def _judged(settlement: Settlement, policy: RetryPolicy) -> Settlement:
    outcome = judge(settlement, policy)
    return settlement if outcome is settlement.outcome else Settlement(settlement.intent, outcome)


def _identities(settled: Sequence[Settlement]) -> tuple[list[UUID], list[int], list[UUID]]:
    return (
        [s.intent.id for s in settled],
        [s.intent.generation for s in settled],
        [s.intent.token for s in settled],
    )


def _by_key_policy(kinds: Iterable[Kind]) -> dict[KeyPolicy, list[Kind]]:
    same: dict[KeyPolicy, list[Kind]] = {}
    for kind in kinds:
        same.setdefault(kind.keys, []).append(kind)
    return same


def _error(outcome: Outcome) -> str | None:
    match outcome:
        case Failed(error=error) | Dead(error=error):
            return error
        case Succeeded() | Again() | GivenBack():
            return None
        case _:
            assert_never(outcome)


def _delay(intent: Leased, outcome: Outcome, policy: RetryPolicy) -> timedelta:
    match outcome:
        case Failed(delay=None):
            return policy.delay(intent.attempt, random.random)
        case Failed(delay=timedelta() as delay) | GivenBack(delay=delay):
            return bounded(delay)
        case _:
            return timedelta(0)


def _progress(leased: Sequence[Leased], rows: Sequence[Row]) -> dict[str, tuple[int, datetime]]:
    """For each party, how many were leased and the time of the last."""
    progress: dict[str, list[float]] = {}
    for item, row in zip(leased, rows, strict=True):
        progress.setdefault(item.party, []).append(row["run_at"])
    return {party: (len(times), datetime.fromtimestamp(max(times), UTC)) for party, times in progress.items()}
