"""Whoever joins, leaves, changes their mind, moves, cancels and reminds at the same time: the reminders are right.

Real transactions at random, beside two that remind; the seed is printed, and CHAOS_SEED gives it again.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from tests.modules.events.party import Party
from tidings.kit.errors import Conflict, NotFound, ValidationFailed
from tidings.modules.events.model import Choice, Event
from tidings.modules.events.reminding import kinds
from tidings.testing import adrain_outbox

LASTS = 5.0  # seconds
ACTORS = 8
PEOPLE = 12
OFFSETS = (1, 2, 3, 3_600, 86_400)  # seconds: some fall due while this runs, some do not
MEANWHILE = (Conflict, NotFound, ValidationFailed)
"""What somebody is told who was overtaken: they have joined already, it was cancelled, its time has passed."""

_DIFFERENT = """
SELECT coalesce(w.key, o.key) AS key, w.due_at AS wanted, o.due_at AS written
FROM (SELECT key::text, due_at FROM tidings.events e, tidings.wanted_reminders(e.id, NULL) WHERE due_at >= now()) w
FULL JOIN (SELECT key::text, due_at FROM tidings.outbox WHERE kind = 'event.remind' AND due_at >= now()) o USING (key)
WHERE w.due_at IS DISTINCT FROM o.due_at
"""
# What was so since before it was due, and is due by now.
_UNSAID = """
SELECT s.id, o.seconds, e.starts_at FROM tidings.events e JOIN tidings.event_subscriptions s ON s.event_id = e.id,
    unnest(s.offsets) AS o(seconds), LATERAL (SELECT e.starts_at - make_interval(secs => o.seconds) AS due_at) d
WHERE e.status = 'active' AND s.left_at IS NULL AND d.due_at >= greatest(e.updated_at, s.updated_at)
  AND d.due_at <= $1 AND NOT EXISTS (
    SELECT FROM tidings.facts f WHERE f.type = 'event.reminder_due' AND f.stream_id = s.id::text
      AND (f.data ->> 'offset')::int = o.seconds AND (f.data #>> '{event,startsAt}')::timestamptz = e.starts_at)
"""
_SAID_TWICE = """
SELECT stream_id, data ->> 'offset' AS offset, data #>> '{event,startsAt}' AS start, count(*) FROM tidings.facts
WHERE type = 'event.reminder_due' GROUP BY 1, 2, 3 HAVING count(*) > 1
"""


@dataclass
class Crowd:
    """Acts at random on a few events, one of which may be cancelled."""

    party: Party
    random: random.Random
    events: list[Event]
    people: list[UUID]
    done: Counter[str] = field(default_factory=Counter)
    until: float = field(default_factory=lambda: time.monotonic() + LASTS)

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.until

    async def act(self) -> None:
        acts: list[tuple[int, Callable[[], Awaitable[None]]]] = [
            (10, self.join),
            (6, self.leave),
            (10, self.change),
            (1, self.move),
        ]
        weights = [weight for weight, _ in acts]
        while not self.is_over:
            _, act = self.random.choices(acts, weights)[0]
            try:
                await act()
            except MEANWHILE:
                self.done["overtaken"] += 1
            else:
                self.done[act.__name__] += 1

    async def join(self) -> None:
        await self.party.join(self.event, self.person, *self.offsets)

    async def leave(self) -> None:
        event, person = self.event, self.person
        async with self.party.subscriptions() as subscriptions:
            await subscriptions.leave(event.id, (await subscriptions.of_person(event.id, person)).id)

    async def change(self) -> None:
        event, person = self.event, self.person
        async with self.party.subscriptions() as subscriptions:
            known = await subscriptions.of_person(event.id, person)
            await subscriptions.change(known, Choice(self.offsets))

    async def move(self) -> None:
        """Soon, or in days; at times to where it was before."""
        now = await self.party.pool.fetchval("SELECT clock_timestamp()")
        ahead = self.random.choice(
            (*(self.random.uniform(1, 4) for _ in range(3)), self.random.randrange(2, 5) * 86_400)
        )
        start = datetime.fromtimestamp(round(now.timestamp() * 4) / 4 + ahead, now.tzinfo)
        await self.party.change(self.event, starts_at=start, ends_at=start + timedelta(hours=1))

    async def cancel(self) -> None:
        """The last event, towards the end."""
        await asyncio.sleep(LASTS * 0.8)
        await self.party.cancel(self.events[-1])

    async def remind(self) -> None:
        """As a worker does."""
        while not self.is_over:
            for outcome, count in (await adrain_outbox(self.party.settings, *kinds())).items():
                self.done[outcome] += count

    async def look(self) -> None:
        """At any time when nobody is in the middle of something, all is as it should be."""
        while not self.is_over:
            await asyncio.sleep(0.2)
            async with self.party.pool.acquire() as connection, connection.transaction():
                await connection.execute("SELECT FROM tidings.events ORDER BY id FOR UPDATE")
                await require_none_different(self.party)

    @property
    def event(self) -> Event:
        return self.random.choice(self.events)

    @property
    def person(self) -> UUID:
        return self.random.choice(self.people)

    @property
    def offsets(self) -> tuple[int, ...]:
        return tuple(sorted(self.random.sample(OFFSETS, self.random.randint(1, 3)), reverse=True))


async def require_none_different(party: Party) -> None:
    rows = await party.owner.fetch(_DIFFERENT)
    assert not rows, [dict(row) for row in rows]


@pytest.fixture
def seed() -> int:
    given = os.environ.get("CHAOS_SEED")
    chosen = int(given) if given else random.SystemRandom().randrange(1 << 32)
    print(f"seed {chosen}")
    return chosen


async def test_reminders_are_what_they_should_be_whatever_happens_at_the_same_time(party: Party, seed: int) -> None:
    soon = await party.now() + timedelta(seconds=3)
    events = [await party.create(starts_at=soon, ends_at=soon + timedelta(hours=1)) for _ in range(3)]
    people = [await party.person(f"Person{n}") for n in range(PEOPLE)]
    crowd = Crowd(party, random.Random(seed), events, people)
    async with asyncio.TaskGroup() as tasks:  # a deadlock is raised, by whomever PostgreSQL chose
        for run in (*[crowd.act] * ACTORS, crowd.remind, crowd.remind, crowd.look, crowd.cancel):
            tasks.create_task(run())
    now = await party.owner.fetchval("SELECT now()")
    await adrain_outbox(party.settings, *kinds())

    await require_none_different(party)
    assert await party.owner.fetch(_UNSAID, now) == []
    assert await party.owner.fetch(_SAID_TWICE) == []
    late = "SELECT count(*) FROM tidings.outbox WHERE kind = 'event.remind' AND due_at < $1"
    assert await party.owner.fetchval(late, now) == 0
    await require_no_deadlock(party, crowd)
    print(dict(crowd.done), f"{len(await party.facts('event.reminder_due'))} said")


async def require_no_deadlock(party: Party, crowd: Crowd) -> None:
    """Nor one that a relay swallowed."""
    assert not crowd.done.keys() & {"failed", "dead"}
    errors = "SELECT last_error FROM tidings.outbox WHERE last_error IS NOT NULL AND kind = 'event.remind'"
    assert await party.owner.fetch(errors) == []
    counted = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    assert await party.owner.fetchval(counted) == 0
