"""When something recurs, by a wall clock of no particular place. What a zone's clock makes of it is in `slots.py`."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from cronsim import CronSim, CronSimError

from tidings.kit.errors import Fault, ValidationFailed

CRON_FIELDS = 5
LAST_WEEK = -1
SHORTEST_MONTH = 28
_LAST_YEAR = 9998
"""Of calendars as Python has them, less one for what is moved past its end."""


@dataclass(frozen=True)
class Wall:
    """What a clock on the wall shows; `clamped` where a month is too short for the day that was meant."""

    shown: datetime
    clamped: bool = False


@dataclass(frozen=True)
class Daily:
    at: time

    def walls(self, day: date) -> Iterator[Wall]:
        while day.year <= _LAST_YEAR:
            yield Wall(datetime.combine(day, self.at))
            day += timedelta(days=1)


@dataclass(frozen=True)
class Weekly:
    """`weekday` is 0 on Mondays; every so many weeks, counted from the first one that is not before `since`."""

    at: time
    weekday: int
    every: int = 1
    since: date = date(1970, 1, 1)

    def walls(self, day: date) -> Iterator[Wall]:
        first = self.since + timedelta(days=(self.weekday - self.since.weekday()) % 7)
        period = timedelta(weeks=self.every)
        if day > first:
            first += -((first - day) // period) * period
        while first.year <= _LAST_YEAR:
            yield Wall(datetime.combine(first, self.at))
            first += period


@dataclass(frozen=True)
class Monthly:
    """The last day stands in for one that a month does not have."""

    at: time
    day: int

    def walls(self, day: date) -> Iterator[Wall]:
        for year, month in _months(day):
            last = calendar.monthrange(year, month)[1]
            found = date(year, month, min(self.day, last))
            if found >= day:
                yield Wall(datetime.combine(found, self.at), clamped=self.day > last)


@dataclass(frozen=True)
class MonthlyByWeekday:
    """The first to fourth such weekday of a month, or the last one (-1)."""

    at: time
    weekday: int
    week: int

    def walls(self, day: date) -> Iterator[Wall]:
        for year, month in _months(day):
            first, last = date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
            if self.week == LAST_WEEK:
                found = last - timedelta(days=(last.weekday() - self.weekday) % 7)
            else:
                found = first + timedelta(days=(self.weekday - first.weekday()) % 7, weeks=self.week - 1)
            if found >= day:
                yield Wall(datetime.combine(found, self.at))


@dataclass(frozen=True)
class Cron:
    """Five fields, as Debian's cron reads them."""

    expression: str

    def __post_init__(self) -> None:
        fields = self.expression.split()
        if len(fields) != CRON_FIELDS:
            raise _no_cron(f"A cron expression has {CRON_FIELDS} fields; this one has {len(fields)}.")
        try:
            next(CronSim(self.expression, datetime(2024, 1, 1)))  # noqa: DTZ001
        except CronSimError as error:
            raise _no_cron(f"This is no cron expression: {error}.") from None
        except StopIteration:
            raise _no_cron("There is no such day in any month.") from None

    def walls(self, day: date) -> Iterator[Wall]:
        midnight = datetime.combine(day, time())
        for shown in CronSim(self.expression, midnight - timedelta(seconds=1)):
            if shown.year > _LAST_YEAR:
                return
            yield Wall(shown)


Cadence = Daily | Weekly | Monthly | MonthlyByWeekday | Cron


def _months(since: date) -> Iterator[tuple[int, int]]:
    month = since.year * 12 + since.month - 1
    while month // 12 <= _LAST_YEAR:
        yield month // 12, month % 12 + 1
        month += 1


def _no_cron(message: str) -> ValidationFailed:
    return ValidationFailed(faults=(Fault("cronExpression", message),))
