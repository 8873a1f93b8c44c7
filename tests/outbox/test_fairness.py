"""A slow or busy tenant, kind or message does not hold up the others."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from tests.outbox.engines import (
    KIND,
    Lessee,
    Owner,
    add_tenants,
    eventually,
    kind,
    running,
    schedule,
    statuses,
    with_outbox,
)
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.outbox.administration import Administration
from tidings.spine.outbox.handlers import Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.lanes import BEGINNING, LaneQueue, share
from tidings.spine.outbox.outcomes import Dead, Failed

MANY = [f"tenant-{n}" for n in range(100)]


@pytest.mark.parametrize(
    ("lanes", "capacity", "room", "in_hand", "expected"),
    [
        (["a"], 100, 100, {}, {"a": 75}),
        (["a", "b"], 100, 100, {}, {"a": 50, "b": 50}),
        (["a", "b"], 100, 25, {"a": 75}, {"b": 18}),
        (["c"], 100, 7, {"a": 75, "b": 18}, {"c": 5}),
        (["d"], 100, 1, {"a": 75, "b": 18, "c": 5, "e": 1}, {"d": 1}),
        (["a", "b", "c", "d"], 100, 3, {}, {"a": 1, "b": 1, "c": 1}),
        (MANY, 2_000, 640, {}, dict.fromkeys(MANY[:64], 10)),
        (["a"], 1, 1, {}, {"a": 1}),
        (["a"], 1, 0, {"a": 1}, {}),
        ([], 100, 100, {}, {}),
    ],
)
def test_shares_of_the_room(
    lanes: list[str], capacity: int, room: int, in_hand: dict[str, int], expected: dict[str, int]
) -> None:
    assert share(lanes, capacity, room, Counter(in_hand)) == expected


def test_lanes_that_have_more_take_turns() -> None:
    queue = LaneQueue(dict.fromkeys("abc", BEGINNING))
    moment = BEGINNING.replace(year=2026)
    queue.advance({"a": 1}, {"a": (1, moment)}, 0.0, 0.001)
    assert list(queue.since) == ["b", "c", "a"]
    assert queue.since["a"] == moment
    queue.advance({"b": 2}, {"b": (1, moment)}, 0.0, 0.001)
    assert list(queue.since) == ["c", "a"]


def test_a_lane_that_gives_nothing_rests_longer_each_time_and_is_not_forgotten() -> None:
    queue, clock, rests = LaneQueue(), 100.0, []
    for _ in range(10):
        queue.offer(["a"], clock, afresh=False)
        assert queue
        queue.advance({"a": 5}, {}, clock, 0.001)
        queue.offer(["a"], clock, afresh=False)
        assert not queue
        rest = queue.next_visit(clock)
        assert rest is not None
        rests.append(rest)
        clock += rest
    assert rests[0] == pytest.approx(0.02)
    assert rests == sorted(rests)
    assert rests[-1] == pytest.approx(1.0)
    queue.offer(["a"], clock + 0.5, afresh=True)
    assert queue
    queue.advance({"a": 5}, {"a": (1, BEGINNING)}, clock, 0.001)
    assert queue.next_visit(clock) is None
    assert queue.resting == {}


async def test_small_tenants_are_done_before_a_big_one_is(settings: Settings, owner: Owner) -> None:
    small = [f"small{n}" for n in range(50)]
    await add_tenants(owner, ["big", *small])
    await owner.execute(
        """INSERT INTO tidings.outbox (id, tenant, kind, payload, due_at, run_at)
           SELECT tidings.uuid7(), 'big', 'thing.do', '{}', now() - interval '1 hour', now() - interval '1 hour'
           FROM generate_series(1, 20000)"""
    )
    for tenant in small:
        await schedule(owner, 10, tenant=tenant)
    done: list[str] = []

    async def handle(intent: Intent) -> None:
        done.append(intent.tenant)

    async with running(with_outbox(settings), kind(handle)):
        await eventually(lambda: true(sum(tenant != "big" for tenant in done) == 500))
        big_so_far = sum(tenant == "big" for tenant in done)
        assert big_so_far < 10_000


async def true(value: bool) -> bool:
    return value


async def test_tenants_that_hang_do_not_stop_the_others(settings: Settings, owner: Owner) -> None:
    await add_tenants(owner, ["stuck1", "stuck2", "stuck3", "well"])
    for tenant in ("stuck1", "stuck2", "stuck3"):
        await schedule(owner, 500, tenant=tenant)

    async def handle(intent: Intent) -> None:
        if intent.tenant != "well":
            await asyncio.Event().wait()

    async with running(with_outbox(settings), kind(handle, concurrency=100)) as relay:
        await eventually(lambda: true(len(relay.pumps[KIND].in_hand) == 3 and relay.pumps[KIND].in_hand.total() >= 90))
        await schedule(owner, 200, tenant="well")
        await eventually(lambda: done_of(owner, "well", 200))
        for task in list(relay.pumps[KIND].running):
            task.cancel()


async def done_of(owner: Owner, tenant: str, count: int) -> bool:
    done: int = await owner.fetchval("SELECT count(*) FROM tidings.outbox_finished WHERE tenant = $1", tenant)
    return done == count


@pytest.mark.parametrize("shape", Shape)
async def test_a_kind_that_hangs_does_not_stop_the_others(shape: Shape, settings: Settings, owner: Owner) -> None:
    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    await schedule(owner, 500, name="thing.hang")
    await schedule(owner, 100)
    declared = kind(hang, "thing.hang", shape, batch=50, concurrency=5)
    async with running(with_outbox(settings), declared, kind()) as relay:
        await eventually(lambda: done_of(owner, "default", 100))
        for task in list(relay.pumps["thing.hang"].running):
            task.cancel()


async def test_a_suspended_tenant_waits_and_goes_on_when_resumed(settings: Settings, owner: Owner) -> None:
    await add_tenants(owner, ["b"])
    await schedule(owner, 300, tenant="b")
    done: Counter[str] = Counter()
    gate = asyncio.Event()

    async def handle(intent: Intent) -> None:
        done[intent.tenant] += 1
        await gate.wait()

    async with running(with_outbox(settings), kind(handle, concurrency=40)) as relay:
        await eventually(lambda: true(done["b"] == 30))
        await owner.execute("UPDATE tidings.tenants SET suspended_at = now() WHERE id = 'b'")
        gate.set()
        await schedule(owner, 100)
        await eventually(lambda: done_of(owner, "default", 100))
        assert done["b"] == 30
        assert not relay.pumps[KIND].in_hand["b"]
        await owner.execute("UPDATE tidings.tenants SET suspended_at = NULL WHERE id = 'b'")
        await eventually(lambda: done_of(owner, "b", 300))


def test_a_lane_that_gave_nothing_rests_for_seconds_at_most_however_long_the_look_took() -> None:
    """The statement may have waited for a lock, or the whole machine stood still."""
    queue = LaneQueue()
    queue.offer(["a"], 0.0, afresh=True)
    queue.advance({"a": 1}, {}, 30.0, 30.0)
    queue.offer(["a"], 30.0, afresh=True)
    assert queue, "the first time another worker may just have been quicker"
    queue.advance({"a": 1}, {}, 60.0, 30.0)
    queue.offer(["a"], 64.0, afresh=True)
    assert not queue
    queue.offer(["a"], 66.0, afresh=True)
    assert queue


def test_a_lane_does_not_rest_when_what_was_seen_there_may_have_been_leased_since() -> None:
    queue = LaneQueue()
    queue.offer(["a"], 1.0, afresh=False)
    queue.advance({"a": 5}, {"a": (1, BEGINNING)}, 3.0, 0.001)
    queue.offer(["a"], 2.0, afresh=False)  # looked while that lease was under way
    queue.advance({"a": 5}, {}, 4.0, 0.001)
    assert queue.next_visit(4.0) is None
    queue.offer(["a"], 5.0, afresh=False)
    queue.advance({"a": 5}, {}, 6.0, 0.001)
    assert queue.next_visit(6.0) == pytest.approx(0.02)


async def test_unknown_kinds_wait_and_are_no_error(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await schedule(owner, 2, name="thing.unknown")
    await schedule(owner, 2)
    async with running(with_outbox(settings), kind()) as relay:
        await eventually(lambda: done_of(owner, "default", 2))
        served = await owner.fetch("SELECT kinds FROM tidings.workers WHERE id = $1", relay.worker)
        assert [row["kinds"] for row in served] == [[KIND]]
        unserved = await owner.fetch(
            """SELECT DISTINCT kind FROM tidings.outbox o WHERE NOT EXISTS (
                   SELECT FROM tidings.workers w WHERE o.kind = ANY (w.kinds))"""
        )
        assert [row["kind"] for row in unserved] == ["thing.unknown"]
    assert await statuses(owner) == {"pending": 2, "succeeded": 2}
    assert await owner.fetchval("SELECT count(*) FROM tidings.workers") == 0
    lessee = Lessee.of(settings, pool, kind(name="thing.unknown"))
    assert len(await lessee.lease()) == 2


async def stream(owner: Owner, *numbers: int, kind_name: str = KIND) -> None:
    """One fact for each number, in the stream of that number."""
    await owner.execute("INSERT INTO tidings.ordered_streams VALUES ('lead') ON CONFLICT DO NOTHING")
    for number in numbers:
        await owner.execute("SELECT tidings.emit($1, '{}', 'lead', $2)", kind_name, str(number))


async def test_a_stream_runs_in_order_and_streams_beside_each_other(settings: Settings, owner: Owner) -> None:
    await stream(owner, *[n for _ in range(30) for n in (1, 2, 3)])
    seen: list[tuple[str, int]] = []
    together: list[int] = []
    running_now: Counter[str] = Counter()

    async def handle(intent: Intent) -> None:
        assert intent.stream is not None
        assert intent.stream_version is not None
        running_now[intent.stream[1]] += 1
        together.append(len(+running_now))
        assert running_now[intent.stream[1]] == 1
        await asyncio.sleep(0.002)
        seen.append((intent.stream[1], intent.stream_version))
        running_now[intent.stream[1]] -= 1

    settings = with_outbox(settings)
    async with running(settings, kind(handle, ordered=True)), running(settings, kind(handle, ordered=True)):
        await eventually(lambda: done_of(owner, "default", 90))
    for number in "123":
        assert [version for name, version in seen if name == number] == list(range(1, 31))
    assert max(together) > 1


async def test_a_failing_head_is_waited_for(settings: Settings, pool: db.Pool, owner: Owner) -> None:
    await stream(owner, 1, 1)
    lessee = Lessee.of(settings, pool, kind(ordered=True))
    (head,) = await lessee.lease()
    assert await lessee.lease() == []
    await lessee.settle([head], Failed("x", settings.outbox.retention))
    assert await lessee.lease() == []
    await owner.execute("UPDATE tidings.outbox SET run_at = now() WHERE id = $1", head.id)
    assert [intent.id for intent in await lessee.lease()] == [head.id]


async def test_a_dead_head_blocks_its_stream_alone_and_costs_the_worker_no_spin(
    settings: Settings, pool: db.Pool, owner: Owner
) -> None:
    await stream(owner, *[1] * 20)
    lessee = Lessee.of(settings, pool, kind(ordered=True))
    (head,) = await lessee.lease()
    await lessee.settle([head], Dead("no"))
    async with running(with_outbox(settings), kind(ordered=True)) as relay:
        queue = relay.pumps[KIND].queue
        await eventually(lambda: true("default" in queue.resting and queue.resting["default"].length > 0.3))
        await stream(owner, 2)
        await eventually(lambda: done_of(owner, "default", 2))
        assert await statuses(owner) == {"dead": 1, "succeeded": 1, "pending": 19}
        await Administration(owner, "default").retry(head.id)
        await eventually(lambda: done_of(owner, "default", 21))
    assert await statuses(owner) == {"succeeded": 21}
