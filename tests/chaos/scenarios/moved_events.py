"""Events are moved back and forth, and some cancelled, while workers that get killed send their reminders.

What was committed says which starts there were and until when each held; the ledger says what arrived. No Temporal is
there at all: reminders do not need it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from tests.channels.servers.http_server import Answering
from tests.chaos.endpoint import Endpoint, Hit
from tests.chaos.gatherings import Gathering, address_of, gathering, running_mails, taking
from tests.chaos.report import Counts
from tests.chaos.tenants import SENDING
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LEASE, World
from tidings.kit.errors import ValidationFailed
from tidings.modules.events.snapshot import written

NAME = "events: moved and cancelled, kill -9 of workers"
_OFFSETS = (1, 2)  # seconds before the start
_NEAREST, _FURTHEST = 1.0, 4.0  # seconds ahead to which an event is moved
_LAST = 3.0
_SAID = "SELECT data::text, occurred_at FROM tidings.facts WHERE type = 'event.reminder_due'"
_PASSED = """
SELECT data::text FROM tidings.facts f JOIN tidings.events e ON e.id = (f.data ->> 'eventId')::bigint
WHERE f.type = 'event.reminder_skipped' AND f.data ->> 'reason' = 'time_passed' AND f.occurred_at >= e.starts_at
"""
_KEYS = """
SELECT d.id::text AS key, f.data::text FROM tidings.deliveries_finished d JOIN tidings.notices n ON n.id = d.notice_id
JOIN tidings.facts f ON f.id = n.fact_id WHERE n.listener = 'events.reminder' AND d.channel = 'email'
"""


@dataclass(frozen=True)
class Size:
    events: int
    people: int  # each in every event
    moves: int  # of each event
    pause: float  # seconds between them at most
    kills: int
    guard: float


FULL = Size(events=8, people=100, moves=8, pause=3, kills=10, guard=300)
SHORT = Size(events=4, people=15, moves=3, pause=1.2, kills=2, guard=60)


@dataclass
class Start:
    """A start that was committed, and until when it held: by the database, and by our own clock."""

    at: datetime
    since: datetime  # when the transaction began that set it
    until: datetime | None = None
    left: float | None = None

    def end(self, now: datetime) -> None:
        self.until, self.left = now, time.monotonic()


class Reminder(NamedTuple):
    person: str
    event: int
    offset: int
    starts_at: str


@dataclass
class Storm:
    world: World
    size: Size
    there: Gathering
    endpoint: Endpoint
    starts: dict[int, list[Start]] = field(default_factory=lambda: defaultdict(list))
    cancelled: set[int] = field(default_factory=set)
    moving: bool = True

    async def works(self) -> bool:
        return await self.world.count("SELECT count(*) FROM tidings.workers") > 1

    async def create(self) -> None:
        for _ in range(self.size.events):
            start = await self._ahead()
            event = await self.there.create(start, start + timedelta(hours=1))
            self.starts[event.id].append(Start(start, event.created_at))
            await self.there.join_all(event.id, *_OFFSETS)

    async def move(self, event: int) -> None:
        """Back and forth; and once more at the end, or cancelled."""
        random = self.world.random
        for _ in range(self.size.moves):
            await asyncio.sleep(random.uniform(0.1, self.size.pause))
            await self._move(event, await self._ahead())
        if random.random() < 0.25:
            await self.there.cancel(event)
            self.cancelled.add(event)
            self.starts[event][-1].end(await self.there.now())
        else:
            await self._move(event, await self.there.now() + timedelta(seconds=_LAST))

    async def _ahead(self) -> datetime:
        """Now and then a start that there was before."""
        known = [start.at for starts in self.starts.values() for start in starts]
        now = await self.there.now()
        ahead = [at for at in known if at > now + timedelta(seconds=_NEAREST)]
        if ahead and self.world.random.random() < 0.3:
            return self.world.random.choice(ahead)
        return now + timedelta(seconds=self.world.random.uniform(_NEAREST, _FURTHEST))

    async def _move(self, event: int, start: datetime) -> None:
        if start == self.starts[event][-1].at:
            return
        try:
            async with self.there.events() as events:
                since = await events.connection.fetchval("SELECT now()")
                await events.change(event, {"starts_at": start, "ends_at": start + timedelta(hours=1)}, None)
        except ValidationFailed:
            return  # it had begun by the time that its turn came
        self.starts[event][-1].end(await self.there.now())
        self.starts[event].append(Start(start, since))

    async def haunt(self, kills: int) -> None:
        """Keeps one worker running, and kills it so often."""
        for n in range(kills):
            life, sent = self.world.worker(**SENDING), len(self.endpoint.hits)
            await until(
                lambda sent=sent: len(self.endpoint.hits) > sent or not self.moving,  # type: ignore[misc]
                "a worker sends",
                self.size.guard,
            )
            await asyncio.sleep(self.world.random.uniform(0, 0.3))
            await self.world.processes.kill(life, f"while reminders are sent, kill {n + 1}")
        self.world.worker(**SENDING)


async def run(world: World, size: Size) -> Counts:
    async def take_a_moment(hit: Hit) -> Answering:
        await asyncio.sleep(world.random.uniform(0, 0.02))
        return taking(hit)

    async with running_mails(take_a_moment) as endpoint, gathering(world, endpoint) as there:
        await there.people([address_of(n) for n in range(size.people)])
        storm = Storm(world, size, there, endpoint)
        async with asyncio.timeout(size.guard), asyncio.TaskGroup() as tasks:
            for kills in (size.kills // 2, size.kills - size.kills // 2):
                tasks.create_task(storm.haunt(kills))
            await until(storm.works, "workers work")
            await storm.create()
            moves = [tasks.create_task(storm.move(event)) for event in list(storm.starts)]
            await asyncio.wait(moves)
            storm.moving = False
        await _over(storm)
        return await _judge(storm)


async def _over(storm: Storm) -> None:
    """All reminders have come, and nothing that they caused is left open."""
    left = """SELECT (SELECT count(*) FROM tidings.deliveries)
                   + (SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.%' OR kind = 'event.remind')"""

    async def is_over() -> bool:
        return not await storm.world.count(left)

    await until(is_over, "nothing is left open", storm.size.guard)


async def _judge(storm: Storm) -> Counts:
    await _require_said_of_what_held(storm)
    people = {
        row["id"]: row["value"]
        for row in await storm.there.owner.fetch(
            "SELECT s.id, a.value FROM tidings.event_subscriptions s JOIN tidings.addresses a USING (person_id)"
        )
    }
    known = {row["key"]: _reminder(people, row["data"]) for row in await storm.there.owner.fetch(_KEYS)}
    arrived: dict[Reminder, list[Hit]] = defaultdict(list)
    for hit in storm.endpoint.hits:
        if hit.key not in known or known[hit.key].person != hit.path:
            raise Violated(f"{hit.path} was sent {hit.key}, which is no reminder of theirs")
        arrived[known[hit.key]].append(hit)
    for reminder, hits in arrived.items():
        if len({hit.key for hit in hits}) > 1:
            raise Violated(f"{reminder} was sent under more than one key")
        _require_in_time(storm, reminder, hits)
    passed = {_reminder_of(people, row["data"]) for row in await storm.there.owner.fetch(_PASSED)}
    final = _require_none_lost(storm, set(people.values()), arrived, passed)
    return {
        "events": storm.size.events,
        "cancelled": len(storm.cancelled),
        "moves": sum(len(starts) - 1 for starts in storm.starts.values()),
        "kills": len(storm.world.processes.kills),
        "reminders sent": len(arrived),
        "of the last start": final,
        "not sent, since it had begun": len(passed - set(arrived)),
        "lost": 0,
        "sent again under their key": sum(len(hits) - 1 for hits in arrived.values()),
    }


def _reminder(people: Mapping[int, str], fact: str) -> Reminder:
    data = json.loads(fact)
    return Reminder(people[data["subscriptionId"]], data["eventId"], data["offset"], data["event"]["startsAt"])


def _reminder_of(people: Mapping[int, str], fact: str) -> Reminder:
    """Of one that was not sent: it tells when it was due, and not of which start."""
    data = json.loads(fact)
    starts_at = datetime.fromisoformat(data["dueAt"]) + timedelta(seconds=data["offset"])
    return Reminder(people[data["subscriptionId"]], data["eventId"], data["offset"], written(starts_at))


async def _require_said_of_what_held(storm: Storm) -> None:
    """By what is recorded: each once for a start, and of a start that had not been given up before it was looked at."""
    said = set()
    for row in await storm.there.owner.fetch(_SAID):
        data = json.loads(row["data"])
        about = (data["subscriptionId"], data["offset"], data["event"]["startsAt"])
        if about in said:
            raise Violated(f"said twice: {about}")
        said.add(about)
        ends = [start.until for start in storm.starts[data["eventId"]] if written(start.at) == about[2]]
        if not any(end is None or end >= row["occurred_at"] for end in ends):
            raise Violated(f"{about} was said at {row['occurred_at']}, when it was no more: {ends}")


def _require_in_time(storm: Storm, reminder: Reminder, hits: list[Hit]) -> None:
    """What is on its way when a start is given up may arrive, and is on its way for no longer than a lease."""
    ends = [start.left for start in storm.starts[reminder.event] if written(start.at) == reminder.starts_at]
    for hit in hits:
        if not any(end is None or hit.at <= end + LEASE for end in ends):
            late = min(hit.at - end for end in ends if end is not None)
            raise Violated(f"{reminder} arrived {late:.3f} s after its start was given up")


def _require_none_lost(
    storm: Storm, people: set[str], arrived: Mapping[Reminder, list[Hit]], passed: Collection[Reminder]
) -> int:
    """Each came, or is on record as not sent because the event had begun: a kill may take longer than was left."""
    count = 0
    for event, starts in storm.starts.items():
        last = starts[-1]
        for offset in () if event in storm.cancelled else _OFFSETS:
            if last.at - timedelta(seconds=offset) < last.since:
                continue
            for person in people:
                count += 1
                reminder = Reminder(person, event, offset, written(last.at))
                if reminder not in arrived and reminder not in passed:
                    raise Violated(f"{person} never heard that event {event} begins in {offset} s")
    return count
