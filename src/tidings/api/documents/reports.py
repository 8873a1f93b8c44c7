"""The bodies of replies about schedules of reports."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from tidings.api.documents import Document

ScheduleStatus = Literal["active", "paused"]
RunStatusName = Literal[
    "pending",
    "generating",
    "generated",
    "delivering",
    "delivered",
    "partially_delivered",
    "delivery_failed",
    "generation_failed",
    "cancelled",
]
_SLOT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d$"


class ReportTypeDocument(Document):
    id: str
    name: str
    description: str


class ScheduleTemplateDocument(Document):
    """Something to start from."""

    id: str
    name: str
    description: str
    schedule: dict[str, str | int] = Field(description="fields of a schedule, to be made one with what is yours")


class BulkResultDocument(Document):
    id: int
    outcome: Literal["done", "not-found", "conflict", "limit-exceeded"]
    detail: str | None = Field(description="why not")


class OccurrenceDocument(Document):
    """When it would run, and what the clock shows there then."""

    run_at: datetime
    local_time: str = Field(pattern=_SLOT)
    note: Literal["clamped", "gap", "repeated"] | None = Field(
        description="the month is too short for that day; the hour does not exist; it comes twice, and the first counts"
    )


class ReportRecipientDocument(Document):
    id: int
    email: str
    is_active: bool = Field(description="false where they do not want it any more")


class _ScheduleFields(Document):
    id: int
    name: str | None
    report_type_id: str
    cadence_type: Literal["daily", "weekly", "monthly", "cron"]
    cadence_day: int | None
    cadence_weekday: int | None
    cadence_week: int | None
    interval_weeks: int
    cron_expression: str | None
    schedule_time: str | None
    timezone: str
    catch_up: Literal["latest", "skip", "all"]
    format: Literal["pdf", "csv", "xlsx", "html"]
    status: ScheduleStatus
    next_run_at: datetime | None = Field(description="null while it is paused")
    warnings: list[str]
    created_at: datetime
    updated_at: datetime


class ListedScheduleDocument(_ScheduleFields):
    last_run_status: RunStatusName | None
    last_run_at: datetime | None


class ScheduleDocument(_ScheduleFields):
    recipients: list[ReportRecipientDocument]


class RecentRunDocument(Document):
    id: int
    status: RunStatusName
    started_at: datetime | None
    completed_at: datetime | None
    error_message: str | None
    created_at: datetime


class ScheduleDetailDocument(ScheduleDocument):
    recent_runs: list[RecentRunDocument] = Field(description="the newest five")


class ScheduleStateDocument(Document):
    id: int
    status: ScheduleStatus
    next_run_at: datetime | None


class RunRecipientDocument(Document):
    email: str
    status: Literal["pending", "sent", "failed", "skipped"]
    delivered_at: datetime | None
    error_message: str | None


class RunCountsDocument(Document):
    sent: int
    failed: int
    skipped: int
    pending: int


class RunDocument(RecentRunDocument):
    slot: str = Field(pattern=_SLOT, description="what the clock of its schedule showed when it was due")
    late: bool
    trigger: Literal["schedule", "manual", "retry", "resend"]
    retry_of: int | None = Field(description="the run that this one repeats")
    document_url: str | None = Field(description="where its document is; null where there is none, or none any more")
    counts: RunCountsDocument
    recipients: list[RunRecipientDocument]
