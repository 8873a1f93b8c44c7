"""What leasing costs: in proportion to what is leased, whatever else lies in the tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.outbox.engines import KIND, Owner, schedule
from tidings.spine.outbox.lanes import BEGINNING
from tidings.spine.outbox.leasing import OUTBOX

MILLION = 1_000_000
BATCH = 100
BUFFERS_EACH = 60
"""A lease reads an index entry and a row, locks it, and writes it anew; the new version may need index entries."""

FUTURE = """
INSERT INTO tidings.outbox (id, tenant, kind, key, payload, due_at, run_at)
SELECT uuidv7(), 'default', 'thing.do', CASE WHEN n % 10 = 7 THEN 'future:' || n END, '{}', t, t
FROM generate_series(1, $1::int) n, LATERAL (SELECT now() + interval '1 hour' + n * interval '1 second' AS t) f
"""
FINISHED = """
INSERT INTO tidings.outbox_finished (id, tenant, kind, payload, due_at, run_at, status, attempts, crashes, generation,
    created_at, updated_at)
SELECT uuidv7(), 'default', 'thing.do', '{}', now(), now(), 'succeeded', 1, 0, 0, now(), now()
FROM generate_series(1, $1::int) n
"""


async def explain(owner: Owner, statement: str, *arguments: Any) -> dict[str, Any]:
    """The plan as it was executed; what it changed is rolled back."""
    transaction = owner.transaction()
    await transaction.start()
    text = await owner.fetchval(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", *arguments)
    await transaction.rollback()
    plan: dict[str, Any] = json.loads(text)[0]["Plan"]
    return plan


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def rows_touched(plan: dict[str, Any]) -> float:
    """The most rows that any step read, those that it threw away included."""
    read = [(n["Actual Rows"] + n.get("Rows Removed by Filter", 0)) * n["Actual Loops"] for n in nodes(plan)]
    return float(max(read))


def buffers(plan: dict[str, Any]) -> int:
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


async def lease_plan(owner: Owner, ordered: bool = False) -> dict[str, Any]:
    statement = OUTBOX.lease_in_order_sql if ordered else OUTBOX.lease_sql
    arguments = [KIND, ["default"], [BEGINNING], [BATCH], uuid4(), uuid4(), timedelta(seconds=30)]
    return await explain(owner, statement, *arguments)


@pytest.mark.timeout(120)
async def test_with_a_million_future_and_a_million_finished_rows_a_lease_touches_only_its_batch(owner: Owner) -> None:
    """With the statistics of an empty table, and with true ones."""
    await owner.execute("ALTER TABLE tidings.outbox SET UNLOGGED")  # filled in half the time, planned the same
    await owner.execute("ALTER TABLE tidings.outbox_finished SET UNLOGGED")
    await owner.execute(FUTURE, MILLION, timeout=100)
    await owner.execute(FINISHED, MILLION, timeout=100)
    await schedule(owner, 2 * BATCH)
    for analyze in (False, True):
        if analyze:
            await owner.execute("ANALYZE tidings.outbox, tidings.outbox_finished")
        for ordered in (False, True):
            plan = await lease_plan(owner, ordered)
            assert plan["Actual Rows"] == BATCH
            assert rows_touched(plan) <= 2 * BATCH, json.dumps(plan, indent=1)
            assert buffers(plan) <= BUFFERS_EACH * BATCH
        look = await explain(owner, OUTBOX.lanes_sql, [KIND])
        assert rows_touched(look) <= 10
        assert buffers(look) <= 100
        suspects = await explain(owner, OUTBOX.suspects_sql, [KIND])
        assert rows_touched(suspects) <= 1
        assert buffers(suspects) <= 20
    await settling_touches_only_its_batch(owner)


async def settling_touches_only_its_batch(owner: Owner) -> None:
    token = uuid4()
    arguments = [KIND, ["default"], [BEGINNING], [BATCH], token, uuid4(), timedelta(seconds=30)]
    rows = await owner.fetch(OUTBOX.lease_sql, *arguments)
    ids, generations, tokens = [row["id"] for row in rows], [0] * BATCH, [token] * BATCH
    ways = {OUTBOX.finish_sql: [None] * BATCH, OUTBOX.succeed_sql: [row["place"] for row in rows]}
    for statement, given in ways.items():
        finish = await explain(owner, statement, ids, generations, tokens, given, [token], True, timedelta(days=7))
        assert rows_touched(finish) <= 2 * BATCH, json.dumps(finish, indent=1)
        assert buffers(finish) <= BUFFERS_EACH * BATCH
    move = await explain(owner, "SELECT tidings.move('thing.do', prefix => 'future:77777', shift => '1 hour')")
    assert buffers(move) <= BUFFERS_EACH * BATCH


async def test_looking_costs_one_probe_a_lane_whatever_the_lanes_hold(owner: Owner) -> None:
    tenants = 200
    await owner.execute(
        "INSERT INTO tidings.tenants (id, name) SELECT 't' || n, 't' FROM generate_series(1, $1::int) n", tenants
    )
    await owner.execute(
        """INSERT INTO tidings.outbox (id, tenant, kind, payload, due_at, run_at)
           SELECT gen_random_uuid(), 't' || (1 + n % $1), 'thing.do', '{}', now(), now()
           FROM generate_series(1, $1::int * 250) n""",
        tenants,
    )
    for analyze in (False, True):
        if analyze:
            await owner.execute("ANALYZE tidings.outbox")
        plan = await explain(owner, OUTBOX.lanes_sql, [KIND])
        assert plan["Actual Rows"] == tenants
        assert rows_touched(plan) <= 2 * tenants + 1
        assert buffers(plan) <= 20 * tenants


async def test_leasing_one_suspect_does_not_read_and_sort_all_of_them(owner: Owner) -> None:
    await owner.execute(
        """INSERT INTO tidings.outbox (id, tenant, kind, payload, due_at, run_at, suspect)
           SELECT gen_random_uuid(), 'default', 'thing.do', '{}', t, t, true
           FROM generate_series(1, 20000) n, LATERAL (SELECT now() - n * interval '1 second' AS t) f"""
    )
    for analyze in (False, True):
        if analyze:
            await owner.execute("ANALYZE tidings.outbox")
        plan = await explain(owner, OUTBOX.lease_suspect_sql, [KIND], uuid4(), uuid4(), timedelta(seconds=30), 3)
        rows = [n["Actual Rows"] + n.get("Rows Removed by Filter", 0) for n in nodes(plan) if "Relation Name" in n]
        assert max(rows) <= 2, json.dumps(plan, indent=1)
        assert buffers(plan) <= 200
