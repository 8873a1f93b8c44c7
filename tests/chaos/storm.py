"""One thing said to very many people, while all workers are killed at once again and again, and one is frozen.

Since all are killed together, what may be sent again after a kill is known exactly: what the endpoint had accepted by
then and the database did not know to be sent. All of it has the key that it had before.
"""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from tests.chaos.endpoint import Endpoint, Hit
from tests.chaos.processes import Life
from tests.chaos.report import Counts
from tests.chaos.tenants import SENDING
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World

_LEASES = 1.6
_ALONE = 4  # at a time, of what died with a worker before, each in a process of its own


@dataclass(frozen=True)
class Size:
    people: int
    workers: int
    concurrency: int
    lease: float  # seconds; a machine that is busy must not lose one by itself
    kills_in_fan_out: int
    kills_in_sending: int
    guard: float
    freezes: int = 1


@dataclass(frozen=True)
class Cut:
    """A moment after which some may be sent again: `open` by the database, and accepted by the endpoint before it."""

    what: str
    at: float
    open: frozenset[str]
    accepted: frozenset[str]

    @property
    def excused(self) -> frozenset[str]:
        return self.open & self.accepted


@dataclass
class Storm:
    world: World
    size: Size
    endpoint: Endpoint
    settings: Mapping[str, str] = field(default_factory=dict)
    besides: int = 0  # how many more deliveries each has, which the endpoint does not see
    lives: list[Life] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    freezes: list[tuple[float, str]] = field(default_factory=list)
    frozen: frozenset[str] = frozenset()  # what was in somebody's hands when one worker was frozen

    def start(self) -> None:
        settings = SENDING | {
            "TIDINGS_DELIVERY_CONCURRENCY": str(self.size.concurrency),
            "TIDINGS_OUTBOX_LEASE": f"{self.size.lease}s",
            **self.settings,
        }
        self.lives = [self.world.worker(**settings) for _ in range(self.size.workers)]

    def lives_now(self) -> list[Life]:
        return self.lives

    async def kill_all(self, where: str) -> None:
        """At once; and what they had written before they died is read to its end before it is counted."""
        for life in self.lives:
            life.signal(signal.SIGKILL)
        for life in self.lives:
            await self.world.processes.kill(life, where)
        await until(lambda: not self.endpoint.connections, "the connections of killed workers end")
        await until(lambda: not self.world.processes.orphans(), "what a killed worker had started is gone")
        self.cuts.append(Cut(where, time.monotonic(), await self._open(), self._accepted()))
        self.start()

    async def freeze_one(self) -> None:
        """For longer than its lease, while the others go on."""
        frozen = self.world.random.choice(self.lives)
        frozen.signal(signal.SIGSTOP)
        self.freezes.append((time.monotonic(), f"SIGSTOP of life {frozen.number}"))
        self.frozen = await self._open("WHERE status = 'processing'")
        await asyncio.sleep(self.size.lease * _LEASES)
        frozen.signal(signal.SIGCONT)
        self.freezes.append((time.monotonic(), f"SIGCONT of life {frozen.number}"))

    async def _open(self, which: str = "") -> frozenset[str]:
        return frozenset(
            row["id"] for row in await self.world.fetch(f"SELECT id::text FROM tidings.deliveries {which}")
        )

    def _accepted(self) -> frozenset[str]:
        return frozenset(hit.key for hit in self.endpoint.hits)

    @property
    def sent(self) -> float:
        """To what share of the people something was sent."""
        return len(self.endpoint.by_path) / self.size.people

    async def until_sent(self, share: float) -> None:
        await until(lambda: self.sent >= share, f"{share:.0%} are sent", self.size.guard)

    async def until_fanning_out(self, share: float) -> None:
        """A chunk is under way, and so many people were reached before it."""
        query = """SELECT count(*) FROM tidings.outbox o, tidings.tallies t WHERE o.kind = 'notice.fan_out'
                   AND o.status = 'processing' AND t.people >= $1"""
        wanted = int(self.size.people * share)

        async def is_so() -> bool:
            return bool(await self.world.count(query, wanted)) or await self._all_reached()

        await until(is_so, f"a chunk after {wanted} people is under way", self.size.guard)

    async def _all_reached(self) -> bool:
        return bool(await self.world.count("SELECT count(*) FROM tidings.tallies WHERE complete"))


