"""Coming back: what was announced to a person since their client heard the last of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.api.live.bounds import Bounds
from tidings.api.live.socket import Room
from tidings.kit import db
from tidings.spine.notify.inbox import Inbox
from tidings.spine.notify.notifications import Notification
from tidings.spine.notify.position import Position, position_now


@dataclass(frozen=True)
class Missed:
    """Notifications that the client may not have, or not as they are now, oldest first; `too_many` to be told one by
    one. Who has been told of them has got to `position`."""

    notifications: Sequence[Notification]
    changed: Sequence[Notification]
    too_many: bool
    unread: int | None
    position: Position | None


async def missed(pool: db.Pool, patience: float, room: Room, after: Position | None, bounds: Bounds) -> Missed:
    """Who comes for the first time has missed nothing; since a position of long ago, nobody knows how much."""
    if room.person_id is None:
        return Missed((), (), False, None, None)
    async with db.acquired(pool, patience) as connection, db.as_tenant(connection, room.tenant):
        here = await position_now(connection)
        inbox = Inbox(connection, room.tenant, room.person_id)
        unread = await inbox.unread()
        if after is None or not here.reaches_back_to(after):
            return Missed((), (), after is not None, unread, here)
        found = await inbox.announced_since(after, bounds.resume_most)
    if found is None:
        return Missed((), (), True, unread, here)
    return Missed(found.new, found.changed, False, unread, here)
