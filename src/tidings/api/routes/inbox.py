"""The inbox over HTTP: yours or, for an admin, that of the person whom you name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.inbox import (
    InboxDocument,
    Level,
    ReadAllDocument,
    UnreadDocument,
    shown_notification,
)
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import NO_NUL, PAGE, Cursor, Limit
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.inbox import Inbox, InboxFilter
from tidings.spine.notify.matters.model import LONGEST_MATTER
from tidings.spine.notify.ownership import person_of

router = APIRouter(prefix="/v1/inbox", tags=["inbox"])
_DESK = desk(Role.MEMBER, Scope.INBOX)
_DESK_BODY = desk(Role.MEMBER, Scope.INBOX, body=True)

Person = Annotated[UUID | None, Query(description="whose inbox; without it, yours. Others' are for admins")]
Category = Annotated[str | None, Query(max_length=200, pattern=NO_NUL)]


class ReadAllBody(Input):
    """How far; all where nothing is said."""

    up_to: UUID | None = Field(None, description="the newest notification that was seen", strict=False)


@router.get("", operation_id="list_inbox", response_model=Listing[InboxDocument], responses=signed_in())
async def list_inbox(
    at: Annotated[Desk, _DESK],
    person: Person = None,
    unread: Annotated[bool | None, Query(description="only those not read; with `false`, only those read")] = None,
    archived: Annotated[bool, Query(description="those put away, instead of those that are not")] = False,
    category: Category = None,
    level: Annotated[Level | None, Query()] = None,
    open: Annotated[
        bool | None, Query(description="only what waits for somebody to act; with `false`, only what was handled")
    ] = None,
    matter: Annotated[str | None, Query(max_length=LONGEST_MATTER, pattern=NO_NUL)] = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """Notifications, newest first."""
    inbox = await _inbox(at, person)
    listing = f"inbox of {inbox.person_id}"
    before = at.position(listing, cursor)
    wanted = InboxFilter(unread, archived, category, level, open, matter)
    page = await inbox.list(wanted, None if before is None else UUID(before), limit)
    return at.page(listing, page, shown_notification)


@router.get("/count", operation_id="count_inbox", response_model=Envelope[UnreadDocument], responses=signed_in())
async def count_inbox(at: Annotated[Desk, _DESK], person: Person = None) -> Response:
    """How many are unread."""
    inbox = await _inbox(at, person)
    return answered({"data": {"unread": await inbox.unread()}})


@router.post(
    "/read-all",
    operation_id="read_all",
    response_model=Envelope[ReadAllDocument],
    responses=signed_in(415),
    openapi_extra=takes(ReadAllBody, idempotent=True),
)
async def read_all(at: Annotated[Desk, _DESK_BODY], person: Person = None) -> Response:
    """Marks all as read, up to the newest one that was seen. Archived ones stay as they are."""
    up_to = at.parsed(ReadAllBody).up_to
    inbox = await _inbox(at, person)

    async def act() -> dict[str, Any]:
        return {"read": await inbox.read_all(up_to), "unread": await inbox.unread()}

    return await at.once(act)


@router.post(
    "/{id:uuid}/read",
    operation_id="read_notification",
    response_model=Envelope[InboxDocument],
    responses=signed_in(),
    openapi_extra=takes(idempotent=True),
)
async def read(id: UUID, at: Annotated[Desk, _DESK], person: Person = None) -> Response:
    """Marks a notification as read."""
    inbox = await _inbox(at, person)
    return await _changed(at, inbox, id, inbox.read)


@router.post(
    "/{id:uuid}/unread",
    operation_id="unread_notification",
    response_model=Envelope[InboxDocument],
    responses=signed_in(),
    openapi_extra=takes(idempotent=True),
)
async def unread(id: UUID, at: Annotated[Desk, _DESK], person: Person = None) -> Response:
    """Marks a notification as not read."""
    inbox = await _inbox(at, person)
    return await _changed(at, inbox, id, inbox.unread_again)


@router.post(
    "/{id:uuid}/archive",
    operation_id="archive_notification",
    response_model=Envelope[InboxDocument],
    responses=signed_in(),
    openapi_extra=takes(idempotent=True),
)
async def archive(id: UUID, at: Annotated[Desk, _DESK], person: Person = None) -> Response:
    """Puts a notification away."""
    inbox = await _inbox(at, person)
    return await _changed(at, inbox, id, inbox.archive)


@router.post(
    "/{id:uuid}/unarchive",
    operation_id="unarchive_notification",
    response_model=Envelope[InboxDocument],
    responses=signed_in(),
    openapi_extra=takes(idempotent=True),
)
async def unarchive(id: UUID, at: Annotated[Desk, _DESK], person: Person = None) -> Response:
    """Puts a notification back into the inbox."""
    inbox = await _inbox(at, person)
    return await _changed(at, inbox, id, inbox.unarchive)


async def _inbox(at: Desk, person: UUID | None) -> Inbox:
    return Inbox(at.connection, at.tenant, await person_of(at.connection, at.identity, person))


async def _changed(at: Desk, inbox: Inbox, id: UUID, change: Callable[[Sequence[UUID]], Awaitable[None]]) -> Response:
    async def act() -> dict[str, Any]:
        await change([id])
        return shown_notification(await inbox.get(id))

    return await at.once(act)
