"""What a report schedule is, what a run of one, and through which states they go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from tidings.modules.reports.rendering.formats import Format
from tidings.modules.reports.timing import Timing

MODULE = "reports"
STREAM = "report_schedule"
CATEGORY = "reports"
DOCUMENT = "report"  # as what a mail names it that carries one
TICK = "report.tick"
RUN = "report.run"
MOST_ACTIVE = 25
MOST_RECIPIENTS = 50
WRITES_WITHIN = timedelta(minutes=1)
LONGEST_NAME = 100
LONGEST_ERROR = 1_000
LARGEST_DOCUMENT = 10 << 20  # bytes: many mail servers take no larger mails


class Status(StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"
    DELETED = "deleted"


class CatchUp(StrEnum):
    """What becomes of slots that passed while nothing ran."""

    LATEST = "latest"  # one run, for the newest of them
    SKIP = "skip"
    ALL = "all"  # one at a time, in order


class Trigger(StrEnum):
    """What a run came of."""

    SCHEDULE = "schedule"
    MANUAL = "manual"
    RETRY = "retry"
    RESEND = "resend"


class RunStatus(StrEnum):
    PENDING = "pending"
    GENERATING = "generating"
    GENERATED = "generated"
    DELIVERING = "delivering"
    DELIVERED = "delivered"
    PARTIALLY_DELIVERED = "partially_delivered"
    DELIVERY_FAILED = "delivery_failed"
    GENERATION_FAILED = "generation_failed"
    CANCELLED = "cancelled"


FINAL = frozenset(
    {
        RunStatus.DELIVERED,
        RunStatus.PARTIALLY_DELIVERED,
        RunStatus.DELIVERY_FAILED,
        RunStatus.GENERATION_FAILED,
        RunStatus.CANCELLED,
    }
)


class RecipientStatus(StrEnum):
    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    SKIPPED = "skipped"  # they do not want it, or nothing may be sent there: that is no failure


@dataclass(frozen=True)
class Wanted:
    """What a schedule is to be."""

    report_type: str
    timing: Timing
    recipients: Sequence[str]
    catch_up: CatchUp = CatchUp.LATEST
    name: str | None = None
    format: Format = Format.PDF


@dataclass(frozen=True)
class Recipient:
    id: int
    email: str
    is_active: bool


@dataclass(frozen=True)
class Schedule:
    id: int
    owner: str
    name: str | None
    report_type: str
    timing: Timing
    catch_up: CatchUp
    format: Format
    status: Status
    next_run_at: datetime | None
    last_run_status: RunStatus | None
    last_run_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class RunRecipient:
    email: str
    status: RecipientStatus
    delivered_at: datetime | None
    error_message: str | None


@dataclass(frozen=True)
class Run:
    id: int
    schedule_id: int
    slot: datetime
    late: bool
    trigger: Trigger
    retry_of: int | None
    status: RunStatus
    started_at: datetime | None
    completed_at: datetime | None
    error_message: str | None
    created_at: datetime
    has_document: bool = False
    recipients: Sequence[RunRecipient] = ()

    @property
    def counts(self) -> Mapping[RecipientStatus, int]:
        return {status: sum(each.status is status for each in self.recipients) for status in RecipientStatus}


def outcome_of(counts: Mapping[RecipientStatus, int]) -> RunStatus:
    """What a run came to, once there is an answer for each of its recipients. Pure."""
    sent, failed = counts[RecipientStatus.SENT], counts[RecipientStatus.FAILED]
    if not sent and not failed:
        return RunStatus.CANCELLED
    if not failed:
        return RunStatus.DELIVERED
    return RunStatus.PARTIALLY_DELIVERED if sent else RunStatus.DELIVERY_FAILED


@dataclass(frozen=True)
class KeptDocument:
    """The report as it was mailed."""

    name: str
    media_type: str
    content: bytes = field(repr=False)


def tick_key(schedule_id: int) -> str:
    return f"schedule:{schedule_id}"
