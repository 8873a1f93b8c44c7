"""Quiet hours: until when somebody is not to be disturbed. Time is an argument."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)


def quiet_until(now: datetime, timezone: str | None, quiet_from: time, quiet_until: time) -> datetime | None:
    """When the quiet hours that hold at `now` are over, in UTC; None where none do.

    They begin and end by the person's own clock, and may last over midnight. A time that a clock skips stands for the
    first one after the gap; of a time that comes twice, the first counts. From a time until the same time is never;
    and so it is without a timezone, since nobody knows when it would be.
    """
    if timezone is None or quiet_from == quiet_until:
        return None
    zone = ZoneInfo(timezone)
    today = now.astimezone(zone).date()
    over: datetime | None = None
    for day in (today - _DAY, today, today + _DAY):
        begins = _instant(day, quiet_from, zone)
        ends = _instant(day if quiet_from < quiet_until else day + _DAY, quiet_until, zone)
        if begins <= (over or now) < ends:  # where a whole day is skipped, one night runs into the next
            over = ends
    return over


def _instant(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """The moment at which a clock on the wall first shows this, or has skipped it."""
    wall = datetime.combine(day, clock, zone)
    moment = wall.astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) == wall.replace(tzinfo=None):
        return moment
    return _end_of_gap(wall.replace(fold=1).astimezone(UTC), moment, zone)


def _end_of_gap(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The second at which the offset changes, between two moments on either side of it."""
    old = before.astimezone(zone).utcoffset()
    while after - before > _SECOND:
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after
