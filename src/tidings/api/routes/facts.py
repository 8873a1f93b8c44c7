"""Facts over HTTP: reading them. Posting is in `posting`, the hot path."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import orjson
from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, FactDocument, Listing
from tidings.api.openapi import signed_in
from tidings.api.shapes import NO_NUL, PAGE, Cursor, Limit, Moment
from tidings.spine.access.identity import Role, Scope
from tidings.spine.journal.reading import Fact, FactFilter, Facts

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
    return at.page("facts", page, shown)


@router.get("/{id:uuid}", operation_id="get_fact", response_model=Envelope[FactDocument], responses=signed_in())
async def get_fact(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One fact."""
    return answered({"data": shown(await Facts(at.connection, at.tenant).get(id))})


def shown(fact: Fact) -> dict[str, Any]:
    stream = None if fact.stream_type is None else {"type": fact.stream_type, "id": fact.stream_id}
    return {
        "id": fact.id,
        "seq": fact.seq,
        "tenant": fact.tenant,
        "type": fact.type,
        "stream": stream,
        "streamVersion": fact.stream_version,
        "data": orjson.Fragment(fact.data),
        "metadata": orjson.Fragment(fact.metadata),
        "occurredAt": fact.occurred_at,
    }
