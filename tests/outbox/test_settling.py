"""What becomes of an intent: done, tried again, dead, given back, or back for its next time."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from tests.outbox.engines import (
    Lessee,
    Owner,
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
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.outcomes import Again, Dead, Failed, GivenBack, Permanent, RetryLater, outcome_of
from tidings.spine.outbox.retry import LONGEST, RetryPolicy, bounded

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("attempts", "ceiling"),
    [(1, 1), (2, 2), (3, 4), (4, 8), (10, 512), (12, 2048), (13, 3600), (60, 3600), (10_000, 3600)],
)
def test_the_wait_doubles_up_to_its_cap(attempts: int, ceiling: float) -> None:
    policy = RetryPolicy(base=timedelta(seconds=1), cap=timedelta(hours=1))
    assert policy.delay(attempts, lambda: 0.0) == timedelta(0)
    assert policy.delay(attempts, lambda: 0.5) == timedelta(seconds=ceiling / 2)
    assert policy.delay(attempts, lambda: 1.0) == timedelta(seconds=ceiling)


def test_the_jitter_is_full() -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    dice, policy = random.Random(seed), RetryPolicy(base=timedelta(seconds=8))
    waits = [policy.delay(1, dice.random).total_seconds() for _ in range(1_000)]
    assert all(0 <= wait <= 8 for wait in waits)
    assert min(waits) < 1
    assert max(waits) > 7


@pytest.mark.parametrize(
    ("asked", "given"),
    [(MINUTE, MINUTE), (-MINUTE, timedelta(0)), (timedelta(days=400), LONGEST), (timedelta.max, LONGEST)],
)
def test_no_wait_is_absurd(asked: timedelta, given: timedelta) -> None:
    assert bounded(asked) == given


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (Permanent("no such number"), Dead("Permanent: no such number")),
        (RetryLater("busy", MINUTE), Failed("RetryLater: busy", MINUTE)),
        (ValueError("odd"), Failed("ValueError: odd")),
        (KeyError(), Failed("KeyError")),
        (ValueError("nul \x00 and half a pair \ud800"), Failed("ValueError: nul \ufffd and half a pair ?")),
        (ValueError("x" * 5_000), Failed("ValueError: " + "x" * 1_988)),
    ],
)
def test_what_an_error_means(error: Exception, outcome: Failed | Dead) -> None:
    assert outcome_of(error) == outcome


async def test_success_finishes_and_leaves_the_hot_table(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    ids = await schedule(owner, 3)
    lessee = Lessee.of(settings, pool)
    assert await lessee.settle(await lessee.lease()) == []
    rows = [await one_row(owner, given) for given in ids]
    assert [(row["open"], row["status"], row["attempts"]) for row in rows] == [(False, "succeeded", 1)] * 3
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox") == 0
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0


async def test_failure_costs_an_attempt_and_waits(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    (given,) = await schedule(owner)
    lessee = Lessee.of(settings, pool)
    lessee.policy = RetryPolicy(base=MINUTE)
    await lessee.settle(await lessee.lease(), Failed("no answer"))
    row, moment = await one_row(owner, given), await now(owner)
    assert (row["status"], row["attempts"], row["last_error"], row["lease_token"]) == ("failed", 1, "no answer", None)
    assert row["due_at"] <= row["run_at"] <= moment + MINUTE
    await make_due(owner)
    (intent,) = await lessee.lease()
    assert intent.attempt == 2


async def test_retry_after_is_kept_to(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    (given,) = await schedule(owner)
    lessee = Lessee.of(settings, pool)
    before = await now(owner)
    await lessee.settle(await lessee.lease(), Failed("429", timedelta(hours=2)))
    row = await one_row(owner, given)
    assert before + timedelta(hours=2) <= row["run_at"] <= await now(owner) + timedelta(hours=2)


async def test_what_will_never_succeed_is_dead_at_once(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    (given,) = await schedule(owner)
    lessee = Lessee.of(settings, pool)
    await lessee.settle(await lessee.lease(), Dead("no such number"))
    row = await one_row(owner, given)
    assert (row["status"], row["attempts"], row["last_error"]) == ("dead", 1, "no such number")


@pytest.mark.parametrize(("own", "expected"), [(None, 3), (1, 1), (5, 5)])
async def test_the_last_attempt_that_fails_is_dead(
    own: int | None, expected: int, settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    (given,) = await schedule(owner, max_attempts=own)
    lessee = Lessee.of(settings, pool)
    lessee.policy = RetryPolicy(max_attempts=3, base=timedelta(microseconds=1))
    for _ in range(expected):
        (intent,) = await lessee.lease()
        await lessee.settle([intent], Failed("no answer"))
    row = await one_row(owner, given)
    assert (row["status"], row["attempts"]) == ("dead", expected)


async def test_again_comes_back_as_if_new_and_keeps_its_key(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    (given,) = await schedule(owner, keys=["tick"])
    await owner.execute("UPDATE tidings.outbox SET crashes = 2, attempts = 1, last_error = 'once'")
    lessee = Lessee.of(settings, pool, kind(keys=KeyPolicy.REARM))
    at = await now(owner) + MINUTE
    await lessee.settle(await lessee.lease(), Again(at))
    row = await one_row(owner, given)
    assert (row["status"], row["due_at"], row["run_at"]) == ("pending", at, at)
    assert (row["attempts"], row["crashes"], row["last_error"]) == (0, 0, None)
    assert await schedule(owner, keys=["tick"]) == [given]


@pytest.mark.parametrize("at", [datetime.now(), 5, None])  # noqa: DTZ005
def test_again_without_a_timezone_is_refused_in_the_handler(at: datetime) -> None:
    with pytest.raises(ValueError, match="timezone"):
        Again(at)
    with pytest.raises(TypeError, match="timedelta"):
        RetryLater("busy", 5)  # type: ignore[arg-type]


async def test_given_back_costs_nothing(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    (given,) = await schedule(owner)
    lessee = Lessee.of(settings, pool)
    await lessee.settle(await lessee.lease(), GivenBack())
    row = await one_row(owner, given)
    assert (row["status"], row["attempts"], row["crashes"], row["suspect"]) == ("pending", 0, 0, False)
    assert len(await lessee.lease()) == 1


async def test_a_mixed_batch_settles_as_one(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    ids = await schedule(owner, 5)
    lessee = Lessee.of(settings, pool)
    intents = sorted(await lessee.lease(), key=lambda i: ids.index(i.id))
    outcomes = [None, Failed("x"), Dead("y"), GivenBack(), Again(datetime.now(UTC) + MINUTE)]
    from tidings.spine.outbox.leases import Settlement
    from tidings.spine.outbox.outcomes import Succeeded

    settled = [Settlement(i, o or Succeeded()) for i, o in zip(intents, outcomes, strict=True)]
    async with pool.acquire() as connection:
        await lessee.leases.settle(connection, lessee.kind, lessee.policy, settled, [intents[0].token])
    rows = [await one_row(owner, given) for given in ids]
    assert [row["status"] for row in rows] == ["succeeded", "failed", "dead", "pending", "pending"]
    assert await orphans(owner) == 0
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0


async def test_a_settle_waits_for_nobody(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    """A user moved one intent of the batch and has not committed: the others are settled, that one later."""
    ids = await schedule(owner, keys=["a", "b", "c"])
    lessee = Lessee.of(settings, pool)
    intents = await lessee.lease()
    async with pool.acquire() as user, user.transaction():
        await user.execute("SELECT tidings.move('thing.do', key => 'b', shift => '1 hour')")
        left = await lessee.settle(intents)
        assert [s.intent.id for s in left] == [ids[1]]
        assert await statuses(owner) == {"succeeded": 2, "processing": 1}
        assert await orphans(owner) == 0
    assert await lessee.settle([s.intent for s in left]) == []
    assert await statuses(owner) == {"succeeded": 2, "pending": 1}
    assert await owner.fetchval("SELECT count(*) FROM tidings.leases") == 0


@pytest.mark.parametrize("shape", Shape)
async def test_a_users_open_transaction_holds_up_only_what_it_touches(
    shape: Shape, settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    settings = with_outbox(settings)
    gate = asyncio.Event()

    async def wait(*arguments: object) -> None:
        await gate.wait()

    await schedule(owner, keys=[f"k{n}" for n in range(50)])
    async with running(settings, kind(wait, shape=shape, keys=KeyPolicy.REARM, batch=10, concurrency=100)):
        await eventually(lambda: has(owner, processing=50))
        async with pool.acquire() as user, user.transaction():
            moving = asyncio.create_task(
                user.execute("SELECT tidings.move('thing.do', key => 'k7', run_at => now() + interval '1 day')")
            )
            if shape is not Shape.TRANSACTION:
                await moving
            gate.set()
            await moving
            await eventually(lambda: succeeded(owner, 49))
            assert await orphans(owner) == 0
    found = await statuses(owner)
    assert found in ({"succeeded": 49, "pending": 1}, {"succeeded": 50})
    assert shape is Shape.TRANSACTION or found == {"succeeded": 49, "pending": 1}


async def has(owner: Owner, **expected: int) -> bool:
    return await statuses(owner) == expected


async def succeeded(owner: Owner, least: int) -> bool:
    return (await statuses(owner)).get("succeeded", 0) >= least


async def test_a_lost_connection_costs_no_attempt(settings: Settings, owner: Owner) -> None:
    """Every connection of the worker is terminated again and again while it works."""
    settings = with_outbox(settings)
    ids = await schedule(owner, 300)
    ids += await schedule(owner, 300, name="thing.write")
    await owner.execute("CREATE TABLE done (id uuid)")
    await owner.execute("GRANT ALL ON done TO tidings_worker")

    async def handle(intent: Leased) -> None:
        await asyncio.sleep(0.01)

    async def write(connection: db.Connection, intents: list[Leased]) -> None:
        await connection.executemany("INSERT INTO done VALUES ($1)", [(i.id,) for i in intents])
        await asyncio.sleep(0.02)

    writing = kind(write, "thing.write", Shape.TRANSACTION, batch=10, concurrency=2)
    async with running(settings, kind(handle, concurrency=10), writing):
        for _ in range(12):
            await asyncio.sleep(0.05)
            await owner.execute(
                """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND application_name LIKE 'tidings %'"""
            )
        await eventually(lambda: succeeded_or_suspect(owner, 600))
    rows = [await one_row(owner, given) for given in ids]
    assert {(row["attempts"] - (not row["open"]), row["crashes"]) for row in rows} == {(0, 0)}
    assert await owner.fetchval("SELECT count(*) = count(DISTINCT id) FROM done")
    assert await orphans(owner) == 0


async def succeeded_or_suspect(owner: Owner, count: int) -> bool:
    """A lease whose answer was lost with the connection waits until it runs out."""
    waiting: int = await owner.fetchval(
        """SELECT count(*) FROM tidings.outbox o JOIN tidings.leases l ON l.token = o.lease_token
           WHERE l.expires_at < now() + interval '28 seconds'"""
    )
    return (await statuses(owner)).get("succeeded", 0) + waiting >= count


async def test_an_outcome_that_cannot_be_written_fails_alone_and_stops_nobody(settings: Settings, owner: Owner) -> None:
    """The database refuses to finish one certain intent: its neighbours and the worker go on."""
    settings = with_outbox(settings, max_attempts=2)
    ids = await schedule(owner, 20)
    await owner.execute(
        f"""CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NEW.id = '{ids[7]}' AND NEW.status = 'succeeded' THEN RAISE 'not this one'; END IF;
                RETURN NEW; END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON tidings.outbox_finished
            FOR EACH ROW EXECUTE FUNCTION refuse()"""
    )
    async with running(settings, kind()):
        await eventually(lambda: has(owner, succeeded=19, dead=1))
    row: dict[str, object] = dict(await one_row(owner, ids[7]))
    assert row["status"] == "dead"
    assert "cannot be written" in str(row["last_error"])
    assert UUID(str(row["id"])) == ids[7]
