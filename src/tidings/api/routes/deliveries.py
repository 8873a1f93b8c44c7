"""Deliveries over HTTP: how each stands and what was tried; retry, settle, retry in bulk."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.deliveries import (
    ChannelName,
    DeliveryDocument,
    DeliveryInFullDocument,
    DeliveryStatus,
    RetriedDocument,
)
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import NO_NUL, PAGE, Cursor, Limit, Moment
from tidings.api.shown.deliveries import shown_delivery, shown_in_full
from tidings.spine.access.identity import Role, Scope
from tidings.spine.delivery.administration import DeliveryAdministration, RetryFilter
from tidings.spine.delivery.records import DeliveryFilter, Records, Status

router = APIRouter(prefix="/v1/deliveries", tags=["deliveries"])
_READ = desk(Role.ADMIN, Scope.NOTICES_READ)
_WRITE = desk(Role.ADMIN, Scope.NOTICES_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.NOTICES_WRITE, body=True)

NoticeId = Annotated[UUID | None, Query(alias="noticeId")]
PersonId = Annotated[UUID | None, Query(alias="personId")]
Since = Annotated[Moment | None, Query(description="made at this time or later")]


class SettlingBody(Input):
    """What became of a delivery of which nobody knew whether it was sent."""

    as_: Literal["sent", "failed"] = Field(alias="as")
    reason: Annotated[str, Field(min_length=1, max_length=500, pattern=NO_NUL)]


class RetryBody(Input):
    """Which failed deliveries; all of them where nothing is said."""

    provider: Annotated[UUID, Field(strict=False)] | None = None
    channel: ChannelName | None = None
    error: Annotated[str, Field(max_length=500, pattern=NO_NUL)] | None = Field(
        None, description="a text that the error contains"
    )
    since: Moment | None = Field(None, description="failed at this time or later")


@router.get("", operation_id="list_deliveries", response_model=Listing[DeliveryDocument], responses=signed_in())
async def list_deliveries(
    at: Annotated[Desk, _READ],
    status: Annotated[DeliveryStatus | None, Query()] = None,
    channel: Annotated[ChannelName | None, Query()] = None,
    provider: Annotated[UUID | None, Query()] = None,
    notice_id: NoticeId = None,
    person_id: PersonId = None,
    since: Since = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """Deliveries of your tenant, open and finished, newest first."""
    known = None if status is None else Status(status)
    wanted = DeliveryFilter(known, channel, provider, notice_id, person_id, since)
    page = await _records(at).list(wanted, at.position("deliveries", cursor), limit)
    return at.page("deliveries", page, shown_delivery)


@router.post(
    "/retry",
    operation_id="retry_deliveries",
    response_model=Envelope[RetriedDocument],
    responses=signed_in(415),
    openapi_extra=takes(RetryBody, idempotent=True),
)
async def retry_many(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Sends what failed again, in bulk. What is unknown is left alone: that takes a decision, one by one."""
    body = at.parsed(RetryBody)

    async def act() -> dict[str, Any]:
        wanted = RetryFilter(body.provider, body.channel, body.error, body.since)
        retried, more = await _administration(at).retry_many(wanted)
        return {"retried": retried, "more": more}

    return await at.once(act)


@router.get(
    "/{id:uuid}",
    operation_id="get_delivery",
    response_model=Envelope[DeliveryInFullDocument],
    responses=signed_in(),
)
async def get_delivery(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One delivery, with every attempt."""
    records = _records(at)
    return answered({"data": shown_in_full(await records.get(id), await records.attempts(id))})


@router.post(
    "/{id:uuid}/retry",
    operation_id="retry_delivery",
    response_model=Envelope[DeliveryDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def retry(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Sends a delivery again that failed or is unknown, under the same key; one that waits goes out at once."""

    async def act() -> dict[str, Any]:
        return shown_delivery(await _administration(at).retry(id))

    return await at.once(act)


@router.post(
    "/{id:uuid}/settle",
    operation_id="settle_delivery",
    response_model=Envelope[DeliveryDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(SettlingBody, idempotent=True),
)
async def settle(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Says what became of a delivery that is unknown."""
    body = at.parsed(SettlingBody)

    async def act() -> dict[str, Any]:
        return shown_delivery(await _administration(at).settle(id, body.as_, body.reason, at.identity.actor))

    return await at.once(act)


def _records(at: Desk) -> Records:
    return Records(at.connection, at.tenant)


def _administration(at: Desk) -> DeliveryAdministration:
    return DeliveryAdministration(at.connection, at.tenant)
