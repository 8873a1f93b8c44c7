"""What a fact caused, over HTTP."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.trace import TraceDocument
from tidings.api.openapi import signed_in
from tidings.api.shown.seeing import shown_trace
from tidings.spine.access.identity import Role, Scope
from tidings.spine.delivery.seeing.trace import Traces

router = APIRouter(prefix="/v1/facts", tags=["seeing"])
_READ = desk(Role.ADMIN, Scope.NOTICES_READ)


@router.get(
    "/{id:uuid}/trace", operation_id="trace_fact", response_model=Envelope[TraceDocument], responses=signed_in()
)
async def trace_fact(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """Everything that one fact caused: intents, listeners, notices, notifications, deliveries, attempts, facts."""
    return answered({"data": shown_trace(await Traces(at.connection, at.tenant).of(id))})
