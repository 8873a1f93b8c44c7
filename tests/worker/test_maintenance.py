"""Housekeeping is a recurring intent: it removes what has expired, a chunk at a time, and comes back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

from tests.outbox.engines import Owner, eventually, kind, now, running, schedule, with_outbox
from tidings.app.worker import build_leases
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Permanent
from tidings.testing import adrain_outbox
from tidings.worker.maintenance import KIND, begin_maintenance, maintenance

FINISHED = """
INSERT INTO tidings.outbox_finished (id, tenant, kind, payload, due_at, run_at, status, attempts, crashes, generation,
    created_at, updated_at, finished_at)
SELECT gen_random_uuid(), 'default', 'thing.do', '{}', now(), now(), 'succeeded', 1, 0, 0, now(), now(),
    now() - $2::interval
FROM generate_series(1, $1::int) n
"""


async def test_any_number_of_workers_begin_it_once(pool: db.Pool, owner: Owner) -> None:
    await asyncio.gather(*(begin_maintenance(pool) for _ in range(10)))
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = $1", KIND) == 1


async def test_finished_rows_are_kept_for_the_retention_and_no_longer(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await owner.execute(FINISHED, 25_000, settings.outbox.retention + timedelta(minutes=1))
    await owner.execute(FINISHED, 7, settings.outbox.retention - timedelta(minutes=1))
    await begin_maintenance(pool)
    assert await adrain_outbox(settings, maintenance(settings)) == {"again": 3}
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox_finished") == 7


async def test_a_dead_head_is_kept_while_others_wait_behind_it(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await owner.execute("INSERT INTO tidings.ordered_streams VALUES ('account')")
    for account in ("waiting", "still"):
        await owner.execute("SELECT tidings.emit('account.did', stream_type => 'account', stream_id => $1)", account)
    ran: list[object] = []

    async def refuse(intent: Intent) -> None:
        ran.append((intent.stream, intent.stream_version))
        raise Permanent("no")

    did = kind(refuse, name="account.did", ordered=True)
    assert await adrain_outbox(settings, did) == {"dead": 2}
    await owner.execute("SELECT tidings.emit('account.did', stream_type => 'account', stream_id => 'waiting')")
    await owner.execute(
        "UPDATE tidings.outbox_finished SET finished_at = now() - $1::interval",
        settings.outbox.retention + timedelta(minutes=1),
    )
    await begin_maintenance(pool)
    await adrain_outbox(settings, maintenance(settings))
    assert await owner.fetchval("SELECT array_agg(stream) FROM tidings.outbox_finished") == ["account/waiting"]
    assert await adrain_outbox(settings, did) == {}
    assert len(ran) == 2


async def test_it_waits_for_nobody_who_has_something_locked(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await owner.execute(FINISHED, 2, settings.outbox.retention + timedelta(minutes=1))
    await begin_maintenance(pool)
    async with owner.transaction(), asyncio.timeout(10):
        await owner.execute("SELECT FROM tidings.outbox_finished LIMIT 1 FOR UPDATE")
        assert await adrain_outbox(settings, maintenance(settings)) == {"again": 1}
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox_finished") == 1


async def test_it_goes_on_while_the_tenant_it_is_scheduled_for_is_suspended(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await begin_maintenance(pool)
    await schedule(owner, 3)
    await owner.execute("UPDATE tidings.tenants SET suspended_at = now() WHERE id = 'default'")
    assert await adrain_outbox(settings, maintenance(settings), kind()) == {"again": 1}
    await owner.execute("UPDATE tidings.outbox SET suspect = true, run_at = now() WHERE kind = $1", KIND)
    leases = build_leases(settings, pool, uuid4())
    suspect = await leases.lease_suspect([KIND, "thing.do"])
    assert suspect is not None
    assert suspect.kind == KIND


async def test_it_comes_back_in_a_minute_by_the_databases_clock(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await begin_maintenance(pool)
    before = await now(owner)
    await adrain_outbox(settings, maintenance(settings))
    row = await owner.fetchrow("SELECT run_at, status FROM tidings.outbox WHERE kind = $1", KIND)
    assert row is not None
    assert row["status"] == "pending"
    assert before + timedelta(minutes=1) <= row["run_at"] <= await now(owner) + timedelta(minutes=1)


async def test_expired_keys_sessions_and_silent_workers_go_and_others_stay(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await schedule(owner, keys=["open", "gone", "blocking"], ahead=timedelta(hours=1))
    await owner.execute("UPDATE tidings.outbox_keys SET expires_at = now() - interval '1 s' WHERE key = 'gone'")
    await owner.execute("UPDATE tidings.outbox_keys SET expires_at = now() + interval '1 h' WHERE key = 'blocking'")
    await owner.execute(
        """INSERT INTO tidings.workers (id, name, kinds, seen_at) VALUES
           (gen_random_uuid(), 'silent', '{}', now() - interval '2 hours'), (gen_random_uuid(), 'alive', '{}', now())"""
    )
    await begin_maintenance(pool)
    async with running(with_outbox(settings), maintenance(settings)):
        await eventually(lambda: came_back(owner))
    left = await owner.fetch("SELECT key FROM tidings.outbox_keys WHERE kind = 'thing.do' ORDER BY key")
    assert [row["key"] for row in left] == ["blocking", "open"]
    assert [row["name"] for row in await owner.fetch("SELECT name FROM tidings.workers")] == ["alive"]


async def came_back(owner: Owner) -> bool:
    return bool(await owner.fetchval("SELECT run_at > now() FROM tidings.outbox WHERE kind = $1", KIND))


async def test_it_begins_anew_where_it_had_died(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    """Workers see to it once in a while: nothing else fails over or expires what waits."""

    async def broken(connection: object, intents: object) -> None:
        raise Permanent("no")

    await begin_maintenance(pool)
    assert await adrain_outbox(settings, replace(maintenance(settings), function=broken)) == {"dead": 1}
    await begin_maintenance(pool)
    assert await adrain_outbox(settings, maintenance(settings)) == {"again": 1}
