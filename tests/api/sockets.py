"""A client of the live socket, as a browser's would be written: it keeps what it has, and comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import websockets
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.api.world import Client, bearer
from tidings.api.live.bounds import Bounds
from tidings.api.live.socket import Room, Socket, Ticket
from tidings.spine.access.admission import Question
from tidings.spine.access.identity import KeyCredential


@dataclass
class Listening:
    """One open socket, and the frames that came on it."""

    connection: ClientConnection
    frames: list[dict[str, Any]] = field(default_factory=list)

    async def say(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def next(self) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(await self.connection.recv())
        self.frames.append(frame)
        return frame

    async def until(self, type: str) -> dict[str, Any]:
        while (frame := await self.next())["type"] != type:
            pass
        return frame

    async def hello(self, after: str | None = None, watch: Sequence[str] = ()) -> dict[str, Any]:
        await self.say(type="hello", after=after, watch=list(watch))
        return await self.until("ready")

    @property
    def position(self) -> str:
        """What to come back with: the last position that was told."""
        return str([frame["position"] for frame in self.frames if frame.get("position")][-1])

    def ids(self) -> list[str]:
        """The notifications that came, in their order."""
        return [frame["data"]["id"] for frame in self.frames if frame["type"] == "notification"]

    async def closed(self) -> tuple[int | None, str | None]:
        """Reads on until the server closes, and says with which code."""
        try:
            while True:
                await self.next()
        except ConnectionClosed:
            return self.connection.close_code, self.connection.close_reason


def address(client: Client, query: str = "") -> str:
    return client.base.replace("http://", "ws://") + "/v1/ws" + query


@asynccontextmanager
async def listening(
    client: Client, key: str | None = None, query: str = "", headers: dict[str, str] | None = None, **options: Any
) -> AsyncIterator[Listening]:
    sent = {**(headers or {}), **(bearer(key) if key else {})}
    async with websockets.connect(
        address(client, query), additional_headers=sent, proxy=None, max_size=None, **options
    ) as connection:
        yield Listening(connection)


async def refused(client: Client, key: str | None = None, query: str = "", **options: Any) -> tuple[int, Any]:
    """The status and the problem of a handshake that is not accepted."""
    try:
        async with asyncio.timeout(10), listening(client, key, query, **options):
            raise AssertionError("was accepted")
    except InvalidStatus as error:
        return error.response.status_code, json.loads(error.response.body or b"null")


def open_socket(
    bounds: Bounds,
    person_id: UUID | None,
    closed: list[int] | None = None,
    ticket: Ticket | None = None,
    tenant: str = "acme",
) -> Socket:
    """One without a server behind it; the codes with which it is closed are kept."""

    async def send(frame: str) -> None:
        raise AssertionError("nobody speaks")

    codes = [] if closed is None else closed
    given = ticket or Ticket(Question(KeyCredential("tdk_x"), None), None)
    return Socket(Room(tenant, person_id), given, bounds, send, lambda code, reason: codes.append(code), greeted=True)
