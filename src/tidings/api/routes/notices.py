"""Notices over HTTP: what was said, to whom, and how it stands."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.deliveries import NoticeDocument, RecipientDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import NO_NUL, PAGE, Cursor, Limit, Moment
from tidings.api.shown.deliveries import shown_notice, shown_notification
from tidings.spine.access.identity import Role, Scope
from tidings.spine.delivery.notice_records import NoticeFilter, Notices

router = APIRouter(prefix="/v1/notices", tags=["notices"])
_READ = desk(Role.ADMIN, Scope.NOTICES_READ)
_WRITE_BODY = desk(Role.ADMIN, Scope.NOTICES_WRITE, body=True)

FactFilter = Annotated[UUID | None, Query(alias="factId")]
Named = Annotated[str | None, Query(min_length=1, max_length=255, pattern=NO_NUL)]
Since = Annotated[Moment | None, Query(description="made at this time or later")]
Until = Annotated[Moment | None, Query(description="made before this time")]


class ClosingBody(Input):
    reason: Annotated[str, Field(min_length=1, max_length=500, pattern=NO_NUL)]


@router.get("", operation_id="list_notices", response_model=Listing[NoticeDocument], responses=signed_in())
async def list_notices(
    at: Annotated[Desk, _READ],
    fact_id: FactFilter = None,
    category: Named = None,
    listener: Named = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """Notices of your tenant, newest first."""
    wanted = NoticeFilter(fact_id, None, category, listener, since, until)
    page = await _notices(at).list(wanted, at.position("notices", cursor), limit)
    return at.page("notices", page, shown_notice)


@router.get("/{id:uuid}", operation_id="get_notice", response_model=Envelope[NoticeDocument], responses=signed_in())
async def get_notice(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One notice, with its audience and its tally."""
    return answered({"data": shown_notice(await _notices(at).get(id))})


@router.get(
    "/{id:uuid}/notifications",
    operation_id="list_notifications_of_notice",
    response_model=Listing[RecipientDocument],
    responses=signed_in(),
)
async def list_notifications(
    id: UUID, at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None
) -> Response:
    """Everybody whom a notice has reached, and for which channels they had no address."""
    await _notices(at).get(id)
    listing = f"notifications of {id}"
    page = await _notices(at).notifications(id, at.position(listing, cursor), limit)
    return at.page(listing, page, shown_notification)


@router.post(
    "/{id:uuid}/close",
    operation_id="close_notice",
    response_model=Envelope[NoticeDocument],
    responses=signed_in(415),
    openapi_extra=takes(ClosingBody, idempotent=True),
)
async def close_notice(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Closes a notice: what of it still waits is not sent. Closing it again changes nothing."""
    reason = at.parsed(ClosingBody).reason

    async def act() -> dict[str, Any]:
        return shown_notice(await _notices(at).close(id, reason))

    return await at.once(act)


def _notices(at: Desk) -> Notices:
    return Notices(at.connection, at.tenant)
