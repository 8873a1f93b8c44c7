"""When a report is due: by tables of what the clocks did, and by an oracle that walks the minutes."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile
from zoneinfo import ZoneInfo, available_timezones

import pytest

from tests.modules.reports.oracle import due, minutes
from tidings.kit.errors import ValidationFailed
from tidings.modules.reports.cadences import Cadence, Cron, Daily, Monthly, MonthlyByWeekday, Weekly
from tidings.modules.reports.slots import next_slot, slots

SAMPLE = 24
"""Windows around changes of clocks that are walked here; `make chaos` walks all."""
NINE, HALF_PAST_TWO = time(9), time(2, 30)


def told(cadence: Cadence, zone: str, after: str, count: int = 1) -> list[str]:
    found = islice(slots(cadence, ZoneInfo(zone), datetime.fromisoformat(f"{after}+00:00")), count)
    return [f"{slot.at:%Y-%m-%dT%H:%MZ} {slot.local:%d %H:%M} {slot.note or '-'}" for slot in found]


@pytest.mark.parametrize(
    ("cadence", "zone", "after", "expected"),
    [
        (Daily(NINE), "America/New_York", "2026-02-10T18:30", ["2026-02-11T14:00Z 11 09:00 -"]),
        (Daily(NINE), "UTC", "2026-02-10T09:00", ["2026-02-11T09:00Z 11 09:00 -"]),
        (Weekly(NINE, 0), "America/New_York", "2026-02-10T18:30", ["2026-02-16T14:00Z 16 09:00 -"]),
        (
            Daily(HALF_PAST_TWO),
            "America/New_York",
            "2026-03-07T12:00",
            ["2026-03-08T07:00Z 08 03:00 gap", "2026-03-09T06:30Z 09 02:30 -"],
        ),
        (
            Daily(time(1, 30)),
            "America/New_York",
            "2026-10-31T12:00",
            ["2026-11-01T05:30Z 01 01:30 repeated", "2026-11-02T06:30Z 02 01:30 -"],
        ),
        (Daily(time(1, 30)), "America/New_York", "2026-11-01T05:45", ["2026-11-02T06:30Z 02 01:30 -"]),
        (Daily(time(2, 15)), "Australia/Lord_Howe", "2026-10-03T00:00", ["2026-10-03T15:30Z 04 02:30 gap"]),
        (Daily(time(12)), "Pacific/Apia", "2011-12-29T23:00", ["2011-12-30T10:00Z 31 00:00 gap"]),
        (Daily(time(0)), "America/Sao_Paulo", "2018-11-03T12:00", ["2018-11-04T03:00Z 04 01:00 gap"]),
        (
            Monthly(NINE, 31),
            "UTC",
            "2026-01-31T09:00",
            [
                "2026-02-28T09:00Z 28 09:00 clamped",
                "2026-03-31T09:00Z 31 09:00 -",
                "2026-04-30T09:00Z 30 09:00 clamped",
            ],
        ),
        (Monthly(NINE, 29), "UTC", "2028-02-01T00:00", ["2028-02-29T09:00Z 29 09:00 -"]),
        (Monthly(HALF_PAST_TWO, 31), "Europe/Vienna", "2024-03-01T00:00", ["2024-03-31T01:00Z 31 03:00 gap"]),
        (
            MonthlyByWeekday(NINE, 4, -1),
            "UTC",
            "2026-01-01T00:00",
            ["2026-01-30T09:00Z 30 09:00 -", "2026-02-27T09:00Z 27 09:00 -"],
        ),
        (MonthlyByWeekday(NINE, 0, 1), "UTC", "2026-06-01T09:00", ["2026-07-06T09:00Z 06 09:00 -"]),
        (
            Weekly(NINE, 2, every=2, since=date(2026, 1, 1)),
            "UTC",
            "2026-01-08T00:00",
            ["2026-01-21T09:00Z 21 09:00 -", "2026-02-04T09:00Z 04 09:00 -"],
        ),
        (Weekly(NINE, 2, every=2, since=date(2026, 1, 1)), "UTC", "2020-01-01T00:00", ["2026-01-07T09:00Z 07 09:00 -"]),
        (
            Cron("*/30 * * * *"),
            "Europe/Vienna",
            "2026-03-29T00:30",
            ["2026-03-29T01:00Z 29 03:00 gap", "2026-03-29T01:30Z 29 03:30 -"],
        ),
        (
            Cron("*/30 * * * *"),
            "Europe/Vienna",
            "2026-10-25T00:00",
            ["2026-10-25T00:30Z 25 02:30 repeated", "2026-10-25T02:00Z 25 03:00 -"],
        ),
        (Cron("0 9 * * MON-FRI"), "UTC", "2026-02-13T10:00", ["2026-02-16T09:00Z 16 09:00 -"]),
        (Cron("0 0 29 2 *"), "UTC", "2026-01-01T00:00", ["2028-02-29T00:00Z 29 00:00 -"]),
    ],
)
def test_it_is_due_by_the_clock_of_its_place(cadence: Cadence, zone: str, after: str, expected: list[str]) -> None:
    assert told(cadence, zone, after, len(expected)) == expected


@pytest.mark.parametrize(
    "expression",
    ["", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "0 0 31 2 *", "a b c d e", "*/0 * * * *", "0 0 0 * *"],
)
def test_what_is_no_cron_expression_is_refused(expression: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        Cron(expression)
    assert [fault.field for fault in refused.value.faults] == ["cronExpression"]


def test_the_calendar_ends() -> None:
    for cadence in (Daily(NINE), Weekly(NINE, 0), Monthly(NINE, 31), MonthlyByWeekday(NINE, 0, -1), Cron("0 9 * * *")):
        assert next_slot(cadence, ZoneInfo("Pacific/Kiritimati"), datetime(9999, 6, 1, tzinfo=UTC)) is None
        assert next_slot(cadence, ZoneInfo("Pacific/Kiritimati"), datetime(1, 1, 1, tzinfo=UTC)) is not None


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


def changes(zone: ZoneInfo, first: datetime, last: datetime) -> list[datetime]:
    """The days on which this zone's clocks are changed; the first day where they never are."""
    days = [first + timedelta(days=n) for n in range((last - first).days)]
    found = [
        day for day in days if day.astimezone(zone).utcoffset() != (day + timedelta(1)).astimezone(zone).utcoffset()
    ]
    return found or [first]


def agree(zone: ZoneInfo, around: datetime, cadences: list[Cadence]) -> None:
    first, last = around - timedelta(days=1), around + timedelta(days=2)
    walked = minutes(zone, first, last)
    for cadence in cadences:
        found = takewhile(lambda slot: slot.at <= last, slots(cadence, zone, first - timedelta(seconds=1)))
        assert [(slot.at, slot.local, slot.note) for slot in found] == due(cadence, walked), (zone, around, cadence)


def test_an_oracle_that_walks_the_minutes_says_the_same() -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    dice = random.Random(seed)
    for name in dice.sample(sorted(available_timezones()), SAMPLE):
        zone = ZoneInfo(name)
        around = dice.choice(changes(zone, datetime(2024, 1, 1, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)))
        agree(zone, around, [a_cadence(dice, around) for _ in range(8)])
