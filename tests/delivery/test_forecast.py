"""What will be sent, from the rows that are there."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.support.pipeline import Owner, add_person, add_rule, drain, emit
from tidings.kit.settings import Settings
from tidings.spine.delivery.seeing import forecast_statements
from tidings.spine.delivery.seeing.forecast import Forecast, Forecasts, of_day


async def forecast(
    owner: Owner, after: Any = None, limit: int = 20, zone: str = "UTC", days: int = 7, day: date | None = None
) -> Forecast:
    return await Forecasts(owner, "default").of(timedelta(days=days), zone, after, limit, day)


def counted(found: Forecast) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = {}
    for each in found.expected:
        counts[each.what, each.name] = counts.get((each.what, each.name), 0) + each.count
    return counts


async def scheduled(owner: Owner, kind: str, after: str) -> None:
    """In the middle of an hour, so that what goes together stays together."""
    await owner.execute(
        """SELECT tidings.schedule($1, '{}',
               run_at => date_trunc('hour', now()) + interval '30 minutes' + $2::text::interval)""",
        kind,
        after,
    )


async def test_nothing_to_come(owner: Owner) -> None:
    found = await forecast(owner)
    assert (found.expected, found.coming.items, found.capped, found.held) == ([], [], False, 0)


async def test_intents_are_counted_by_hour_and_kind_within_the_days_asked_for(owner: Owner) -> None:
    for after in ("25 hours", "25 hours", "3 days", "8 days"):
        await scheduled(owner, "reminder.send", after)
    await scheduled(owner, "lead.chase", "2 days")
    found = await forecast(owner)
    assert counted(found) == {("intent", "reminder.send"): 3, ("intent", "lead.chase"): 1}
    assert [each.count for each in found.expected] == [2, 1, 1]
    assert found.unserved == ["lead.chase", "reminder.send"]
    assert counted(await forecast(owner, days=1)) == {}


async def test_hours_are_those_of_the_zone_asked_for(owner: Owner) -> None:
    await scheduled(owner, "reminder.send", "1 day")
    (here,) = (await forecast(owner, zone="UTC")).expected
    (there,) = (await forecast(owner, zone="Asia/Kathmandu")).expected
    assert here.local.minute == there.local.minute == 0
    assert (there.starts_at.minute, here.starts_at.minute) == (15, 0)


async def test_a_delayed_notice_is_told_with_its_title_and_how_many_it_would_reach(
    owner: Owner, sending: Settings
) -> None:
    await add_person(owner, push="one")
    await add_person(owner, push="two")
    await add_rule(owner, delay="2h")
    await emit(owner)
    await drain(sending)
    (coming,) = (await forecast(owner)).coming.items
    assert (coming.name, coming.title, coming.people) == ("notice.fan_out", "Order 7 is paid", 2)
    assert not coming.people_capped


@pytest.mark.usefixtures("any_postgres")
async def test_a_fact_of_the_future_and_a_delivery_that_waits_for_the_morning(owner: Owner, sending: Settings) -> None:
    now = await owner.fetchval("SELECT (now() AT TIME ZONE 'UTC')")
    hours = {"quiet_from": (now - timedelta(hours=1)).time(), "quiet_until": (now + timedelta(hours=2)).time()}
    person = await add_person(owner, push="token", timezone="UTC", **hours)
    await add_rule(owner)
    await emit(owner)
    await drain(sending)
    await owner.execute("SELECT tidings.emit('order.paid', '{\"id\": 1}', run_at => now() + interval '1 day')")
    found = await forecast(owner)
    assert counted(found) == {("delivery", "push"): 1, ("intent", "notice.rules"): 1}
    waiting, later = found.coming.items
    assert (waiting.what, waiting.person_id, waiting.title) == ("delivery", person, "Order 7 is paid")
    assert (waiting.person_name, waiting.timezone) == ("The owner", "UTC")
    assert (later.name, later.fact_type) == ("notice.rules", "order.paid")


async def test_what_is_to_come_is_read_page_by_page(owner: Owner) -> None:
    for n in range(5):
        await scheduled(owner, f"reminder.r{n % 2}", f"{n + 1} hours")
    seen, after = [], None
    for _ in range(3):
        page = (await forecast(owner, after, 2)).coming
        seen += [one.id for one in page.items]
        after = page.next_position
    assert (len(seen), len(set(seen)), after) == (5, 5, None)


async def test_what_is_counted_is_bounded_and_said_to_be(owner: Owner) -> None:
    most = forecast_statements.MOST_COUNTED
    await owner.execute(
        """SELECT tidings.schedule_many(array_agg('reminder.send'::text), array_agg('{}'::jsonb),
               run_ats => array_agg(now() + interval '1 day')) FROM generate_series(1, $1)""",
        most + 1,
    )
    found = await forecast(owner)
    assert (counted(found)["intent", "reminder.send"], found.capped) == (most, True)


@pytest.mark.parametrize(
    ("day", "since", "until"),
    [
        ("2026-11-16", None, "2026-11-16T23:00"),
        ("2026-11-17", "2026-11-16T23:00", "2026-11-17T23:00"),
        ("2026-11-18", "2026-11-17T23:00", "2026-11-18T09:00"),
        ("2026-11-15", "2026-11-18T09:00", "2026-11-18T09:00"),
        ("9999-12-31", "2026-11-18T09:00", "2026-11-18T09:00"),
    ],
)
def test_a_day_begins_and_ends_by_the_clocks_of_the_zone(day: str, since: str | None, until: str) -> None:
    now, rome = datetime(2026, 11, 16, 9, tzinfo=UTC), ZoneInfo("Europe/Rome")
    begins, ends = of_day(date.fromisoformat(day), rome, now, now + timedelta(days=2))
    expected = None if since is None else datetime.fromisoformat(since).replace(tzinfo=UTC)
    assert (begins, ends) == (expected, datetime.fromisoformat(until).replace(tzinfo=UTC))


async def test_of_one_day_only_that_is_listed_and_everything_counted(owner: Owner) -> None:
    for after in ("0 hours", "1 day", "1 day", "2 days"):
        await scheduled(owner, "reminder.send", after)
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    found = await forecast(owner, day=tomorrow, limit=1)
    assert counted(found) == {("intent", "reminder.send"): 4}
    second = await forecast(owner, found.coming.next_position, day=tomorrow, limit=1)
    assert [each.at.date() for each in (*found.coming.items, *second.coming.items)] == [tomorrow, tomorrow]
    assert second.coming.next_position is None
