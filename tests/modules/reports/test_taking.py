"""What becomes of a slot that is due, by how long nothing ran: at most one run at a time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.support.reporting import daily
from tidings.modules.reports.model import CatchUp
from tidings.modules.reports.ticking import Taken, take

FRIDAY = datetime(2026, 3, 6, 8, tzinfo=UTC)  # nine o'clock in Vienna


def told(taken: Taken) -> tuple[int | None, bool, int | None]:
    """The days of the month on which it runs, and on which it is due next."""
    days = [None if slot is None else slot.local.day for slot in (taken.run, taken.next)]
    return days[0], taken.late, days[1]


@pytest.mark.parametrize(
    ("catch_up", "now", "expected"),
    [
        (CatchUp.LATEST, "2026-03-06T08:00:01", (6, False, 7)),
        (CatchUp.SKIP, "2026-03-06T08:09:59", (6, False, 7)),
        (CatchUp.SKIP, "2026-03-06T08:10:01", (None, True, 7)),
        (CatchUp.LATEST, "2026-03-06T08:10:01", (6, True, 7)),
        (CatchUp.LATEST, "2026-03-09T10:00:00", (9, True, 10)),
        (CatchUp.SKIP, "2026-03-09T10:00:00", (None, True, 10)),
        (CatchUp.SKIP, "2026-03-09T08:05:00", (9, False, 10)),
        (CatchUp.ALL, "2026-03-09T10:00:00", (6, True, 7)),
    ],
)
def test_what_was_missed_is_made_up_for_as_was_said(catch_up: CatchUp, now: str, expected: object) -> None:
    assert told(take(daily(), catch_up, FRIDAY, datetime.fromisoformat(f"{now}+00:00"))) == expected


def test_of_what_was_missed_for_years_the_newest_hundred_are_made_up_for() -> None:
    taken = take(daily(), CatchUp.ALL, FRIDAY, datetime(2029, 3, 6, 8, tzinfo=UTC))
    assert taken.run is not None
    assert (datetime(2029, 3, 6) - taken.run.local.replace(hour=0)).days == 99  # noqa: DTZ001
    assert taken.behind


def test_where_no_slot_is_any_more_because_the_zone_was_changed_the_next_one_is_looked_for() -> None:
    taken = take(
        daily(), CatchUp.LATEST, datetime(2026, 3, 6, 8, 30, tzinfo=UTC), datetime(2026, 3, 6, 8, 31, tzinfo=UTC)
    )
    assert told(taken) == (None, False, 7)
