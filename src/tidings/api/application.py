"""The FastAPI application: routes, edge, and the pool that lives as long as it does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from importlib.resources.abc import Traversable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from prometheus_client import CollectorRegistry
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tidings.api.collector import OutboxCollector
from tidings.api.edge import Edge
from tidings.api.live.bounds import Bounds
from tidings.api.live.entrance import origin_of
from tidings.api.live.service import build_live
from tidings.api.metrics import HttpMetrics
from tidings.api.openapi import describe
from tidings.api.readiness import Readiness
from tidings.api.routes import imports
from tidings.api.routing import ROUTES
from tidings.api.web.bundle import BUILT, read_bundle
from tidings.api.web.serving import Front, sockets_of
from tidings.app.api import build_api_parts
from tidings.app.broker import build_watch
from tidings.app.public import public_url
from tidings.kit import db
from tidings.kit.crypto import open_keyring
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import staying_unlocked

_DESCRIPTION = "Commit a fact; the right people hear about it, on the right channel, at the right time."


def create_api(settings: Settings, ui: Traversable = BUILT) -> FastAPI:
    """The application, with the UI that was built there.

    `Misconfigured` where it could not serve; an absent database is not that, and answers 503.
    """
    open_keyring(settings)
    registry = CollectorRegistry()
    app = FastAPI(
        title="Tidings",
        version=version("tidings"),
        description=_DESCRIPTION,
        lifespan=_lifespan(settings, registry),
        redoc_url=None,
        docs_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # the edge does it, once
    )
    for module in ROUTES:
        app.router.routes.extend(module.router.routes)
    app.router.default = Front(read_bundle(ui), sockets_of(origin_of(public_url(settings))))
    app.add_middleware(
        Edge,
        metrics=HttpMetrics(registry),
        base=public_url(settings),
        max_body=settings.api.max_body,
        streamed={imports.PATH: settings.api.max_import},
    )
    for kind in (HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _left_to_the_edge)
    app.openapi = _described_once(app)  # type: ignore[method-assign]
    return app


def _lifespan(
    settings: Settings, registry: CollectorRegistry
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = await db.open_pool(settings.database, db.Role.API, name="api")
        app.state.parts = parts = build_api_parts(settings, pool)
        app.state.live = build_live(app.state.parts, origin_of(public_url(settings)), Bounds(), registry)
        watch = build_watch(settings)
        app.state.readiness = Readiness(pool, parts.keyring, parts.processes.temporal, watch)
        app.state.collector = OutboxCollector(pool, registry)
        try:
            async with staying_unlocked(app.state.parts.keyring, pool), app.state.live.running():
                yield
        finally:
            pool.terminate()
            if watch is not None:
                await watch.end()

    return lifespan


async def _left_to_the_edge(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.status_code == 405:
        error.headers = {"Allow": ", ".join(sorted(_methods(request)))}
    raise error


def _methods(request: Request) -> set[str]:
    """All methods that this address takes; the router knows only those of the first route it came to."""
    path = getattr(request.scope.get("route"), "path", None)
    same = (route for route in request.app.routes if getattr(route, "path", None) == path)
    return {method for route in same for method in getattr(route, "methods", ())}


def _described_once(app: FastAPI) -> Callable[[], dict[str, Any]]:
    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = describe(app)
        return app.openapi_schema

    return described
