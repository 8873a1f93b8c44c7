"""Workers and Temporal are killed while events wait for their end, are moved, and have much to announce.

Three kinds of events live through the same kills: some end while Temporal is away, or soon after it is back; some are
moved while it is away, and remind before it comes back; some announce one thing after the other, in a process that
continues as a new run every few of them.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from temporalio.client import Client

from tests.chaos.endpoint import Endpoint, Hit
from tests.chaos.gatherings import Gathering, address_of, gathering, running_mails, subject_of
from tests.chaos.processes import Life
from tests.chaos.report import Parts
from tests.chaos.tenants import SENDING
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World
from tests.support.temporal import DevServer, histories
from tidings.modules.events.model import Event
from tidings.modules.events.snapshot import written

NAME = "events: kill -9 of workers and Temporal"
_A_RUN = 8  # notifications after which a process of ours continues as a new run
_BEFORE = 2  # seconds before the start that somebody is reminded
_LEAD = 8  # seconds before the first reminder of one that is moved: a killed worker's lease runs out meanwhile
_HOUR = timedelta(hours=1)
_START = timedelta(seconds=3)  # until an event begins that ends soon
_ENDS = (timedelta(seconds=5), timedelta(seconds=0.5))  # after that
_FEW_A_RUN = """
UPDATE tidings.outbox
SET payload = jsonb_set(payload, '{input,limits}', jsonb_build_object('notificationsARun', $2::int))
WHERE kind = 'process.start' AND key = ANY ($1)
"""
_ANNOUNCED = "SELECT count(*) FROM tidings.facts WHERE type = 'event.broadcast' AND data ->> 'kind' = 'announced'"
# Where no worker came before the event had begun, or was over, that is on record.
_TOO_LATE = """
SELECT (SELECT count(*) FROM tidings.facts WHERE type = 'event.reminder_skipped'
            AND (data ->> 'eventId')::bigint = $1 AND data ->> 'reason' IN ('time_passed', 'event_completed'))
    + (SELECT count(*) FROM tidings.outbox_finished WHERE kind = 'event.remind' AND status = 'cancelled'
            AND (payload ->> 'event')::bigint = $1 AND payload ? 'offset' AND last_error = 'event_completed')
