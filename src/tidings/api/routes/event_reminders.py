"""Reminders over HTTP: those to come, and "remind me in …"."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tidings.api.bodies.events import RemindMeBody
from tidings.api.desk import Desk, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.events import ReminderDocument
from tidings.api.event_access import EventId, visitor
from tidings.api.openapi import signed_in, takes
from tidings.api.routes.event_subscriptions import mine
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.events import shown_reminder
from tidings.modules.events.model import over_at
from tidings.modules.events.reminders import Reminders
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/events/{eventId:number}", tags=["events"])
_READ = desk(Role.MEMBER, Scope.EVENTS_READ)
_WRITE = desk(Role.MEMBER, Scope.EVENTS_WRITE)
_WRITE_BODY = desk(Role.MEMBER, Scope.EVENTS_WRITE, body=True)
Everybodys = Annotated[bool, Query(description="those of all subscribers, for the organiser")]


@router.get(
    "/reminders", operation_id="list_reminders", response_model=Listing[ReminderDocument], responses=signed_in()
)
async def list_reminders(
    event_id: EventId,
    at: Annotated[Desk, _READ],
    everybody: Everybodys = False,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """The reminders that are to come, the next one first: yours, or everybody's."""
    who = await visitor(at)
    subscription = None
    if everybody:
        await who.own(event_id)
    else:
        subscription = (await mine(who, event_id)).id
    listing = f"reminders {event_id} {subscription or 'all'}"
    position = at.position(listing, cursor)
    after = None if position is None else (datetime.fromisoformat(position[0]), position[1])
    return at.page(listing, await _reminders(at).list(event_id, subscription, after, limit), shown_reminder)


@router.post(
    "/remind-me",
    operation_id="remind_me",
    status_code=201,
    response_model=Envelope[ReminderDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(RemindMeBody, idempotent=True),
)
async def remind_me(event_id: EventId, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Reminds you once, in a while or at a time, wherever the event moves. For those who have joined."""
    body, who = at.parsed(RemindMeBody), await visitor(at)
    moment = body.moment(await at.connection.fetchval("SELECT now()"))

    async def act() -> dict[str, Any]:
        known = await mine(who, event_id)
        event = await who.subscriptions.open_event(event_id)
        until = over_at(event["starts_at"], event["ends_at"])
        return shown_reminder(await _reminders(at).remind_at(known, moment, until))

    return await at.once(act, 201)


@router.delete(
    "/reminders/{id:uuid}",
    operation_id="remove_reminder",
    status_code=204,
    response_class=Response,
    responses=signed_in(409),
)
async def remove_reminder(event_id: EventId, id: Annotated[UUID, Path()], at: Annotated[Desk, _WRITE]) -> Response:
    """Takes back a "remind me". Those before the start go with their offset."""
    known = await mine(await visitor(at), event_id)
    await _reminders(at).cancel(known, id)
    return Response(status_code=204)


def _reminders(at: Desk) -> Reminders:
    return Reminders(at.connection, at.tenant)
