"""What every request passes, in and out: id, limits, trace, metrics, log, and the answer to any error."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

import structlog

from tidings.api import access_log
from tidings.api.exchange import Exchange, begin_exchange
from tidings.api.metrics import HttpMetrics
from tidings.api.problems import problem, translated
from tidings.api.tracing import serving
from tidings.kit.errors import TooLarge

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY: Sequence[tuple[bytes, bytes]] = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
    (b"cache-control", b"no-store"),
)
_STARTS = {"http.response.start", "websocket.http.response.start"}
_HANDSHAKES = {"websocket.accept": 101, "websocket.close": 403}
_LINGER = 5.0  # seconds


@dataclass(frozen=True)
class Edge:
    """A pure ASGI middleware: nothing between it and the application copies or buffers a body."""

    app: ASGIApp
    metrics: HttpMetrics
    base: str
    max_body: int
    streamed: Mapping[str, int]  # paths whose bodies are not held in memory, each with its own limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._open_socket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        exchange = begin_exchange(scope)
        structlog.contextvars.bind_contextvars(request_id=exchange.request_id)
        began = time.perf_counter()
        outgoing = _Outgoing(exchange, send)
        try:
            with serving(scope, exchange):
                await self._serve(scope, receive, outgoing)
        finally:
            seconds = time.perf_counter() - began
            self.metrics.observe(scope, outgoing.status, seconds)
            access_log.note(scope, exchange, outgoing.status, seconds)

    async def _open_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A handshake is a request, answered when it is accepted or refused; how long the socket stays is another
        matter."""
        exchange = begin_exchange(scope)
        scope["method"] = "GET"
        structlog.contextvars.bind_contextvars(request_id=exchange.request_id)
        began = time.perf_counter()

        def note(status: int) -> None:
            seconds = time.perf_counter() - began
            self.metrics.observe(scope, status, seconds)
            access_log.note(scope, exchange, status, seconds)

        await self._serve(scope, receive, _Outgoing(exchange, send, note=note))

    async def _serve(self, scope: Scope, receive: Receive, outgoing: _Outgoing) -> None:
        try:
            self._check_length(outgoing.exchange, self.streamed.get(scope["path"], self.max_body))
            await self.app(scope, receive, outgoing)
        except Exception as error:
            if outgoing.status:
                raise
            answer = problem(translated(error), self.base, quote(scope["path"][:200]))
            if isinstance(error, TooLarge):
                await _answer_while_it_sends(answer, receive, outgoing)
            else:
                await answer(scope, receive, outgoing)

    @staticmethod
    def _check_length(exchange: Exchange, most: int) -> None:
        length = exchange.headers.get(b"content-length")
        if length is not None and (not length.isdigit() or len(length) > 18 or int(length) > most):
            raise TooLarge(f"The body is larger than {most} bytes.", headers={"Connection": "close"})


async def _answer_while_it_sends(answer: Response, receive: Receive, send: Send) -> None:
    """Reads on for a while and throws it away: closing on a client that still sends resets its connection, and it
    never sees the answer."""
    await send({"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers})
    await send({"type": "http.response.body", "body": answer.body, "more_body": True})
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LINGER):
            while (await receive()).get("more_body"):
                pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})


@dataclass(slots=True)
class _Outgoing:
    """Sends, and adds to the response what every response carries."""

    exchange: Exchange
    send: Send
    status: int = 0
    note: Callable[[int], None] | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] in _STARTS:
            self.status = message["status"]
            message["headers"] = self._completed(message["headers"])
        if not self.status and message["type"] in _HANDSHAKES:
            self.status = _HANDSHAKES[message["type"]]
        if self.note is not None and self.status:
            self.note(self.status)
            self.note = None
        await self.send(message)

    def _completed(self, given: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        names = {name for name, _ in given}
        defaults = (default for default in SECURITY if default[0] not in names)
        return [*given, *defaults, (b"x-request-id", self.exchange.request_id.encode()), *self.exchange.added]