"""
_FACTS = "SELECT data::text FROM tidings.facts WHERE type = $1 AND stream_id = $2 ORDER BY seq"


@dataclass(frozen=True)
class Size:
    ending: int
    moved: int
    announcing: int
    announcements: int  # of each of those
    people: int  # for each event
    first: float  # seconds until an event begins that is put off before it has reminded
    workers: int
    kills: int  # of them all, while there is something to announce; half as often of Temporal
    away: float  # seconds for which Temporal stays away at least
    guard: float


FULL = Size(
    ending=10, moved=10, announcing=3, announcements=150, people=3, first=40, workers=2, kills=6, away=15, guard=300
)
SHORT = Size(ending=2, moved=2, announcing=1, announcements=24, people=2, first=8, workers=1, kills=1, away=0, guard=90)


@dataclass(frozen=True)
class Moved:
    """From one start to another, and when its commit had returned."""

    before: datetime
    after: datetime
    at: datetime

    @property
    def starts(self) -> list[str]:
        """What may be told of: the old start only where its time had come before."""
        late = self.at >= self.before - timedelta(seconds=_BEFORE)
        return [written(self.before)] * late + [written(self.after)]


@dataclass
class Cast:
    """The events, and what was done to them."""

    ending: list[Event] = field(default_factory=list)
    moved: dict[int, Moved] = field(default_factory=dict)
    announcing: list[Event] = field(default_factory=list)
    people: dict[int, list[str]] = field(default_factory=dict)


@dataclass
class Play:
    world: World
    size: Size
    there: Gathering
    endpoint: Endpoint
    temporal: DevServer
    cast: Cast = field(default_factory=Cast)
    lives: list[Life] = field(default_factory=list)
    temporal_kills: int = 0
    back_at: float = 0.0

    def start_workers(self) -> None:
        settings = SENDING | {"TIDINGS_TEMPORAL_ADDRESS": self.temporal.address, "TIDINGS_OUTBOX_LEASE": "3s"}
        self.lives = [self.world.worker(**settings) for _ in range(self.size.workers)]

    async def kill_workers(self, where: str) -> None:
        for life in self.lives:
            await self.world.processes.kill(life, where)

    def kill_temporal(self) -> None:
        self.temporal.kill()
        self.temporal_kills += 1

    async def people(self, event: Event, name: str, *offsets: int) -> list[UUID]:
        addresses = [address_of(event.id * 1_000 + n, name) for n in range(self.size.people)]
        people = await self.there.people(addresses)
        for person in people:
            await self.there.join(event.id, person, *offsets)
        self.cast.people[event.id] = addresses
        return people

    async def begin(self) -> None:
        """Events that announce: their processes continue as new runs often, since their input says so."""
        now = await self.there.now()
        for _ in range(self.size.announcing):
            event = await self.there.create(now + timedelta(days=2))
            self.cast.announcing.append(event)
            await self.people(event, "listener", 3_600)
        await self.there.owner.execute(_FEW_A_RUN, [event.process for event in self.cast.announcing], _A_RUN)

    async def announce(self, event: Event) -> None:
        for n in range(1, self.size.announcements + 1):
            await self.there.announce(event.id, f"Announcement {n} of {event.id}")
            await asyncio.sleep(self.world.random.uniform(0, 0.05))

    async def rage(self) -> None:
        """Kills spread over what there is to announce."""
        whole = self.size.announcements * self.size.announcing
        for n in range(self.size.kills):
            wanted = whole * (n + self.world.random.random()) / (self.size.kills + 1)
            await until(lambda wanted=wanted: self.told(wanted), "they are told", self.size.guard)  # type: ignore[misc]
            await self.kill_workers(f"after {wanted:.0f} broadcasts")
            if n % 2:
                self.kill_temporal()
                await self.restart_temporal()
            self.start_workers()

    async def told(self, wanted: float) -> bool:
        """That many announcements; what was moved is broadcast too."""
        return await self.world.count(_ANNOUNCED) >= wanted

    async def restart_temporal(self) -> None:
        await asyncio.to_thread(self.temporal.start)

    async def plan_for_absence(self) -> None:
        """Events that end while Temporal is away or later, and those that are moved meanwhile."""
        for n in range(self.size.ending):
            start = await self.there.now() + _START
            event = await self.there.create(start, start + _ENDS[n % 2], f"Ending {n}")
            people = await self.people(event, "guest", 1)
            await self.there.remind_at(event.id, people[0], start + timedelta(days=1))
            self.cast.ending.append(event)
        for n in range(self.size.moved):
            # One that would remind soon is put off; one that would remind in an hour is brought forward.
            start = await self.there.now() + (timedelta(seconds=self.size.first) if n % 2 else _HOUR)
            event = await self.there.create(start, name=f"Moved {n}")
            await self.people(event, "mover", _BEFORE)
            self.cast.moved[event.id] = Moved(start, start, start)
        waiting = "SELECT count(*) FROM tidings.processes WHERE started_at IS NULL"

        async def all_wait() -> bool:
            return not await self.world.count(waiting)

        await until(all_wait, "all processes are started", self.size.guard)

    async def away(self) -> None:
        """Workers die with Temporal; others go on without it. It comes back when all that was moved has reminded."""
        self.kill_temporal()
        await self.kill_workers("while events wait")
        self.start_workers()
        gone = time.monotonic()
        for event, moved in self.cast.moved.items():
            now = await self.there.now()
            soon = now + timedelta(seconds=_BEFORE + _LEAD)
            start = soon if moved.before > now + _HOUR / 2 else max(moved.before + timedelta(seconds=1), soon)
            await self.there.move(event, start)
            self.cast.moved[event] = Moved(moved.before, start, await self.there.now())
        await until(self.all_reminded, "moved events remind while Temporal is away", self.size.guard)
        await asyncio.sleep(max(0.0, self.size.away - (time.monotonic() - gone)))
        self.back_at = time.monotonic()
        await self.restart_temporal()

    def all_reminded(self) -> bool:
        return all(self.reminders(person) for event in self.cast.moved for person in self.cast.people[event])

    def reminders(self, person: str) -> list[Hit]:
        return [hit for hit in self.endpoint.by_path.get(person, ()) if " starts " in subject_of(hit)]


async def run(world: World, size: Size) -> Parts:
    temporal = DevServer(file=world.processes.home / "temporal.db")
    try:
        async with running_mails() as endpoint, gathering(world, endpoint) as there:
            await asyncio.to_thread(temporal.start)
            play = Play(world, size, there, endpoint, temporal)
            await play.begin()
            play.start_workers()
            async with asyncio.TaskGroup() as tasks:
                for event in play.cast.announcing:
                    tasks.create_task(play.announce(event))
                tasks.create_task(play.rage())
            await play.plan_for_absence()
            await play.away()
            await _over(play)
            return await _judge(play)
    finally:
        temporal.kill()


async def _over(play: Play) -> None:
    """Everything is told, and what should end has ended."""
    ids = [event.id for event in play.cast.ending]
    whole = play.size.announcements * play.size.announcing
    left = """SELECT (SELECT count(*) FROM tidings.deliveries)
                   + (SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.%' OR kind = 'process.signal')
                   + (SELECT count(*) FROM tidings.events WHERE id = ANY ($1) AND status <> 'completed')"""

    async def is_over() -> bool:
        return await play.told(whole) and not await play.world.count(left, ids)

    await until(is_over, "all is told, and events end at their end", play.size.guard)


async def _judge(play: Play) -> Parts:
    if any(life.ended for life in play.lives):
        raise Violated("a worker that nobody killed ended by itself")
    keys: dict[tuple[str, str], set[str]] = defaultdict(set)
    for hit in play.endpoint.hits:
        keys[hit.path, subject_of(hit)].add(hit.key)
    if several := [what for what, found in keys.items() if len(found) > 1]:
        raise Violated(f"{len(several)} were told twice, such as {several[0]}")
    again = len(play.endpoint.hits) - len({hit.key for hit in play.endpoint.hits})
    killed = {"kills of workers": len(play.world.processes.kills), "kills of Temporal": play.temporal_kills}
    return {
        "announcements": killed | await _judge_announcing(play, set(keys)),
        "ends": await _judge_ending(play) | {"sent again under their key": again},
        "moves": await _judge_moved(play),
    }


async def _facts(play: Play, type: str, stream: int) -> list[dict[str, object]]:
    return [json.loads(row["data"]) for row in await play.world.fetch(_FACTS, type, str(stream))]


async def _judge_announcing(play: Play, told: set[tuple[str, str]]) -> dict[str, int]:
    """Each broadcast once and in order, over all runs; and each heard by each."""
    client = await Client.connect(play.temporal.address)
    runs = 0
    for event in play.cast.announcing:
        titles = [f"Announcement {n} of {event.id}" for n in range(1, play.size.announcements + 1)]
        found = [fact["title"] for fact in await _facts(play, "event.broadcast", event.id)]
        if found != titles:
            raise Violated(f"event {event.id} was told of as {found}")
        if missing := [(p, title) for p in play.cast.people[event.id] for title in titles if (p, title) not in told]:
            raise Violated(f"{len(missing)} announcements never arrived, such as {missing[0]}")
        its_runs = len(await histories(client, event.process))
        if its_runs < play.size.announcements // _A_RUN:
            raise Violated(f"event {event.id} had {its_runs} runs")
        runs += its_runs
    return {"events": len(play.cast.announcing), "broadcasts": play.size.announcements * len(play.cast.announcing)} | {
        "runs": runs
    }


async def _judge_ending(play: Play) -> dict[str, int]:
    """Completed, once and not before its end; no reminder is left; each was reminded."""
    for event in play.cast.ending:
        (row,) = await play.world.fetch("SELECT status, closed_at, ends_at FROM tidings.events WHERE id = $1", event.id)
        if row["status"] != "completed" or row["closed_at"] < row["ends_at"]:
            raise Violated(f"event {event.id} is {row['status']} since {row['closed_at']}; its end is {row['ends_at']}")
        for fact in ("event.live", "event.completed"):
            if (count := len(await _facts(play, fact, event.id))) != 1:
                raise Violated(f"{count} of {fact} for event {event.id}")
        unheard = [person for person in play.cast.people[event.id] if not play.reminders(person)]
        if len(unheard) > await play.world.count(_TOO_LATE, event.id):
            raise Violated(f"{unheard} were not reminded of event {event.id}")
    left = await play.world.count(
        """SELECT count(*) FROM tidings.outbox WHERE kind = 'event.remind'
           AND (payload ->> 'event')::bigint = ANY ($1)""",
        [event.id for event in play.cast.ending],
    )
    if left:
        raise Violated(f"{left} reminders are left of events that are over")
    return {"events": len(play.cast.ending), "completed": len(play.cast.ending), "reminders left": 0}


async def _judge_moved(play: Play) -> dict[str, int]:
    """Reminded once, of the new start, while Temporal was away; not of the old one."""
    reminders = late = 0
    for event, moved in play.cast.moved.items():
        rows = await play.world.fetch(
            """SELECT s.person_id, array_agg(f.data #>> '{event,startsAt}' ORDER BY f.seq) AS starts
               FROM tidings.event_subscriptions s LEFT JOIN tidings.facts f ON f.type = 'event.reminder_due'
                   AND (f.data ->> 'subscriptionId')::bigint = s.id
               WHERE s.event_id = $1 GROUP BY s.person_id""",
            event,
        )
        for row in rows:
            if row["starts"][-1] != written(moved.after) or not set(row["starts"]) <= set(moved.starts):
                raise Violated(
                    f"event {event} was moved at {moved.at} to {moved.after}, and told of as {row['starts']}"
                )
            reminders += 1
            late += len(row["starts"]) - 1
        for person in play.cast.people[event]:
            if min(hit.at for hit in play.reminders(person)) > play.back_at:
                raise Violated(f"{person} heard only once Temporal was back")
    return {"events": len(play.cast.moved), "reminders": reminders, "of the old start, in its time": late}
