"""The pulse of a tenant: asked for once a second while anybody watches it, for all of them together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta

import asyncpg
import structlog

from tidings.api.live import messages
from tidings.api.live.hub import Hub
from tidings.api.live.socket import Socket
from tidings.kit import db
from tidings.spine.delivery.overview.movement import MOVING, Beat, Movement

log = structlog.get_logger("tidings.live")

TOPIC = "pulse"
_EVERY = timedelta(seconds=1).total_seconds()
_AT_LEAST = timedelta(seconds=10).total_seconds()
_FAILURES: tuple[type[BaseException], ...] = (*db.AWAY, asyncpg.PostgresError)
_NOTHING = dict.fromkeys(MOVING, 0)


@dataclass
class Watched:
    """What is known of a tenant: the last look, when that was, and the last that was told to everybody."""

    movement: Movement
    beat: Beat | None = None
    looked_at: float = 0.0
    told: tuple[int, int | None] | None = None
    told_at: float = 0.0

    def worth_telling(self, beat: Beat, now: float) -> bool:
        return not beat.at_rest or _standing(beat) != self.told or now - self.told_at >= _AT_LEAST


@dataclass
class Pulse:
    hub: Hub
    pool: db.Pool
    patience: float
    watched: dict[str, Watched] = field(default_factory=dict)
    new: set[Socket] = field(default_factory=set)
    something: asyncio.Event = field(default_factory=asyncio.Event)

    def greet(self, socket: Socket) -> None:
        """It began to watch: it is told at once how things stand."""
        self.new.add(socket)
        self.something.set()

    async def run(self) -> None:
        """Sleeps where nobody watches. A tenant is kept for a second longer than it is watched, so that whoever begins
        and ends and begins again has it asked for no more often."""
        while True:
            await self._rest()
            self.something.clear()
            now = asyncio.get_running_loop().time()
            tenants = self._tenants()
            for tenant in tenants:
                await self._round(tenant, now)
            self._welcome()
            self.watched = {t: w for t, w in self.watched.items() if t in tenants or now - w.looked_at < _EVERY}

    def _tenants(self) -> set[str]:
        return {tenant for tenant in self.hub.watchers if self.hub.watching(tenant, TOPIC)}

    async def _rest(self) -> None:
        """Until somebody begins to watch, or a look is due."""
        now = asyncio.get_running_loop().time()
        looks = [watched.looked_at + _EVERY for watched in self.watched.values()]
        unseen = [now for tenant in self._tenants() if tenant not in self.watched]
        due = min(looks + unseen, default=None)
        within = None if due is None else max(0.0, due - now)
        with suppress(TimeoutError):
            await asyncio.wait_for(self.something.wait(), within)

    async def _round(self, tenant: str, now: float) -> None:
        watched = self.watched.setdefault(tenant, Watched(Movement(tenant)))
        if watched.beat is not None and now - watched.looked_at < _EVERY:
            return
        watched.looked_at = now
        try:
            async with db.acquired(self.pool, self.patience) as connection, db.as_tenant(connection, tenant):
                beat = await watched.movement.look(connection)
        except _FAILURES as error:
            log.warning("no pulse", tenant=tenant, error=repr(error))
            return
        watched.beat = beat
        if watched.worth_telling(beat, now):
            watched.told, watched.told_at = _standing(beat), now
            self._tell((socket for socket in self.hub.watching(tenant, TOPIC) if socket not in self.new), beat)

    def _welcome(self) -> None:
        """Those who are new hear of the last look, and of nothing that moved before they came. Where there was none,
        since the database is away, they wait for the next."""
        for socket in list(self.new):
            watched = self.watched.get(socket.room.tenant)
            if watched is not None and watched.beat is not None:
                self._tell([socket], replace(watched.beat, moved=_NOTHING))
            if socket.closed or (watched is not None and watched.beat is not None):
                self.new.discard(socket)

    def _tell(self, sockets: Iterable[Socket], beat: Beat) -> None:
        frame = messages.pulse(beat)
        for socket in sockets:
            socket.tell(frame)


def _standing(beat: Beat) -> tuple[int, int | None]:
    lag = beat.standing.lag
    return beat.standing.waiting, None if lag is None else int(lag)
