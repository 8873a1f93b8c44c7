"""Keys: unique among open intents; what a finished one does is the kind's choice."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import asyncpg
import pytest

from tests.outbox.engines import (
    Lessee,
    Owner,
    add_tenants,
    eventually,
    kind,
    make_due,
    one_row,
    run_out,
    schedule,
    statuses,
)
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.outbox.handlers import KeyPolicy
from tidings.spine.outbox.outcomes import Dead, Failed


async def test_a_key_is_one_intent_while_it_is_open(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    (first,) = await schedule(owner, keys=["k"])
    lessee = Lessee.of(settings, pool)
    assert await schedule(owner, keys=["k"]) == [first]
    (intent,) = await lessee.lease()
    assert await schedule(owner, keys=["k"]) == [first]
    await lessee.settle([intent], Failed("x"))
    assert await schedule(owner, keys=["k"]) == [first]
    assert await statuses(owner) == {"failed": 1}


@pytest.mark.parametrize("outcome", [None, Dead("no")])
async def test_a_finished_key_blocks_for_the_dedup_window(
    outcome: Dead | None, settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    (first,) = await schedule(owner, keys=["k"])
    lessee = Lessee.of(settings, pool, kind(keys=KeyPolicy.ONCE))
    await lessee.settle(await lessee.lease(), outcome)
    assert await schedule(owner, keys=["k"]) == [first]
    left = await owner.fetchval("SELECT expires_at - now() FROM tidings.outbox_keys")
    assert settings.outbox.dedup_window - timedelta(minutes=1) < left <= settings.outbox.dedup_window
    await owner.execute("UPDATE tidings.outbox_keys SET expires_at = now() - interval '1 second'")
    (second,) = await schedule(owner, keys=["k"])
    assert second != first
    assert await schedule(owner, keys=["k"]) == [second]


@pytest.mark.parametrize("outcome", [None, Dead("no")])
async def test_a_rearming_key_may_be_written_again_at_once(
    outcome: Dead | None, settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    (first,) = await schedule(owner, keys=["k"])
    lessee = Lessee.of(settings, pool, kind(keys=KeyPolicy.REARM))
    await lessee.settle(await lessee.lease(), outcome)
    (second,) = await schedule(owner, keys=["k"])
    assert second != first


async def test_a_rearming_key_is_free_also_after_its_intent_crashed_to_death(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    (first,) = await schedule(owner, keys=["k"])
    lessee = Lessee.of(settings, pool, kind(keys=KeyPolicy.REARM))
    await lessee.lease()
    await run_out(owner)
    for _ in range(4):
        await lessee.leases.rescue()
        await make_due(owner)
        await lessee.leases.lease_suspect([lessee.kind.name])
        await lessee.leases.expire(lessee.leases.worker, crashed=True)
    assert await lessee.leases.bury([lessee.kind]) == 1
    assert (await one_row(owner, first))["status"] == "dead"
    assert await schedule(owner, keys=["k"]) != [first]


async def test_keys_of_tenants_and_kinds_are_apart(owner: Owner) -> None:
    await add_tenants(owner, ["b"])
    ids = [
        *await schedule(owner, keys=["k"]),
        *await schedule(owner, keys=["k"], tenant="b"),
        *await schedule(owner, keys=["k"], name="thing.other"),
    ]
    assert len(set(ids)) == 3


async def test_duplicates_inside_one_call_are_one_intent(owner: Owner) -> None:
    ids = await schedule(owner, keys=["a", "b", "a", None, None, "b", "a"])
    assert (ids[0], ids[1]) == (ids[2], ids[5])
    assert ids[0] == ids[6]
    assert len(set(ids)) == 4
    assert await statuses(owner) == {"pending": 4}


async def test_nothing_to_schedule_is_fine(owner: Owner) -> None:
    assert not await schedule(owner, keys=[])


@pytest.mark.usefixtures("any_postgres")
async def test_opposite_orders_do_not_deadlock(pool: db.Pool, owner: Owner) -> None:
    keys = [f"k{n:03}" for n in range(200)]
    lots = await asyncio.gather(
        *(schedule(pool, keys=keys if n % 2 else keys[::-1]) for n in range(12)),
    )
    assert {frozenset(lot) for lot in lots} == {frozenset(lots[0])}
    assert await statuses(owner) == {"pending": 200}


async def test_of_many_who_schedule_a_key_at_once_one_does(pool: db.Pool, owner: Owner) -> None:
    lots = await asyncio.gather(*(schedule(pool, keys=["k"]) for _ in range(50)))
    assert len({lot[0] for lot in lots}) == 1
    assert await statuses(owner) == {"pending": 1}


async def test_a_key_scheduled_while_it_finishes_is_never_lost(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    """Whoever schedules a rearming key gets the id of an intent that was open at that moment, or a new one."""
    lessee = Lessee.of(settings, pool, kind(keys=KeyPolicy.REARM))

    async def work() -> None:
        for _ in range(60):
            await lessee.settle(await lessee.lease())

    async def write() -> None:
        for _ in range(60):
            assert None not in await schedule(pool, keys=["a", "b", "c"])

    await asyncio.gather(work(), work(), write(), write())
    open_keys = await owner.fetch("SELECT key FROM tidings.outbox ORDER BY key")
    held_keys = await owner.fetch("SELECT key FROM tidings.outbox_keys ORDER BY key")
    assert open_keys == held_keys


async def test_scheduling_a_taken_key_in_an_open_transaction_holds_up_no_settling(
    settings: Settings, pool: db.Pool
) -> None:
    (first,) = await schedule(pool, keys=["k"])
    lessee = Lessee.of(settings, pool, kind(keys=KeyPolicy.REARM))
    intents = await lessee.lease()
    async with pool.acquire() as user, user.transaction():
        assert await schedule(user, keys=["k"]) == [first]
        async with asyncio.timeout(10):
            assert await lessee.settle(intents) == []


@pytest.mark.usefixtures("any_postgres")
@pytest.mark.parametrize("expired", [False, True])
async def test_losing_a_key_to_another_who_schedules_it_at_once_holds_up_no_settling(
    expired: bool, settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    lessee = Lessee.of(settings, pool, kind(keys=KeyPolicy.ONCE))
    if expired:
        await owner.execute(EXPIRED, ["k"])
    async with pool.acquire() as winner, pool.acquire() as loser:
        won, lost = winner.transaction(), loser.transaction()
        await won.start()
        await lost.start()
        (first,) = await schedule(winner, keys=["k"])
        waiting = asyncio.create_task(schedule(loser, keys=["k"]))
        await eventually(lambda: waits_for_a_lock(owner))
        await won.commit()
        assert await waiting == [first]
        async with asyncio.timeout(10):
            assert await lessee.settle(await lessee.lease()) == []
        await lost.rollback()
    assert (await one_row(owner, first))["status"] == "succeeded"


async def waits_for_a_lock(owner: Owner) -> bool:
    return bool(
        await owner.fetchval(
            """SELECT EXISTS (SELECT FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock')"""
        )
    )


