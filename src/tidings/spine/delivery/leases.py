"""Leasing deliveries: within the limits of their providers, and with what each send says of its provider's health."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from tidings.kit.db import Connection
from tidings.kit.settings import DeliverySettings
from tidings.spine.delivery.notes import Note
from tidings.spine.delivery.table import Delivery
from tidings.spine.outbox.handlers import Kind
from tidings.spine.outbox.intents import Leased, Row
from tidings.spine.outbox.lanes import LaneQueue
from tidings.spine.outbox.leases import MOST_CRASHES, Leases, Settlement
from tidings.spine.outbox.outcomes import Again, Outcome
from tidings.spine.outbox.retry import RetryPolicy

_ALLOW = "SELECT provider::text, allowed FROM tidings.allow_deliveries($1::uuid[], $2::int[], false, $3)"
_ALLOW_SUSPECT = "SELECT EXISTS (SELECT FROM tidings.allow_deliveries(ARRAY[$1::uuid], ARRAY[1], true))"
_HEALTH = "SELECT tidings.note_health($1::uuid[], $2::int[], $3::int[], $4::text[], $5, $6, $7)"


@dataclass
class _Seen:
    failed: int = 0
    worked: int = 0
    error: str = ""


@dataclass(frozen=True)
class DeliveryLeases(Leases):
    limits: DeliverySettings

    def leased(self, row: Row, token: UUID) -> Delivery:
        return Delivery(row, token)

    def own_arguments(self, kind: Kind) -> tuple[Any, ...]:
        return ()

    def notes(self, outcomes: Sequence[Outcome]) -> tuple[Any, ...]:
        return ([note.text() if (note := _note(outcome)) else None for outcome in outcomes],)

    async def fetch(
        self, connection: Connection, kind: Kind, queue: LaneQueue, quotas: Mapping[str, int], token: UUID
    ) -> Sequence[Row]:
        """No more than the limits of each provider allow, which hold for all workers together."""
        async with connection.transaction():
            allowed = await self.allowed(connection, quotas)
            queue.limited = {p for p in {*queue.limited, *quotas} if p not in quotas or allowed.get(p, 0) < quotas[p]}
            return await super().fetch(connection, kind, queue, allowed, token) if allowed else []

    async def allowed(
        self, connection: Connection, quotas: Mapping[str, int], *, named: bool = False
    ) -> Mapping[str, int]:
        rows = await connection.fetch(_ALLOW, list(quotas), list(quotas.values()), named)
        return {row["provider"]: row["allowed"] for row in rows}

    async def lease_suspect(self, kinds: Iterable[str]) -> Leased | None:
        """Within the limits of its provider, as any other. Where none has room, suspects wait, and stay suspects."""
        token, names = uuid4(), list(kinds)
        lease = (names, token, self.worker, self.duration, MOST_CRASHES)
        async with self.pool.acquire() as connection, connection.transaction():
            for row in await connection.fetch(self.table.suspected_sql, names, MOST_CRASHES):
                if await connection.fetchval(_ALLOW_SUSPECT, row["party"]):
                    suspect = await connection.fetchrow(self.table.lease_suspect_of_sql, *lease, row["party"])
                    return None if suspect is None else self.leased(suspect, token)
        return None

    async def settle(
        self,
        connection: Connection,
        kind: Kind,
        policy: RetryPolicy,
        settled: Sequence[Settlement],
        tokens: Sequence[UUID],
    ) -> list[Settlement]:
        unsettled = await super().settle(connection, kind, policy, settled, tokens)
        later = {s.intent.id for s in unsettled}  # they come again, and are counted then
        if seen := _seen([s.outcome for s in settled if s.intent.id not in later]):
            await connection.execute(
                _HEALTH,
                list(seen),
                [each.failed for each in seen.values()],
                [each.worked for each in seen.values()],
                [each.error for each in seen.values()],
                self.limits.circuit_after,
                self.limits.circuit_pause,
                self.limits.circuit_longest,
            )
        return unsettled


def _note(outcome: Outcome) -> Note | None:
    note = None if isinstance(outcome, Again) else outcome.note
    return note if isinstance(note, Note) else None


def _seen(outcomes: Sequence[Outcome]) -> dict[UUID, _Seen]:
    """What is news of each provider: that it fails, or that one that failed works again."""
    seen: dict[UUID, _Seen] = {}
    notes = [note for note in map(_note, outcomes) if note is not None]
    for note in notes:
        if note.failing or note.working:
            of = seen.setdefault(note.provider, _Seen())
            of.failed += note.failing
            of.worked += note.working
            of.error = note.reason or of.error
    for note in notes:  # those that fail among others that work do not fail in a row
        if note.outcome == "sent" and note.provider in seen:
            seen[note.provider].worked += 1
    return seen
