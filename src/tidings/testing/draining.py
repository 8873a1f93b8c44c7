"""Running what is due, and what that causes, until nothing is."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID, uuid4

from tidings.app.reports import reporting
from tidings.app.worker import build_notify, build_outbox, deliveries
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.notify.preparing import declare
from tidings.spine.outbox.pump import Pump
from tidings.spine.outbox.relay import Source
from tidings.testing.catching_up import catch_up
from tidings.testing.database import opened, settings_of
from tidings.testing.declared import Declaring, handlers_of, listeners_of

_LOOK_EVERY = 0.001  # seconds


def drain(
    database: str | Settings, *declared: Declaring, ahead: timedelta | None = None, sandbox: bool = True
) -> Mapping[str, int]:
    """Does everything that a worker would do now: runs your handlers, asks your listeners and the rules whom to tell,
    sends out notices, and keeps in the sandbox what would have been sent.

    All channels go to the sandbox, whatever providers are set; with `sandbox=False`, through those. `database`, `ahead`
    and what is returned are as for `drain_outbox`. A listener that no worker has made known hears of what waits.
    """
    return asyncio.run(adrain(database, *declared, ahead=ahead, sandbox=sandbox))


async def adrain(
    database: str | Settings, *declared: Declaring, ahead: timedelta | None = None, sandbox: bool = True
) -> Mapping[str, int]:
    """As `drain`, on the loop of the caller."""
    settings, worker = _to_sandbox(settings_of(database), sandbox), uuid4()
    handlers, listeners = handlers_of(declared), listeners_of(declared)
    async with opened(settings) as pool:
        await unlocked(settings, pool)
        async with pool.acquire() as connection, connection.transaction():
            await declare(connection, handlers.kinds, listeners)
            await catch_up(connection, listeners)
        async with (
            deliveries(settings, pool, worker, sandboxed=sandbox) as sending,
            reporting(settings, "draining") as reports,
        ):
            everything = handlers.including([*build_notify(settings, listeners), *reports])
            draining = _Draining(pool, settings, [build_outbox(settings, pool, worker, everything), sending])
            return await draining.run(handlers.kinds, ahead)


def drain_outbox(database: str | Settings, *handlers: Declaring, ahead: timedelta | None = None) -> Mapping[str, int]:
    """Runs everything that is due with these handlers, and what that causes in turn, until nothing is due.

    `database` is a `postgresql://` address, or settings. With `ahead`, what falls due within that time is brought
    forward and run too, each intent once: so what recurs runs once, and what fails is tried once more. Returns how
    many intents of these handlers came to which outcome: `succeeded`, `failed`, `dead`, `again` or `givenback`.

    Kinds without a handler here wait, as they do for a worker. Handlers run in this process, on a loop of their own.
    """
    return asyncio.run(adrain_outbox(database, *handlers, ahead=ahead))


async def adrain_outbox(
    database: str | Settings, *handlers: Declaring, ahead: timedelta | None = None
) -> Mapping[str, int]:
    """As `drain_outbox`, on the loop of the caller."""
    settings, mine = settings_of(database), handlers_of(handlers)
    async with opened(settings) as pool:
        draining = _Draining(pool, settings, [build_outbox(settings, pool, uuid4(), mine)])
        return await draining.run(mine.kinds, ahead)


@dataclass
class _Draining:
    pool: db.Pool
    settings: Settings
    sources: Sequence[Source]
    pumps: dict[str, Pump] = field(default_factory=dict)
    brought: list[UUID] = field(default_factory=list)

    def __post_init__(self) -> None:
        for source in self.sources:
            self.pumps |= source.pumps(self.settings.outbox, asyncio.Event(), None)

    async def run(self, counted: Iterable[str], ahead: timedelta | None) -> Mapping[str, int]:
        """Round after round until one settles nothing: what is due then waits behind a dead head of its stream."""
        runs = [asyncio.create_task(pump.run()) for pump in self.pumps.values()]
        try:
            while await self._round(runs, ahead):
                pass
        finally:
            for run in runs:
                run.cancel()
            await asyncio.gather(*runs, return_exceptions=True)
        return dict(self._outcomes(counted))

    async def _round(self, runs: Sequence[asyncio.Task[None]], ahead: timedelta | None) -> bool:
        before = self._outcomes(self.pumps)
        for source in self.sources:
            if ahead is not None:
                await self._bring_forward(source, ahead)
            due = await source.lanes.look(source.handlers.kinds)
            for kind, parties in due.lanes.items():
                self.pumps[kind].queue.revisit(parties)
                self.pumps[kind].offer(parties, due.began, afresh=True)
        while any(pump.queue or pump.leasing or pump.held for pump in self.pumps.values()):
            _raise_what_failed(runs)
            await asyncio.sleep(_LOOK_EVERY)
        return self._outcomes(self.pumps) != before

    async def _bring_forward(self, source: Source, ahead: timedelta) -> None:
        table = source.leases.table
        rows = await self.pool.fetch(
            f"""UPDATE {table.name} SET run_at = now()
                WHERE {table.lane} = ANY ($1) AND status IN ('pending', 'failed', 'enqueued') AND id <> ALL ($3)
                  AND run_at > now() AND run_at <= now() + $2 RETURNING id""",
            list(source.handlers.kinds),
            ahead,
            self.brought,
        )
        self.brought += [row["id"] for row in rows]

    def _outcomes(self, kinds: Iterable[str]) -> Counter[str]:
        return sum((self.pumps[kind].outcomes for kind in kinds), Counter())


def _to_sandbox(settings: Settings, sandbox: bool) -> Settings:
    """Channels that have no provider get the sandbox, so that what is on record says so too."""
    delivery = settings.delivery.model_copy(update={"default_provider": "sandbox"})
    return settings.model_copy(update={"delivery": delivery}) if sandbox else settings


def _raise_what_failed(runs: Iterable[asyncio.Task[None]]) -> None:
    for run in runs:
        if run.done():
            run.result()