async def rage(storm: Storm) -> None:
    size, random = storm.size, storm.world.random
    for n in range(size.kills_in_fan_out):
        await storm.until_fanning_out(n / size.kills_in_fan_out)
        await asyncio.sleep(random.uniform(0, 0.05))
        await storm.kill_all(f"in the fan-out, kill {n + 1}")
    begun, steps = storm.sent, size.kills_in_sending + 2
    for n in range(size.kills_in_sending):
        await storm.until_sent(begun + (1 - begun) * (n + random.random()) / steps)
        await asyncio.sleep(random.uniform(0, 0.05))
        await storm.kill_all(f"after request {len(storm.endpoint.hits)}, kill {len(storm.cuts) + 1}")
    await storm.until_sent(begun + (1 - begun) * (steps - 1.5) / steps)
    for _ in range(size.freezes):
        await storm.freeze_one()


async def settled(world: World, guard: float) -> None:
    """Nothing is left open: no delivery, no step on the way to one."""
    left = """SELECT (SELECT count(*) FROM tidings.deliveries)
                   + (SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.%')"""

    async def is_over() -> bool:
        return not await world.count(left)

    await until(is_over, "nothing is left open", guard)


async def judge(storm: Storm) -> Counts:
    world, people, by_path = storm.world, storm.size.people, storm.endpoint.by_path
    if any(life.ended for life in storm.lives):
        raise Violated("a worker that nobody killed ended by itself")
    if len(by_path) != people:
        raise Violated(f"{people - len(by_path)} of {people} people were never told")
    if mixed := [path for path, hits in by_path.items() if len({hit.key for hit in hits}) > 1]:
        raise Violated(f"{len(mixed)} people were told under more than one key, such as {mixed[0]}")
    again = _sent_again(storm)
    for cut in storm.cuts:
        if len(cut.excused) > storm.size.workers * (storm.size.concurrency + _ALONE):
            raise Violated(f"{len(cut.excused)} were accepted and not settled {cut.what}")
    await _require_counts(world, people, people * (1 + storm.besides))
    return {
        "people": people,
        "kills": len(storm.cuts),
        "lost": 0,
        "sent again": sum(again.values()),
        "of as many as were accepted and not settled": sum(len(cut.excused) for cut in storm.cuts),
        "after the freeze": again["freeze"],
    }


def _sent_again(storm: Storm) -> dict[str, int]:
    """How many were sent again, by what excuses it; a violation where nothing does."""
    counts = {cut.what: 0 for cut in storm.cuts} | {"freeze": 0}
    for hits in storm.endpoint.by_path.values():
        for first, second in pairwise(hits):
            counts[_excuse(storm, first, second)] += 1
    return counts


def _excuse(storm: Storm, first: Hit, second: Hit) -> str:
    for cut in storm.cuts:
        if first.at <= cut.at <= second.at and first.key in cut.excused:
            return cut.what
    if first.key in storm.frozen:
        return "freeze"
    raise Violated(f"{first.path} was told again, and nothing excuses it:\n{_history(storm, first.path)}")


def _history(storm: Storm, path: str) -> str:
    events = [(hit.at, f"sent as {hit.key}") for hit in storm.endpoint.by_path[path]]
    events += [(cut.at, f"kill -9 of all workers {cut.what}") for cut in storm.cuts]
    events += [(at, what) for at, what in storm.freezes]
    begin = min(at for at, _ in events)
    return "\n".join(f"  {at - begin:9.3f} s  {what}" for at, what in sorted(events))


_CUT_OFF = "'crashed', 'unknown'"  # what those that were killed or frozen leave in the history


async def _require_counts(world: World, people: int, sent: int) -> None:
    """By the database: each person once, and what was said settled once, with the right counts."""
    single: dict[str, Callable[[int], bool]] = {
        "SELECT count(*) FROM tidings.notices": lambda n: n == 1,
        "SELECT count(*) FROM tidings.notifications": lambda n: n == people,
        "SELECT count(DISTINCT person_id) FROM tidings.notifications": lambda n: n == people,
        "SELECT count(*) FROM tidings.deliveries_finished WHERE status = 'sent'": lambda n: n == sent,
        "SELECT count(*) FROM tidings.deliveries_finished": lambda n: n == sent,
        "SELECT count(*) FROM tidings.delivery_attempts WHERE outcome = 'sent'": lambda n: n == sent,
        f"SELECT count(*) FROM tidings.delivery_attempts WHERE outcome NOT IN ({_CUT_OFF})": lambda n: n == sent,
    }
    for query, holds in single.items():
        if not holds(found := await world.count(query)):
            raise Violated(f"{found} from {query}")
    settled = await world.fetch("SELECT data::text FROM tidings.facts WHERE type = 'notice.settled'")
    counts = [{name: n for name, n in json.loads(row["data"]).items() if name != "noticeId"} for row in settled]
    if counts != [{"people": people, "sent": sent, "noTarget": 0, "skipped": 0, "failed": 0}]:
        raise Violated(f"the notice was settled with {counts}")
