"""Lanes: what one party has waiting of one kind. Which have something due, and how much each may take.

The party of an intent is its tenant; that of a delivery, the provider that its tenant sends it through.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeAlias

from tidings.kit.db import Pool
from tidings.spine.outbox.leasing import LeaseTable

Party: TypeAlias = str
_PRICE = 20  # looking in vain into a lane takes at most one part in so many of a worker's time
_HIGHEST_PRICE = 5.0  # seconds: the statement may have waited for something that is over
_MOST_LANES = 64  # in one lease: a lane costs a descent into the index, and lanes take turns anyway
_SHORTEST_REST, _LONGEST_REST = 0.02, 1.0  # seconds
BEGINNING = datetime.fromisoformat("0001-01-01T00:00:00+00:00")


@dataclass(frozen=True)
class Due:
    """What one look at the table showed."""

    lanes: Mapping[str, tuple[Party, ...]]  # kind → parties with something due
    next_due: timedelta | None  # until the next intent that is not due yet
    suspects: bool  # whether something waits to be run alone
    began: float  # when, by our own clock


def together(looks: Sequence[Due]) -> Due:
    """Several tables, each with kinds of its own, as if they were one."""
    waits = [look.next_due for look in looks if look.next_due is not None]
    lanes = {kind: parties for look in looks for kind, parties in look.lanes.items()}
    return Due(lanes, min(waits, default=None), any(look.suspects for look in looks), min(look.began for look in looks))


@dataclass(frozen=True)
class Lanes:
    pool: Pool
    table: LeaseTable

    async def look(self, kinds: Iterable[str]) -> Due:
        """Costs one index probe a lane, however many rows a lane has."""
        began = time.monotonic()
        rows = await self.pool.fetch(self.table.lanes_sql, list(kinds))
        due: dict[str, list[Party]] = {}
        waits: list[timedelta] = []
        for row in rows:
            if row["wait"] > timedelta(0):
                waits.append(row["wait"])
            else:
                due.setdefault(row["lane"], []).append(row["party"])
        suspects = await self.suspects(kinds)
        lanes = {kind: tuple(parties) for kind, parties in due.items()}
        return Due(lanes, min(waits, default=None), suspects, began)

    async def suspects(self, kinds: Iterable[str]) -> bool:
        """Whether something waits to be run alone."""
        wait: bool = await self.pool.fetchval(self.table.suspects_sql, list(kinds))
        return wait


@dataclass(frozen=True)
class Rest:
    """How long to leave a lane alone that had something due and gave nothing: all of it waits behind something."""

    ends_at: float
    not_before: float  # even for who was told that there is something new: a look there has its price
    length: float


@dataclass
class LaneQueue:
    """The lanes of one kind that are believed to have something due, and where to go on in each.

    The bound spares a lease the rows that it has already passed (dead ones too, which pile up in front of the
    index scan while some other transaction stays open). It is forgotten when a lane is empty, and once in a while
    (`afresh`), so that what was committed late or moved back is found.
    """

    since: dict[Party, datetime] = field(default_factory=dict)
    resting: dict[Party, Rest] = field(default_factory=dict)
    gave: dict[Party, float] = field(default_factory=dict)  # when a lease that got something from them ended
    doubted: set[Party] = field(default_factory=set)  # what was seen there, a lease may have taken in the meantime
    limited: set[Party] = field(default_factory=set)  # those whose limit kept them from giving what they were asked for

    def offer(self, parties: Iterable[Party], looked_at: float, *, afresh: bool) -> None:
        for party in parties:
            rest = self.resting.get(party)
            if rest is not None and looked_at < (rest.not_before if afresh else rest.ends_at):
                continue
            if afresh or party not in self.since:
                self.since[party] = BEGINNING
                if looked_at < self.gave.get(party, looked_at):
                    self.doubted.add(party)

    def revisit(self, parties: Iterable[Party]) -> None:
        """Something was settled in these lanes, and what waited behind it may go."""
        for party in parties:
            self.resting.pop(party, None)
            self.since[party] = BEGINNING

    def rouse(self, parties: Iterable[Party]) -> None:
        """Something was settled in these lanes: those whose limit was reached may go on."""
        roused = self.limited & set(parties)
        self.limited -= roused
        self.revisit(roused)

    def advance(
        self, quotas: Mapping[Party, int], leased: Mapping[Party, tuple[int, datetime]], now: float, took: float
    ) -> None:
        """After a lease: a lane that gave less than it was asked for is empty; the others go on where they were."""
        for party, quota in quotas.items():
            count, last = leased.get(party, (0, BEGINNING))
            began = self.since.pop(party, BEGINNING)
            if count:
                self.gave[party] = now
            if count or began != BEGINNING:
                self.resting.pop(party, None)
            elif party not in self.doubted:
                self._rest(party, now, took)
            self.doubted.discard(party)
            if count == quota:
                self.since[party] = last  # behind all others: lanes take turns

    def _rest(self, party: Party, now: float, took: float) -> None:
        """Longer each time, and long enough that looking in vain takes no more than a small part of the time.

        The first time shortly: another worker was quicker, and more may come any moment.
        """
        before = self.resting.get(party)
        price = min(took * _PRICE, _HIGHEST_PRICE) if before else 0.0
        length = max(price, min(_LONGEST_REST, before.length * 2 if before else _SHORTEST_REST))
        self.resting[party] = Rest(now + length, now + price, length)

    def next_visit(self, now: float) -> float | None:
        """Seconds until a lane that rests should be tried again."""
        self.resting = {party: rest for party, rest in self.resting.items() if now < rest.ends_at + _LONGEST_REST}
        self.gave = {party: ended for party, ended in self.gave.items() if now < ended + _LONGEST_REST}
        ends = [rest.ends_at - now for rest in self.resting.values() if rest.ends_at > now]
        return min(ends, default=None)

    def __bool__(self) -> bool:
        return bool(self.since)


def share(parties: Iterable[Party], capacity: int, room: int, in_hand: Counter[Party]) -> dict[Party, int]:
    """How many intents each lane may lease now: equal shares of the room.

    No lane gets more than three quarters of what the others leave of the capacity, so that one whose handlers hang
    leaves room for the next. With more lanes than are visited at once the first ones share; the caller rotates.
    """
    free = capacity - in_hand.total()
    most = {party: max(1, (free + in_hand[party]) * 3 // 4) - in_hand[party] for party in parties}
    waiting = [party for party in most if most[party] > 0]
    if not waiting or room <= 0:
        return {}
    visited = waiting[: min(room, _MOST_LANES)]
    return {party: min(room // len(visited), most[party]) for party in visited}