EXPIRED = """INSERT INTO tidings.outbox_keys (tenant, kind, key, intent_id, expires_at)
    SELECT 'default', 'thing.do', k, gen_random_uuid(), now() - interval '1 second' FROM unnest($1::text[]) k"""


@pytest.mark.usefixtures("any_postgres")
async def test_keys_that_expired_are_taken_over_at_once_without_a_deadlock(pool: db.Pool, owner: Owner) -> None:
    """Half of the keys have expired, the others are new."""
    keys = [f"k{n:03}" for n in range(200)]
    for _ in range(10):
        await owner.execute("TRUNCATE tidings.outbox, tidings.outbox_keys")
        await owner.execute(EXPIRED, keys[1::2])
        lots = await asyncio.gather(*(schedule(pool, keys=keys if n % 2 else keys[::-1]) for n in range(8)))
        assert {frozenset(lot) for lot in lots} == {frozenset(lots[0])}
        assert await statuses(owner) == {"pending": 200}
        assert await owner.fetchval("SELECT count(*) FROM tidings.outbox_keys WHERE expires_at IS NULL") == 200


@pytest.mark.parametrize(
    "call",
    [
        "schedule('Thing')",
        "schedule('thing.do', key => '')",
        "schedule('thing.do', key => repeat('k', 513))",
        "schedule('thing.do', run_at => now() + interval '11 years')",
        "schedule('thing.do', run_at => now() - interval '13 months')",
        "schedule('thing.do', tenant => 'nobody')",
        "schedule('event.remind')",
        "schedule('thing.do', jsonb_build_object('x', repeat('x', 300000)))",
        "move('thing.do', run_at => now())",
        "move('thing.do', key => 'a', prefix => 'a', run_at => now())",
        "move('thing.do', prefix => '', run_at => now())",
        "move('thing.do', key => 'a')",
        "move('thing.do', key => 'a', run_at => now(), shift => '1 s')",
        "move('thing.do', key => 'a', shift => '11 years')",
        "move('thing.do', key => 'a', run_at => now() + interval '11 years')",
        "move('event.remind', key => 'a', run_at => now())",
        "cancel('thing.do')",
        "cancel('tidings.maintain', key => 'maintain')",
        "cancel('thing.do', prefix => '')",
    ],
)
async def test_what_makes_no_sense_is_refused_and_writes_nothing(call: str, owner: Owner) -> None:
    with pytest.raises(asyncpg.PostgresError) as refusal:
        await owner.execute(f"SELECT tidings.{call}")
    assert refusal.value.sqlstate in {"TD403", "TD404", "TD413", "TD422"}
    assert await statuses(owner) == {}
