"""One open connection: what waits to be sent on it, and what was."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

import structlog
from starlette.websockets import WebSocketDisconnect

from tidings.api.live import messages
from tidings.api.live.bounds import Bounds
from tidings.api.live.seen import Seen, Sight
from tidings.spine.access.admission import Question
from tidings.spine.notify.notifications import Notification

log = structlog.get_logger("tidings.live")

REFUSED = 1008
UNSUPPORTED = 1003
FAILED = 1011
TRY_LATER = 1013


class Room(NamedTuple):
    """Where the sockets of one person are; where nobody's inbox is looked at, those of one login."""

    tenant: str
    person_id: UUID | None
    login: str = ""


@dataclass(frozen=True)
class Ticket:
    """What a socket was opened with, to be looked at again; a token is good until `expires_at` (epoch)."""

    question: Question
    expires_at: float | None
    may_watch: bool = False


@dataclass(eq=False)
class Socket:
    """Anybody may `tell` it something, without waiting. A client that does not keep up is closed, and comes back."""

    room: Room
    ticket: Ticket
    bounds: Bounds
    send: Callable[[str], Awaitable[None]]
    hang_up: Callable[[int, str], None]
    seen: Seen = field(default_factory=Seen)
    waiting: deque[str] = field(default_factory=deque)
    size: int = 0
    more: asyncio.Event = field(default_factory=asyncio.Event)
    watching: frozenset[str] = frozenset()
    greeted: bool = False
    closed: bool = False

    def tell(self, frame: str) -> None:
        """Nothing before its hello: what it missed until then is read for it."""
        if self.closed or not self.greeted:
            return
        if self.waiting and self.size + len(frame) > self.bounds.queue_bytes:
            self.close(TRY_LATER, "does not keep up; come back with `after`")
            return
        self.waiting.append(frame)
        self.size += len(frame)
        self.more.set()

    def notify(self, notification: Notification, frame: str) -> None:
        """Tells of a notification, once."""
        if not self.greeted:
            return
        match self.seen.note(notification.id):
            case Sight.FIRST:
                self.tell(frame)
            case Sight.AGAIN:
                pass
            case Sight.UNSURE:
                self.tell(messages.resync())

    def close(self, code: int, reason: str) -> None:
        self.closed = True
        self.waiting.clear()
        self.hang_up(code, reason)

    async def speak(self, first: Iterable[str]) -> None:
        """Sends `first`, and then whatever it is told, until it is closed."""
        try:
            for frame in first:
                await self._send(frame)
            while True:
                await self._send(await self._next())
        except TimeoutError:
            self.close(TRY_LATER, "does not read")
        except WebSocketDisconnect:
            self.closed = True
        except Exception as error:
            log.exception("socket failed", exc_info=error)
            self.close(FAILED, "something went wrong on our side")

    async def _next(self) -> str:
        while not self.waiting:
            self.more.clear()
            await self.more.wait()
        frame = self.waiting.popleft()
        self.size -= len(frame)
        return frame

    async def _send(self, frame: str) -> None:
        async with asyncio.timeout(self.bounds.send_within.total_seconds()):
            await self.send(frame)
