"""When a schedule is due, as it is written down: its fields, which of them go together, and what is to be minded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, time
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from tidings.kit.errors import Fault, ValidationFailed
from tidings.modules.reports.cadences import (
    SHORTEST_MONTH,
    Cadence,
    Cron,
    Daily,
    Monthly,
    MonthlyByWeekday,
    Weekly,
)
from tidings.modules.reports.slots import Slot, slots

_SUNDAY = 6
_LAST_DAY = 31
FIELDS = (
    "cadence_type",
    "cadence_day",
    "cadence_weekday",
    "cadence_week",
    "interval_weeks",
    "cron_expression",
    "schedule_time",
    "timezone",
)


class CadenceType(StrEnum):
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    CRON = "cron"


@dataclass(frozen=True)
class Timing:
    """What belongs together, as `check` has seen. Weeks are counted from `since`."""

    cadence_type: CadenceType
    timezone: str
    since: date
    schedule_time: time | None = None
    cadence_day: int | None = None
    cadence_weekday: int | None = None
    cadence_week: int | None = None
    interval_weeks: int = 1
    cron_expression: str | None = None

    def slots(self, after: datetime) -> Iterator[Slot]:
        return slots(self._cadence(), ZoneInfo(self.timezone), after)

    def next_slot(self, after: datetime) -> Slot | None:
        """None where there is none any more."""
        return next(self.slots(after), None)

    def warnings(self) -> list[str]:
        """What whoever set it may not have thought of."""
        if self.cadence_day is not None and self.cadence_day > SHORTEST_MONTH:
            return [f"day {self.cadence_day} is the last day of shorter months"]
        return []

    def columns(self) -> Mapping[str, Any]:
        return asdict(self)

    def _cadence(self) -> Cadence:
        if self.cron_expression is not None:
            return Cron(self.cron_expression)
        assert self.schedule_time is not None
        match self.cadence_type:
            case CadenceType.WEEKLY:
                assert self.cadence_day is not None
                return Weekly(self.schedule_time, self.cadence_day, self.interval_weeks, self.since)
            case CadenceType.MONTHLY if self.cadence_day is not None:
                return Monthly(self.schedule_time, self.cadence_day)
            case CadenceType.MONTHLY:
                assert self.cadence_weekday is not None
                assert self.cadence_week is not None
                return MonthlyByWeekday(self.schedule_time, self.cadence_weekday, self.cadence_week)
            case _:
                return Daily(self.schedule_time)


def check(fields: Mapping[str, Any], since: date) -> Timing:
    """`fields` by the names in `FIELDS`, each valid by itself. `ValidationFailed` with all that do not go together."""
    kind = CadenceType(fields["cadence_type"])
    faults = [*_day_faults(kind, fields), *_other_faults(kind, fields)]
    if faults:
        raise ValidationFailed("; ".join(f"{each.field}: {each.message}" for each in faults), tuple(faults))
    if kind is CadenceType.CRON:
        Cron(fields["cron_expression"])
    return Timing(kind, since=since, **{name: fields[name] for name in FIELDS if name != "cadence_type"})


def changed(present: Timing, given: Mapping[str, Any], today: date) -> Timing:
    """As it is after a change; the same, where that changes nothing. Weeks are counted from the change."""
    timing = check(_merged(present, given), present.since)
    return timing if timing == present else replace(timing, since=today)


def _merged(present: Timing, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """What cannot be taken back by name goes with what it belonged to."""
    merged = {name: getattr(present, name) for name in FIELDS} | dict(given)
    kind = CadenceType(merged["cadence_type"])
    leaving: dict[str, Any] = {}
    if kind is not CadenceType.WEEKLY:
        leaving["interval_weeks"] = 1
    if kind is not CadenceType.MONTHLY or given.get("cadence_day") is not None:
        leaving |= {"cadence_weekday": None, "cadence_week": None}
    if kind is CadenceType.CRON:
        leaving["schedule_time"] = None
    else:
        leaving["cron_expression"] = None
    return merged | {name: value for name, value in leaving.items() if name not in given}


def _day_faults(kind: CadenceType, fields: Mapping[str, Any]) -> Iterator[Fault]:
    day, by_weekday = fields["cadence_day"], fields["cadence_weekday"] is not None or fields["cadence_week"] is not None
    if kind is CadenceType.WEEKLY and (day is None or not 0 <= day <= _SUNDAY):
        yield Fault("cadenceDay", "must be 0 (Monday) to 6 (Sunday) for a weekly cadence")
    if kind is CadenceType.MONTHLY and not by_weekday and (day is None or not 1 <= day <= _LAST_DAY):
        yield Fault("cadenceDay", "must be 1 to 31 for a monthly cadence, unless it goes by weekday")
    if kind is CadenceType.MONTHLY and by_weekday and day is not None:
        yield Fault("cadenceDay", "must be null where it goes by weekday")
    if kind in (CadenceType.DAILY, CadenceType.CRON) and day is not None:
        yield Fault("cadenceDay", f"must be null for a {kind} cadence")


def _other_faults(kind: CadenceType, fields: Mapping[str, Any]) -> Iterator[Fault]:
    weekday, week = fields["cadence_weekday"], fields["cadence_week"]
    if kind is not CadenceType.MONTHLY:
        for name, value in (("cadenceWeekday", weekday), ("cadenceWeek", week)):
            if value is not None:
                yield Fault(name, "goes with a monthly cadence alone")
    elif (weekday is None) != (week is None):
        yield Fault("cadenceWeekday" if weekday is None else "cadenceWeek", "is needed to go by weekday")
    if kind is not CadenceType.WEEKLY and fields["interval_weeks"] != 1:
        yield Fault("intervalWeeks", "goes with a weekly cadence alone")
    yield from _time_faults(kind, fields)


def _time_faults(kind: CadenceType, fields: Mapping[str, Any]) -> Iterator[Fault]:
    is_cron = kind is CadenceType.CRON
    if is_cron == (fields["cron_expression"] is None):
        yield Fault("cronExpression", f"{'is needed for' if is_cron else 'goes with'} a cron cadence")
    if is_cron == (fields["schedule_time"] is not None):
        yield Fault("scheduleTime", "is said by the cron expression" if is_cron else "is needed")
