"""For those who watch: alive, ready, metrics."""

from __future__ import annotations

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from tidings.api.collector import OutboxCollector
from tidings.api.desk import answered
from tidings.api.documents import Health
from tidings.api.openapi import problems
from tidings.api.readiness import Readiness
from tidings.kit.errors import Unavailable

router = APIRouter(tags=["watching"])


@router.get("/healthz", operation_id="healthz", response_model=Health)
async def healthz() -> Response:
    """The process answers."""
    return answered({"status": "ok"})


@router.get("/readyz", operation_id="readyz", response_model=Health, responses=problems(503))
async def readyz(request: Request) -> Response:
    """The database is migrated and, where an address is set, Temporal is there."""
    readiness: Readiness = request.app.state.readiness
    if faults := await readiness.faults():
        raise Unavailable("; ".join(faults), retry_after=1)
    return answered({"status": "ready"})


@router.get(
    "/metrics",
    operation_id="metrics",
    response_class=Response,
    responses={200: {"content": {CONTENT_TYPE_LATEST.split(";")[0]: {"schema": {"type": "string"}}}}},
)
async def metrics(request: Request) -> Response:
    """For Prometheus."""
    collector: OutboxCollector = request.app.state.collector
    return Response(await collector.exposition(), media_type=CONTENT_TYPE_LATEST)
