"""Connections to one mail server: opened to a checked address, kept open, used again."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from aiosmtplib import SMTP, SMTPException, SMTPResponseException

from tidings.spine.channels.answers import in_short
from tidings.spine.channels.network import Network
from tidings.spine.channels.port import Deferred, Rejected
from tidings.spine.channels.smtp_replies import Step, outcome_of_reply

_CONNECTING = 10.0  # seconds; one address that is dead leaves time for the next
Security = Literal["none", "starttls", "tls"]


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed over, and how."""

    host: str
    port: int
    security: Security
    tls: ssl.SSLContext
    helo: str  # the name that we give for ourselves
    username: str | None
    password: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Line:
    """A connection in use. `used`: it has carried a mail before, so that the server may have given it up since."""

    client: SMTP
    used: bool


class Connections:
    """At most `most` at once; whoever comes beyond waits."""

    def __init__(self, server: MailServer, network: Network, most: int) -> None:
        self._server = server
        self._network = network
        self._idle: list[SMTP] = []
        self._free = asyncio.Semaphore(most)

    @asynccontextmanager
    async def line(self, *, fresh: bool = False) -> AsyncIterator[Line | Deferred]:
        """A connection, or why there is none. It is kept if the server is at rest when it comes back."""
        async with self._free:
            idle = None if fresh else self._take_idle()
            found = idle or await _open(self._server, self._network)
            if isinstance(found, Deferred):
                yield found
                return
            try:
                yield Line(found, used=idle is not None)
            except BaseException:
                found.close()
                raise
            if found.is_connected:
                self._idle.append(found)

    def _take_idle(self) -> SMTP | None:
        while self._idle:
            client = self._idle.pop()
            if client.is_connected:
                return client
        return None

    async def close(self) -> None:
        while self._idle:
            client = self._idle.pop()
            try:
                await asyncio.wait_for(client.quit(), timeout=1)
            except (SMTPException, OSError, TimeoutError):
                client.close()


async def _open(server: MailServer, network: Network) -> SMTP | Deferred:
    refused = network.refused_host(server.host, server.port, network.settings.mail_ports)
    pinned = refused or await network.resolve(server.host, server.port)
    if isinstance(pinned, Rejected | Deferred):
        return Deferred(f"the mail server: {pinned.reason}")  # a matter of its configuration, which may be put right
    found: SMTP | Deferred = Deferred("no connection to the mail server")
    for address in pinned.addresses:
        found = await _connected(address, server)
        if isinstance(found, SMTP):
            break
    return found


async def _connected(address: str, server: MailServer) -> SMTP | Deferred:
    try:
        async with asyncio.timeout(_CONNECTING):
            line = await _socket(address, server.port)
    except OSError:
        return Deferred("no connection to the mail server")
    client = SMTP(
        hostname=server.host,
        sock=line,
        use_tls=server.security == "tls",
        start_tls=server.security == "starttls",
        tls_context=server.tls,
        local_hostname=server.helo,
        username=server.username,
        password=server.password,
        timeout=None,
    )
    try:
        await client.connect()
        await client.ehlo() if client.is_ehlo_or_helo_needed else None
    except (SMTPException, OSError, ValueError) as error:
        client.close()
        line.close()
        return _why_not(error)
    return client


async def _socket(address: str, port: int) -> socket.socket:
    line = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    line.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(line, (address, port))
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        line.close()
        raise
    return line


def _why_not(error: Exception) -> Deferred:
    if isinstance(error, ssl.SSLError) or isinstance(error.__cause__, ssl.SSLError):
        return Deferred("the mail server's certificate or TLS is not acceptable")
    if isinstance(error, SMTPResponseException):
        answered = outcome_of_reply(Step.GREETING, error.code, error.message)
        return Deferred(answered.reason)
    if isinstance(error, OSError):
        return Deferred("no connection to the mail server")
    return Deferred(in_short("the mail server", str(error)))  # it lacks what was asked for: STARTTLS, or AUTH
