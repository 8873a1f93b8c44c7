"""Takes what was announced to the sockets it concerns: reads the rows once for all of them, tenant by tenant."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from uuid import UUID

import structlog

from tidings.api.live import messages
from tidings.api.live.hub import Hub
from tidings.api.live.socket import Room
from tidings.kit import db
from tidings.spine.notify.announcing import Announcement, Change, heard
from tidings.spine.notify.notifications import Notification, notifications_of, unread_of
from tidings.spine.notify.position import Position

log = structlog.get_logger("tidings.live")

_MOST_IDS = 100
_MOST_ROOMS = 500


@dataclass
class News:
    """What has come for one room since the last round. Too much of it, and the room is told to read again."""

    new: list[UUID] = field(default_factory=list)
    handled: list[UUID] = field(default_factory=list)
    changes: list[tuple[Change, tuple[UUID, ...]]] = field(default_factory=list)
    too_much: bool = False
    position: Position | None = None

    def add(self, announcement: Announcement) -> None:
        self.position = announcement.position
        match announcement.change:
            case Change.NEW:
                self.new.extend(announcement.ids)
            case Change.HANDLED:
                self.handled.extend(announcement.ids)
            case change:
                self.changes.append((change, announcement.ids))
        if max(len(self.new), len(self.handled), len(self.changes)) > _MOST_IDS:
            self.new, self.handled, self.changes, self.too_much = [], [], [], True


@dataclass
class Courier:
    hub: Hub
    pool: db.Pool
    patience: float
    waiting: dict[Room, News] = field(default_factory=dict)
    something: asyncio.Event = field(default_factory=asyncio.Event)

    def heard(self, payload: str) -> None:
        """Keeps what concerns somebody who is here."""
        for announcement in heard(payload):
            room = Room(announcement.tenant, announcement.person_id)
            if room in self.hub.rooms:
                self.waiting.setdefault(room, News()).add(announcement)
                self.something.set()

    async def run(self) -> None:
        while True:
            await self.something.wait()
            self.something.clear()
            while self.waiting:
                await self._round()

    async def _round(self) -> None:
        taken = {room: self.waiting.pop(room) for room in list(islice(self.waiting, _MOST_ROOMS))}
        by_tenant: dict[str, dict[Room, News]] = defaultdict(dict)
        for room, news in taken.items():
            by_tenant[room.tenant][room] = news
        for tenant, rooms in by_tenant.items():
            try:
                await self._deliver(tenant, rooms)
            except db.FAILING as error:
                log.warning("announcements not delivered", error=repr(error))
                self._resync(rooms)

    async def _deliver(self, tenant: str, rooms: Mapping[Room, News]) -> None:
        people = [room.person_id for room in rooms if room.person_id is not None]
        ids = list(chain.from_iterable((*news.new, *news.handled) for news in rooms.values()))
        async with db.acquired(self.pool, self.patience) as connection, db.as_tenant(connection, tenant):
            found = await notifications_of(connection, tenant, people, ids) if ids else []
            unread = await unread_of(connection, tenant, people)
        known = {notification.id: notification for notification in found}
        for room, news in rooms.items():
            assert room.person_id is not None  # an announcement names a person
            self._tell(room, news, known, unread.get(room.person_id, 0))

    def _tell(self, room: Room, news: News, known: Mapping[UUID, Notification], unread: int) -> None:
        if news.too_much:
            self._resync([room])
            return
        new = sorted(_own(room, news.new, known), key=lambda notification: notification.id)
        handled = _own(room, news.handled, known)
        amount = len(new) + len(handled) + len(news.changes)
        positions = iter([*[None] * (amount - 1), news.position])  # who has the last one has all
        frames = [(one, messages.notification(one, unread, next(positions))) for one in new]
        others = [messages.updated(one, unread, next(positions)) for one in handled]
        others += [messages.changed(change, ids, unread, next(positions)) for change, ids in news.changes]
        for socket in self.hub.of(room):
            for notification, frame in frames:
                socket.notify(notification, frame)
            for other in others:
                socket.tell(other)

    def _resync(self, rooms: Mapping[Room, News] | Sequence[Room]) -> None:
        for room in rooms:
            for socket in self.hub.of(room):
                socket.tell(messages.resync())


def _own(room: Room, ids: Sequence[UUID], known: Mapping[UUID, Notification]) -> list[Notification]:
    """Each once, and only this person's: anybody on the database can announce."""
    found = (known[each] for each in dict.fromkeys(ids) if each in known)
    return [notification for notification in found if notification.person_id == room.person_id]
