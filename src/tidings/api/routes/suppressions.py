"""Addresses that nothing is sent to, over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import AfterValidator, Field
from starlette.responses import Response

from tidings.api.bodies import Input
from tidings.api.desk import Desk, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.people import AddressKind, SuppressionDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import NO_NUL, PAGE, Cursor, Limit
from tidings.api.shown.people import shown_suppression
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.addresses import Kind
from tidings.spine.notify.people.suppressions import Reason, Suppressions

router = APIRouter(prefix="/v1/suppressions", tags=["suppressions"])
_READ = desk(Role.ADMIN, Scope.PEOPLE_READ)
_WRITE = desk(Role.ADMIN, Scope.PEOPLE_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.PEOPLE_WRITE, body=True)

Value = Annotated[
    str, Query(min_length=1, max_length=4096, pattern=NO_NUL, description="the address in full, or its fingerprint")
]


class SuppressionBody(Input):
    kind: AddressKind
    value: Annotated[str, Field(min_length=1, max_length=4096, description="the address, in full")]
    detail: (
        Annotated[str, Field(min_length=1, max_length=500, pattern=fields.PLAIN), AfterValidator(fields.one_line)]
        | None
    ) = Field(None, description="why")


@router.get("", operation_id="list_suppressions", response_model=Listing[SuppressionDocument], responses=signed_in())
async def list_suppressions(
    at: Annotated[Desk, _READ],
    kind: Annotated[AddressKind | None, Query()] = None,
    reason: Annotated[Literal["bounced", "complained", "manual"] | None, Query()] = None,
    value: Value | None = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """Addresses that nothing is sent to, newest first."""
    of_kind, for_reason = kind and Kind(kind), reason and Reason(reason)
    page = await _suppressions(at).list(of_kind, for_reason, value, at.position("suppressions", cursor), limit)
    return at.page("suppressions", page, shown_suppression)


@router.post(
    "",
    operation_id="suppress",
    status_code=201,
    response_model=Envelope[SuppressionDocument],
    responses=signed_in(415),
    openapi_extra=takes(SuppressionBody, idempotent=True),
)
async def suppress(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Sends nothing to an address any more. One that is suppressed already keeps its first reason."""
    body = at.parsed(SuppressionBody)

    async def act() -> dict[str, Any]:
        return shown_suppression(await _suppressions(at).add(Kind(body.kind), body.value, body.detail))

    return await at.once(act, 201)


@router.delete("", operation_id="lift_suppression", status_code=204, response_class=Response, responses=signed_in())
async def lift(
    at: Annotated[Desk, _WRITE],
    kind: Annotated[AddressKind, Query()],
    value: Value,
) -> Response:
    """Sends to an address again."""
    await _suppressions(at).lift(Kind(kind), value)
    return Response(status_code=204)


def _suppressions(at: Desk) -> Suppressions:
    return Suppressions(at.connection, at.tenant)
