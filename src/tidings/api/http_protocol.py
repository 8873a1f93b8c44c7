"""uvicorn's HTTP protocol, with a bound to the head of a request.

The parser takes headers for as long as they come, and keeps them all: whoever can connect could fill the memory. Nor
does anybody wait for a head to end: whoever opens a connection and says nothing would have it for ever.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_HEAD = 65_536
"""Bytes, beyond what came with its first piece."""
_HEAD_WITHIN = 30.0  # seconds
_LINGER = 2.0  # seconds
_CLOSING = b"connection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\n" + _CLOSING
_TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\n" + _CLOSING


class BoundedHttp(HttpToolsProtocol):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.in_head = False
        self.head: int | None = None  # bytes of it so far; None before its first piece has ended
        self.lateness: asyncio.TimerHandle | None = None
        self.refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.in_head, self.head = True, None

    def on_headers_complete(self) -> None:
        self.in_head = False
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        if self.refused:
            return
        super().data_received(data)
        if not self.in_head:
            self._expect_nothing()
            return
        self._expect()
        self.head = 0 if self.head is None else self.head + len(data)
        if self.head > LONGEST_HEAD:
            self._refuse(_TOO_LARGE)

    def _expect(self) -> None:
        if self.lateness is None:
            self.lateness = self.loop.call_later(_HEAD_WITHIN, self._refuse, _TOO_LATE)

    def _expect_nothing(self) -> None:
        if self.lateness is not None:
            self.lateness.cancel()
            self.lateness = None

    def _refuse(self, answer: bytes) -> None:
        """Reads on for a while and throws it away: closing on a client that still sends resets its connection, and it
        never sees the answer."""
        self._expect_nothing()
        if not self.transport.is_closing():
            self.refused = True
            self.transport.write(answer)
            self.loop.call_later(_LINGER, self.transport.close)
