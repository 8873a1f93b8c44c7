"""A mail server on loopback that takes its time over each mail, and remembers what it took."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.channels.servers.http_server import listening

_MESSAGE_ID = re.compile(rb"(?mi)^Message-ID:\s*<([^@>]+)@")
_ANSWERS = {"QUIT": b"221 bye\r\n", "DATA": b"354 go on\r\n"}


@dataclass
class SlowMailServer:
    """`takes` is how long it thinks over a mail that it has; None: for ever."""

    takes: float | None
    taken: list[str] = field(default_factory=list)
    mails: list[bytes] = field(default_factory=list)
    port: int = 0

    @property
    def config(self) -> dict[str, object]:
        return {"host": "127.0.0.1", "port": self.port, "security": "none", "fromAddress": "post@example.com"}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(b"220 mail.example.com ESMTP\r\n")
            while line := await reader.readline():
                verb = line[:4].decode().upper()
                writer.write(_ANSWERS.get(verb, b"250 go on\r\n"))
                if verb == "DATA":
                    await self._take(await reader.readuntil(b"\r\n.\r\n"), writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _take(self, content: bytes, writer: asyncio.StreamWriter) -> None:
        found = _MESSAGE_ID.search(content)
        assert found is not None
        self.taken.append(found[1].decode())
        self.mails.append(content)
        if self.takes is None:
            await asyncio.Event().wait()
        else:
            await asyncio.sleep(self.takes)
            writer.write(b"250 queued\r\n")


@asynccontextmanager
async def slow_mail_server(takes: float | None) -> AsyncIterator[SlowMailServer]:
    it = SlowMailServer(takes)
    async with listening(it.serve) as it.port:
        yield it
