"""How the process of an event stands, over HTTP, for its organiser."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from tidings.api.desk import Desk, answered, entered, parts_of
from tidings.api.documents import Envelope
from tidings.api.documents.events import ProcessDocument
from tidings.api.event_access import EventId, visitor
from tidings.api.openapi import signed_in
from tidings.api.shown.events import shown_process
from tidings.kit import db
from tidings.modules.events.reminders import Reminders
from tidings.spine.access.identity import Identity, Role, Scope
from tidings.spine.processes.states import NotStarted

router = APIRouter(prefix="/v1/events/{eventId:number}/process", tags=["events"])


async def _reader(request: Request) -> Identity:
    return await entered(request, Role.MEMBER, Scope.EVENTS_READ)


@router.get("", operation_id="get_event_process", response_model=Envelope[ProcessDocument], responses=signed_in())
async def get_event_process(
    event_id: EventId, request: Request, identity: Annotated[Identity, Depends(_reader)]
) -> Response:
    """What the process says of itself, and the next reminder. Temporal being away is an answer, not an error: it is
    asked while no connection is held."""
    parts = parts_of(request)
    async with db.acquired(parts.pool, parts.patience) as connection, db.as_tenant(connection, identity.tenant):
        event = await (await visitor(Desk(request, parts, identity, connection, b""))).own(event_id)
        waiting = await Reminders(connection, identity.tenant).waiting(event_id)
        started = await parts.processes.is_started(connection, event.process)
    state = await parts.processes.asked(event.process) if started else NotStarted()
    return answered({"data": shown_process(state, waiting)})
