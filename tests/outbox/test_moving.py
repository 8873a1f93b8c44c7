"""Moving and cancelling by key and prefix, also while workers lease."""

from __future__ import annotations

from collections.abc import Sequence
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
    now,
    one_row,
    orphans,
    running,
    schedule,
    statuses,
    with_outbox,
)
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.outbox.handlers import KeyPolicy, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again, Dead, Failed, GivenBack, Outcome, Succeeded

HOUR = timedelta(hours=1)


@pytest.mark.usefixtures("any_postgres")
async def test_a_prefix_is_a_range_and_no_pattern(owner: Owner) -> None:
    keys = ["a_b:1", "a_b:2", "axb:1", "a%b:1", "a", "a_b", "a_c", "A_b:1", "a_b:\U0010ffff", "a_b:\U0010ffffz", "a_bé"]
    await schedule(owner, keys=keys, ahead=HOUR)
    assert await owner.fetchval("SELECT tidings.move('thing.do', prefix => 'a_b:', shift => '1 hour')") == 4
    moved = {row["key"] for row in await owner.fetch("SELECT key FROM tidings.outbox WHERE generation = 1")}
    assert moved == {"a_b:1", "a_b:2", "a_b:\U0010ffff", "a_b:\U0010ffffz"}
    assert await owner.fetchval("SELECT tidings.cancel('thing.do', prefix => 'a%')") == 1
    assert await owner.fetchval("SELECT tidings.cancel('thing.do', prefix => 'a_b')") == 6
    assert await owner.fetchval("SELECT tidings.cancel('thing.do', key => 'a')") == 1
    left = {row["key"] for row in await owner.fetch("SELECT key FROM tidings.outbox")}
    assert left == {"axb:1", "a_c", "A_b:1"}


async def test_only_the_tenants_own_of_that_kind_are_moved_and_cancelled(owner: Owner) -> None:
    await add_tenants(owner, ["b"])
    await schedule(owner, keys=["k"], ahead=HOUR)
    await schedule(owner, keys=["k"], ahead=HOUR, tenant="b")
    await schedule(owner, keys=["k"], ahead=HOUR, name="thing.other")
    assert await owner.fetchval("SELECT tidings.move('thing.do', key => 'k', shift => '1 hour')") == 1
    assert await owner.fetchval("SELECT tidings.cancel('thing.do', prefix => 'k', tenant => 'b')") == 1
    assert await statuses(owner) == {"pending": 2, "cancelled": 1}


