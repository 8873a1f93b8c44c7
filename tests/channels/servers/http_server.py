"""An HTTP server, as raw as needed to misbehave."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

_RESET = struct.pack("ii", 1, 0)  # linger for no time: close with RST


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: Mapping[str, str]  # names in lower case
    body: bytes


@dataclass(frozen=True)
class Reply:
    """An orderly answer."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    def head(self, length: int | None) -> bytes:
        lines = [f"HTTP/1.1 {self.status} As Told", *(f"{name}: {value}" for name, value in self.headers.items())]
        lines.append("Connection: close" if length is None else f"Content-Length: {length}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


Answering = Callable[[asyncio.StreamWriter], Awaitable[None]]


def orderly(reply: Reply) -> Answering:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(reply.head(len(reply.body)) + reply.body)
        await writer.drain()

    return answer


def endless(reply: Reply) -> Answering:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(reply.head(None) + reply.body)
        while not writer.is_closing():
            writer.write(b" " * 65_536)
            await writer.drain()

    return answer


def dripping(reply: Reply) -> Answering:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(reply.head(1_000_000) + reply.body)
        while not writer.is_closing():
            await asyncio.sleep(0.05)
            writer.write(b" ")

    return answer


async def silent(_: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def resetting(writer: asyncio.StreamWriter) -> None:
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()


async def nonsense(writer: asyncio.StreamWriter) -> None:
    writer.write(b"\x16\x03 what is this\r\n\r\n")
    writer.close()


@dataclass
class HttpServer:
    """Takes whole requests and answers each as it is told; `always` answers some paths in its own way, uncounted."""

    answering: Answering
    always: Mapping[str, Reply] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await _read(reader):
                fixed = self.always.get(request.target)
                if fixed is None:
                    self.requests.append(request)
                await (self.answering if fixed is None else orderly(fixed))(writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, target, headers, body)


@asynccontextmanager
async def listening(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    tls: ssl.SSLContext | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
) -> AsyncIterator[int]:
    """Listens on loopback, on a free port unless told which, and gives it; ends every connection at the end."""
    tasks: set[asyncio.Task[None]] = set()

    async def kept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await serve(reader, writer)
        except asyncio.CancelledError:
            pass
        finally:
            tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(kept, host, port, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def http_server(
    answering: Answering,
    *,
    tls: ssl.SSLContext | None = None,
    always: Mapping[str, Reply] | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
) -> AsyncIterator[HttpServer]:
    server = HttpServer(answering, always or {})
    async with listening(server.serve, tls, host, port) as server.port:
        yield server


async def never_speaking(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()
