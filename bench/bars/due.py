"""Bar 9: 10,000 schedules of reports due at nine: ticks until every run is written; beside a loop that commits each."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from time import monotonic
from uuid import uuid4

import asyncpg
from sqlalchemy import DateTime, Identity, MetaData, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from bench.figures import Claim, Figure, Result, times
from bench.memory import proportional
from bench.plan import Bar, Plan
from bench.server import connected
from bench.workers import tidy
from tidings.app.worker import build_outbox, build_relay, open_pools
from tidings.kit.settings import DatabaseSettings, Settings
from tidings.modules.reports import ticking
from tidings.modules.reports.model import TICK
from tidings.modules.reports.timing import CadenceType, Timing
from tidings.spine.outbox.handlers import Handlers

_SCHEDULES = 10_000
_POLL = 0.02
_WITHIN = timedelta(seconds=5)
# Every one at nine by the clock of Vienna: each has a slot that has just fallen due.
_WRITE = """
INSERT INTO tidings.report_schedules (tenant, owner, report_type, cadence_type, schedule_time, since, timezone,
    next_run_at, next_slot)
SELECT 'default', 'user:' || n % 500, 'delivery-summary', 'daily', $2, '2026-01-01', 'UTC', $3, $3 AT TIME ZONE 'UTC'
FROM generate_series(1, $1) n
"""
_INTENTS = """
SELECT tidings.schedule_as('reports', array_agg($1::text), array_agg(jsonb_build_object('scheduleId', id)),
    array_agg('schedule:' || id), array_agg(next_run_at), 'default', NULL) FROM tidings.report_schedules
"""
_WRITTEN = "SELECT count(*) FROM tidings.report_runs"
_EMPTY = "TRUNCATE tidings.report_schedules, tidings.outbox, tidings.outbox_keys, tidings.leases CASCADE"


async def _fall_due(connection: asyncpg.Connection[asyncpg.Record], amount: int, *, intents: bool) -> None:
    await connection.execute(_EMPTY)
    due = (await connection.fetchval("SELECT now()")).replace(second=0, microsecond=0)
    await connection.execute(_WRITE, amount, due.timetz().replace(tzinfo=None), due)
    if intents:
        await connection.execute(_INTENTS, TICK)
    await tidy(connection)


@dataclass
class Ours:
    """The engine of a worker that serves ticks alone: leased, handled and settled as by any other."""

    url: str
    amount: int
    grown: list[float] = field(default_factory=list)

    async def rate(self) -> float:
        settings = Settings(database=DatabaseSettings(url=self.url))
        handlers = Handlers().including(ticking.kinds())
        pools = await open_pools(settings, handlers, "bench")
        stop = asyncio.Event()
        try:
            async with connected(self.url) as connection:
                await _fall_due(connection, self.amount, intents=True)
                source = build_outbox(settings, pools.engine, uuid4(), handlers)
                relay = build_relay(settings, pools, [source], "bench", lambda: None)
                before, began = _memory(), monotonic()
                running = asyncio.create_task(relay.run(stop, _WITHIN))
                while await connection.fetchval(_WRITTEN) < self.amount:
                    await asyncio.sleep(_POLL)
                took = monotonic() - began
                self.grown.append(_memory() - before)
                stop.set()
                await running
        finally:
            await asyncio.gather(pools.engine.close(), pools.lending.close())
        return self.amount / took


class _Base(DeclarativeBase):
    metadata = MetaData(schema="tidings")


class _Schedule(_Base):
    __tablename__ = "report_schedules"
    id: Mapped[int] = mapped_column(primary_key=True)
    tenant: Mapped[str]
    status: Mapped[str]
    next_run_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    next_slot: Mapped[datetime]


class _Run(_Base):
    __tablename__ = "report_runs"
    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    tenant: Mapped[str]
    schedule_id: Mapped[int]
    slot: Mapped[datetime]
    due_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


@dataclass(frozen=True)
class Theirs:
    """As such schedulers do it: what is due is read and locked; for each, its run and its next time, and a commit."""

    url: str
    amount: int

    async def rate(self) -> float:
        async with connected(self.url) as connection:
            await _fall_due(connection, self.amount, intents=False)
        return await asyncio.to_thread(self._loop)

    def _loop(self) -> float:
        engine = create_engine(self.url.replace("postgresql://", "postgresql+psycopg://", 1))
        timing = Timing(CadenceType.DAILY, "UTC", date(2026, 1, 1), time(9))
        try:
            with Session(engine, expire_on_commit=False) as session:
                began, now = monotonic(), datetime.now(UTC)
                due = select(_Schedule).where(_Schedule.status == "active", _Schedule.next_run_at <= now)
                for schedule in session.execute(due.with_for_update(skip_locked=True)).scalars().all():
                    session.add(_Run(tenant=schedule.tenant, schedule_id=schedule.id, slot=schedule.next_slot,
                                     due_at=schedule.next_run_at))  # fmt: skip
                    session.flush()
                    following = timing.next_slot(now)
                    assert following is not None
                    schedule.next_run_at, schedule.next_slot = following.at, following.local
                    session.commit()
                return self.amount / (monotonic() - began)
        finally:
            engine.dispose()


def _memory() -> float:
    """Of this process, in which the engine runs."""
    return sum(proportional(os.getpid()).values())


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    amount = _SCHEDULES if not plan.quick else _SCHEDULES // 5
    first = await stack.enter_async_context(plan.server.database("bench_due_ours"))
    second = await stack.enter_async_context(plan.server.database("bench_due_theirs"))
    ours, theirs = Ours(first, amount), Theirs(second, amount)
    found = await plan.take_turns({"ours: one worker": ours.rate, "a loop that commits each": theirs.rate})
    mine, loop = found.values()
    memory = Figure("growth of the worker's resident memory over the ticks, the largest", [max(ours.grown)], "MB")
    how = [
        f"{amount:,} daily schedules of one tenant, all due at the same minute; runs written a second.",
        "Ours: leased, handled in batches and settled by the engine; each run with its intent, and the next slot's.",
        "Theirs: with SQLAlchemy; a run and the next time for each, and a commit; nothing is dispatched.",
    ]
    return Result(
        how,
        [mine, loop, memory],
        [
            Claim("times as fast as a loop that commits each", times(mine, loop), 10, " ×"),
            Claim("growth of memory", memory.median, 50, " MB", at_least=False),
        ],
    )


BAR = Bar("due", "9. Ten thousand reports due at once", _measure)
