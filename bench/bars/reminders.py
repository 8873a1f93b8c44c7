"""Bar 8: an event with 10,000 subscribers is moved, and 20,000 reminders with it; beside as many Temporal Schedules."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from bench.figures import Claim, Figure, Result, times
from bench.plan import Bar, Plan
from bench.schedules import AT_ONCE, schedules
from bench.senders import add_people
from bench.server import connected
from bench.workers import tidy
from tidings.kit.db import Pool, Role, as_tenant, open_pool
from tidings.kit.settings import DatabaseSettings
from tidings.modules.events.events import Events

_SUBSCRIBERS, _EACH = 10_000, 2
_SAMPLE = 300
_TENANT = "default"
_SUBSCRIBE = """
INSERT INTO tidings.event_subscriptions (tenant, event_id, person_id, confirmed_at)
SELECT tenant, $1, id, now() FROM tidings.people
"""
_REMINDERS = "SELECT count(*) FROM tidings.outbox WHERE kind = 'event.remind' AND due_at > $1"


@dataclass
class Ours:
    """Through the module's own services, in one transaction each, its commit counted in."""

    pool: Pool
    url: str
    wanted: int
    written: list[float] = field(default_factory=list)
    removed: list[float] = field(default_factory=list)

    async def move(self) -> float:
        """Seconds for moving a new event; how long its reminders took to write and to remove is kept."""
        event, start = await self._event()
        self.written.append(await self._timed(lambda events: events.set_reminders(event, None, "")))
        async with connected(self.url) as connection:
            await tidy(connection)
        later = start + timedelta(hours=1)
        took = await self._timed(lambda events: events.change(event, {"starts_at": later}, None))
        async with connected(self.url) as connection:
            moved = await connection.fetchval(_REMINDERS, later - timedelta(days=1, seconds=1))
        if moved != self.wanted:
            raise RuntimeError(f"{moved} reminders are where they should be, of {self.wanted}")
        self.removed.append(await self._timed(lambda events: events.cancel(event)))
        return took

    async def _event(self) -> tuple[int, datetime]:
        start = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30)
        columns = {"name": "A party", "starts_at": start, "timezone": "UTC"}
        async with self.pool.acquire() as connection, as_tenant(connection, _TENANT):
            event = (await Events(connection, _TENANT).create(columns)).id
            await connection.execute(_SUBSCRIBE, event)
        async with connected(self.url) as owner:
            await owner.execute("VACUUM (ANALYZE) tidings.event_subscriptions")
        return event, start

    async def _timed(self, act: Callable[[Events], Awaitable[Any]]) -> float:
        began = time.monotonic()
        async with self.pool.acquire() as connection, as_tenant(connection, _TENANT):
            await act(Events(connection, _TENANT))
        return time.monotonic() - began


@dataclass
class Theirs:
    """So many of them, taken for all."""

    move_some: Callable[[datetime], Awaitable[float]]
    start: datetime
    share: float

    async def move(self) -> float:
        self.start += timedelta(hours=1)
        return await self.move_some(self.start) * self.share


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    subscribers, sample = plan.size(_SUBSCRIBERS), 60 if plan.quick else _SAMPLE
    amount = subscribers * _EACH
    url = await stack.enter_async_context(plan.server.database("bench_reminders"))
    await add_people(url, subscribers, "email")
    pool = await open_pool(DatabaseSettings(url=url), Role.API, name="bench", size=2)
    stack.push_async_callback(pool.close)
    ours = Ours(pool, url, amount)
    peer = await stack.enter_async_context(schedules(plan.server.supervisor, plan.home, sample))
    start, share = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30), amount / sample
    created = await peer.create(start) * share
    again, in_place = (Theirs(partial(each), start, share) for each in (peer.move, peer.update))
    extrapolated = f"extrapolated from {sample}"
    found = await plan.take_turns(
        {
            "ours: moved with their event": ours.move,
            "Temporal Schedules: deleted and created again": again.move,
            "Temporal Schedules: updated in place": in_place.move,
        },
        "s",
    )
    moved, recreated, updated = found.values()
    rows = [
        Figure("ours: written", ours.written, "s"),
        moved,
        Figure("ours: removed, the event cancelled", ours.removed, "s"),
        Figure("Temporal Schedules: created", [created], "s", extrapolated),
        Figure(recreated.name, recreated.samples, "s", extrapolated),
        Figure(updated.name, updated.samples, "s", f"{extrapolated}; what the source did not do"),
        Figure("Temporal Schedules: deleted", [await peer.remove() * share], "s", extrapolated),
    ]
    how = [
        f"{amount:,} reminders: one event, {subscribers:,} subscribers, a day and an hour before the start.",
        "Ours: `Events.change` with a new start, one transaction as the API's role, until its commit returns.",
        f"Theirs: the development server on a file, as `tidings up` runs it; a Schedule each, {AT_ONCE} at a time.",
        f"A sample of {sample} Schedules is measured and its time taken {share:.0f} times.",
    ]
    return Result(how, rows, [Claim("times as fast as deleting and creating", times(recreated, moved), 500, " ×")])


BAR = Bar("reminders", "8. An event is moved, and its reminders with it", _measure)
