"""The live part of an API process, from its start to its end; and one connection, from its handshake to its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, assert_never

import structlog
from prometheus_client import CollectorRegistry, Gauge
from starlette.websockets import WebSocket, WebSocketDisconnect

from tidings.api.live import changes, messages
from tidings.api.live.bounds import Bounds
from tidings.api.live.changes import Changes
from tidings.api.live.courier import Courier
from tidings.api.live.entrance import SUBPROTOCOL, entered
from tidings.api.live.hub import Hub
from tidings.api.live.inspector import Inspector
from tidings.api.live.listener import Listener
from tidings.api.live.messages import Hello, Ping, Said, Watch
from tidings.api.live.pace import Pace
from tidings.api.live.protocol import HANG_UP
from tidings.api.live.pulse import TOPIC, Pulse
from tidings.api.live.resuming import Missed, missed
from tidings.api.live.seen import Sight
from tidings.api.live.socket import REFUSED, TRY_LATER, UNSUPPORTED, Socket
from tidings.app.api import ApiParts
from tidings.kit import db
from tidings.kit.errors import ValidationFailed
from tidings.spine.access.identity import Scope
from tidings.spine.notify import announcing
from tidings.spine.notify.position import parse_position

log = structlog.get_logger("tidings.live")

_PAUSE = 1.0  # seconds


class _Refused(Exception):
    """The client said what it must not, or nothing."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


@dataclass(frozen=True)
class Live:
    parts: ApiParts
    origin: str
    hub: Hub
    pulse: Pulse

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        courier = Courier(self.hub, self.parts.pool, self.parts.patience)
        watching = Changes(self.hub)
        channels = {announcing.CHANNEL: courier.heard, changes.CHANNEL: watching.heard}
        listener = Listener(self.parts.settings.database, channels, self.hub.resync)
        inspector = Inspector(self.hub, self.parts.doorkeeper)
        running = (courier, watching, self.pulse, listener, inspector)
        tasks = [asyncio.create_task(self._keep(part.run)) for part in running]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, run: Callable[[], Awaitable[None]]) -> None:
        """A part that fails is noted and begins again; whoever may have missed something reads again."""
        while True:
            try:
                await run()
            except Exception as error:
                log.exception("a part of the live service failed", exc_info=error)
            await asyncio.sleep(_PAUSE)
            self.hub.resync()

    async def serve(self, websocket: WebSocket) -> None:
        """Raises until the handshake is accepted, as a route does; after that, closes the socket with a code."""
        self.hub.require_space()
        room, ticket = await entered(websocket.scope, self.parts, self.origin)
        hang_up = websocket.scope["state"][HANG_UP]
        socket = Socket(room, ticket, self.hub.bounds, websocket.send_text, hang_up)
        self.hub.join(socket)
        try:
            await websocket.accept(SUBPROTOCOL if SUBPROTOCOL in websocket.scope["subprotocols"] else None)
            await self._attend(websocket, socket)
        except WebSocketDisconnect:
            pass
        except _Refused as refused:
            socket.close(refused.code, refused.reason)
        except db.FAILING:
            socket.close(TRY_LATER, "the database cannot be reached; try again")
        finally:
            socket.closed = True
            self.hub.leave(socket)

    async def _attend(self, websocket: WebSocket, socket: Socket) -> None:
        hello = await self._hello(websocket)
        socket.greeted = True  # from here on what is new is told; what was before is read
        after = None if hello.after is None else parse_position(hello.after)
        found = await missed(self.parts.pool, self.parts.patience, socket.room, after, self.hub.bounds)
        speaking = asyncio.create_task(socket.speak(_greeting(socket, found)))
        pace = Pace(self.hub.bounds.messages_a_minute)
        try:
            self._watch(socket, hello.watch)
            while pace.keeps():
                match await _said(websocket):
                    case Watch(watch=topics):
                        self._watch(socket, topics)
                    case Ping():
                        socket.tell(messages.pong())
                    case Hello():
                        raise _Refused(REFUSED, "hello is said once")
                    case never:
                        assert_never(never)
            raise _Refused(REFUSED, "says too much")
        finally:
            speaking.cancel()
            with suppress(asyncio.CancelledError):
                await speaking

    def _watch(self, socket: Socket, topics: Sequence[str]) -> None:
        if topics and not socket.ticket.may_watch:
            raise _Refused(REFUSED, f"may not watch: this needs the scope {Scope.OUTBOX_READ}")
        self.hub.watch(socket, frozenset(topics))
        if TOPIC in topics:
            self.pulse.greet(socket)

    async def _hello(self, websocket: WebSocket) -> Hello:
        try:
            async with asyncio.timeout(self.hub.bounds.hello_within.total_seconds()):
                said = await _said(websocket)
        except TimeoutError:
            raise _Refused(REFUSED, "said no hello") from None
        if not isinstance(said, Hello):
            raise _Refused(REFUSED, "hello comes first")
        return said


def build_live(parts: ApiParts, origin: str, bounds: Bounds, registry: CollectorRegistry) -> Live:
    hub = Hub(bounds)
    Gauge("tidings_live_sockets", "Sockets that are open on this process", registry=registry).set_function(
        lambda: hub.amount
    )
    return Live(parts, origin, hub, Pulse(hub, parts.pool, parts.patience))


def _greeting(socket: Socket, found: Missed) -> Iterator[str]:
    for notification in found.notifications:
        if socket.seen.note(notification.id) is Sight.FIRST:
            yield messages.notification(notification, found.unread, None)
    for notification in found.changed:
        yield messages.updated(notification, found.unread, None)
    if found.too_many:
        yield messages.resync()
    yield messages.ready(found.unread, found.position)


async def _said(websocket: WebSocket) -> Said:
    message: Any = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    if message.get("text") is None:
        raise _Refused(UNSUPPORTED, "text only")
    try:
        return messages.understood(message["text"])
    except ValidationFailed as error:
        raise _Refused(REFUSED, error.detail) from None
