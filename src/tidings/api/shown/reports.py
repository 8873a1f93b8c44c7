"""Schedules of reports and what belongs to them, as a client sees them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from tidings.modules.reports.catalogue import ReportType
from tidings.modules.reports.model import Recipient, Run, Schedule
from tidings.modules.reports.slots import Slot
from tidings.modules.reports.templates import Template


def shown_report_type(kind: ReportType) -> dict[str, Any]:
    return {"id": kind.id, "name": kind.name, "description": kind.description}


def shown_template(template: Template) -> dict[str, Any]:
    return {
        "id": template.id,
        "name": template.name,
        "description": template.description,
        "schedule": dict(template.fields),
    }


def shown_occurrence(slot: Slot) -> dict[str, Any]:
    return {"runAt": slot.at, "localTime": _minute(slot.local), "note": slot.note}


def shown_state(schedule: Schedule) -> dict[str, Any]:
    return {"id": schedule.id, "status": schedule.status, "nextRunAt": schedule.next_run_at}


def shown_listed(schedule: Schedule) -> dict[str, Any]:
    return _shown(schedule) | {"lastRunStatus": schedule.last_run_status, "lastRunAt": schedule.last_run_at}


def shown_schedule(schedule: Schedule, recipients: Sequence[Recipient]) -> dict[str, Any]:
    to = [{"id": each.id, "email": each.email, "isActive": each.is_active} for each in recipients]
    return _shown(schedule) | {"recipients": to}


def shown_recent(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "status": run.status,
        "startedAt": run.started_at,
        "completedAt": run.completed_at,
        "errorMessage": run.error_message,
        "createdAt": run.created_at,
    }


def shown_run(run: Run) -> dict[str, Any]:
    recipients = [
        {
            "email": each.email,
            "status": each.status,
            "deliveredAt": each.delivered_at,
            "errorMessage": each.error_message,
        }
        for each in run.recipients
    ]
    return shown_recent(run) | {
        "slot": _minute(run.slot),
        "late": run.late,
        "trigger": run.trigger,
        "retryOf": run.retry_of,
        "documentUrl": f"/v1/schedules/{run.schedule_id}/runs/{run.id}/document" if run.has_document else None,
        "counts": {str(status): count for status, count in run.counts.items()},
        "recipients": recipients,
    }


def _shown(schedule: Schedule) -> dict[str, Any]:
    timing = schedule.timing
    return {
        "id": schedule.id,
        "name": schedule.name,
        "reportTypeId": schedule.report_type,
        "cadenceType": timing.cadence_type,
        "cadenceDay": timing.cadence_day,
        "cadenceWeekday": timing.cadence_weekday,
        "cadenceWeek": timing.cadence_week,
        "intervalWeeks": timing.interval_weeks,
        "cronExpression": timing.cron_expression,
        "scheduleTime": None if timing.schedule_time is None else f"{timing.schedule_time:%H:%M}",
        "timezone": timing.timezone,
        "catchUp": schedule.catch_up,
        "format": schedule.format,
        "status": schedule.status,
        "nextRunAt": schedule.next_run_at,
        "warnings": timing.warnings(),
        "createdAt": schedule.created_at,
        "updatedAt": schedule.updated_at,
    }


def _minute(wall: datetime) -> str:
    return f"{wall:%Y-%m-%dT%H:%M}"
