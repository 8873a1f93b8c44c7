"""What will be sent in the next days, from the rows that are there: intents, delayed notices, deliveries that wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from tidings.kit.db import Connection
from tidings.kit.paging import Page, page_of
from tidings.spine.delivery.seeing import forecast_statements as statements
from tidings.spine.outbox.intents import Row


@dataclass(frozen=True)
class Expected:
    """How many, in the hour that begins at `starts_at`. `name` is the kind of the intents, the deliveries' channel."""

    starts_at: datetime
    local: datetime
    what: Literal["intent", "delivery"]
    name: str
    count: int


@dataclass(frozen=True)
class Coming:
    """One thing to come. `people`: how many a delayed notice would reach now, or `people_capped` and more. `timezone`:
    the person's, by which their quiet hours go."""

    id: UUID
    what: Literal["intent", "delivery"]
    name: str
    status: str
    at: datetime
    fact_id: UUID | None
    fact_type: str | None
    notice_id: UUID | None
    title: str | None
    person_id: UUID | None
    person_name: str | None
    timezone: str | None
    people: int | None
    people_capped: bool


@dataclass(frozen=True)
class Forecast:
    """`capped`: there is more of some kind or channel than was counted. `held` deliveries wait for somebody to decide,
    and are in no hour; kinds and channels that are `unserved` wait for a worker."""

    since: datetime
    until: datetime
    expected: Sequence[Expected]
    capped: bool
    held: int
    unserved: Sequence[str]
    coming: Page[Coming]


@dataclass(frozen=True)
class Forecasts:
    connection: Connection
    tenant: str

    async def of(
        self, span: timedelta, zone: str, after: Sequence[str] | None, limit: int, day: date | None = None
    ) -> Forecast:
        """What is due already counts as due now. By the hours of `zone`; `coming` is of one `day` where it is given."""
        setting = await self.connection.fetchrow(statements.SETTING, self.tenant, span)
        assert setting is not None
        rows = await self.connection.fetch(statements.EXPECTED, self.tenant, setting["until"])
        names = {row["name"] for row in rows}
        within = of_day(day, ZoneInfo(zone), setting["now"], setting["until"])
        return Forecast(
            setting["now"],
            setting["until"],
            by_hour(rows, ZoneInfo(zone)),
            any(row["capped"] for row in rows),
            setting["held"],
            sorted(names - set(setting["served"])),
            await self._coming(within, after, limit),
        )

    async def _coming(
        self, within: tuple[datetime | None, datetime], after: Sequence[str] | None, limit: int
    ) -> Page[Coming]:
        since, until = within
        rows = await self.connection.fetch(statements.COMING, self.tenant, until, after, limit + 1, since)
        return page_of([_coming(row) for row in rows], limit, lambda one: (one.at.isoformat(), str(one.id)))


def of_day(day: date | None, zone: ZoneInfo, now: datetime, until: datetime) -> tuple[datetime | None, datetime]:
    """When that day begins and ends by the clocks of `zone`; without one, all until `until`. What is due already is of
    today, and days outside the forecast have nothing."""
    today = now.astimezone(zone).date()
    if day is None:
        return None, until
    if not today <= day <= until.astimezone(zone).date():
        return until, until
    ends = datetime.combine(day + timedelta(days=1), time(), zone)
    return None if day == today else datetime.combine(day, time(), zone), min(ends, until)


def by_hour(rows: Iterable[Row], zone: ZoneInfo) -> list[Expected]:
    """Counts by the quarter of an hour, put together by the hours that clocks of that zone show."""
    counts: Counter[tuple[datetime, datetime, Any, str]] = Counter()
    for row in rows:
        local = row["at"].astimezone(zone)
        starts_at = row["at"] - timedelta(minutes=local.minute)
        counts[starts_at, local.replace(minute=0), row["what"], row["name"]] += row["count"]
    return [Expected(*key, count) for key, count in sorted(counts.items(), key=lambda item: (item[0][0], *item[0][2:]))]


def _coming(row: Any) -> Coming:
    people = row["people"]
    capped = people is not None and people > statements.MOST_PEOPLE
    shown = statements.MOST_PEOPLE if capped else people
    names = [name for name in Coming.__dataclass_fields__ if not name.startswith("people")]
    return Coming(**{name: row[name] for name in names}, people=shown, people_capped=capped)
