"""A webhook endpoint as a process of its own: `python -m bench.endpoint MILLISECONDS`; prints its port.

Answers 200 after so long, never with a negative number. `GET /` says how many it has answered. As little HTTP as that
takes: what it costs is taken from the senders, on the same two cores.
"""

from __future__ import annotations

import asyncio
import re
import sys
from typing import cast

import uvloop

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class _Endpoint(asyncio.Protocol):
    answered = 0
    delay = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's is none by type
        self.waiting = b""

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        while (head := self.waiting.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self.waiting, 0, head)
            end = head + 4 + (int(length[1]) if length else 0)
            if len(self.waiting) < end:
                return
            self._receive(self.waiting.startswith(b"GET"))
            self.waiting = self.waiting[end:]

    def _receive(self, asked: bool) -> None:
        if asked:
            count = b"%d" % _Endpoint.answered
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(count), count))
        elif _Endpoint.delay == 0:
            self._answer()
        elif _Endpoint.delay > 0:
            asyncio.get_running_loop().call_later(_Endpoint.delay, self._answer)

    def _answer(self) -> None:
        if not self.transport.is_closing():
            _Endpoint.answered += 1
            self.transport.write(_OK)


async def _serve(milliseconds: float) -> None:
    _Endpoint.delay = milliseconds / 1000
    server = await asyncio.get_running_loop().create_server(_Endpoint, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve(float(sys.argv[1])))