async def test_a_shift_counts_from_when_it_was_due_not_from_a_retry(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    (given,) = await schedule(owner, keys=["k"])
    due = (await one_row(owner, given))["due_at"]
    lessee = Lessee.of(settings, pool)
    await lessee.settle(await lessee.lease(), Failed("x", timedelta(minutes=5)))
    await owner.execute("SELECT tidings.move('thing.do', key => 'k', shift => '1 hour')")
    row = await one_row(owner, given)
    assert (row["status"], row["due_at"], row["run_at"], row["generation"]) == ("pending", due + HOUR, due + HOUR, 1)


@pytest.mark.parametrize("shift", ["-2 months", "10 years"])
async def test_shifts_that_add_up_to_a_time_out_of_range_are_refused_and_move_nothing(shift: str, owner: Owner) -> None:
    await schedule(owner, keys=["event:1", "event:2"], ahead=HOUR)
    await owner.execute("SELECT tidings.move('thing.do', key => 'event:2', shift => '-11 months')")
    times = "SELECT key, due_at, run_at, generation FROM tidings.outbox ORDER BY key"
    before = await owner.fetch(times)
    with pytest.raises(asyncpg.PostgresError, match="shift: must leave each time") as refusal:
        await owner.execute(f"SELECT tidings.move('thing.do', prefix => 'event:', shift => '{shift}')")
    assert refusal.value.sqlstate == "TD422"
    assert await owner.fetch(times) == before


@pytest.mark.parametrize(
    "call",
    [
        "move_as($1, 'event.remind', NULL, 'k', NULL, '1 hour', 'default')",
        "cancel_as($1, 'event.remind', 'k', NULL, 'default', NULL)",
    ],
)
async def test_what_a_module_reserved_only_it_may_move_or_cancel(call: str, owner: Owner) -> None:
    await owner.execute(
        """SELECT tidings.schedule_as('events', ARRAY['event.remind'], ARRAY['{}'::jsonb], ARRAY['k'],
                                      ARRAY[now() + interval '1 day'], 'default', NULL)"""
    )
    for module in (None, "reports"):
        with pytest.raises(asyncpg.PostgresError, match="kind: is reserved") as refusal:
            await owner.fetchval(f"SELECT tidings.{call}", module)
        assert refusal.value.sqlstate == "TD403"
    assert await owner.fetchval(f"SELECT tidings.{call}", "events") == 1


@pytest.mark.parametrize(
    "outcome", [Succeeded(), Failed("x"), Dead("x"), GivenBack(), "again"], ids=lambda o: type(o).__name__
)
async def test_what_is_moved_while_it_is_handled_runs_again_at_its_new_time(
    outcome: Outcome | str, settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    (given,) = await schedule(owner, keys=["k"])
    lessee = Lessee.of(settings, pool)
    intents = await lessee.lease()
    await owner.execute("SELECT tidings.move('thing.do', key => 'k', shift => '1 hour')")
    row = await one_row(owner, given)
    assert row["status"] == "processing"
    what = Again(row["run_at"] + HOUR) if isinstance(outcome, str) else outcome
    await lessee.settle(intents, what)
    after = await one_row(owner, given)
    assert (after["status"], after["run_at"], after["due_at"]) == ("pending", row["run_at"], row["due_at"])
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0
    await make_due(owner)
    (intent,) = await lessee.lease()
    await lessee.settle([intent])
    assert (await one_row(owner, given))["status"] == "succeeded"


async def test_what_is_cancelled_stays_readable_with_its_reason_and_frees_its_key(owner: Owner) -> None:
    (first,) = await schedule(owner, keys=["k"])
    await owner.execute("SELECT tidings.cancel('thing.do', key => 'k', reason => 'they left')")
    row = await one_row(owner, first)
    assert (row["status"], row["last_error"]) == ("cancelled", "they left")
    assert await schedule(owner, keys=["k"]) != [first]


async def test_what_is_cancelled_while_it_is_handled_stays_cancelled(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    (given,) = await schedule(owner, keys=["k"])
    lessee = Lessee.of(settings, pool, kind(keys=KeyPolicy.REARM))
    intents = await lessee.lease()
    await owner.execute("SELECT tidings.cancel('thing.do', key => 'k')")
    (again,) = await schedule(owner, keys=["k"], ahead=HOUR)
    await lessee.settle(intents)
    assert (await one_row(owner, given))["status"] == "cancelled"
    assert await schedule(owner, keys=["k"]) == [again]
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0


async def test_a_transaction_handler_does_not_see_what_was_moved_or_cancelled(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    settings = with_outbox(settings)
    await owner.execute("CREATE TABLE seen (key text)")
    await schedule(owner, keys=["stays", "moved", "gone"])
    lessee = Lessee.of(settings, pool, kind(shape=Shape.TRANSACTION))
    intents = await lessee.lease()
    await owner.execute("SELECT tidings.move('thing.do', key => 'moved', shift => '1 hour')")
    await owner.execute("SELECT tidings.cancel('thing.do', key => 'gone')")

    async def write(connection: db.Connection, intents: Sequence[Intent]) -> None:
        await connection.executemany("INSERT INTO seen VALUES ($1)", [(i.key,) for i in intents])

    async with running(settings, kind(write, shape=Shape.TRANSACTION)) as relay:
        relay.pumps["thing.do"].begin(intents)
        await eventually(lambda: true(not relay.pumps["thing.do"].held))
    assert [row["key"] for row in await owner.fetch("SELECT key FROM seen")] == ["stays"]
    assert await statuses(owner) == {"succeeded": 1, "pending": 1, "cancelled": 1}


async def true(value: bool) -> bool:
    return value


MANY = 200_000


@pytest.mark.timeout(120)
async def test_200_000_moved_while_workers_lease_run_at_their_new_time_and_none_at_both(
    settings: Settings, owner: Owner
) -> None:
    """All are due. While two workers run them a user moves them all, an hour ahead; and later, back to now.

    The handler writes the due time that it ran at. What ran before the move ran once at the old time and is finished;
    what was moved ran once at the new time only.
    """
    settings = with_outbox(settings, batch=1_000, poll=timedelta(milliseconds=500))
    await owner.execute("CREATE UNLOGGED TABLE ran (id uuid, generation int)")
    await owner.execute(
        """INSERT INTO tidings.outbox (id, tenant, kind, key, payload, due_at, run_at)
           SELECT tidings.uuid7(), 'default', 'thing.do', 'event:7:' || n, '{}', now(), now()
           FROM generate_series(1, $1) n""",
        MANY,
    )

    async def write(connection: db.Connection, intents: Sequence[Intent]) -> None:
        records = [(intent.id, intent.generation) for intent in intents]
        await connection.copy_records_to_table("ran", records=records)

    run = kind(write, shape=Shape.TRANSACTION, keys=KeyPolicy.REARM)
    async with running(settings, run), running(settings, run):
        await eventually(lambda: some_ran(owner))
        new_time = await now(owner) + HOUR
        moved = await owner.fetchval(
            "SELECT tidings.move('thing.do', prefix => 'event:7:', run_at => $1)", new_time, timeout=60
        )
        assert 0 < moved < MANY
        await eventually(lambda: nothing_in_hand(owner))
        assert await statuses(owner) == {"succeeded": MANY - moved, "pending": moved}
        assert await owner.fetchval("SELECT count(*) FROM ran WHERE generation > 0") == 0
        assert await owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE run_at <> $1", new_time) == 0
        back = await owner.fetchval(
            "SELECT tidings.move('thing.do', prefix => 'event:7:', run_at => now())", timeout=60
        )
        assert back == moved
        await eventually(lambda: all_ran(owner))
    runs = await owner.fetchrow(
        "SELECT count(*), count(DISTINCT id) AS intents, count(*) FILTER (WHERE generation = 2) AS moved FROM ran"
    )
    assert runs is not None
    assert dict(runs) == {"count": MANY, "intents": MANY, "moved": moved}
    assert await statuses(owner) == {"succeeded": MANY}
    assert await orphans(owner) == 0


async def some_ran(owner: Owner) -> bool:
    return bool(await owner.fetchval("SELECT count(*) > 5000 FROM (SELECT FROM ran LIMIT 5001) r"))


async def nothing_in_hand(owner: Owner) -> bool:
    return not await owner.fetchval("SELECT EXISTS (SELECT FROM tidings.leases)")


async def all_ran(owner: Owner) -> bool:
    return not await owner.fetchval("SELECT EXISTS (SELECT FROM tidings.outbox)")


async def test_moving_and_settling_the_same_intents_never_deadlocks(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    """Users move many of them in one transaction, key after key in opposite orders, while handlers settle batches."""
    settings = with_outbox(settings, batch=50)
    keys = [f"k{n:02}" for n in range(50)]

    async def move_each(order: Sequence[str]) -> None:
        async with pool.acquire() as user, user.transaction():
            for key in order:
                await user.execute("SELECT tidings.move('thing.do', key => $1, run_at => now())", key)

    async def again(intents: Sequence[Intent]) -> Again:
        return Again(intents[0].due_at)

    await schedule(owner, keys=keys)
    async with running(settings, kind(again, shape=Shape.BATCH)), running(settings, kind(again, shape=Shape.BATCH)):
        for _ in range(15):
            await move_each(keys)
            await move_each(keys[::-1])
    assert sum((await statuses(owner)).values()) == 50
    assert await orphans(owner) == 0
