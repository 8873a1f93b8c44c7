"""The reports that there are."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.reports import ReportTypeDocument
from tidings.api.openapi import signed_in
from tidings.api.shown.reports import shown_report_type
from tidings.modules.reports.catalogue import report_types
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/report-types", tags=["reports"])


@router.get(
    "", operation_id="list_report_types", response_model=Envelope[list[ReportTypeDocument]], responses=signed_in()
)
async def list_report_types(at: Annotated[Desk, desk(Role.MEMBER, Scope.REPORTS_READ)]) -> Response:
    """All of them, by name."""
    return answered({"data": [shown_report_type(each) for each in report_types().values()]})
