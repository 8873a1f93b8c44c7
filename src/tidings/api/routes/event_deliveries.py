"""What was said of an event and what became of it, over HTTP, for its organiser."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.events import (
    EventDeliveriesDocument,
    EventMessageDocument,
    ResultStatus,
    SubscriptionResultDocument,
)
from tidings.api.event_access import EventId, visitor
from tidings.api.openapi import signed_in
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.events import shown_message, shown_result, shown_totals
from tidings.modules.events.messages import Messages, Result, Said
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/events/{eventId:number}/deliveries", tags=["events"])
_READ = desk(Role.MEMBER, Scope.EVENTS_READ)
NoticeId = Annotated[UUID, Path(alias="noticeId")]
Kind = Annotated[Said, Query(description="what was said to all, or reminders")]
StatusFilter = Annotated[ResultStatus | None, Query(description="only those")]


@router.get(
    "",
    operation_id="list_event_messages",
    response_model=Listing[EventMessageDocument],
    responses=signed_in(),
)
async def list_event_messages(
    event_id: EventId,
    at: Annotated[Desk, _READ],
    kind: Kind = Said.BROADCAST,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """The messages of an event, newest first, with their deliveries counted."""
    await (await visitor(at)).own(event_id)
    listing = f"{kind} messages of {event_id}"
    page = await _messages(at).list(event_id, kind, at.position(listing, cursor), limit)
    return at.page(listing, page, shown_message)


@router.get(
    "/{noticeId:uuid}",
    operation_id="get_event_deliveries",
    response_model=Envelope[EventDeliveriesDocument],
    responses=signed_in(),
)
async def get_event_deliveries(event_id: EventId, notice_id: NoticeId, at: Annotated[Desk, _READ]) -> Response:
    """One message, counted by subscription."""
    await (await visitor(at)).own(event_id)
    messages = _messages(at)
    message = await messages.get(event_id, notice_id)
    return answered({"data": shown_totals(message, await messages.totals(event_id, notice_id))})


@router.get(
    "/{noticeId:uuid}/results",
    operation_id="list_event_results",
    response_model=Listing[SubscriptionResultDocument],
    responses=signed_in(),
)
async def list_event_results(
    event_id: EventId,
    notice_id: NoticeId,
    at: Annotated[Desk, _READ],
    status: StatusFilter = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """What became of one message, subscription by subscription."""
    await (await visitor(at)).own(event_id)
    messages, listing = _messages(at), f"results of {notice_id}"
    await messages.get(event_id, notice_id)
    wanted = None if status is None else Result(status)
    page = await messages.results(event_id, notice_id, wanted, at.position(listing, cursor), limit)
    return at.page(listing, page, shown_result)


def _messages(at: Desk) -> Messages:
    return Messages(at.connection, at.tenant)
