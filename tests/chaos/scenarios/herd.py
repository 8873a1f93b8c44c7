"""Very many at once: ten thousand due together, and one tenant with a mountain beside others with little."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta

from tests.chaos.report import Counts
from tests.chaos.waiting import Violated
from tests.chaos.world import LONG_LEASE, World

NAME = "herd: many due at once, one tenant with a mountain"
_CHUNK = 5_000
_FEW = 10


@dataclass(frozen=True)
class Size:
    at_once: int
    mountain: int
    others: int
    head_start: timedelta  # for emitting it all before the first of it is due


FULL = Size(at_once=10_000, mountain=100_000, others=50, head_start=timedelta(seconds=30))
SHORT = Size(at_once=2_000, mountain=5_000, others=10, head_start=timedelta(seconds=4))


async def run(world: World, size: Size) -> Counts:
    """The others come behind the mountain, due with it, and are done long before it."""
    tenants = [f"small-{n}" for n in range(size.others)]
    for tenant in ("mountain", *tenants):
        await world.execute(f"INSERT INTO tidings.tenants (id, name) VALUES ('{tenant}', '{tenant}')")
    lives = [world.worker(TIDINGS_OUTBOX_CONCURRENCY="100", **LONG_LEASE) for _ in range(2)]
    connection = await world.connect()
    due = await connection.fetchval("SELECT now()") + timedelta(seconds=3)
    for left in range(size.at_once, 0, -_CHUNK):
        await world.emit(connection, min(left, _CHUNK), run_at=due)
    await world.until_all_arrived(guard=240)
    due = await connection.fetchval("SELECT now()") + size.head_start
    for left in range(size.mountain, 0, -_CHUNK):
        await world.emit(connection, min(left, _CHUNK), tenant="mountain", run_at=due)
    for tenant in tenants:
        await world.emit(connection, _FEW, tenant=tenant, run_at=due)
    before = len(world.provider.sends)
    await world.until_all_arrived(guard=240)
    await world.until_settled(guard=240)
    await connection.close()
    world.evidence.require_none_twice()
    world.evidence.require_none_invented()
    if any(life.ended for life in lives):
        raise Violated("a worker ended by itself")
    return {
        "at once": size.at_once,
        "mountain": size.mountain,
        "lost": 0,
        "sent again": 0,
        "of the mountain before the last small one": _mountain_before_the_last_small_one(world, before),
    }


def _mountain_before_the_last_small_one(world: World, begin: int) -> int:
    """Counted in sends, not in time. Half of the mountain is what no fair worker would do first."""
    sends = world.provider.sends[begin:]
    places = defaultdict(list)
    for place, send in enumerate(sends):
        places[send.tenant == "mountain"].append(place)
    passed = sum(place < places[False][-1] for place in places[True])
    if passed > len(places[True]) // 2:
        raise Violated(f"{passed} of {len(places[True])} of one tenant were sent before others were done")
    return passed
