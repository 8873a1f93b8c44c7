"""Where providers tell what became of messages. Nobody signs in: what they send is signed, and is verified."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Request
from starlette.responses import PlainTextResponse, Response

from tidings.api.bodies import read_any_body
from tidings.api.desk import parts_of
from tidings.api.exchange import exchange_of
from tidings.api.openapi import problems
from tidings.api.strangers import limit_stranger
from tidings.app.public import public_url
from tidings.spine.delivery.receipts.verifying import Posted

router = APIRouter(prefix="/v1/receipts/{providerId}", tags=["receipts"])
_LARGEST = 262_144  # bytes
_LONGEST = 1_000
_OBJECT = {"type": "object", "title": "ProviderReceipt", "additionalProperties": True}
_FORM = {"type": "object", "additionalProperties": {"type": "string"}}
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "as Resend, Twilio or Meta send it, with their signature in its header",
        "content": {
            "application/json": {"schema": _OBJECT},
            "application/x-www-form-urlencoded": {"schema": _FORM},
        },
    }
}


@router.post(
    "",
    operation_id="receive_receipt",
    status_code=200,
    response_class=Response,
    responses={200: {"description": "Taken, or of no concern"}, **problems(404, 413, 422, 429, 503)},
    openapi_extra=_BODY,
)
async def receive(request: Request, providerId: UUID) -> Response:  # noqa: N803
    """Takes what a provider tells of its messages. A wrong signature and an unknown provider get the same 404."""
    await limit_stranger(request, "receipts")
    body = await read_any_body(request, _LARGEST)
    exchange = exchange_of(request.scope)
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in exchange.headers.items()}
    posted = Posted(_called(request, providerId), headers, body)
    exchange.tenant = await parts_of(request).receipts.receive(providerId, posted)
    return Response()


@router.get(
    "",
    operation_id="confirm_receipts",
    response_class=PlainTextResponse,
    responses=problems(404, 422, 429, 503),
)
async def confirm(
    request: Request,
    providerId: UUID,  # noqa: N803
    mode: Annotated[str, Query(alias="hub.mode", max_length=_LONGEST)] = "",
    token: Annotated[str, Query(alias="hub.verify_token", max_length=_LONGEST)] = "",
    challenge: Annotated[str, Query(alias="hub.challenge", max_length=_LONGEST)] = "",
) -> Response:
    """Answers Meta's question whether this address is to be told: with its challenge, if it knows the verify token."""
    await limit_stranger(request, "receipts")
    return PlainTextResponse(await parts_of(request).receipts.answer_to(providerId, mode, token, challenge))


def _called(request: Request, provider: UUID) -> str:
    """The address that the provider was given, by our own configuration, with whatever query it was given with it."""
    query = request.scope["query_string"].decode("latin-1")
    called = f"{public_url(parts_of(request).settings)}/v1/receipts/{provider}"
    return f"{called}?{query}" if query else called
