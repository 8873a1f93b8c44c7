"""Very many deliveries of one tenant due at once, and a few each of many small tenants, due with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.chaos.endpoint import Endpoint, running_endpoint
from tests.chaos.report import Counts
from tests.chaos.tenants import FACT, SENDING, add_tenant
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LONG_LEASE, World
from tests.support.pipeline import emit

NAME = "herd: many deliveries due at once"
_BIG = "big"


@dataclass(frozen=True)
class Size:
    big: int
    small: int = 20
    few: int = 10

    @property
    def total(self) -> int:
        return self.big + self.small * self.few


FULL = Size(big=10_000)
SHORT = Size(big=1_000)


async def run(world: World, size: Size) -> Counts:
    """Everything waits behind circuits that are open; all of them close in one commit. The big tenant comes first."""
    tenants = {_BIG: size.big} | {f"small-{n}": size.few for n in range(size.small)}
    async with running_endpoint() as endpoint:
        owner = await world.connect()
        for tenant, count in tenants.items():
            await add_tenant(owner, tenant, "webhook", [f"{endpoint.url}/{tenant}/{n}" for n in range(count)])
        await owner.execute("UPDATE tidings.providers SET opened_at = now(), open_until = now() + interval '1 hour'")
        lives = [world.worker(TIDINGS_DELIVERY_CONCURRENCY="50", **SENDING, **LONG_LEASE) for _ in range(2)]
        for tenant in tenants:
            await emit(owner, FACT, tenant)
        await _until_count(world, "SELECT count(*) FROM tidings.deliveries", size.total, "all wait")
        if endpoint.hits:
            raise Violated("something was sent through an open circuit")
        await owner.execute("UPDATE tidings.providers SET opened_at = NULL, open_until = NULL")
        await owner.execute("SELECT tidings.wake()")
        await owner.close()
        sent = "SELECT count(*) FROM tidings.deliveries_finished WHERE status = 'sent'"
        await _until_count(world, sent, size.total, "all are sent")
        if any(life.ended for life in lives):
            raise Violated("a worker ended by itself")
        return _judge(endpoint, size)


async def _until_count(world: World, query: str, count: int, what: str) -> None:
    async def is_so() -> bool:
        return await world.count(query) == count

    await until(is_so, what, guard=240)


def _judge(endpoint: Endpoint, size: Size) -> Counts:
    if len(endpoint.by_path) != size.total or len(endpoint.hits) != size.total:
        raise Violated(f"{len(endpoint.hits)} requests for {len(endpoint.by_path)} of {size.total} deliveries")
    before = _big_before_the_last_small_one([hit.path.split("/")[1] for hit in endpoint.hits])
    if before > size.big // 2:
        raise Violated(f"{before} of {size.big} of one tenant were sent before the others were done")
    return {
        "of one tenant": size.big,
        "small tenants": size.small,
        "lost": 0,
        "sent again": 0,
        "of the one before the last small one": before,
    }


def _big_before_the_last_small_one(tenants: Sequence[str]) -> int:
    """Counted in sends, not in time."""
    last = max(place for place, tenant in enumerate(tenants) if tenant != _BIG)
    return sum(tenant == _BIG for tenant in tenants[:last])
