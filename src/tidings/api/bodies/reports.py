"""What clients send about schedules of reports."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, Field

from tidings.api.bodies import Input
from tidings.api.bodies.people import Clock, Email, Timezone
from tidings.api.numbers import NumberId, whole
from tidings.api.shapes import Moment
from tidings.modules.reports.cadences import LAST_WEEK
from tidings.modules.reports.catalogue import report_types
from tidings.modules.reports.model import LONGEST_NAME, MOST_RECIPIENTS, CatchUp, Schedule, Wanted
from tidings.modules.reports.rendering.formats import Format
from tidings.modules.reports.timing import FIELDS, Timing, changed, check
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.addresses import of_email

_MOST_SENT = 1_000
"""Recipients that a request may name, before those who are named twice are counted once."""
_WEEKS = 4


def _known(report_type: str) -> str:
    if report_type not in report_types():
        raise ValueError(f"there is no such report; there are {', '.join(report_types())}")
    return report_type


def _distinct(recipients: list[str]) -> list[str]:
    """In small letters, each once."""
    found = list(dict.fromkeys(of_email(each).fingerprint for each in recipients))
    if len(found) > MOST_RECIPIENTS:
        raise ValueError(f"must be {MOST_RECIPIENTS} or fewer")
    return found


def _week(value: int) -> int:
    if value != LAST_WEEK and not 1 <= value <= _WEEKS:
        raise ValueError("must be 1 to 4, or -1 for the last")
    return value


ReportTypeId = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_known)]
CadenceName = Literal["daily", "weekly", "monthly", "cron"]
Day = Annotated[
    int,
    Field(ge=0, le=31, description="0 (Monday) to 6 of a weekly cadence, 1 to 31 of a monthly one, else null"),
    BeforeValidator(whole),
]
Weekday = Annotated[int, Field(ge=0, le=6, description="0 is Monday"), BeforeValidator(whole)]
Week = Annotated[
    int,
    Field(json_schema_extra={"enum": [LAST_WEEK, *range(1, _WEEKS + 1)]}),
    BeforeValidator(whole),
    AfterValidator(_week),
]
Weeks = Annotated[int, Field(ge=1, le=52), BeforeValidator(whole)]
CronExpression = Annotated[str, Field(min_length=9, max_length=200, description="of five fields")]
Recipients = Annotated[list[Email], Field(min_length=1, max_length=_MOST_SENT), AfterValidator(_distinct)]
ScheduleName = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, pattern=fields.NAME), AfterValidator(fields.person_name)
]
CatchUpName = Literal["latest", "skip", "all"]
FormatName = Literal["pdf", "csv", "xlsx", "html"]


class _CadenceBody(Input):
    cadence_type: CadenceName
    cadence_day: Day | None = None
    cadence_weekday: Weekday | None = Field(None, description="of a monthly cadence, with `cadenceWeek`")
    cadence_week: Week | None = Field(None, description="1 to 4 of a month, or -1 for the last")
    interval_weeks: Weeks = Field(1, description="of a weekly cadence")
    cron_expression: CronExpression | None = None
    schedule_time: Clock | None = Field(None, description="by the clock of `timezone`; not of a cron cadence")
    timezone: Timezone

    def timing(self, now: datetime) -> Timing:
        return check({**dict.fromkeys(FIELDS), **_columns(self, set(FIELDS))}, _today(now, self.timezone))


class SchedulePreviewBody(_CadenceBody):
    from_: Moment | None = Field(None, alias="from", description="later than this; than now, where it is left out")
    count: Annotated[int, Field(ge=1, le=100), BeforeValidator(whole)] = 5


class NewScheduleBody(_CadenceBody):
    report_type_id: ReportTypeId
    recipients: Recipients
    name: ScheduleName | None = None
    catch_up: CatchUpName = Field("latest", description="what becomes of slots that passed while nothing ran")
    format: FormatName = Field("pdf", description="of the file that goes along with the mails")

    def wanted(self, now: datetime) -> Wanted:
        timing = self.timing(now)
        catch_up, kind = CatchUp(self.catch_up), Format(self.format)
        return Wanted(self.report_type_id, timing, self.recipients, catch_up, self.name, kind)


class BulkBody(Input):
    action: Literal["pause", "resume", "delete"]
    ids: Annotated[list[NumberId], Field(min_length=1, max_length=100)]


class ScheduleChangesBody(Input):
    """What is left out stays as it is; the whole is checked as a new one is."""

    cadence_type: CadenceName = Field(default_factory=str)  # type: ignore[arg-type]
    cadence_day: Day | None = None
    cadence_weekday: Weekday = Field(default_factory=int)
    cadence_week: Week = Field(default_factory=int)
    interval_weeks: Weeks = Field(default_factory=int)
    cron_expression: CronExpression = Field(default_factory=str)
    schedule_time: Clock = Field(default_factory=str)
    timezone: Timezone = Field(default_factory=str)
    report_type_id: ReportTypeId = Field(default_factory=str)
    recipients: Recipients = Field(default_factory=list)
    name: ScheduleName = Field(default_factory=str)
    catch_up: CatchUpName = Field(default_factory=str)  # type: ignore[arg-type]
    format: FormatName = Field(default_factory=str)  # type: ignore[arg-type]

    def wanted(self, present: Schedule, now: datetime) -> Wanted:
        given = self.model_fields_set
        timezone = self.timezone if "timezone" in given else present.timing.timezone
        return Wanted(
            self.report_type_id if "report_type_id" in given else present.report_type,
            changed(present.timing, _columns(self, given), _today(now, timezone)),
            self.recipients,
            CatchUp(self.catch_up) if "catch_up" in given else present.catch_up,
            self.name if "name" in given else present.name,
            Format(self.format) if "format" in given else present.format,
        )


def _columns(body: Input, given: set[str]) -> Mapping[str, Any]:
    """What was given of when it is due, as it is written down."""
    found = body.model_dump(include=given & set(FIELDS))
    if found.get("schedule_time"):
        found["schedule_time"] = fields.clock(found["schedule_time"])
    return found


def _today(now: datetime, timezone: str) -> date:
    return now.astimezone(ZoneInfo(timezone)).date()
