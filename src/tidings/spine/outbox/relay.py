"""The relay: looks which lanes have something due, feeds the pumps, sleeps when there is nothing, tends the leases."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from uuid import UUID

import structlog

from tidings.kit import db
from tidings.kit.settings import OutboxSettings
from tidings.spine.outbox import metrics
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.handlers import Handlers
from tidings.spine.outbox.keeping import Keeper
from tidings.spine.outbox.lanes import Due, Lanes, together
from tidings.spine.outbox.leases import Leases
from tidings.spine.outbox.pump import Pump
from tidings.spine.outbox.waking import Sleeper

log = structlog.get_logger("tidings.outbox")

_LOOK_SHARE = 50  # looking again takes at most one part in so many of a worker's time
_SHORTEST_LOOK = 0.02
_LOOKS = 10  # of which the quickest says what a look costs
_AFRESH = 1.0  # seconds at least between leases from the beginning of a lane that never runs empty
_LAST_WORDS = 0.5  # seconds for what is good to do on leaving, and not necessary
_HEARTBEAT = timedelta(seconds=10)


@dataclass(frozen=True)
class Source:
    """A table that is leased from, and the handlers of what is in it."""

    leases: Leases
    handlers: Handlers

    @property
    def lanes(self) -> Lanes:
        return Lanes(self.leases.pool, self.leases.looking)

    async def look(self) -> Due:
        return await self.lanes.look(self.handlers.kinds)

    def pumps(self, settings: OutboxSettings, idle: asyncio.Event, lending: db.Pool | None) -> dict[str, Pump]:
        return {kind.name: Pump(kind, settings, self.leases, idle, lending) for kind in self.handlers}


@dataclass
class Relay:
    """Everything between what waits and its handlers, for one worker process."""

    settings: OutboxSettings
    pool: db.Pool
    sources: Sequence[Source]
    sleeper: Sleeper
    on_suspects: Callable[[], None]
    name: str
    lending: db.Pool
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    pumps: dict[str, Pump] = field(default_factory=dict)

    @property
    def worker(self) -> UUID:
        return self.sources[0].leases.worker

    @cached_property
    def keeper(self) -> Keeper:
        return Keeper(self.sources[0].leases, self.pumps)

    def __post_init__(self) -> None:
        for source in self.sources:
            self.pumps |= source.pumps(self.settings, self.idle, self.lending)

    async def run(self, stop: asyncio.Event, stop_within: timedelta) -> None:
        """Until `stop` is set; then finishes or gives back what is in hand, within the time given."""
        tasks = [asyncio.create_task(pump.run()) for pump in self.pumps.values()]
        tasks += [asyncio.create_task(task) for task in (self._tend(), self._watch(), self.keeper.let_go_in_time())]
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait([stopped, *tasks], return_when=asyncio.FIRST_COMPLETED)
            await self._stop_pumps(stop_within)
        finally:
            for task in (stopped, *tasks):
                task.cancel()
            ended, _ = await asyncio.wait(tasks, timeout=_LAST_WORDS)
            await self._leave()
        for task in ended:
            if not task.cancelled():
                task.result()

    async def _stop_pumps(self, within: timedelta) -> None:
        with contextlib.suppress(asyncio.TimeoutError):
            async with asyncio.timeout(within.total_seconds() * 0.8):
                await asyncio.gather(*(pump.stop(within * 0.6) for pump in self.pumps.values()))

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        ready_to_sleep, woken, last_afresh = False, False, 0.0
        looks: deque[float] = deque(maxlen=_LOOKS)
        while True:
            began = loop.time()
            self.idle.clear()
            due = await self._look()
            if due is None:
                await asyncio.sleep(self.settings.poll.total_seconds())
                continue
            looks.append(loop.time() - began)
            took = min(looks)  # the others waited for something else, such as this process itself
            afresh = began - last_afresh > max(_AFRESH, took * _LOOK_SHARE)
            if self._offer(due, afresh):
                last_afresh = began if afresh else last_afresh
                await self.sleeper.awake()
                await self._until_idle(max(_SHORTEST_LOOK, took * _LOOK_SHARE))
                ready_to_sleep = woken = False
            elif woken:
                await self.sleeper.rest()
                woken = False
            elif not ready_to_sleep:
                await self.sleeper.prepare()
                ready_to_sleep = True
            else:
                woken = await self.sleeper.sleep(self._longest_sleep(due))
                ready_to_sleep, last_afresh = False, 0.0

    async def _look(self) -> Due | None:
        try:
            due = together([await source.look() for source in self.sources])
        except PASSING as error:
            log.warning("database is away", error=repr(error))
            return None
        if due.suspects:
            self.on_suspects()
        return due

    def _offer(self, due: Due, afresh: bool) -> bool:
        """Whether some pump has lanes to lease from; lanes that rest do not count, nor pumps whose hands are full."""
        working = [self.pumps[kind].offer(parties, due.began, afresh=afresh) for kind, parties in due.lanes.items()]
        return any(working)

    def _longest_sleep(self, due: Due) -> timedelta:
        visits = (pump.next_visit() for pump in self.pumps.values())
        waits = [timedelta(seconds=visit) for visit in visits if visit is not None]
        return min(self.settings.poll, due.next_due or self.settings.poll, *waits)

    async def _until_idle(self, longest: float) -> None:
        """Until some pump has emptied its lanes, or it is time to look again for lanes that nobody works on."""
        longest = min(longest, self.settings.poll.total_seconds())
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.idle.wait(), longest)

    async def _tend(self) -> None:
        """Renews what is held, takes back what others lost, and says that this worker is alive."""
        loop = asyncio.get_running_loop()
        renewed = seen = 0.0
        pause = min(self.settings.poll, self.settings.lease / 3).total_seconds()
        while True:
            try:
                if loop.time() - seen > _HEARTBEAT.total_seconds():
                    await self._heartbeat()
                    seen = loop.time()
                if loop.time() - renewed > self.settings.lease.total_seconds() / 3:
                    await self.keeper.renew()
                    renewed = loop.time()
                if rescued := sum([await source.leases.rescue() for source in self.sources]):
                    metrics.RESCUED.inc(rescued)
                    log.warning("took back what a dead worker held", intents=rescued)
            except PASSING as error:
                log.warning("could not tend the leases", error=repr(error))
            await asyncio.sleep(pause)

    async def _heartbeat(self) -> None:
        await self.pool.execute(
            """INSERT INTO tidings.workers (id, name, kinds) VALUES ($1, $2, $3)
               ON CONFLICT (id) DO UPDATE SET seen_at = now()""",
            self.worker,
            self.name,
            list(self.pumps),
        )

    async def _leave(self) -> None:
        """Lets another sleeper take over, and signs off; the database may be away, so not at any price."""
        with contextlib.suppress(*PASSING):
            async with asyncio.timeout(_LAST_WORDS):
                await self.sleeper.awake()
                await self.pool.execute("DELETE FROM tidings.workers WHERE id = $1", self.worker)
        await self.sleeper.close()
