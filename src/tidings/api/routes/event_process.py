"""How the process of an event stands, over HTTP, for its organiser."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.events import ProcessDocument
from tidings.api.event_access import EventId, visitor
from tidings.api.openapi import signed_in
from tidings.api.shown.events import shown_process
from tidings.modules.events.reminders import Reminders
from tidings.spine.access.identity import Role, Scope

router = APIRouter(prefix="/v1/events/{eventId}/process", tags=["events"])
_READ = desk(Role.MEMBER, Scope.EVENTS_READ)


@router.get("", operation_id="get_event_process", response_model=Envelope[ProcessDocument], responses=signed_in())
async def get_event_process(event_id: EventId, at: Annotated[Desk, _READ]) -> Response:
    """What the process says of itself, and the next reminder. Temporal being away is an answer, not an error."""
    event = await (await visitor(at)).own(event_id)
    waiting = await Reminders(at.connection, at.tenant).waiting(event_id)
    state = await at.parts.processes.state(at.connection, event.process)
    return answered({"data": shown_process(state, waiting)})
