"""The sockets that are open on this process, by person, and by tenant those that watch."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from tidings.api.live import messages
from tidings.api.live.bounds import Bounds
from tidings.api.live.socket import Room, Socket
from tidings.kit.errors import RateLimited, Unavailable

_RETRY = 30


@dataclass
class Hub:
    bounds: Bounds
    rooms: dict[Room, set[Socket]] = field(default_factory=lambda: defaultdict(set))
    watchers: dict[str, set[Socket]] = field(default_factory=dict)
    tenants: Counter[str] = field(default_factory=Counter)
    amount: int = 0

    def require_space(self) -> None:
        if self.amount >= self.bounds.per_process:
            raise Unavailable("This process has as many open sockets as it takes; try again.", retry_after=_RETRY)

    def join(self, socket: Socket) -> None:
        """`RateLimited` where person or tenant have as many open as any may, `Unavailable` where this process has."""
        self.require_space()
        if len(self.rooms.get(socket.room, ())) >= self.bounds.per_person:
            most = self.bounds.per_person
            raise RateLimited(f"A person may have {most} sockets open here; close one first.", retry_after=_RETRY)
        if self.tenants[socket.room.tenant] >= self.bounds.per_tenant:
            most = self.bounds.per_tenant
            raise RateLimited(f"A tenant may have {most} sockets open here; close one first.", retry_after=_RETRY)
        self.rooms[socket.room].add(socket)
        self.tenants[socket.room.tenant] += 1
        self.amount += 1

    def leave(self, socket: Socket) -> None:
        room = self.rooms.get(socket.room, set())
        if socket in room:
            room.remove(socket)
            self.tenants[socket.room.tenant] -= 1
            self.amount -= 1
        if not room:
            self.rooms.pop(socket.room, None)
        self.watch(socket, frozenset())

    def watch(self, socket: Socket, topics: frozenset[str]) -> None:
        """What this socket is to be told of its tenant from now on."""
        socket.watching = topics
        watchers = self.watchers.setdefault(socket.room.tenant, set())
        (watchers.add if topics else watchers.discard)(socket)
        if not watchers:
            del self.watchers[socket.room.tenant]

    def watching(self, tenant: str, topic: str | None = None) -> tuple[Socket, ...]:
        """Those of a tenant that watch this, or anything."""
        watchers = self.watchers.get(tenant, ())
        return tuple(socket for socket in watchers if topic is None or topic in socket.watching)

    def of(self, room: Room) -> tuple[Socket, ...]:
        return tuple(self.rooms.get(room, ()))

    def everybody(self) -> Iterator[Socket]:
        for room in list(self.rooms):
            yield from self.of(room)

    def resync(self) -> None:
        """Something may have been missed: everybody reads again."""
        frame = messages.resync()
        for socket in self.everybody():
            socket.tell(frame)
