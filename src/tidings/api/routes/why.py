"""Why somebody did or did not get something, over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope
from tidings.api.documents.seeing import WhyDocument
from tidings.api.openapi import signed_in
from tidings.api.shapes import Moment
from tidings.api.shown.seeing import shown_why
from tidings.spine.access.identity import Role, Scope
from tidings.spine.delivery.seeing.why import Why, span
from tidings.spine.notify.people import fields

router = APIRouter(prefix="/v1/why", tags=["seeing"])
_READ = desk(Role.ADMIN, Scope.NOTICES_READ)

Person = Annotated[
    str, Query(min_length=1, max_length=255, pattern=fields.PLAIN, description="an id, an external id or an e-mail")
]
Category = Annotated[str | None, Query(max_length=100, pattern=fields.WORD, description="only what is of it")]


@router.get("", operation_id="why", response_model=Envelope[WhyDocument], responses=signed_in())
async def why(
    at: Annotated[Desk, _READ],
    person: Person,
    fact: Annotated[UUID | None, Query(description="the id of a fact; without it, by time")] = None,
    category: Category = None,
    since: Annotated[Moment | None, Query(description="without a fact; a week before `until` where left out")] = None,
    until: Annotated[Moment | None, Query(description="without a fact; now where left out")] = None,
) -> Response:
    """Why this person did or did not get what a fact, or the facts of a time, should have told them."""
    asking = Why(at.connection, at.tenant)
    if fact is not None:
        return answered({"data": shown_why(await asking.of_fact(person, fact, category))})
    explanation = await asking.over(person, *span(since, until, datetime.now(UTC)), category)
    return answered({"data": shown_why(explanation)})
