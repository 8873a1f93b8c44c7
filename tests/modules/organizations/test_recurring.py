"""That organisations are looked after goes on, whatever became of the last look."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from tests.support.founding import Founder
from tidings.kit import db
from tidings.modules.organizations.recurring import begin_reconciling
from tidings.modules.organizations.requests import RECONCILE

EVERY = timedelta(minutes=15)
_DIES = """
WITH gone AS (DELETE FROM tidings.outbox WHERE kind = $1 RETURNING id)
DELETE FROM tidings.outbox_keys WHERE intent_id IN (SELECT id FROM gone)
"""


async def waiting(pool: db.Pool) -> list[str]:
    rows = await pool.fetch("SELECT tenant FROM tidings.outbox WHERE kind = $1 ORDER BY tenant", RECONCILE)
    return [row["tenant"] for row in rows]


async def test_a_tenant_without_organisations_is_not_looked_at(pool: db.Pool) -> None:
    await begin_reconciling(pool, EVERY)
    assert await waiting(pool) == []


async def test_what_had_ended_begins_again_and_what_waits_stays_as_it_is(pool: db.Pool, founder: Founder) -> None:
    """As after a dead letter: nobody asks for an organisation any more, and yet they are looked after."""
    await founder.ask()
    due = await pool.fetchval("SELECT due_at FROM tidings.outbox WHERE kind = $1", RECONCILE)
    await begin_reconciling(pool, EVERY)
    assert await waiting(pool) == ["default"]
    assert await pool.fetchval("SELECT due_at FROM tidings.outbox WHERE kind = $1", RECONCILE) == due
    await pool.execute(_DIES, RECONCILE)
    assert await waiting(pool) == []
    await asyncio.gather(*(begin_reconciling(pool, EVERY) for _ in range(10)))
    assert await waiting(pool) == ["default"]
