"""What is kept for a time goes after it, and nothing before it that somebody still needs; found by an index."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import tidings
from tests.outbox.engines import Owner
from tests.outbox.test_plans import explain, nodes, rows_touched
from tests.support.pipeline import add_person, add_rule, emit
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.delivery import expiring as deliveries
from tidings.spine.notify.people.imports import forgetting
from tidings.testing import aassert_told, adrain, adrain_outbox
from tidings.worker.maintenance import begin_maintenance, expiring, maintenance

MONTH = timedelta(days=31)
DAY = timedelta(days=1)
MANY = 30_000
ARCHITECTURE = Path(__file__).parents[2] / "ARCHITECTURE.md"


async def maintain(settings: Settings, pool: db.Pool) -> None:
    await begin_maintenance(pool)
    await pool.execute("UPDATE tidings.outbox SET run_at = now() WHERE kind = 'tidings.maintain'")
    await adrain_outbox(settings, maintenance(settings))


async def count(owner: Owner, table: str) -> int:
    amount: int = await owner.fetchval(f"SELECT count(*) FROM tidings.{table}")
    return amount


async def aged(owner: Owner, by: timedelta, **columns: str) -> None:
    for table, column in columns.items():
        await owner.execute(f"UPDATE tidings.{table} SET {column} = {column} - $1::interval", by)


@tidings.listener("order.paid", name="tells")
async def tells(fact: Any) -> tidings.Notice:
    return tidings.Notice("Paid", "Good.", [tidings.Selector(tidings.By.EVERYONE)], ["push"])


@tidings.listener("order.paid", name="fails")
async def fails(fact: Any) -> tidings.Notice:
    raise ValueError("not today")


async def test_what_rules_made_of_facts_goes_with_time(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await add_rule(owner)
    for _ in range(2):
        await emit(owner)
        await adrain(settings)
    old = "fact_id = (SELECT id FROM tidings.facts WHERE type = 'order.paid' ORDER BY seq LIMIT 1)"
    await owner.execute(f"UPDATE tidings.processed_by SET processed_at = now() - $1::interval WHERE {old}", MONTH)
    await maintain(settings, pool)
    assert await count(owner, "processed_by") == 2  # its intent can be seen still
    await owner.execute(f"UPDATE tidings.outbox_finished SET finished_at = now() - $1::interval WHERE {old}", MONTH)
    await maintain(settings, pool)
    assert await count(owner, "processed_by") == 1


@pytest.mark.parametrize("state", ["failed", "dead"])
async def test_a_fact_that_may_be_heard_again_is_not_told_twice_however_old_it_is(
    settings: Settings, pool: db.Pool, owner: Owner, state: str
) -> None:
    await add_person(owner, push="device-1")
    await emit(owner)
    await adrain(settings, tells, fails)
    if state == "dead":
        await owner.execute(
            "UPDATE tidings.outbox SET attempts = 9, run_at = now() WHERE kind = 'notice.listener.fails'"
        )
        await adrain(settings, tells, fails)
        assert await count(owner, "outbox_finished WHERE kind = 'notice.listener.fails' AND status = 'dead'") == 1
    await aassert_told(settings, times=1)
    await aged(owner, MONTH, processed_by="processed_at", deliveries_finished="finished_at", tallies="settled_at")
    await maintain(settings, pool)
    of_fact = "fact_id = (SELECT id FROM tidings.facts WHERE type = 'order.paid')"
    assert await owner.fetchval(f"SELECT array_agg(listener) FROM tidings.processed_by WHERE {of_fact}") == ["tells"]
    assert await count(owner, "deliveries_finished") == 0


async def test_a_delivery_keeps_its_whole_history_and_takes_it_along(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await add_person(owner, email="owner+busy@example.com")
    await add_person(owner, email="owner@example.com")
    await add_rule(owner, channels=["email"])
    await emit(owner)
    await adrain(settings)
    await aged(owner, MONTH, delivery_attempts="ended_at")
    await maintain(settings, pool)
    assert await count(owner, "delivery_attempts") == 2
    await aged(owner, MONTH, deliveries_finished="finished_at")
    await maintain(settings, pool)
    assert await count(owner, "delivery_attempts") == 1
    assert await count(owner, "delivery_attempts a JOIN tidings.deliveries d ON d.id = a.delivery_id") == 1


IMPORT = """
WITH made AS (
    INSERT INTO tidings.imports (tenant, status, wrong, touched_at)
    VALUES ('default', $1, $2, now() - $3::interval) RETURNING id)
