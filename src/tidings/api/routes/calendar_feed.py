"""A person's own calendar: its address, made and taken away by them; and what a calendar reads there."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk, parts_of
from tidings.api.documents import Envelope
from tidings.api.documents.events import FeedDocument, NewFeedDocument
from tidings.api.event_access import visitor
from tidings.api.exchange import exchange_of
from tidings.api.openapi import signed_in
from tidings.api.strangers import limit_stranger
from tidings.kit import db
from tidings.kit.errors import NotFound
from tidings.modules.events.calendar import MEDIA_TYPE, feed
from tidings.modules.events.feeds import PATH, Feeds, calendar_events
from tidings.spine.access.identity import Role, Scope

router = APIRouter(tags=["events"])
_READ = desk(Role.MEMBER, Scope.EVENTS_READ)
_WRITE = desk(Role.MEMBER, Scope.EVENTS_WRITE)
_HEADERS = {"Content-Type": f"{MEDIA_TYPE}; charset=utf-8", "X-Robots-Tag": "noindex"}


@router.get(
    "/v1/calendar-feed", operation_id="get_calendar_feed", response_model=Envelope[FeedDocument], responses=signed_in()
)
async def get_calendar_feed(at: Annotated[Desk, _READ]) -> Response:
    """Whether your calendar has an address, and when it was last read there."""
    found = await _feeds(at).of((await visitor(at)).required_person())
    return answered({"data": {"createdAt": found.created_at, "readAt": found.read_at}})


@router.put(
    "/v1/calendar-feed",
    operation_id="make_calendar_feed",
    response_model=Envelope[NewFeedDocument],
    responses=signed_in(),
)
async def make_calendar_feed(at: Annotated[Desk, _WRITE]) -> Response:
    """Gives your calendar an address; another one than before, which is good no more."""
    token = await _feeds(at).make((await visitor(at)).required_person())
    return answered({"data": {"url": f"{at.parts.event_links.public_url}{PATH}/{token}.ics"}})


@router.delete(
    "/v1/calendar-feed",
    operation_id="revoke_calendar_feed",
    status_code=204,
    response_class=Response,
    responses=signed_in(),
)
async def revoke_calendar_feed(at: Annotated[Desk, _WRITE]) -> Response:
    """Takes the address of your calendar away: nobody reads it there any more."""
    await _feeds(at).revoke((await visitor(at)).required_person())
    return Response(status_code=204)


@router.api_route(PATH + "/{token}.ics", methods=["GET", "HEAD"], include_in_schema=False)
async def read_calendar(request: Request, token: str) -> Response:
    """The calendar behind an address. The address is all the authority that it takes."""
    await limit_stranger(request, "calendar")
    parts = parts_of(request)
    async with db.acquired(parts.pool, parts.patience) as connection:
        found = await connection.fetchrow(
            "SELECT tenant, person_id FROM tidings.calendar_of($1)", [parts.feed_hasher.hash(token)]
        )
        if found is None:
            raise NotFound("There is no such calendar.")
        exchange_of(request.scope).tenant = found["tenant"]
        async with db.as_tenant(connection, found["tenant"]):
            name = await connection.fetchval("SELECT name FROM tidings.tenants WHERE id = $1", found["tenant"])
            events = await calendar_events(connection, found["tenant"], found["person_id"])
    return Response(feed(str(name), *events), headers=_HEADERS)


def _feeds(at: Desk) -> Feeds:
    return Feeds(at.connection, at.tenant, at.parts.feed_hasher)
