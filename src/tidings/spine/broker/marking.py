"""Which rows hear of facts, and marking those that the broker is about to tell."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from tidings.kit.db import Pool
from tidings.spine.journal.reading import Fact
from tidings.spine.outbox.leasing import LeaseTable

# An intent is made in its fact's transaction, and so at the same time to the digit: found without an index of its own.
_OF_FACTS = """
SELECT o.id, o.kind, o.fact_id FROM tidings.outbox o
WHERE o.tenant = ANY ($1::text[]) AND o.created_at = ANY ($2::timestamptz[]) AND o.fact_id = ANY ($3::uuid[])
  AND o.fact_id <> o.id AND o.kind <> $4
"""


@dataclass(frozen=True)
class Hearers:
    """What waits for these facts to be told: for each, the rows by kind."""

    pool: Pool
    table: LeaseTable
    kinds: Collection[str]  # those that this worker has queues for
    patience: timedelta

    async def mark(self, facts: Sequence[Fact], apart_from: str) -> Mapping[UUID, Mapping[str, UUID]]:
        """Marks those that have a queue of ours, for as long as the broker is waited for, and returns all."""
        rows = await self.pool.fetch(
            _OF_FACTS,
            list({fact.tenant for fact in facts}),
            list({fact.occurred_at for fact in facts}),
            [fact.id for fact in facts],
            apart_from,
        )
        if ours := [row["id"] for row in rows if row["kind"] in self.kinds]:
            await self.pool.execute(self.table.enqueue_named_sql, ours, self.patience)
        hearers: dict[UUID, dict[str, UUID]] = {fact.id: {} for fact in facts}
        for row in rows:
            hearers[row["fact_id"]][row["kind"]] = row["id"]
        return hearers
