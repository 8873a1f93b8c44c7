"""Schedules of reports over HTTP: made, changed, paused, resumed, deleted; and when one would run."""

from __future__ import annotations

import json
from itertools import islice
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.bodies.reports import BulkBody, NewScheduleBody, ScheduleChangesBody, SchedulePreviewBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.reports import (
    BulkResultDocument,
    ListedScheduleDocument,
    OccurrenceDocument,
    ScheduleDetailDocument,
    ScheduleDocument,
    ScheduleStateDocument,
    ScheduleStatus,
)
from tidings.api.openapi import signed_in, takes
from tidings.api.schedule_access import Clerk, ScheduleId
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.reports import shown_listed, shown_occurrence, shown_recent, shown_state
from tidings.kit.errors import Conflict, LimitExceeded, NotFound
from tidings.modules.reports.model import Status
from tidings.spine.access.identity import Role, Scope

_PATH = "/v1/schedules"
_RECENT = 5
router = APIRouter(prefix=_PATH, tags=["reports"])
_READ = desk(Role.MEMBER, Scope.REPORTS_READ)
_READ_BODY = desk(Role.MEMBER, Scope.REPORTS_READ, body=True)
_WRITE = desk(Role.MEMBER, Scope.REPORTS_WRITE)
_WRITE_BODY = desk(Role.MEMBER, Scope.REPORTS_WRITE, body=True)


@router.get("", operation_id="list_schedules", response_model=Listing[ListedScheduleDocument], responses=signed_in())
async def list_schedules(
    at: Annotated[Desk, _READ],
    status: Annotated[ScheduleStatus | None, Query(description="all of them, where it is left out")] = None,
    owner: Annotated[Literal["me", "all"], Query(description="all: for admins")] = "me",
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """Your schedules, the newest first."""
    who = Clerk(at)
    schedules, listing = (who.own, "schedules") if owner == "me" else (who.all, "all schedules")
    wanted = None if status is None else Status(status)
    return at.page(listing, await schedules.list(wanted, at.position(listing, cursor), limit), shown_listed)


@router.post(
    "",
    operation_id="create_schedule",
    status_code=201,
    response_model=Envelope[ScheduleDocument],
    responses=signed_in(415),
    openapi_extra=takes(NewScheduleBody, idempotent=True),
)
async def create_schedule(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Makes a schedule, which is yours. `Location` leads to it."""
    who = Clerk(at)
    await who.count_write()
    wanted = at.parsed(NewScheduleBody).wanted(await who.now())

    async def act() -> dict[str, Any]:
        return await who.shown(await who.own.create(who.owner, wanted))

    reply = await at.once(act, 201)
    reply.headers["Location"] = f"{_PATH}/{json.loads(bytes(reply.body))['data']['id']}"
    return reply


@router.post(
    "/preview",
    operation_id="preview_schedule",
    response_model=Envelope[list[OccurrenceDocument]],
    responses=signed_in(415),
    openapi_extra=takes(SchedulePreviewBody),
)
async def preview_schedule(at: Annotated[Desk, _READ_BODY]) -> Response:
    """When a schedule with these times would run. Nothing is saved."""
    body = at.parsed(SchedulePreviewBody)
    after = body.from_ or await Clerk(at).now()
    return answered({"data": [shown_occurrence(each) for each in islice(body.timing(after).slots(after), body.count)]})


@router.post(
    "/bulk",
    operation_id="change_schedules",
    response_model=Envelope[list[BulkResultDocument]],
    responses=signed_in(415),
    openapi_extra=takes(BulkBody, idempotent=True),
)
async def change_schedules(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Pauses, resumes or deletes several, each by itself: what one cannot does not keep the others from it."""
    body, who = at.parsed(BulkBody), Clerk(at)

    async def act() -> list[dict[str, Any]]:
        return [await _one_of_many(at, who, body.action, each) for each in dict.fromkeys(body.ids)]

    return await at.once(act)


@router.get(
    "/{scheduleId:number}",
    operation_id="get_schedule",
    response_model=Envelope[ScheduleDetailDocument],
    responses=signed_in(),
)
async def get_schedule(schedule_id: ScheduleId, at: Annotated[Desk, _READ]) -> Response:
    """One schedule, with those it is mailed to and its newest runs."""
    who = Clerk(at)
    shown = await who.shown(schedule_id)
    recent = await who.runs.list(schedule_id, None, None, _RECENT)
    return answered({"data": shown | {"recentRuns": [shown_recent(run) for run in recent.items]}})


@router.patch(
    "/{scheduleId:number}",
    operation_id="change_schedule",
    response_model=Envelope[ScheduleDocument],
    responses=signed_in(415),
    openapi_extra=takes(ScheduleChangesBody),
)
async def change_schedule(schedule_id: ScheduleId, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Changes what is given; recipients are replaced as a whole. One that is paused stays so."""
    who = Clerk(at)
    await who.count_write()
    body, present = at.parsed(ScheduleChangesBody), await who.schedules.get(schedule_id)
    wanted = body.wanted(present, await who.now())
    await who.schedules.change(schedule_id, wanted, recipients_too="recipients" in body.model_fields_set)
    return answered({"data": await who.shown(schedule_id)})


@router.delete("/{scheduleId:number}", operation_id="delete_schedule", status_code=204, responses=signed_in())
async def delete_schedule(schedule_id: ScheduleId, at: Annotated[Desk, _WRITE]) -> Response:
    """Nothing of it runs any more, and it is not there any more for anybody."""
    await Clerk(at).schedules.delete(schedule_id)
    return Response(status_code=204)


@router.post(
    "/{scheduleId:number}/pause",
    operation_id="pause_schedule",
    response_model=Envelope[ScheduleStateDocument],
    responses=signed_in(409),
)
async def pause_schedule(schedule_id: ScheduleId, at: Annotated[Desk, _WRITE]) -> Response:
    """Nothing of it runs until it is resumed."""
    return answered({"data": shown_state(await Clerk(at).schedules.pause(schedule_id))})


@router.post(
    "/{scheduleId:number}/resume",
    operation_id="resume_schedule",
    response_model=Envelope[ScheduleStateDocument],
    responses=signed_in(409),
)
async def resume_schedule(schedule_id: ScheduleId, at: Annotated[Desk, _WRITE]) -> Response:
    """It runs again, from now on."""
    return answered({"data": shown_state(await Clerk(at).schedules.resume(schedule_id))})


async def _one_of_many(at: Desk, who: Clerk, action: str, id: int) -> dict[str, Any]:
    try:
        async with at.connection.transaction():
            match action:
                case "pause":
                    await who.schedules.pause(id)
                case "resume":
                    await who.schedules.resume(id)
                case _:
                    await who.schedules.delete(id)
    except (NotFound, Conflict, LimitExceeded) as refused:
        return {"id": id, "outcome": refused.slug, "detail": refused.detail}
    return {"id": id, "outcome": "done", "detail": None}
