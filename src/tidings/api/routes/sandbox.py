"""What the sandbox kept, over HTTP."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.deliveries import ChannelName, ClearedDocument, KeptDocument, KeptInFullDocument
from tidings.api.openapi import signed_in
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.deliveries import shown_kept, shown_kept_in_full
from tidings.spine.access.identity import Role, Scope
from tidings.spine.delivery.kept import KeptMessages

router = APIRouter(prefix="/v1/sandbox", tags=["sandbox"])
_READ = desk(Role.ADMIN, Scope.NOTICES_READ)
_WRITE = desk(Role.ADMIN, Scope.NOTICES_WRITE)


@router.get("", operation_id="list_sandbox", response_model=Listing[KeptDocument], responses=signed_in())
async def list_sandbox(
    at: Annotated[Desk, _READ],
    channel: Annotated[ChannelName | None, Query()] = None,
    person_id: Annotated[UUID | None, Query(alias="personId")] = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """What was kept instead of being sent, newest first."""
    page = await _kept(at).list(channel, at.position("sandbox", cursor), limit, person_id)
    return at.page("sandbox", page, shown_kept)


@router.get(
    "/{id:uuid}",
    operation_id="get_sandbox_message",
    response_model=Envelope[KeptInFullDocument],
    responses=signed_in(),
)
async def get_sandbox_message(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One message, as it would have gone out."""
    return answered({"data": shown_kept_in_full(await _kept(at).get(id))})


@router.delete("", operation_id="clear_sandbox", response_model=Envelope[ClearedDocument], responses=signed_in())
async def clear_sandbox(at: Annotated[Desk, _WRITE]) -> Response:
    """Removes everything that the sandbox kept for your tenant."""
    return answered({"data": {"removed": await _kept(at).clear()}})


def _kept(at: Desk) -> KeptMessages:
    return KeptMessages(at.connection, at.tenant, at.parts.kept_vault)
