"""One holder at a time, fenced by the lease; a lease that runs out is taken back. Times are the database's."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from datetime import timedelta
from uuid import UUID

import pytest

from tests.outbox.engines import (
    Lessee,
    Owner,
    add_tenants,
    eventually,
    kind,
    make_due,
    one_row,
    orphans,
    run_out,
    running,
    schedule,
    statuses,
    with_outbox,
)
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.lanes import BEGINNING, LaneQueue
from tidings.spine.outbox.outcomes import Again, Dead, Failed, GivenBack, Outcome, Succeeded
from tidings.spine.outbox.pump import Pump
from tidings.spine.outbox.relay import Relay


async def opened(pool: db.Pool) -> None:
    """All its connections are there: else whoever has the first takes everything before the others have one."""
    connections = await asyncio.gather(*(pool.acquire() for _ in range(pool.get_max_size())))
    await asyncio.gather(*(pool.release(connection) for connection in connections))


@pytest.mark.usefixtures("any_postgres")
async def test_of_many_lessees_each_intent_has_one(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    tenants = ("default", "b", "c")
    await add_tenants(owner, tenants[1:])
    scheduled = [given for tenant in tenants for given in await schedule(owner, 400, tenant=tenant)]

    async def take_all(lessee: Lessee) -> list[Leased]:
        taken: list[Leased] = []
        while (await owner_of_truth()) > 0:
            taken += await lessee.lease(7, tenants=tenants)
        return taken

    async def owner_of_truth() -> int:
        left: int = await pool.fetchval("SELECT count(*) FROM tidings.outbox WHERE status = 'pending'")
        return left

    await opened(pool)
    lots = await asyncio.gather(*(take_all(Lessee.of(settings, pool)) for _ in range(15)))
    assert Counter(intent.id for lot in lots for intent in lot) == Counter(scheduled)
    assert sum(1 for lot in lots if lot) > 1
    assert await orphans(owner) == 0


@pytest.mark.parametrize(
    "outcome",
    [Succeeded(), Failed("late"), Dead("late"), GivenBack(), Again(BEGINNING)],
    ids=lambda o: type(o).__name__,
)
async def test_a_settle_with_a_stale_lease_changes_nothing(
    outcome: Outcome, settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    (given,) = await schedule(owner)
    late = Lessee.of(settings, pool)
    intents = await late.lease()
    await run_out(owner)
    assert await late.leases.rescue() == 1
    before = await one_row(owner, given)
    await late.settle(intents, outcome)
    assert await one_row(owner, given) == before
    holder = await late.leases.lease_suspect([late.kind.name])
    assert holder is not None
    before = await one_row(owner, given)
    await late.settle(intents, outcome)
    assert await one_row(owner, given) == before


async def test_a_stale_settle_ends_nobody_elses_lease(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await schedule(owner, 2)
    late, other = Lessee.of(settings, pool), Lessee.of(settings, pool)
    mine = await late.lease(1)
    theirs = await other.lease(1)
    await late.settle(mine)
    await late.settle(mine)
    assert [row["token"] for row in await owner.fetch("SELECT token FROM tidings.leases")] == [theirs[0].token]


async def test_nothing_is_leased_twice_or_before_its_time(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await schedule(owner, 5)
    await schedule(owner, 5, ahead=timedelta(minutes=1))
    lessee = Lessee.of(settings, pool)
    assert len(await lessee.lease()) == 5
    assert await lessee.lease() == []


async def test_due_and_lease_times_are_the_databases(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    """What the host's clock says is never sent: the statements carry intervals and compare with now()."""
    (given,) = await schedule(owner)
    settings = with_outbox(settings, lease=timedelta(hours=3))
    lessee = Lessee.of(settings, pool)
    await lessee.lease()
    left = await owner.fetchval("SELECT expires_at - now() FROM tidings.leases")
    assert timedelta(hours=2, minutes=59) < left <= timedelta(hours=3)
    await owner.execute("UPDATE tidings.leases SET expires_at = now() + interval '1 minute'")
    assert await lessee.leases.rescue() == 0
    token = (await one_row(owner, given))["lease_token"]
    assert await lessee.leases.renew([token]) == set()
    left = await owner.fetchval("SELECT expires_at - now() FROM tidings.leases")
    assert timedelta(hours=2, minutes=59) < left <= timedelta(hours=3)


