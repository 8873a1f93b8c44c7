"""The outbox over HTTP."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, IntentDocument, IntentStatus, Listing, Redriven, StatsDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import NO_NUL, PAGE, Cursor, Limit, Moment
from tidings.api.shown import shown_intent, shown_statistics
from tidings.spine.access.identity import Role, Scope
from tidings.spine.outbox.administration import Administration
from tidings.spine.outbox.intent_records import DeadFilter, IntentFilter
from tidings.spine.outbox.states import Status
from tidings.spine.outbox.statistics import outbox_statistics

router = APIRouter(prefix="/v1/outbox", tags=["outbox"])
_READ = desk(Role.MEMBER, Scope.OUTBOX_READ)
_WRITE = desk(Role.ADMIN, Scope.OUTBOX_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.OUTBOX_WRITE, body=True)

KindFilter = Annotated[str | None, Query(max_length=200, pattern=r"^[a-z0-9_.]+$")]
KeyPrefix = Annotated[str | None, Query(alias="keyPrefix", max_length=512, pattern=NO_NUL)]


class RescheduleBody(Input):
    run_at: Moment = Field(description="when it is to run")


class RedriveBody(Input):
    """Which dead letters; all of them where nothing is said."""

    kind: Annotated[str, Field(max_length=200, pattern=r"^[a-z0-9_.]+$")] | None = None
    error: Annotated[str, Field(max_length=500, pattern=NO_NUL)] | None = Field(
        None, description="a text that the error contains"
    )
    since: Moment | None = Field(None, description="dead since this time or later")
    until: Moment | None = Field(None, description="dead before this time")


@router.get("", operation_id="list_intents", response_model=Listing[IntentDocument], responses=signed_in())
async def list_intents(
    at: Annotated[Desk, _READ],
    status: Annotated[IntentStatus | None, Query()] = None,
    kind: KindFilter = None,
    key_prefix: KeyPrefix = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """Intents, open and finished."""
    wanted = IntentFilter(None if status is None else Status(status), kind, key_prefix)
    page = await _administration(at).list(wanted, at.position("outbox", cursor), limit)
    return at.page("outbox", page, shown_intent)


@router.get("/stats", operation_id="outbox_stats", response_model=Envelope[StatsDocument], responses=signed_in())
async def stats(at: Annotated[Desk, _READ]) -> Response:
    """Counts by kind and status, lag, kinds that no worker serves, streams that stand still."""
    return answered({"data": shown_statistics(await outbox_statistics(at.connection, at.tenant))})


@router.post(
    "/redrive",
    operation_id="redrive",
    response_model=Envelope[Redriven],
    responses=signed_in(415),
    openapi_extra=takes(RedriveBody, idempotent=True),
)
async def redrive(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Runs dead letters anew, in bulk."""
    body = at.parsed(RedriveBody)

    async def act() -> dict[str, Any]:
        wanted = DeadFilter(body.kind, body.error, body.since, body.until)
        redriven, more = await _administration(at).redrive(wanted)
        return {"redriven": redriven, "more": more}

    return await at.once(act)


@router.get("/{id:uuid}", operation_id="get_intent", response_model=Envelope[IntentDocument], responses=signed_in())
async def get_intent(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One intent."""
    return answered({"data": shown_intent(await _administration(at).get(id))})


@router.post(
    "/{id:uuid}/retry",
    operation_id="retry_intent",
    response_model=Envelope[IntentDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def retry(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Runs an intent now: a dead or cancelled one anew, a waiting one without waiting longer."""

    async def act() -> dict[str, Any]:
        return shown_intent(await _administration(at).retry(id))

    return await at.once(act)


@router.post(
    "/{id:uuid}/cancel",
    operation_id="cancel_intent",
    response_model=Envelope[IntentDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def cancel(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Cancels an intent that is open, or puts a dead one aside."""

    async def act() -> dict[str, Any]:
        return shown_intent(await _administration(at).cancel(id))

    return await at.once(act)


@router.post(
    "/{id:uuid}/reschedule",
    operation_id="reschedule_intent",
    response_model=Envelope[IntentDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(RescheduleBody, idempotent=True),
)
async def reschedule(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Moves an open intent to another time."""
    run_at = at.parsed(RescheduleBody).run_at

    async def act() -> dict[str, Any]:
        return shown_intent(await _administration(at).reschedule(id, run_at))

    return await at.once(act)


def _administration(at: Desk) -> Administration:
    return Administration(at.connection, at.tenant)
