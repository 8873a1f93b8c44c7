"""For those who watch: alive, ready, metrics."""

from __future__ import annotations

import asyncio
import hmac

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from tidings.api.collector import OutboxCollector
from tidings.api.desk import answered, parts_of
from tidings.api.documents import Health
from tidings.api.exchange import exchange_of
from tidings.api.openapi import problems
from tidings.api.readiness import Readiness
from tidings.kit.errors import Unauthenticated, Unavailable

router = APIRouter(tags=["watching"])


@router.get("/healthz", operation_id="healthz", response_model=Health)
async def healthz() -> Response:
    """The process answers."""
    return answered({"status": "ok"})


@router.get("/readyz", operation_id="readyz", response_model=Health, responses=problems(503))
async def readyz(request: Request) -> Response:
    """The database is migrated and, where an address is set, Temporal is there. Where a broker is set, it says how
    that is; the API needs none, and is ready without it."""
    readiness: Readiness = request.app.state.readiness
    faults, broker = await asyncio.gather(readiness.faults(), readiness.of_broker())
    if faults:
        raise Unavailable("; ".join(faults), retry_after=1)
    return answered({"status": "ready"} | broker)


@router.get(
    "/metrics",
    operation_id="metrics",
    response_class=Response,
    responses={200: {"content": {CONTENT_TYPE_LATEST.split(";")[0]: {"schema": {"type": "string"}}}}, **problems(401)},
)
async def metrics(request: Request) -> Response:
    """For Prometheus. It names kinds of every tenant: where strangers can connect, it takes the token that is set."""
    _require_token(request)
    collector: OutboxCollector = request.app.state.collector
    return Response(await collector.exposition(), media_type=CONTENT_TYPE_LATEST)


def _require_token(request: Request) -> None:
    token = parts_of(request).settings.api.metrics_token
    given = exchange_of(request.scope).headers.get(b"authorization", b"")
    if token is not None and not hmac.compare_digest(given, b"Bearer " + token.get_secret_value().encode()):
        raise Unauthenticated
