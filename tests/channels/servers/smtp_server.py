"""A mail server, as raw as needed to misbehave at any step."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.channels.servers.http_server import listening, resetting

Ending = Callable[[asyncio.StreamWriter], Awaitable[None]]
_EHLO = "250-ready\r\n250-AUTH PLAIN LOGIN\r\n250-SMTPUTF8\r\n250 8BITMIME"
_ORDINARY = {
    "": "220 mail.example.com ESMTP",
    "EHLO": _EHLO,
    "AUTH": "235 2.7.0 welcome",
    "MAIL": "250 2.1.0 go on",
    "RCPT": "250 2.1.5 go on",
    "DATA": "354 go on",
    ".": "250 2.0.0 queued as 4711",
    "RSET": "250 2.0.0 at rest",
    "QUIT": "221 2.0.0 bye",
}


@dataclass
class SmtpServer:
    """Answers each command as `replies` say (the greeting is that of no command, the content's that of the dot).

    `at` some commands it does something else instead of answering.
    """

    replies: dict[str, str] = field(default_factory=dict)
    at: dict[str, Ending] = field(default_factory=dict)
    mails: list[bytes] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            await self._reply("", writer)
            while line := (await reader.readline()).decode().rstrip("\r\n"):
                self.commands.append(line)
                await self._serve_one(line.partition(" ")[0].upper(), reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass

    async def _serve_one(self, verb: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answer = await self._reply(verb, writer)
        if answer.startswith("354"):
            content = await reader.readuntil(b"\r\n.\r\n")
            self.mails.append(content[:-3].replace(b"\r\n..", b"\r\n."))
            await self._reply(".", writer)

    async def _reply(self, verb: str, writer: asyncio.StreamWriter) -> str:
        if verb in self.at:
            await self.at[verb](writer)
            return ""
        answer = self.replies.get(verb) or _ORDINARY.get(verb, "500 5.5.2 what?")
        writer.write(answer.encode() + b"\r\n")
        await writer.drain()
        if answer.startswith(("221", "421")):
            writer.close()
        return answer


async def endless(writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        writer.write(b"250-and another thing\r\n" * 100)
        await writer.drain()


async def dripping(writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        await asyncio.sleep(0.05)
        writer.write(b"2")


async def silent(_: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


def starting_tls(tls: ssl.SSLContext) -> Ending:
    async def start(writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 2.0.0 go on\r\n")
        await writer.drain()
        await writer.start_tls(tls)

    return start


async def hanging_up(writer: asyncio.StreamWriter) -> None:
    writer.close()


@asynccontextmanager
async def smtp_server(
    replies: dict[str, str] | None = None, at: dict[str, Ending] | None = None, tls: ssl.SSLContext | None = None
) -> AsyncIterator[SmtpServer]:
    server = SmtpServer(replies or {}, at or {})
    async with listening(server.serve, tls) as server.port:
        yield server


__all__ = ["SmtpServer", "dripping", "endless", "hanging_up", "resetting", "silent", "smtp_server", "starting_tls"]
