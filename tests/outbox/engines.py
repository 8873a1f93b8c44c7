"""What the tests of the outbox share: intents written and leased by hand, and relays that run in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID, uuid4

import asyncpg

from tidings.app.worker import Pools, build_leases, build_outbox, build_relay, open_pools
from tidings.kit import db
from tidings.kit.settings import OutboxSettings, Settings
from tidings.spine.outbox.handlers import Handlers, Kind, Shape
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.lanes import BEGINNING, LaneQueue
from tidings.spine.outbox.leases import Leases, Settlement
from tidings.spine.outbox.outcomes import Outcome, Succeeded
from tidings.spine.outbox.relay import Relay, Source
from tidings.spine.outbox.retry import RetryPolicy
from tidings.worker.quarantine import Cell

if TYPE_CHECKING:
    Owner: TypeAlias = asyncpg.Connection[asyncpg.Record]
else:
    Owner = asyncpg.Connection

KIND = "thing.do"
SOON = timedelta(seconds=10)


async def nothing(*_: Any) -> None:
    """A handler that does nothing, of any shape."""


def kind(function: Callable[..., Any] = nothing, name: str = KIND, shape: Shape = Shape.ONE, **more: Any) -> Kind:
    return Kind(name, function, shape, **more)


def with_outbox(settings: Settings, **changes: Any) -> Settings:
    """Settings with another outbox: `poll=…`, `lease=…`."""
    outbox = OutboxSettings(**{"poll": timedelta(milliseconds=100), "retry_base": timedelta(milliseconds=1), **changes})
    return settings.model_copy(update={"outbox": outbox})


async def schedule(
    connection: Any,
    count: int = 1,
    *,
    name: str = KIND,
    tenant: str = "default",
    keys: Sequence[str | None] | None = None,
    ahead: timedelta = timedelta(0),
    max_attempts: int | None = None,
) -> list[UUID]:
    ids: list[UUID] = await connection.fetchval(
        """SELECT tidings.schedule_many(array_agg($1::text ORDER BY n),
               array_agg(jsonb_build_object('n', n) ORDER BY n), array_agg(key ORDER BY n),
               array_agg(now() + $3::interval ORDER BY n), $4, $5)
           FROM unnest($2::text[]) WITH ORDINALITY AS k(key, n)""",
        name,
        list(keys) if keys is not None else [None] * count,
        ahead,
        tenant,
        max_attempts,
    )
    return ids


async def add_tenants(owner: Owner, tenants: Iterable[str]) -> None:
    await owner.executemany("INSERT INTO tidings.tenants (id, name) VALUES ($1, $1)", [(t,) for t in tenants])


async def one_row(owner: Owner, id: UUID) -> Mapping[str, Any]:
    """The intent, open or finished; `open` says which."""
    row = await owner.fetchrow("SELECT *, true AS open FROM tidings.outbox WHERE id = $1", id)
    row = row or await owner.fetchrow("SELECT *, false AS open FROM tidings.outbox_finished WHERE id = $1", id)
    assert row is not None, f"intent {id} is lost"
    return dict(row)


async def statuses(owner: Owner) -> dict[str, int]:
    """How many intents there are in each state, apart from our own housekeeping."""
    rows = await owner.fetch(
        """SELECT status, count(*) FROM (SELECT kind, status FROM tidings.outbox
               UNION ALL SELECT kind, status FROM tidings.outbox_finished) i
           WHERE kind NOT LIKE 'tidings.%' GROUP BY status"""
    )
    return {row["status"]: row["count"] for row in rows}


async def orphans(owner: Owner) -> int:
    """Rows in nobody's hands that say that they are in somebody's: nothing would ever take them back."""
    count: int = await owner.fetchval(
        """SELECT count(*) FROM tidings.outbox o WHERE lease_token IS NOT NULL
           AND NOT EXISTS (SELECT FROM tidings.leases l WHERE l.token = o.lease_token AND o.id = ANY (l.ids))"""
    )
    return count


async def run_out(owner: Owner) -> None:
    """Makes every lease run out."""
    await owner.execute("UPDATE tidings.leases SET expires_at = now() - interval '1 second'")


async def make_due(owner: Owner) -> None:
    await owner.execute("UPDATE tidings.outbox SET run_at = least(run_at, now() - interval '1 second')")


async def eventually(condition: Callable[[], Awaitable[bool]]) -> None:
    """Waits for it; the timeout of the test is the limit."""
    while not await condition():
        await asyncio.sleep(0.02)


@dataclass
class Lessee:
    """One worker's leases, taken and settled by hand."""

    leases: Leases
    kind: Kind = field(default_factory=kind)
    policy: RetryPolicy = field(default_factory=RetryPolicy)

    @classmethod
    def of(cls, settings: Settings, pool: db.Pool, kind: Kind | None = None) -> Lessee:
        leases = build_leases(settings, pool, uuid4())
        return cls(leases) if kind is None else cls(leases, kind)

    async def lease(self, quota: int = 100, *, tenants: Sequence[str] = ("default",)) -> list[Leased]:
        queue = LaneQueue(dict.fromkeys(tenants, BEGINNING))
        return await self.leases.lease(self.kind, queue, dict.fromkeys(tenants, quota))

    async def settle(self, intents: Sequence[Leased], outcome: Outcome | None = None) -> list[Settlement]:
        settled = [Settlement(intent, outcome or Succeeded()) for intent in intents]
        tokens = list({intent.token for intent in intents})
        async with self.leases.pool.acquire() as connection:
            return await self.leases.settle(connection, self.kind, self.policy, settled, tokens)


@asynccontextmanager
async def running(
    settings: Settings, *kinds: Kind, stop_within: timedelta = SOON, on_suspects: Callable[[], None] = lambda: None
) -> AsyncIterator[Relay]:
    """A worker's relay with pools of its own, until the block ends; raises what the relay raises."""
    handlers = Handlers().including(kinds)
    pools = await open_pools(settings, handlers, "relay")
    relay = build_relay(
        settings,
        pools,
        [build_outbox(settings, pools.engine, uuid4(), handlers)],
        "test",
        on_suspects,
    )
    stop = asyncio.Event()
    run = asyncio.create_task(relay.run(stop, stop_within))
    try:
        yield relay
    finally:
        stop.set()
        await run
        await close(pools)


async def close(pools: Pools) -> None:
    await asyncio.gather(pools.engine.close(), pools.lending.close())


async def run_suspects_here(settings: Settings, pool: db.Pool, *kinds: Kind) -> None:
    """What the quarantine's child process does, in this one."""
    leases = build_leases(settings, pool, uuid4())
    await Cell([Source(leases, Handlers().including(kinds))], settings.outbox, asyncio.Event(), SOON).run()


async def now(connection: Any) -> datetime:
    moment: datetime = await connection.fetchval("SELECT now()")
    return moment
