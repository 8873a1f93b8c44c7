"""Runs of a schedule over HTTP: what became of each; asked for now, tried again, sent again to whom they missed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.desk import Desk, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.reports import RunDocument, RunStatusName
from tidings.api.openapi import signed_in, takes
from tidings.api.schedule_access import Clerk, RunId, ScheduleId
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.reports import shown_run
from tidings.modules.reports.model import Run, RunStatus
from tidings.modules.reports.rendering.formats import Format
from tidings.modules.reports.runs import Runs
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/schedules/{scheduleId:number}/runs", tags=["reports"])
_READ = desk(Role.MEMBER, Scope.REPORTS_READ)
_WRITE = desk(Role.MEMBER, Scope.REPORTS_WRITE)
_FILE = {"schema": {"type": "string", "format": "binary"}}
_DOCUMENT: dict[int | str, dict[str, Any]] = {
    200: {"description": "The report", "content": {each.media_type: _FILE for each in Format}}
}
_BEGUN: Any = {"status_code": 202, "response_model": Envelope[RunDocument]}


@router.get("", operation_id="list_runs", response_model=Listing[RunDocument], responses=signed_in())
async def list_runs(
    schedule_id: ScheduleId,
    at: Annotated[Desk, _READ],
    status: Annotated[RunStatusName | None, Query(description="all of them, where it is left out")] = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """What became of each run, for every recipient; the newest first."""
    who = Clerk(at)
    await who.schedules.get(schedule_id)
    wanted = None if status is None else RunStatus(status)
    listing = f"runs of {schedule_id}"
    return at.page(listing, await who.runs.list(schedule_id, wanted, at.position(listing, cursor), limit), shown_run)


@router.post("", operation_id="start_run", responses=signed_in(), openapi_extra=takes(idempotent=True), **_BEGUN)
async def start_run(schedule_id: ScheduleId, at: Annotated[Desk, _WRITE]) -> Response:
    """Makes the report now, and mails it to all; also while its schedule is paused."""
    return await _begun(at, schedule_id, lambda runs: runs.start(schedule_id))


@router.get(
    "/{runId:number}/document",
    operation_id="get_document",
    response_class=Response,
    responses=_DOCUMENT | signed_in(410),
)
async def get_document(schedule_id: ScheduleId, run_id: RunId, at: Annotated[Desk, _READ]) -> Response:
    """The report as it was mailed, as long as it is kept."""
    who = Clerk(at)
    await who.schedules.get(schedule_id)
    kept = await who.runs.document(at.parts.documents, schedule_id, run_id)
    headers = {"Content-Disposition": f'attachment; filename="{kept.name}"', "Content-Type": kept.media_type}
    return Response(kept.content, headers=headers)


@router.post(
    "/{runId:number}/retry",
    operation_id="retry_run",
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
    **_BEGUN,
)
async def retry_run(schedule_id: ScheduleId, run_id: RunId, at: Annotated[Desk, _WRITE]) -> Response:
    """Another run of the same slot, where the report could not be generated."""
    return await _begun(at, schedule_id, lambda runs: runs.retry(schedule_id, run_id))


@router.post(
    "/{runId:number}/resend",
    operation_id="resend_run",
    responses=signed_in(409, 410),
    openapi_extra=takes(idempotent=True),
    **_BEGUN,
)
async def resend_run(schedule_id: ScheduleId, run_id: RunId, at: Annotated[Desk, _WRITE]) -> Response:
    """Another run with the same document, for those recipients alone whom it did not reach."""
    return await _begun(at, schedule_id, lambda runs: runs.resend(schedule_id, run_id))


async def _begun(at: Desk, schedule_id: int, begin: Callable[[Runs], Awaitable[Run]]) -> Response:
    who = Clerk(at)
    await who.schedules.get(schedule_id)

    async def act() -> dict[str, Any]:
        return shown_run(await begin(who.runs))

    return await at.once(act, 202)
