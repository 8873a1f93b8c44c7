"""Running the API as a process."""

from __future__ import annotations

import socket
from datetime import timedelta

import uvicorn
from fastapi import FastAPI

from tidings.api.application import create_api
from tidings.api.http_protocol import BoundedHttp
from tidings.api.live.bounds import LARGEST_MESSAGE, PING_EVERY
from tidings.api.live.protocol import LiveProtocol
from tidings.kit import logging, telemetry
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import ApiSettings, Settings

_STOP_WITHIN = timedelta(seconds=10)
_BACKLOG = 2048


def serve(settings: Settings) -> None:
    """Until SIGINT or SIGTERM; then finishes the requests it has, within ten seconds."""
    logging.configure(settings.log)
    telemetry.configure(settings.telemetry, "api")
    with _listening(settings.api) as listener:
        uvicorn.Server(configured(create_api(settings))).run(sockets=[listener])


def configured(app: FastAPI) -> uvicorn.Config:
    """How uvicorn runs it. What a proxy's headers say is not believed."""
    return uvicorn.Config(
        app,
        loop="uvloop",
        http=BoundedHttp,
        ws=LiveProtocol,
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=PING_EVERY.total_seconds(),
        ws_ping_timeout=PING_EVERY.total_seconds(),
        ws_per_message_deflate=False,
        lifespan="on",
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=int(_STOP_WITHIN.total_seconds()),
    )


def _listening(settings: ApiSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise Misconfigured(
            f"TIDINGS_API_PORT: cannot listen on {settings.host}:{settings.port} ({error.strerror})"
        ) from None
    listener.listen(_BACKLOG)
    return listener
