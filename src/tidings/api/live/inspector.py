"""Looks again at those whose sockets are open: who was let in may have been turned out since."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import structlog

from tidings.api.live.entrance import may_listen, may_watch
from tidings.api.live.hub import Hub
from tidings.api.live.socket import REFUSED, Socket
from tidings.kit import db
from tidings.spine.access.admission import Doorkeeper, Standing
from tidings.spine.notify.ownership import may_open

log = structlog.get_logger("tidings.live")

_AT_ONCE = 1_000


@dataclass(frozen=True)
class Inspector:
    """A key that was revoked, a session that ended, a user who was disabled or demoted: closed within seconds."""

    hub: Hub
    doorkeeper: Doorkeeper
    clock: Callable[[], float] = time.time

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self.hub.bounds.recheck_every.total_seconds())
            try:
                await self.look()
            except db.FAILING as error:
                log.warning("open sockets could not be looked at", error=repr(error))

    async def look(self) -> None:
        for sockets in _chunks(list(self.hub.everybody())):
            asked = [(socket.ticket.question, socket.room.person_id) for socket in sockets]
            standings = await self.doorkeeper.recheck(asked)
            for socket, standing in zip(sockets, standings, strict=True):
                if not self._may_stay(socket, standing):
                    socket.close(REFUSED, "no longer signed in, or no longer allowed")

    def _may_stay(self, socket: Socket, standing: Standing | None) -> bool:
        expires_at = socket.ticket.expires_at
        if standing is None or (expires_at is not None and expires_at < self.clock()):
            return False
        identity = standing.identity
        if identity.tenant != socket.room.tenant or (socket.watching and not may_watch(identity)):
            return False  # a session may have been taken to another tenant
        if socket.room.person_id is None:
            return may_watch(identity) or may_listen(identity)
        return may_listen(identity) and may_open(identity, standing.person_user)


def _chunks(sockets: Sequence[Socket]) -> Iterator[Sequence[Socket]]:
    return (sockets[start : start + _AT_ONCE] for start in range(0, len(sockets), _AT_ONCE))
