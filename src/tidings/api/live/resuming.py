"""Coming back: what a client may have missed, read with an overlap, since transactions commit later than they begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from tidings.api.live.bounds import Bounds
from tidings.api.live.socket import Room
from tidings.kit import db
from tidings.spine.notify.inbox import Inbox
from tidings.spine.notify.notifications import Notification

_TIME_ORDERED = 7
_BELOW_TIME = 80  # bits of a UUIDv7 after its milliseconds


@dataclass(frozen=True)
class Missed:
    """Notifications that the client may not have, oldest first; `too_many` to be told one by one."""

    notifications: Sequence[Notification]
    too_many: bool
    unread: int | None


def lowest_after(after: UUID, overlap: timedelta) -> UUID:
    """The lowest id of a time so much before that of `after`."""
    milliseconds = (after.int >> _BELOW_TIME) - int(overlap.total_seconds() * 1000)
    return UUID(int=max(0, milliseconds) << _BELOW_TIME)


async def missed(pool: db.Pool, patience: float, room: Room, after: UUID | None, bounds: Bounds) -> Missed:
    """Who comes for the first time has missed nothing; of an id that tells no time, nobody knows how much."""
    if room.person_id is None:
        return Missed((), False, None)
    async with db.acquired(pool, patience) as connection, db.as_tenant(connection, room.tenant):
        inbox = Inbox(connection, room.tenant, room.person_id)
        unread = await inbox.unread()
        if after is None or after.version != _TIME_ORDERED:
            return Missed((), after is not None, unread)
        found = await inbox.since(lowest_after(after, bounds.resume_overlap), bounds.resume_most)
    if len(found) > bounds.resume_most:
        return Missed((), True, unread)
    return Missed(found, False, unread)
