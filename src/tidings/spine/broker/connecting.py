"""The one way to the broker. Nobody pays for its import who has none, and no error of it names a password."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tidings.kit.errors import Unavailable
from tidings.kit.settings import BrokerSettings

if TYPE_CHECKING:
    from aio_pika.abc import AbstractConnection

_HEARTBEAT = "15"  # seconds, unless the URL says otherwise
_GREETING = 5.0  # seconds for a connection
_FAREWELL = 0.5  # seconds for closing one


class BrokerAway(Unavailable):
    """The broker cannot be reached."""


@dataclass(frozen=True)
class Broker:
    settings: BrokerSettings

    @property
    def address(self) -> str:
        """Where it is, without whoever we are there."""
        parts = urlsplit(self._url)
        port = parts.port or (5671 if parts.scheme == "amqps" else 5672)
        return f"{parts.hostname}:{port}{parts.path if parts.path != '/' else ''}"

    @asynccontextmanager
    async def connected(self, name: str) -> AsyncIterator[AbstractConnection]:
        """A connection of its own, closed on leaving; `BrokerAway` where there is none to be had."""
        connection = await self.connect(name)
        try:
            yield connection
        finally:
            await close(connection)

    async def connect(self, name: str) -> AbstractConnection:
        aio_pika = await asyncio.to_thread(import_module, "aio_pika")  # takes a while: not on the loop
        from yarl import URL

        url = URL(self._url)
        if "heartbeat" not in url.query:
            url = url.update_query(heartbeat=_HEARTBEAT)
        with saying_why():
            async with asyncio.timeout(_GREETING):
                connection: AbstractConnection = await aio_pika.connect(
                    url, client_properties={"connection_name": f"tidings {name}"}
                )
        return connection

    @property
    def _url(self) -> str:
        return "" if self.settings.url is None else self.settings.url.get_secret_value()


def is_open(connection: AbstractConnection | None) -> bool:
    """`is_closed` says whether we closed it; this, whether it can be used."""
    return connection is not None and connection.connected.is_set()


async def until_it_ends(connection: AbstractConnection) -> None:
    """However it ends."""
    ended = asyncio.Event()
    connection.close_callbacks.add(lambda *_: ended.set())
    if is_open(connection):
        await ended.wait()


async def close(connection: AbstractConnection) -> None:
    """Closing waits for an answer; a broker that is away gives none."""
    with suppress(*failures()):
        async with asyncio.timeout(_FAREWELL):
            await connection.close()


def failures() -> tuple[type[BaseException], ...]:
    """Whatever talking to a broker may fail with. Call it only where there is one."""
    from aio_pika.exceptions import CONNECTION_EXCEPTIONS

    return (*CONNECTION_EXCEPTIONS, asyncio.TimeoutError)


@contextmanager
def saying_why() -> Iterator[None]:
    """Turns whatever talking to the broker fails with into `BrokerAway`, in a sentence."""
    try:
        yield
    except failures() as error:
        raise BrokerAway(describe(error)) from error


def describe(error: BaseException) -> str:
    from aio_pika import exceptions as amqp

    match error:
        case TimeoutError():
            return "it does not answer"
        case amqp.AuthenticationError() | amqp.ProbableAuthenticationError() | amqp.InvalidFrameError():
            return "it does not let us in: wrong user, password or vhost"
        case amqp.ConnectionClosed() | amqp.ChannelClosed():
            return f"it refuses: {' '.join(str(part) for part in error.args)}"
        case amqp.AMQPConnectionError() | OSError():
            return "it cannot be connected to"
        case _:
            return type(error).__name__
