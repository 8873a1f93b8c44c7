"""Errors as RFC 9457 problem+json. Every error that leaves the API is translated here, once."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import asyncpg
import structlog
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tidings.kit import db
from tidings.kit.callers.refusals import refusal_in
from tidings.kit.errors import (
    AlreadyHandled,
    Fault,
    NotFound,
    RateLimited,
    TidingsError,
    Unauthenticated,
    Unavailable,
    ValidationFailed,
)
from tidings.kit.json_output import dump
from tidings.kit.plain_words import plain_words

log = structlog.get_logger("tidings.api")

MEDIA_TYPE = "application/problem+json"
_LONGEST_INSTANCE = 200
_TRY_AGAIN = (asyncpg.QueryCanceledError, asyncpg.SerializationError, asyncpg.DeadlockDetectedError)


class MethodNotAllowed(TidingsError):
    """This address does not take this method."""

    status = 405
    slug = "method-not-allowed"


class WrongMediaType(TidingsError):
    """The body must be sent as application/json."""

    status = 415
    slug = "unsupported-media-type"


class BadRequest(TidingsError):
    """The request cannot be understood."""

    status = 400
    slug = "bad-request"


class InternalError(TidingsError):
    """Something went wrong on our side; it has been noted."""


def translated(error: Exception) -> TidingsError:
    """Any error as one of our tree. What nobody expected is logged, and told to nobody."""
    match error:
        case TidingsError():
            return error
        case RequestValidationError():
            return _invalid(error)
        case HTTPException():
            return _from_http(error)
        case asyncpg.DataError() | asyncpg.PostgresError() if refused := refusal_in(error):
            return refused
        case asyncpg.DataError():
            return ValidationFailed("A value cannot be stored.")
    if isinstance(error, (*db.AWAY, *_TRY_AGAIN)):
        log.warning("database is away", error=repr(error))
        return Unavailable("The database cannot be reached just now; try again.", retry_after=1)
    log.exception("request failed", exc_info=error)
    return InternalError()


def problem(error: TidingsError, base: str, instance: str) -> Response:
    body: dict[str, Any] = {
        "type": f"{base}/errors/{error.slug}",
        "title": error.title(),
        "status": error.status,
        "detail": error.detail,
        "instance": instance[:_LONGEST_INSTANCE],
    }
    if isinstance(error, ValidationFailed):
        body["errors"] = [asdict(fault) for fault in error.faults]
    if isinstance(error, AlreadyHandled):
        body["handled"] = error.extra["handled"]
    return Response(dump(body), error.status, _headers(error), MEDIA_TYPE)


def _headers(error: TidingsError) -> dict[str, str]:
    headers = dict(error.extra.get("headers", {}))
    if isinstance(error, RateLimited | Unavailable):
        headers["Retry-After"] = str(error.extra.get("retry_after", 1))
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = 'Bearer realm="tidings"'
    return headers


def _from_http(error: HTTPException) -> TidingsError:
    match error.status_code:
        case 404:
            return NotFound("There is nothing at this address.")
        case 405:
            return MethodNotAllowed(headers=error.headers or {})
        case _:
            return BadRequest()


def _invalid(error: RequestValidationError) -> TidingsError:
    """An id that cannot be one names nothing; everything else is told field by field."""
    if any(fault["loc"][0] == "path" for fault in error.errors()):
        return NotFound("There is nothing at this address.")
    return invalid_fields(error.errors())


def invalid_fields(errors: Any) -> ValidationFailed:
    """Pydantic's findings as ours."""
    faults = tuple(Fault(_field(fault["loc"]), plain_words(fault)) for fault in list(errors)[:20])
    return ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), faults)


def _field(location: tuple[int | str, ...]) -> str:
    names = location[1:] if location and location[0] in {"query", "header", "body"} else location
    return ".".join(str(part)[:100] for part in names) or "body"
