"""A person's inbox: what they were told, and what of it they have read and put away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of
from tidings.spine.notify.announcing import Change, announce_change
from tidings.spine.notify.notifications import FROM, Notification, unread_of
from tidings.spine.notify.position import Position

NAMED = 100
"""Most notifications that are named when they change at once."""
_CHANGES = {
    Change.READ: ("read_at = now()", "read_at IS NULL"),
    Change.UNREAD: ("read_at = NULL", "read_at IS NOT NULL"),
    Change.ARCHIVED: ("archived_at = now()", "archived_at IS NULL"),
    Change.UNARCHIVED: ("archived_at = NULL", "archived_at IS NOT NULL"),
}


@dataclass(frozen=True)
class InboxFilter:
    """Which notifications. Those put away are a list of their own."""

    unread: bool | None = None
    archived: bool = False
    category: str | None = None
    level: str | None = None


@dataclass(frozen=True)
class Inbox:
    """Changes are announced to every open session of the person, by the transaction that makes them."""

    connection: Connection
    tenant: str
    person_id: UUID

    async def list(self, wanted: InboxFilter, before: UUID | None, limit: int) -> Page[Notification]:
        """Newest first."""
        conditions, values = _conditions(self.tenant, self.person_id, wanted, before)
        rows = await self.connection.fetch(
            f"SELECT {FROM} WHERE {conditions} ORDER BY n.id DESC LIMIT {limit + 1}", *values
        )
        return page_of([Notification(**row) for row in rows], limit, lambda notification: str(notification.id))

    async def get(self, id: UUID) -> Notification:
        row = await self.connection.fetchrow(
            f"SELECT {FROM} WHERE n.tenant = $1 AND n.person_id = $2 AND n.id = $3", self.tenant, self.person_id, id
        )
        if row is None:
            raise NotFound("There is no such notification.")
        return Notification(**row)

    async def announced_since(self, position: Position, limit: int) -> Sequence[Notification]:
        """Those announced to somebody who had got this far, oldest first, put away or not; some of them may have been
        heard by then. One more than `limit` where there is."""
        rows = await self.connection.fetch(
            f"""SELECT {FROM} WHERE n.tenant = $1 AND n.person_id = $2 AND n.id IN (
                    SELECT a.notification_id FROM tidings.announcements a
                    WHERE a.tenant = $1 AND a.person_id = $2 AND a.transaction >= $3::text::xid8)
                ORDER BY n.id LIMIT {limit + 1}""",
            self.tenant,
            self.person_id,
            str(position.transaction),
        )
        return [Notification(**row) for row in rows]

    async def unread(self) -> int:
        """How many are neither read nor put away."""
        counts = await unread_of(self.connection, self.tenant, [self.person_id])
        return counts.get(self.person_id, 0)

    async def read(self, ids: Sequence[UUID]) -> None:
        """Those that are read already stay as they are; so for the other changes."""
        await self._change(Change.READ, ids)

    async def unread_again(self, ids: Sequence[UUID]) -> None:
        await self._change(Change.UNREAD, ids)

    async def archive(self, ids: Sequence[UUID]) -> None:
        await self._change(Change.ARCHIVED, ids)

    async def unarchive(self, ids: Sequence[UUID]) -> None:
        await self._change(Change.UNARCHIVED, ids)

    async def read_all(self, up_to: UUID | None = None) -> int:
        """Reads all that are not put away, up to and with one of them where it is given; how many that were."""
        row = await self.connection.fetchrow(
            f"""WITH changed AS (
                    UPDATE tidings.notifications SET read_at = now()
                    WHERE tenant = $1 AND person_id = $2 AND read_at IS NULL AND archived_at IS NULL
                        AND ($3::uuid IS NULL OR id <= $3)
                    RETURNING id)
                SELECT count(*) AS amount, ARRAY(SELECT id FROM changed LIMIT {NAMED}) AS named FROM changed""",
            self.tenant,
            self.person_id,
            up_to,
        )
        assert row is not None
        await self._tell(Change.READ, row["named"], row["amount"])
        return int(row["amount"])

    async def _change(self, change: Change, ids: Sequence[UUID]) -> None:
        value, condition = _CHANGES[change]
        rows = await self.connection.fetch(
            f"""UPDATE tidings.notifications SET {value}
                WHERE tenant = $1 AND person_id = $2 AND id = ANY ($3) AND {condition} RETURNING id""",
            self.tenant,
            self.person_id,
            ids,
        )
        await self._tell(change, [row["id"] for row in rows[:NAMED]], len(rows))

    async def _tell(self, change: Change, named: Sequence[UUID], amount: int) -> None:
        if amount:
            ids = () if amount > NAMED else named
            await announce_change(self.connection, self.tenant, self.person_id, change, ids)


def _conditions(tenant: str, person_id: UUID, wanted: InboxFilter, before: UUID | None) -> tuple[str, list[Any]]:
    terms: list[tuple[str, Any]] = [
        ("n.tenant = {}", tenant),
        ("n.person_id = {}", person_id),
        ("(n.read_at IS NULL) = {}", wanted.unread),
        ("(n.archived_at IS NOT NULL) = {}", wanted.archived),
        ("o.category = {}", wanted.category),
        ("o.level = {}", wanted.level),
        ("n.id < {}", before),
    ]
    given = [(term, value) for term, value in terms if value is not None]
    text = " AND ".join(term.format(f"${n}") for n, (term, _) in enumerate(given, 1))
    return text, [value for _, value in given]