INSERT INTO tidings.import_rows (import_id, tenant, line, error)
SELECT id, 'default', n, 'wrong' FROM made, generate_series(1, $2::int) n
"""


async def test_an_import_goes_with_its_rows_however_many_they_are(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await owner.execute(IMPORT, "refused", 25_000, MONTH)
    await owner.execute(IMPORT, "refused", 3, MONTH - 2 * DAY)
    await maintain(settings, pool)
    assert (await count(owner, "imports"), await count(owner, "import_rows")) == (1, 3)


async def test_what_was_read_of_people_does_not_outlive_whoever_received_it(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await owner.execute(IMPORT, "receiving", 4, 2 * DAY)
    await owner.execute(IMPORT, "applying", 3, DAY / 2)
    await maintain(settings, pool)
    assert (await count(owner, "imports"), await count(owner, "import_rows")) == (2, 3)


async def test_announcements_are_kept_for_as_long_as_somebody_may_come_back(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    for age in (timedelta(0), DAY, DAY + timedelta(hours=2)):
        await owner.execute(
            """INSERT INTO tidings.announcements (tenant, person_id, notification_id, announced_at)
               VALUES ('default', gen_random_uuid(), gen_random_uuid(), now() - $1::interval)""",
            age,
        )
    await maintain(settings, pool)
    assert await count(owner, "announcements") == 2


FILLED = {
    "outbox_finished": """INSERT INTO tidings.outbox_finished (id, tenant, kind, payload, due_at, run_at, status,
            attempts, crashes, generation, created_at, updated_at, finished_at)
        SELECT gen_random_uuid(), 'default', 'thing.do', '{{}}', now(), now(), 'succeeded', 1, 0, 0, now(),
            now(), {at}""",
    "processed_by": """INSERT INTO tidings.processed_by (fact_id, listener, tenant, told, verdict, processed_at)
        SELECT gen_random_uuid(), 'rule:1', 'default', false, 'no', {at}""",
    "sandbox_messages": """INSERT INTO tidings.sandbox_messages (id, tenant, channel, sealed, created_at)
        SELECT gen_random_uuid(), 'default', 'email', '', {at}""",
    "announcements": """INSERT INTO tidings.announcements (tenant, person_id, notification_id, announced_at)
        SELECT 'default', gen_random_uuid(), gen_random_uuid(), {at}""",
    "idempotency_keys": """INSERT INTO tidings.idempotency_keys (tenant, actor, key, fingerprint, expires_at)
        SELECT 'default', 'user:1', n::text, '', {at}""",
    "outbox_keys": """INSERT INTO tidings.outbox_keys (tenant, kind, key, intent_id, expires_at)
        SELECT 'default', 'thing.do', n::text, gen_random_uuid(), {at}""",
    "deliveries_finished": """INSERT INTO tidings.deliveries_finished (id, tenant, channel, provider, notice_id,
            notification_id, person_id, address, due_at, run_at, expires_at, status, attempts, crashes, generation,
            created_at, updated_at, finished_at)
        SELECT gen_random_uuid(), 'default', 'email', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
            gen_random_uuid(), 'a', now(), now(), now(), 'sent', 1, 0, 0, now(), now(), {at}""",
}


@pytest.mark.parametrize("table", FILLED)
async def test_what_is_old_is_found_without_reading_what_is_not(
    settings: Settings, owner: Owner, pool: db.Pool, table: str
) -> None:
    """Also in a table whose rows have gone and come for long: old and new lie side by side in it."""
    await owner.execute(f"{FILLED[table].format(at=AT)} FROM generate_series(1, $1::int) n", MANY, timeout=60)
    statements = {each.table: (each.removing, each.age) for each in expiring(settings)}
    removing, *arguments = statements.get(table) or (deliveries._DELIVERIES, settings.delivery.retention, 10_000)
    for analyzed in (False, True):
        if analyzed:
            await owner.execute(f"ANALYZE tidings.{table}")
        await owner.execute("SET random_page_cost = 1.1")
        plan = await explain(owner, removing, *arguments)
        scans = [n for n in nodes(plan) if n["Node Type"] == "Seq Scan" and n["Relation Name"] == table]
        assert not scans
        assert rows_touched(plan) <= OLD


OLD = 30
AT = f"now() + CASE WHEN n % {MANY // OLD} = 0 THEN -1 ELSE 1 END * interval '40 days'"


HEARD = """
WITH recorded AS (
    INSERT INTO tidings.facts (id, tenant, type, data, metadata, occurred_at)
    SELECT gen_random_uuid(), 'default', 'order.paid', '{}', '{}', now() - n * interval '1 s'
    FROM generate_series(1, $1::int) n RETURNING id, occurred_at
), waiting AS (
    INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at, created_at)
    SELECT gen_random_uuid(), 'default', 'notice.rules', id, now(), now(), occurred_at FROM recorded LIMIT 1000
), prepared AS (
    INSERT INTO tidings.outbox_finished (id, tenant, kind, fact_id, due_at, run_at, status, attempts, crashes,
        generation, created_at, updated_at)
    SELECT gen_random_uuid(), 'default', 'notice.rules', gen_random_uuid(), now(), now(), 'succeeded', 1, 0, 0, now(),
        now() FROM recorded
)
INSERT INTO tidings.processed_by (fact_id, listener, tenant, told, verdict, processed_at)
SELECT id, 'rule:1', 'default', false, 'no', now() - interval '40 days' FROM recorded
"""


async def test_whether_a_fact_may_be_heard_again_is_looked_up_fact_by_fact(settings: Settings, owner: Owner) -> None:
    await owner.execute(HEARD, MANY, timeout=60)
    (records,) = (each for each in expiring(settings) if each.table == "processed_by")
    for analyzed in (False, True):
        if analyzed:
            await owner.execute("ANALYZE tidings.facts, tidings.outbox, tidings.outbox_finished, tidings.processed_by")
        plan = await explain(owner, records.removing, records.age)
        assert {n["Node Type"] for n in nodes(plan)} & {"Seq Scan", "Hash", "Sort"} == set()
        assert rows_touched(plan) <= 11_000


async def test_rows_of_imports_are_found_by_their_import(settings: Settings, owner: Owner) -> None:
    await owner.execute(IMPORT, "refused", MANY, DAY)
    await owner.execute(IMPORT, "refused", OLD, MONTH)
    plan = await explain(owner, forgetting._ROWS, MONTH, DAY, 10_000)
    assert rows_touched(plan) <= 2 * OLD


async def test_how_long_each_table_is_kept_is_told(owner: Owner) -> None:
    rows = await owner.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'tidings'")
    _, _, after = ARCHITECTURE.read_text(encoding="utf-8").partition("## How long what is kept")
    told = after.partition("\n## ")[0]
    assert [row["tablename"] for row in rows if f"`{row['tablename']}`" not in told] == []
