"""Files of people over HTTP. A body is not held in memory: it may be far larger than any other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from tidings.api.desk import Desk, answered, desk, entered, parts_of
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.people import ImportDocument, ImportErrorDocument
from tidings.api.exchange import exchange_of
from tidings.api.openapi import signed_in
from tidings.api.problems import BadRequest, WrongMediaType
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.people import shown_import, shown_wrong_row
from tidings.kit.errors import Fault, TooLarge, ValidationFailed
from tidings.spine.access.identity import Identity, Role, Scope
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.imports.reading import Import, Imports, Status
from tidings.spine.notify.people.imports.receiving import Receiving
from tidings.spine.notify.people.imports.staging import Staging

PATH = "/v1/people/imports"
router = APIRouter(prefix=PATH, tags=["imports"])
_READ = desk(Role.ADMIN, Scope.PEOPLE_READ)
_LONGEST_SILENCE = 60.0  # seconds
_MOST_TOLD = 20
_CSV: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "a header and a row for each person, in UTF-8; sent as it is read",
        "content": {
            "text/csv": {
                "schema": {"type": "string", "minLength": 1},
                "example": "external_id,name,email\n7,Somebody,somebody@example.com\n",
            }
        },
    }
}


async def _visitor(request: Request) -> Identity:
    return await entered(request, Role.ADMIN, Scope.PEOPLE_WRITE)


@router.post(
    "",
    operation_id="import_people",
    status_code=201,
    response_model=Envelope[ImportDocument],
    responses=signed_in(400, 415) | {200: {"model": Envelope[ImportDocument], "description": "Checked only"}},
    openapi_extra=_CSV,
)
async def import_people(
    request: Request,
    identity: Annotated[Identity, Depends(_visitor)],
    dry_run: Annotated[bool, Query(alias="dryRun", description="says what is wrong, and changes nobody")] = False,
    file: Annotated[
        str | None, Query(min_length=1, max_length=255, pattern=fields.PLAIN, description="what it is called")
    ] = None,
) -> Response:
    """Creates and changes people from a CSV file, all of them or, where a single row is wrong, nobody.

    While it runs, `GET /v1/people/imports` shows how far it is. `Location` leads to it, also where it was refused."""
    if not _is_csv(exchange_of(request.scope).header(b"content-type") or ""):
        raise WrongMediaType("The body must be sent as text/csv, in UTF-8.")
    parts = parts_of(request)
    staging = Staging(parts.pool, parts.patience, identity.tenant)
    receiving = Receiving(staging, parts.address_vault, parts.url_refusal, turns=parts.import_turns)
    ended = await receiving.receive(_chunks(request, parts.settings.api.max_import), dry_run, file)
    if ended.status is Status.REFUSED:
        raise await _refused(staging, ended)
    reply = answered({"data": shown_import(ended)}, 200 if dry_run else 201)
    reply.headers["Location"] = f"{PATH}/{ended.id}"
    return reply


@router.get("", operation_id="list_imports", response_model=Listing[ImportDocument], responses=signed_in())
async def list_imports(at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None) -> Response:
    """Imports of your tenant, newest first, with how far each is."""
    page = await Imports(at.connection, at.tenant).list(at.position("imports", cursor), limit)
    return at.page("imports", page, shown_import)


@router.get("/{id:uuid}", operation_id="get_import", response_model=Envelope[ImportDocument], responses=signed_in())
async def get_import(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """How far an import is, or what came of it."""
    return answered({"data": shown_import(await Imports(at.connection, at.tenant).get(id))})


@router.get(
    "/{id:uuid}/errors",
    operation_id="list_import_errors",
    response_model=Listing[ImportErrorDocument],
    responses=signed_in(),
)
async def list_import_errors(
    id: UUID, at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None
) -> Response:
    """What is wrong with a file, line by line."""
    imports = Imports(at.connection, at.tenant)
    await imports.get(id)
    listing = f"import errors {id}"
    return at.page(listing, await imports.errors(id, at.position(listing, cursor), limit), shown_wrong_row)


async def _chunks(request: Request, most: int) -> AsyncIterator[bytes]:
    """The body as it comes: no more than the limit, and not for ever."""
    seen, more = 0, True
    while more:
        try:
            async with asyncio.timeout(_LONGEST_SILENCE):
                message = await request.receive()
        except TimeoutError:
            raise BadRequest("Nothing came for too long.", headers={"Connection": "close"}) from None
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body = message.get("body", b"")
        seen, more = seen + len(body), message.get("more_body", False)
        if seen > most:
            raise TooLarge(f"The file is larger than {most} bytes.", headers={"Connection": "close"})
        yield body


async def _refused(staging: Staging, ended: Import) -> ValidationFailed:
    """With the first of what is wrong; the rest is kept to be read."""
    async with staging.transaction() as connection:
        page = await Imports(connection, staging.tenant).errors(ended.id, None, _MOST_TOLD)
    faults = tuple(Fault(f"line {wrong.line}", wrong.error) for wrong in page.items)
    where = f" {PATH}/{ended.id}/errors has all of them." if page.next_position is not None else ""
    return ValidationFailed(f"{ended.error}{where}", faults, headers={"Location": f"{PATH}/{ended.id}"})


def _is_csv(content_type: str) -> bool:
    media, *parameters = (part.strip().lower().replace('"', "") for part in content_type.split(";"))
    return media == "text/csv" and set(parameters) <= {"charset=utf-8", "header=present", ""}
