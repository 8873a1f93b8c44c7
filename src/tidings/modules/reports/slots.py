"""At which instants a cadence falls due in a timezone. Pure: no clock is read here.

A slot is known by what the wall clock shows when it runs. No two have the same, since of an hour that repeats only its
first time counts, and what would fall into a gap falls on the first valid instant after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from zoneinfo import ZoneInfo

from tidings.modules.reports.cadences import Cadence

_LONGEST_GAP = timedelta(days=1)
"""Whole days were left out where the date line was moved."""
_FIRST_DAY = datetime(1, 1, 4, tzinfo=UTC)


class Note(StrEnum):
    """What is unusual about a slot. What the clocks did is said rather than that a month is short."""

    CLAMPED = "clamped"
    GAP = "gap"
    REPEATED = "repeated"


@dataclass(frozen=True)
class Slot:
    """`local` is what the wall clock shows at `at`."""

    at: datetime
    local: datetime
    note: Note | None = None


def slots(cadence: Cadence, zone: ZoneInfo, after: datetime) -> Iterator[Slot]:
    """Those later than `after`, one for each instant, in order."""
    begun = max(after, _FIRST_DAY).astimezone(zone).replace(tzinfo=None) - _LONGEST_GAP
    found = (_slot(wall.shown, zone, clamped=wall.clamped) for wall in cadence.walls(begun.date()))
    for at, together in groupby(found, key=attrgetter("at")):
        if at > after:
            yield next(together)


def next_slot(cadence: Cadence, zone: ZoneInfo, after: datetime) -> Slot | None:
    """None where the calendar ends."""
    return next(slots(cadence, zone, after), None)


def _slot(wall: datetime, zone: ZoneInfo, *, clamped: bool) -> Slot:
    first, second = wall.replace(tzinfo=zone), wall.replace(tzinfo=zone, fold=1)
    at = first.astimezone(UTC)
    if first.utcoffset() == second.utcoffset():
        return Slot(at, wall, Note.CLAMPED if clamped else None)
    if at.astimezone(zone).replace(tzinfo=None) == wall:
        return Slot(at, wall, Note.REPEATED)
    moved = _first_after(second.astimezone(UTC), at, zone)
    return Slot(moved, moved.astimezone(zone).replace(tzinfo=None), Note.GAP)


def _first_after(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The instant between these two at which the clock was put forward."""
    old = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        if middle.astimezone(zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after.replace(microsecond=0)