async def test_renewing_tells_which_leases_are_lost(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await schedule(owner, 2)
    lessee = Lessee.of(settings, pool)
    (kept,), (lost,) = await lessee.lease(1), await lessee.lease(1)
    await owner.execute("UPDATE tidings.leases SET expires_at = now() - interval '1 s' WHERE token = $1", lost.token)
    await lessee.leases.rescue()
    assert await lessee.leases.renew([kept.token, lost.token]) == {lost.token}


async def test_a_handler_slower_than_its_lease_keeps_it_and_runs_once(settings: Settings, owner: Owner) -> None:
    settings = with_outbox(settings, lease=timedelta(milliseconds=300))
    runs: list[int] = []

    async def slow(intent: Leased) -> None:
        runs.append(intent.attempt)
        await asyncio.sleep(1.5)

    (given,) = await schedule(owner)
    async with running(settings, kind(slow)) as first, running(settings, kind(slow)):
        await eventually(lambda: finished(owner))
        await eventually(lambda: _has_nothing_in_hand(first))
    row = await one_row(owner, given)
    assert (runs, row["attempts"], row["crashes"]) == ([1], 1, 0)


async def _has_nothing_in_hand(relay: Relay) -> bool:
    return all(pump.in_hand.total() == 0 for pump in relay.pumps.values())


async def finished(owner: Owner) -> bool:
    return set(await statuses(owner)) <= {"succeeded", "dead", "cancelled"}


async def test_a_lost_lease_cancels_the_run_and_frees_its_room(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    settings = with_outbox(settings, lease=timedelta(milliseconds=300))
    cancelled = asyncio.Event()

    async def endless(intent: Leased) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    await schedule(owner)
    async with running(settings, kind(endless)) as relay:
        pump = relay.pumps["thing.do"]
        await eventually(lambda: true(pump.held))
        await run_out(owner)
        await Lessee.of(settings, pool).leases.rescue()
        await cancelled.wait()
        await eventually(lambda: true(not pump.held and not pump.in_hand and not pump.running))
    assert await statuses(owner) == {"pending": 1}


async def test_a_lease_that_ran_out_before_we_heard_of_it_is_given_back_and_not_run(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    """As when the process is frozen between the lease and its answer."""
    ran: list[UUID] = []

    async def run(intent: Leased) -> None:
        ran.append(intent.id)

    await schedule(owner, 2)
    lessee = Lessee.of(settings, pool, kind(run))
    pump = Pump(lessee.kind, settings.outbox, lessee.leases)
    pumping = asyncio.create_task(pump.run())
    pump.begin(await lessee.lease(), time.monotonic() - settings.outbox.lease.total_seconds())
    await eventually(lambda: true(not pump.held))
    pumping.cancel()
    assert ran == []
    assert await statuses(owner) == {"pending": 2}


async def true(value: object) -> bool:
    return bool(value)


async def test_what_a_dead_worker_held_is_a_suspect_and_costs_nothing(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    ids = await schedule(owner, 3)
    dead, alive = Lessee.of(settings, pool), Lessee.of(settings, pool)
    await dead.lease()
    assert await alive.leases.rescue() == 0
    await run_out(owner)
    assert await alive.leases.rescue() == 3
    assert await alive.lease() == []
    rows = [await one_row(owner, given) for given in ids]
    assert [(row["suspect"], row["attempts"], row["crashes"]) for row in rows] == [(True, 0, 0)] * 3
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0


async def test_only_who_ran_alone_is_charged_with_the_crash(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    ids = [*await schedule(owner, ahead=-timedelta(minutes=1)), *await schedule(owner)]
    lessee = Lessee.of(settings, pool)
    await lessee.lease()
    await run_out(owner)
    await lessee.leases.rescue()
    for crashes in (1, 2, 3):
        alone = await lessee.leases.lease_suspect([lessee.kind.name])
        assert alone is not None
        assert alone.id == ids[0]
        await lessee.leases.expire(lessee.leases.worker, crashed=True)
        await lessee.leases.rescue()
        assert (await one_row(owner, ids[0]))["crashes"] == crashes
        await owner.execute("UPDATE tidings.outbox SET run_at = due_at WHERE id = $1", ids[0])
    other = await lessee.leases.lease_suspect([lessee.kind.name])
    assert other is not None
    assert other.id == ids[1]
    assert await lessee.leases.bury([lessee.kind]) == 1
    row = await one_row(owner, ids[0])
    assert (row["status"], row["attempts"], row["crashes"]) == ("dead", 0, 3)
    assert "crashed its worker 3 times" in row["last_error"]
    assert (await one_row(owner, ids[1]))["crashes"] == 0


async def make_suspects(owner: Owner, count: int = 1) -> list[UUID]:
    ids = await schedule(owner, count)
    await owner.execute("UPDATE tidings.outbox SET suspect = true WHERE id = ANY ($1)", ids)
    return ids


async def test_one_that_crashed_alone_lets_the_others_go_first(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    ids = await make_suspects(owner, 3)
    lessee = Lessee.of(settings, pool)
    found = []
    for _ in ids:
        suspect = await lessee.leases.lease_suspect([lessee.kind.name])
        assert suspect is not None
        found.append(suspect.id)
        await lessee.leases.expire(lessee.leases.worker, crashed=True)
        await lessee.leases.rescue()
    assert sorted(found) == sorted(ids)


async def test_who_outlives_its_lease_alone_may_still_renew_it_and_is_not_charged(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    """The database was away for longer than the lease, and another worker is back first."""
    (given,) = await make_suspects(owner)
    frozen, other = Lessee.of(settings, pool), Lessee.of(settings, pool)
    suspect = await frozen.leases.lease_suspect([frozen.kind.name])
    assert suspect is not None
    for _ in range(5):
        await run_out(owner)
        assert await other.leases.rescue() == 0
        assert await frozen.leases.renew([suspect.token]) == set()
    await run_out(owner)
    assert await other.leases.rescue() == 0
    await frozen.settle([suspect])
    row = await one_row(owner, given)
    assert (row["status"], row["crashes"]) == ("succeeded", 0)


async def test_what_ran_alone_and_is_never_heard_of_again_is_charged_by_whoever_finds_it(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    """It took its whole machine with it, and with that whoever could have seen it."""
    (given,) = await make_suspects(owner)
    dead, other = Lessee.of(settings, pool), Lessee.of(settings, pool)
    await dead.leases.lease_suspect([dead.kind.name])
    await run_out(owner)
    assert await other.leases.rescue() == 0
    assert await other.leases.rescue() == 0
    await run_out(owner)
    assert await other.leases.rescue() == 1
    assert (await one_row(owner, given))["crashes"] == 1


async def test_what_ran_beside_another_is_charged_only_by_who_saw_it_crash(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    ids = await make_suspects(owner, 2)
    first, second = Lessee.of(settings, pool), Lessee.of(settings, pool)
    for child in (first, second):
        assert await child.leases.lease_suspect([child.kind.name]) is not None
    await first.leases.accompany([first.leases.worker, second.leases.worker])
    await first.leases.expire(first.leases.worker, crashed=True)
    await run_out(owner)
    assert await first.leases.rescue() == 2
    assert sorted([(await one_row(owner, given))["crashes"] for given in ids]) == [0, 1]


async def test_a_process_that_was_stopped_is_not_charged_as_a_crash(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    (given,) = await schedule(owner)
    lessee = Lessee.of(settings, pool)
    await lessee.lease()
    await run_out(owner)
    await lessee.leases.rescue()
    await lessee.leases.lease_suspect([lessee.kind.name])
    await lessee.leases.expire(lessee.leases.worker, crashed=False)
    await lessee.leases.rescue()
    row = await one_row(owner, given)
    assert (row["status"], row["suspect"], row["crashes"]) == ("pending", True, 0)


async def test_what_is_given_back_stays_a_suspect(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    (given,) = await schedule(owner)
    lessee = Lessee.of(settings, pool)
    await lessee.lease()
    await run_out(owner)
    await lessee.leases.rescue()
    alone = await lessee.leases.lease_suspect([lessee.kind.name])
    assert alone is not None
    await lessee.settle([alone], GivenBack())
    assert (await one_row(owner, given))["suspect"]


async def test_a_suspended_tenants_intents_are_not_leased_until_it_is_resumed(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await add_tenants(owner, ["b"])
    await schedule(owner, 10, tenant="b")
    lessee = Lessee.of(settings, pool)
    queue = LaneQueue({"b": BEGINNING})
    assert len(await lessee.leases.lease(lessee.kind, queue, {"b": 3})) == 3
    await owner.execute("UPDATE tidings.tenants SET suspended_at = now() WHERE id = 'b'")
    assert await lessee.leases.lease(lessee.kind, queue, {"b": 3}) == []
    await run_out(owner)
    await lessee.leases.rescue()
    assert await lessee.leases.lease_suspect([lessee.kind.name]) is None
    assert not await pool.fetchval(lessee.leases.table.suspects_sql, [lessee.kind.name])
    await owner.execute("UPDATE tidings.tenants SET suspended_at = NULL WHERE id = 'b'")
    assert len(await lessee.lease(tenants=["b"])) == 7
    assert await lessee.leases.lease_suspect([lessee.kind.name]) is not None


async def test_rescuing_waits_for_nobody_and_leaves_no_orphan(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    """A user's transaction has moved one of the rows and stays open."""
    await schedule(owner, keys=["a", "b", "c"], ahead=timedelta(0))
    lessee = Lessee.of(settings, pool)
    await lessee.lease()
    await run_out(owner)
    async with pool.acquire() as user, user.transaction():
        await user.execute("SELECT tidings.move('thing.do', key => 'b', shift => '1 hour')")
        assert await lessee.leases.rescue() == 2
        assert await orphans(owner) == 0
    assert await lessee.leases.rescue() == 1
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0
    await make_due(owner)
    assert await statuses(owner) == {"pending": 3}


async def test_a_lease_whose_answer_was_lost_runs_out_like_any_other(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await schedule(owner, 10)
    lessee = Lessee.of(settings, pool)
    task = asyncio.create_task(lessee.lease())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await orphans(owner) == 0
    await run_out(owner)
    await lessee.leases.rescue()
    assert await statuses(owner) == {"pending": 10}
