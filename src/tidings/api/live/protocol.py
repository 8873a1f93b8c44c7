"""uvicorn's websocket protocol, with an end for clients that do not read.

uvicorn closes a connection only after all that was written has gone out, which is never with a client that does not
read. It also answers pings without looking whether anybody reads the answers.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from tidings.api.live.pace import Pace

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

HANG_UP = "tidings.hang_up"
_GRACE = 3.0  # seconds that a client has to take leave
_MOST_FRAGMENTS = 64
_PINGS_A_MINUTE = 120
_UNREADABLE = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_LOGGER = "tidings.api.sockets"


class LiveProtocol(WebSocketsSansIOProtocol):
    """The application finds `hang_up` in its scope's state."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # The addresses and headers of handshakes hold secrets; the edge logs what may be logged.
        self.logger = logging.getLogger(_LOGGER)
        self.logger.setLevel(logging.WARNING)
        self.conn.logger, self.conn.debug = self.logger, False
        self.pace = Pace(_PINGS_A_MINUTE)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.app_state = {**self.app_state, HANG_UP: self.hang_up}

    def data_received(self, data: bytes) -> None:
        """The handshake comes in one piece. One that the library cannot read would be left without an answer."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            self.transport.write(_UNREADABLE)
            self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # refused is answered, too; uvicorn would log an error

    def hang_up(self, code: int, reason: str) -> None:
        """Closes at once, whether or not there is room to say so; what is not sent by then is dropped after a grace."""
        if self.close_sent or not self.handshake_complete or self.transport.is_closing():
            self._abort_soon()
            return
        self.stop_keepalive()
        self.conn.send_close(code, reason.encode()[:120].decode(errors="ignore"))
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self._let_go()
        self._abort_soon()

    def shutdown(self) -> None:
        super().shutdown()
        self._abort_soon()

    def keepalive_timeout(self) -> None:
        self.pong_timer = None
        self.hang_up(1011, "no answer to a ping")

    def handle_ping(self) -> None:
        if not self.pace.keeps():
            self.hang_up(1008, "too many pings")
        elif self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # a pong for somebody who does not read

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < _MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self.hang_up(1009, "too many fragments")

    def _let_go(self) -> None:
        """Whoever waits to send hears that it is over; the client's farewell is read."""
        self.disconnected = True
        self.writable.set()
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def _abort_soon(self) -> None:
        if self.close_timer is None:
            self.close_timer = self.loop.call_later(_GRACE, self.transport.abort)
