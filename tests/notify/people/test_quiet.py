"""Quiet hours: when they are over, by the person's own clock."""

from __future__ import annotations

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from tidings.spine.notify.people.quiet import quiet_until

NIGHT = ("22:00", "07:00")
CASES = [
    # zone, from and until, now there, over there
    ("Europe/Rome", NIGHT, "2026-11-16T21:59:59", None),
    ("Europe/Rome", NIGHT, "2026-11-16T22:00:00", "2026-11-17T07:00:00"),
    ("Europe/Rome", NIGHT, "2026-11-17T06:59:59", "2026-11-17T07:00:00"),
    ("Europe/Rome", NIGHT, "2026-11-17T07:00:00", None),
    ("Europe/Rome", ("13:00", "15:30"), "2026-11-16T14:00:00", "2026-11-16T15:30:00"),
    ("Europe/Rome", ("13:00", "15:30"), "2026-11-16T16:00:00", None),
    ("Europe/Rome", ("00:00", "06:00"), "2026-11-16T00:00:00", "2026-11-16T06:00:00"),
    ("Europe/Rome", ("18:00", "00:00"), "2026-11-16T23:59:00", "2026-11-17T00:00:00"),
    ("Europe/Rome", ("09:00", "09:00"), "2026-11-16T09:00:00", None),
    ("Asia/Kolkata", NIGHT, "2026-11-16T23:30:00", "2026-11-17T07:00:00"),
    # the clock goes from 02:00 to 03:00
    ("Europe/Rome", ("22:00", "02:30"), "2026-03-29T01:59:00", "2026-03-29T03:00:00+02:00"),
    ("Europe/Rome", ("22:00", "02:30"), "2026-03-29T03:00:00", None),
    ("Europe/Rome", ("02:30", "06:00"), "2026-03-29T01:59:00", None),
    ("Europe/Rome", ("02:30", "06:00"), "2026-03-29T03:00:00", "2026-03-29T06:00:00"),
    ("Europe/Rome", ("02:10", "02:50"), "2026-03-29T03:00:00", None),
    ("Europe/Rome", NIGHT, "2026-03-29T01:30:00", "2026-03-29T07:00:00+02:00"),
    ("America/New_York", ("22:00", "02:30"), "2026-03-08T01:59:00", "2026-03-08T03:00:00-04:00"),
    # the clock goes from 03:00 back to 02:00
    ("Europe/Rome", ("22:00", "02:30"), "2026-10-25T02:10:00+02:00", "2026-10-25T02:30:00+02:00"),
    ("Europe/Rome", ("22:00", "02:30"), "2026-10-25T02:10:00+01:00", None),
    ("Europe/Rome", ("02:30", "06:00"), "2026-10-25T02:10:00+01:00", "2026-10-25T06:00:00+01:00"),
    ("America/New_York", ("22:00", "01:30"), "2026-11-01T01:10:00-04:00", "2026-11-01T01:30:00-04:00"),
    ("America/New_York", ("22:00", "01:30"), "2026-11-01T01:10:00-05:00", None),
    ("America/New_York", NIGHT, "2026-10-31T23:00:00-04:00", "2026-11-01T07:00:00-05:00"),
    # 30 December 2011 did not happen in Apia: the night before it runs into the night after it
    ("Pacific/Apia", ("08:00", "10:00"), "2011-12-29T09:00:00-10:00", "2011-12-29T10:00:00-10:00"),
    ("Pacific/Apia", NIGHT, "2011-12-29T23:00:00-10:00", "2011-12-31T07:00:00+14:00"),
    ("Pacific/Apia", NIGHT, "2011-12-31T03:00:00+14:00", "2011-12-31T07:00:00+14:00"),
    ("Pacific/Apia", ("06:00", "09:00"), "2011-12-31T00:00:00+14:00", None),
]


@pytest.mark.parametrize(("zone", "hours", "now", "over"), CASES)
def test_quiet_hours_end_by_the_persons_clock(zone: str, hours: tuple[str, str], now: str, over: str | None) -> None:
    found = quiet_until(_moment(now, zone), zone, *map(time.fromisoformat, hours))
    assert found == (None if over is None else _moment(over, zone))
    assert found is None or found.tzinfo is UTC


def test_without_a_timezone_there_are_no_quiet_hours() -> None:
    assert quiet_until(datetime(2026, 11, 16, 23, tzinfo=UTC), None, time(22), time(7)) is None


def test_what_is_over_is_not_quiet_any_more() -> None:
    for zone in ("Europe/Rome", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe"):
        for hour in range(24 * 366):
            now = datetime.fromtimestamp(1_293_840_000 + hour * 3600, UTC)  # 2011 had them all
            over = quiet_until(now, zone, time(22), time(2, 30))
            assert over is None or (over > now and quiet_until(over, zone, time(22), time(2, 30)) is None)


def _moment(text: str, zone: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))).astimezone(UTC)
