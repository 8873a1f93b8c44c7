"""Whether what falls due is what the oracle says, around the days on which clocks are changed."""

from __future__ import annotations

import random
from datetime import UTC, datetime, time, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

from tests.modules.reports.oracle import due, minutes
from tidings.modules.reports.cadences import Cadence, Cron, Daily, Monthly, MonthlyByWeekday, Weekly
from tidings.modules.reports.slots import slots

FIRST, LAST = datetime(2024, 1, 1, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)


def a_cadence(dice: random.Random, around: datetime) -> Cadence:
    at, weekday = time(dice.randrange(24), dice.choice((0, 15, 30, 59, dice.randrange(60)))), dice.randrange(7)
    since = around.date() - timedelta(days=dice.randrange(2, 42))  # the oracle walks from a day before
    return dice.choice(
        (
            Daily(at),
            Daily(time(dice.randrange(4), dice.choice((0, 15, 30, 59)))),
            Weekly(at, weekday, dice.choice((1, 1, 2, 3, 52)), since),
            Monthly(at, dice.choice((around.day, 29, 30, 31, dice.randint(1, 31)))),
            MonthlyByWeekday(at, weekday, dice.choice((1, 2, 3, 4, -1))),
            Cron(f"*/{dice.randint(1, 59)} {dice.randrange(24)}-23/{dice.randint(1, 5)} * * *"),
            Cron(f"{dice.randrange(60)} {dice.randrange(5)} {dice.randint(1, 28)} * {dice.randrange(7)}"),
            Cron("7,37 * * * 0-3,6"),
        )
    )


def changes(zone: ZoneInfo) -> list[datetime]:
    """The days on which this zone's clocks are changed; the first day where they never are."""
    days = [FIRST + timedelta(days=n) for n in range((LAST - FIRST).days)]
    found = [
        day for day in days if day.astimezone(zone).utcoffset() != (day + timedelta(1)).astimezone(zone).utcoffset()
    ]
    return found or [FIRST]


def agree(zone: ZoneInfo, around: datetime, cadences: list[Cadence]) -> None:
    first, last = around - timedelta(days=1), around + timedelta(days=2)
    walked = minutes(zone, first, last)
    for cadence in cadences:
        found = takewhile(lambda slot: slot.at <= last, slots(cadence, zone, first - timedelta(seconds=1)))
        assert [(slot.at, slot.local, slot.note) for slot in found] == due(cadence, walked), (zone, around, cadence)
