"""When a cadence is due, found by walking the minutes of a zone's clock one by one and looking at each. It shares
nothing with what it checks but what a cadence says of itself."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from tidings.modules.reports.cadences import Cadence, Cron, Daily, Monthly, MonthlyByWeekday, Weekly

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Minute:
    """One that a clock shows for the first time, and those that it left out just before."""

    at: datetime
    shown: datetime
    left_out: tuple[datetime, ...]
    comes_again: bool


def minutes(zone: ZoneInfo, first: datetime, last: datetime) -> list[Minute]:
    """Those between two instants; a day before is walked, too, to know what was shown already."""
    walked, highest = [], None
    for at in _steps(first - timedelta(days=1), last):
        shown = at.astimezone(zone).replace(tzinfo=None)
        if highest is None or shown > highest:
            before = highest if highest is not None else shown - MINUTE
            left_out = tuple(before + n * MINUTE for n in range(1, (shown - before) // MINUTE))
            walked.append((at, shown, left_out))
            highest = shown
    counted: dict[datetime, int] = {}
    for at in _steps(first - timedelta(days=1), last + timedelta(days=1)):
        shown = at.astimezone(zone).replace(tzinfo=None)
        counted[shown] = counted.get(shown, 0) + 1
    return [Minute(at, shown, left_out, counted[shown] > 1) for at, shown, left_out in walked if at >= first]


def due(cadence: Cadence, walked: list[Minute]) -> list[tuple[datetime, datetime, str | None]]:
    """The instant, what the clock shows, and what is unusual about it."""
    found: list[tuple[datetime, datetime, str | None]] = []
    for minute in walked:
        if any(_is_due(cadence, each) for each in minute.left_out):
            found.append((minute.at, minute.shown, "gap"))
        elif _is_due(cadence, minute.shown):
            note = (
                "repeated" if minute.comes_again else "clamped" if _is_clamped(cadence, minute.shown.date()) else None
            )
            found.append((minute.at, minute.shown, note))
    return found


def _steps(first: datetime, last: datetime) -> Iterator[datetime]:
    at = first.astimezone(UTC)
    while at <= last:
        yield at
        at += MINUTE


def _is_due(cadence: Cadence, shown: datetime) -> bool:
    if isinstance(cadence, Cron):
        return _cron(cadence.expression, shown)
    if (shown.hour, shown.minute) != (cadence.at.hour, cadence.at.minute):
        return False
    day = shown.date()
    match cadence:
        case Daily():
            return True
        case Weekly():
            return day.weekday() == cadence.weekday and _whole_weeks(cadence, day) % cadence.every == 0
        case Monthly():
            return day.day == cadence.day or _is_clamped(cadence, day)
        case MonthlyByWeekday():
            return day.weekday() == cadence.weekday and cadence.week in _weeks(day)


def _whole_weeks(cadence: Weekly, day: date) -> int:
    """From the first such weekday that is not before `since`; odd where that has not come yet."""
    first = next(each for n in range(7) if (each := cadence.since + timedelta(n)).weekday() == cadence.weekday)
    return (day - first).days // 7 if day >= first else cadence.every * 2 + 1


def _is_clamped(cadence: Cadence, day: date) -> bool:
    return isinstance(cadence, Monthly) and _is_last(day) and day.day < cadence.day


def _is_last(day: date) -> bool:
    return (day + timedelta(days=1)).month != day.month


def _weeks(day: date) -> set[int]:
    of_its_kind = [
        each
        for each in range(1, calendar.monthrange(day.year, day.month)[1] + 1)
        if day.replace(day=each).weekday() == day.weekday()
    ]
    place = of_its_kind.index(day.day)
    return {place + 1, place - len(of_its_kind)}


def _cron(expression: str, shown: datetime) -> bool:
    minute, hour, day, month, weekday = expression.split()
    on_day = _among(day, shown.day, 1, 31)
    on_weekday = _among(weekday, shown.isoweekday() % 7, 0, 7) or (shown.isoweekday() == 7 and _among(weekday, 7, 0, 7))
    both = day.startswith("*") or weekday.startswith("*")
    return (
        _among(minute, shown.minute, 0, 59)
        and _among(hour, shown.hour, 0, 23)
        and _among(month, shown.month, 1, 12)
        and (on_day and on_weekday if both else on_day or on_weekday)
    )


def _among(field: str, value: int, lowest: int, highest: int) -> bool:
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = (f"{lowest}-{highest}" if span == "*" else span).partition("-")
        end = int(last) if last else highest if step else int(first)
        if value in range(int(first), end + 1, int(step or 1)):
            return True
    return False
