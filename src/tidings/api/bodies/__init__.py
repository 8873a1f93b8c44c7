"""Reading what a client sent: no more than the limit, JSON, of the shape that was asked for."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from starlette.requests import ClientDisconnect, Request

from tidings.api.exchange import exchange_of
from tidings.api.problems import BadRequest, WrongMediaType, invalid_fields
from tidings.kit.errors import TooLarge
from tidings.kit.json_input import parse_json

M = TypeVar("M", bound=BaseModel)
_LONGEST_BODY = 60.0  # seconds


class Input(BaseModel):
    """A request body: camelCase, nothing that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, alias_generator=to_camel)


async def read_body(request: Request, limit: int) -> bytes:
    """The whole body, which is JSON. `TooLarge` as soon as it is, also where no length was announced."""
    if not is_json(exchange_of(request.scope).headers.get(b"content-type", b"")):
        raise WrongMediaType
    return await read_any_body(request, limit)


async def read_any_body(request: Request, limit: int, within: float = _LONGEST_BODY) -> bytes:
    """The whole body as it came, of whatever media type; not for ever, since nobody has said yet who they are."""
    try:
        async with asyncio.timeout(within):
            return await _read(request, limit)
    except TimeoutError:
        raise BadRequest("The body took too long.", headers={"Connection": "close"}) from None


async def _read(request: Request, limit: int) -> bytes:
    message = await request.receive()
    if not message.get("more_body") and message["type"] == "http.request":
        whole: bytes = message.get("body", b"")
        _require_within(whole, limit)
        return whole
    chunks = bytearray(message.get("body", b""))
    while message.get("more_body"):
        message = await request.receive()
        if message["type"] == "http.disconnect":
            break
        chunks += message.get("body", b"")
        _require_within(chunks, limit)
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return bytes(chunks)


def _require_within(body: bytes | bytearray, limit: int) -> None:
    if len(body) > limit:
        raise TooLarge(f"The body is larger than {limit} bytes.", headers={"Connection": "close"})


def is_json(content_type: bytes) -> bool:
    if content_type == b"application/json":
        return True
    media, _, parameters = content_type.lower().partition(b";")
    charset = parameters.replace(b" ", b"").replace(b'"', b"")
    return media.strip() == b"application/json" and charset in {b"", b"charset=utf-8"}


def parsed(model: type[M], body: bytes) -> M:
    """The body as `model`, or `ValidationFailed` with every field that is wrong."""
    return checked(model, parse_json(body))


def checked(model: type[M], value: Any) -> M:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise invalid_fields(error.errors(include_url=False, include_input=False)) from None
