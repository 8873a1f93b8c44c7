"""A mail server as a process of its own: `python -m bench.mailbox`; prints its port, and takes whatever it is sent."""

from __future__ import annotations

import asyncio
from typing import cast

import uvloop

_ANSWERS = {
    b"EHLO": b"250-here\r\n250-PIPELINING\r\n250 8BITMIME\r\n",
    b"DATA": b"354 go on\r\n",
    b"QUIT": b"221 bye\r\n",
}


class _Mailbox(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's is none by type
        self.waiting = b""
        self.taking = False
        self.transport.write(b"220 here\r\n")

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        while self._step():
            pass

    def _step(self) -> bool:
        """Takes one command, or one mail, if all of it is there."""
        end = self.waiting.find(b"\r\n.\r\n" if self.taking else b"\r\n")
        if end < 0:
            return False
        command = self.waiting[:4].upper()
        self.waiting = self.waiting[end + (5 if self.taking else 2) :]
        if self.taking:
            self.taking = False
            self.transport.write(b"250 taken\r\n")
        else:
            self.taking = command == b"DATA"
            self.transport.write(_ANSWERS.get(command, b"250 ok\r\n"))
        return True


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Mailbox, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve())
