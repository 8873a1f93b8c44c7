"""`POST /v1/facts`: the hot path. Two statements, one connection, and no more Python than it needs.

The body is checked here for its shape and goes to PostgreSQL as it came: numbers keep their digits, and what a fact
may be is decided by `tidings.emit`, as for every other way to emit.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from pydantic import Field
from starlette.responses import Response

from tidings.api.bodies import Input, read_body
from tidings.api.credentials import credential_of
from tidings.api.desk import JSON, idempotency_key, let_in, parts_of
from tidings.api.documents import Envelope, FactDocument
from tidings.api.exchange import Exchange, exchange_of
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import Moment, moment
from tidings.api.shown import shown_fact
from tidings.api.tracing import trace_of
from tidings.kit import db
from tidings.kit.errors import Fault, ValidationFailed
from tidings.kit.json_input import canonical, parse_json
from tidings.kit.json_output import dump
from tidings.spine.access.idempotency import fingerprint
from tidings.spine.access.identity import Identity, Role, Scope
from tidings.spine.journal.reading import Fact

_EMIT_ONCE = """
SELECT id, seq, stream_version, data, metadata, occurred_at, replayed
FROM tidings.emit_once($1, $2, $3::text::jsonb, $4, $5::text::jsonb, $6, $7, $8)
"""
_PATH = "/v1/facts"


class NewStream(Input):
    type: Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,99}$")]
    id: Annotated[str, Field(min_length=1, max_length=255)] | int = Field(
        description="an integer is kept as its digits"
    )


class NewFactBody(Input):
    """A fact to be recorded."""

    type: Annotated[str, Field(max_length=200, pattern=r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$")]
    data: dict[str, Any] = Field(default_factory=dict, description="JSON object, 256 KiB at most unless set otherwise")
    stream: NewStream | None = Field(None, description="what it happened to")
    key: Annotated[str, Field(min_length=1, max_length=512)] | None = Field(
        None, description="the same type, stream and key again change nothing"
    )
    run_at: Moment | None = Field(None, description="when its handlers are to run; now by default")
    metadata: dict[str, Any] | None = Field(None, description="4 KiB at most; the server sets `actor` and `depth`")


class DirectRoute(APIRoute):
    """A route whose function takes the request and gives the response, with nothing in between."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler: Callable[[Request], Coroutine[Any, Any, Response]] = self.endpoint
        return handler


router = APIRouter(tags=["facts"], route_class=DirectRoute)


@router.post(
    _PATH,
    operation_id="post_fact",
    status_code=201,
    response_model=Envelope[FactDocument],
    responses=signed_in(415),
    openapi_extra=takes(NewFactBody, idempotent=True),
)
async def post_fact(request: Request) -> Response:
    """Records a fact, once: with an `Idempotency-Key` or a `key`, the same again gives the fact of the first time."""
    parts, exchange = parts_of(request), exchange_of(request.scope)
    body = await read_body(request, parts.settings.api.max_body)
    credential = await credential_of(request.scope, exchange, parts)
    identity = await let_in(exchange, parts, credential, Role.MEMBER, Scope.FACTS_WRITE)
    value, run_at = checked(body)
    key = idempotency_key(exchange)
    async with db.acquired(parts.pool, parts.patience) as connection:
        row = await connection.fetchrow(
            _EMIT_ONCE,
            identity.tenant,
            identity.actor,
            body.decode(),
            run_at,
            _added(identity, exchange),
            key,
            None if key is None else fingerprint("POST", _PATH, canonical(value)),
            parts.settings.api.idempotency_window,
        )
    assert row is not None
    return _created(identity.tenant, value, row)


def _added(identity: Identity, exchange: Exchange) -> str:
    """What the server knows about this fact, whatever the body says."""
    added = {"actor": identity.actor, "correlation_id": exchange.request_id}
    if trace := trace_of(exchange):
        added["traceparent"] = trace
    return dump(added).decode()


def _created(tenant: str, value: dict[str, Any], row: Any) -> Response:
    stream = value.get("stream") or {}
    fact = Fact(
        row["id"],
        row["seq"],
        tenant,
        value["type"],
        stream.get("type"),
        None if stream.get("id") is None else str(stream["id"]),
        row["stream_version"],
        row["data"],
        row["metadata"],
        row["occurred_at"],
    )
    headers = {"Location": f"{_PATH}/{fact.id}"}
    if row["replayed"]:
        headers["Idempotent-Replayed"] = "true"
    return Response(dump({"data": shown_fact(fact)}), 201, headers, JSON)


_SHAPE: dict[str, tuple[type | tuple[type, ...], str]] = {
    "type": (str, "must be a string"),
    "data": (dict, "must be a JSON object"),
    "stream": ((dict, type(None)), "must be an object with type and id, or null"),
    "key": ((str, type(None)), "must be a string or null"),
    "runAt": ((str, type(None)), "must be a time such as 2026-11-16T09:00:00Z, or null"),
    "metadata": ((dict, type(None)), "must be a JSON object of 4096 bytes at most"),
}


def checked(body: bytes) -> tuple[dict[str, Any], datetime | None]:
    """The body and its time, or `ValidationFailed` with every field of the wrong kind."""
    value = parse_json(body)
    faults = [Fault("body", "must be a JSON object")] if not isinstance(value, dict) else list(_faults(value))
    run_at = None
    if not faults and value.get("runAt") is not None:
        try:
            run_at = moment(value["runAt"])
        except ValueError as error:
            faults = [Fault("runAt", str(error))]
    if faults:
        raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), tuple(faults))
    return value, run_at


def _faults(value: dict[str, Any]) -> list[Fault]:
    faults = [Fault(name[:100], "is not known here") for name in value.keys() - _SHAPE.keys()]
    faults += [Fault(n, text) for n, (kinds, text) in _SHAPE.items() if n in value and not isinstance(value[n], kinds)]
    if "type" not in value:
        faults.append(Fault("type", "is missing"))
    stream = value.get("stream")
    if isinstance(stream, dict) and (fault := _stream_fault(stream)):
        faults.append(Fault("stream", fault))
    return faults


def _stream_fault(stream: dict[str, Any]) -> str | None:
    if stream.keys() != {"type", "id"} or None in stream.values():
        return "needs both a type and an id, or neither"
    if not isinstance(stream["type"], str):
        return "type must be a string"
    if not isinstance(stream["id"], str | int) or isinstance(stream["id"], bool):
        return "id must be a string or an integer"
    return None
