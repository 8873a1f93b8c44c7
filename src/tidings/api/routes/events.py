"""Events over HTTP: made, changed, cancelled, announced; and as calendars read them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.bodies.events import AnnouncementBody, EventChangesBody, NewEventBody
from tidings.api.desk import Desk, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.events import AnnouncedDocument, EventDocument, EventStatus
from tidings.api.event_access import EventId, Visitor, visitor
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit, Moment
from tidings.api.versions import IF_MATCH, wanted_version, with_version
from tidings.kit.errors import Fault, Forbidden, ValidationFailed
from tidings.modules.events.calendar import MEDIA_TYPE, media_type, one_event
from tidings.modules.events.events import Announcement, EventFilter
from tidings.modules.events.model import Status
from tidings.modules.events.snapshot import snapshot
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/events", tags=["events"])
_READ = desk(Role.MEMBER, Scope.EVENTS_READ)
_WRITE = desk(Role.MEMBER, Scope.EVENTS_WRITE)
_WRITE_BODY = desk(Role.MEMBER, Scope.EVENTS_WRITE, body=True)
_CALENDAR: dict[int | str, dict[str, Any]] = {
    200: {"description": "One event, as RFC 5545 has it", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}
}
StatusFilter = Annotated[EventStatus | None, Query(description="all of them, where it is left out")]
WhoseFilter = Annotated[
    Literal["joined", "organised"] | None, Query(description="those that you joined, or that you organise")
]
EndsAfter = Annotated[Moment | None, Query(alias="endsAfter", description="those that are not over by then")]
EndsBefore = Annotated[
    Moment | None, Query(alias="endsBefore", description="those that are over by then, the last to start first")
]


@router.get("", operation_id="list_events", response_model=Listing[EventDocument], responses=signed_in())
async def list_events(
    at: Annotated[Desk, _READ],
    status: StatusFilter = None,
    whose: WhoseFilter = None,
    ends_after: EndsAfter = None,
    ends_before: EndsBefore = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """The events of your tenant, the next to start first."""
    who, listing = await visitor(at), "events" if ends_before is None else "past events"
    wanted = EventFilter(
        None if status is None else Status(status),
        ends_after,
        ends_before,
        who.required_person() if whose == "joined" else None,
        who.required_person() if whose == "organised" else None,
    )
    position = at.position(listing, cursor)
    after = None if position is None else (datetime.fromisoformat(position[0]), position[1])
    page = await who.events.list(wanted, after, limit)
    shown = iter(await who.all_shown(page.items))
    return at.page(listing, page, lambda _: next(shown))


@router.post(
    "",
    operation_id="create_event",
    status_code=201,
    response_model=Envelope[EventDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewEventBody, idempotent=True),
)
async def create_event(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Makes an event. You are its organiser, unless you are an admin and name another."""
    body, who = at.parsed(NewEventBody), await visitor(at)
    columns = body.columns() | {"organiser_id": _organiser(who, body)}

    async def act() -> dict[str, Any]:
        return await who.shown(await who.events.create(columns))

    return await at.once(act, 201)


@router.get(
    "/{eventId:number}.ics",
    operation_id="get_event_calendar",
    response_class=Response,
    responses=_CALENDAR | signed_in(),
)
async def get_event_calendar(event_id: EventId, at: Annotated[Desk, _READ]) -> Response:
    """The event for a calendar. Its UID stays; SEQUENCE is raised by each change; once cancelled, it says so."""
    events = (await visitor(at)).events
    event = snapshot(await events.row(event_id))
    headers = {"Content-Disposition": f'attachment; filename="event-{event_id}.ics"', "Content-Type": media_type(event)}
    return Response(one_event(event, (await events.get(event_id)).organiser), headers=headers)


@router.get(
    "/{eventId:number}", operation_id="get_event", response_model=Envelope[EventDocument], responses=signed_in()
)
async def get_event(event_id: EventId, at: Annotated[Desk, _READ]) -> Response:
    """One event. Its version is in `ETag` too."""
    who = await visitor(at)
    return with_version(await who.shown(await who.events.get(event_id)))


@router.patch(
    "/{eventId:number}",
    operation_id="change_event",
    response_model=Envelope[EventDocument],
    responses=signed_in(409, 412, 415),
    openapi_extra=takes(EventChangesBody) | {"parameters": [IF_MATCH]},
)
async def change_event(event_id: EventId, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Changes what is given. Reminders move with the start, in the same transaction; subscribers are told what
    changed."""
    body, who = at.parsed(EventChangesBody), await visitor(at)
    await who.own(event_id)
    columns = body.columns()
    if "organiser_id" in columns and not who.is_admin:
        raise Forbidden("Only an admin may give an event to somebody else.")
    return with_version(await who.shown(await who.events.change(event_id, columns, wanted_version(at))))


@router.post(
    "/{eventId:number}/cancel",
    operation_id="cancel_event",
    response_model=Envelope[EventDocument],
    responses=signed_in(409),
    openapi_extra=takes(idempotent=True),
)
async def cancel_event(event_id: EventId, at: Annotated[Desk, _WRITE]) -> Response:
    """Cancels it, for good: subscribers are told, and no reminder comes any more."""
    who = await visitor(at)
    await who.own(event_id)

    async def act() -> dict[str, Any]:
        return await who.shown(await who.events.cancel(event_id))

    return await at.once(act)


@router.post(
    "/{eventId:number}/announcements",
    operation_id="announce",
    status_code=202,
    response_model=Envelope[AnnouncedDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(AnnouncementBody, idempotent=True),
)
async def announce(event_id: EventId, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Tells all subscribers of the event, or those that are named."""
    body, who = at.parsed(AnnouncementBody), await visitor(at)
    await who.own(event_id)

    async def act() -> dict[str, Any]:
        said = Announcement(body.title, body.body, body.level, body.subscription_ids)
        return {"factId": await who.events.announce(event_id, said)}

    return await at.once(act, 202)


def _organiser(who: Visitor, body: NewEventBody) -> Any:
    if body.organiser_id is not None:
        if body.organiser_id != who.person_id and not who.is_admin:
            raise Forbidden("Only an admin may make an event for somebody else.")
        return body.organiser_id
    if who.person_id is None:
        message = "name one: your login is linked to no person here"
        raise ValidationFailed(f"organiserId: {message}", (Fault("organiserId", message),))
    return who.person_id
