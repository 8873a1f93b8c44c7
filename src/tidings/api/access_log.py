"""A line for each request: who asked for what, and what came of it. No query, no header, no body: no secret."""

from __future__ import annotations

import logging
from typing import Any

import structlog

from tidings.api.exchange import Exchange
from tidings.api.secret_paths import without_secrets

log = structlog.get_logger("tidings.access")

_LOGGER = logging.getLogger("tidings.access")
_WATCHED = {"/healthz", "/readyz", "/metrics"}
_LONGEST_PATH = 200


def note(scope: Any, exchange: Exchange, status: int, seconds: float) -> None:
    """What was refused or failed at `info`; what went well at `debug`, since a line costs a twentieth of a request.

    Those who watch the API are heard of when it fails them.
    """
    failed = not 0 < status < 400
    level = logging.INFO if failed else logging.DEBUG
    if not _LOGGER.isEnabledFor(level):
        return
    path = getattr(scope.get("route"), "path_format", None) or without_secrets(scope["path"])[:_LONGEST_PATH]
    if path in _WATCHED and not failed:
        return
    log.log(
        level,
        "request",
        method=scope["method"][:20],
        path=path,
        status=status or 499,
        milliseconds=round(seconds * 1000, 2),
        tenant=exchange.tenant,
    )
