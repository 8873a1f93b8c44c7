"""Facts over HTTP: reading them. Posting is in `posting`, the hot path."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, FactDocument, Listing
from tidings.api.openapi import signed_in
from tidings.api.shapes import NO_NUL, PAGE, Cursor, Limit, Moment
from tidings.api.shown import shown_fact
from tidings.spine.access.identity import Role, Scope
from tidings.spine.journal.reading import FactFilter, Facts

router = APIRouter(prefix="/v1/facts", tags=["facts"])
_READ = desk(Role.MEMBER, Scope.FACTS_READ)

TypeFilter = Annotated[
    str | None,
    Query(
        max_length=200, pattern=r"^[a-z0-9_.]+\*?$", description="a type; with `*` at its end, all that begin like it"
    ),
]
StreamType = Annotated[str | None, Query(alias="streamType", max_length=100, pattern="^[a-z][a-z0-9_]*$")]
StreamId = Annotated[str | None, Query(alias="streamId", max_length=255, pattern=NO_NUL)]


@router.get("", operation_id="list_facts", response_model=Listing[FactDocument], responses=signed_in())
async def list_facts(
    at: Annotated[Desk, _READ],
    type: TypeFilter = None,
    stream_type: StreamType = None,
    stream_id: StreamId = None,
    since: Annotated[Moment | None, Query(description="recorded at this time or later")] = None,
    until: Annotated[Moment | None, Query(description="recorded before this time")] = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """Facts of your tenant, newest first."""
    wanted = FactFilter(type, stream_type, stream_id, since, until)
    page = await Facts(at.connection, at.tenant).list(wanted, at.position("facts", cursor), limit)
    return at.page("facts", page, shown_fact)


@router.get("/{id:uuid}", operation_id="get_fact", response_model=Envelope[FactDocument], responses=signed_in())
async def get_fact(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One fact."""
    return answered({"data": shown_fact(await Facts(at.connection, at.tenant).get(id))})
