"""The reports that there are, and schedules to start from."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.reports import ReportTypeDocument, ScheduleTemplateDocument
from tidings.api.openapi import signed_in
from tidings.api.shown.reports import shown_report_type, shown_template
from tidings.modules.reports.catalogue import report_types
from tidings.modules.reports.templates import TEMPLATES
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1", tags=["reports"])
_READ = desk(Role.MEMBER, Scope.REPORTS_READ)


@router.get(
    "/report-types",
    operation_id="list_report_types",
    response_model=Envelope[list[ReportTypeDocument]],
    responses=signed_in(),
)
async def list_report_types(at: Annotated[Desk, _READ]) -> Response:
    """All of them, by name."""
    return answered({"data": [shown_report_type(each) for each in report_types().values()]})


@router.get(
    "/schedule-templates",
    operation_id="list_schedule_templates",
    response_model=Envelope[list[ScheduleTemplateDocument]],
    responses=signed_in(),
)
async def list_schedule_templates(at: Annotated[Desk, _READ]) -> Response:
    """What a new schedule may begin with."""
    return answered({"data": [shown_template(each) for each in TEMPLATES]})
