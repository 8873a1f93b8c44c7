"""A person's inbox: what they were told, and what of it they have read and put away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of
from tidings.spine.notify.announcing import Change, Item, announce
from tidings.spine.notify.notifications import FROM, Notification, notification_of, notifications_of, unread_of
from tidings.spine.notify.position import Position
from tidings.spine.outbox.intents import Row

NAMED = 100
"""Most notifications of a person that are named when they change at once."""

# Of these notifications of a person (`n`), those whose notice is shared: read, or not, by all who were told. The row of
# a notice is taken first, in one order: a fan-out does so too, and two people who read at once.
_SHARED = """
SELECT o.id FROM tidings.notices o WHERE o.shared AND o.id IN (
    SELECT n.notice_id FROM tidings.notifications n WHERE {0}) ORDER BY o.id FOR NO KEY UPDATE
"""
_MARK = """
WITH mine AS MATERIALIZED (
    SELECT n.id, n.notice_id FROM tidings.notifications n WHERE {0}
), shared AS (
    UPDATE tidings.notices o SET read_at = {1}, read_by = {2} FROM mine WHERE o.id = mine.notice_id AND o.shared
    RETURNING o.id
)
UPDATE tidings.notifications n SET read_at = {1} WHERE n.tenant = $1 AND n.read_at IS {3}
    AND (n.id = ANY (ARRAY(SELECT id FROM mine)) OR n.notice_id = ANY (ARRAY(SELECT id FROM shared)))
RETURNING n.person_id, n.id
"""
_PUT = """
UPDATE tidings.notifications n SET archived_at = {0}
WHERE n.tenant = $1 AND n.person_id = $2 AND n.id = ANY ($3) AND n.archived_at IS {1} RETURNING n.person_id, n.id
"""
_THESE = "n.tenant = $1 AND n.person_id = $2 AND n.id = ANY ($3::uuid[]) AND n.read_at IS {0}"
_ALL = """n.tenant = $1 AND n.person_id = $2 AND n.read_at IS NULL AND n.archived_at IS NULL
    AND ($3::uuid IS NULL OR n.id <= $3)"""


@dataclass(frozen=True)
class InboxFilter:
    """Which notifications. Those put away are a list of their own. `open`: those whose matter waits for somebody to
    act, or, if false, those that somebody has handled."""

    unread: bool | None = None
    archived: bool = False
    category: str | None = None
    level: str | None = None
    open: bool | None = None
    matter: str | None = None


@dataclass(frozen=True)
class Announced:
    """Notifications as they are now, oldest first, put away or not: those that came, and those that have changed."""

    new: Sequence[Notification]
    changed: Sequence[Notification]


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
        return page_of([notification_of(row) for row in rows], limit, lambda notification: str(notification.id))

    async def get(self, id: UUID) -> Notification:
        row = await self.connection.fetchrow(
            f"SELECT {FROM} WHERE n.tenant = $1 AND n.person_id = $2 AND n.id = $3", self.tenant, self.person_id, id
        )
        if row is None:
            raise NotFound("There is no such notification.")
        return notification_of(row)

    async def announced_since(self, position: Position, limit: int) -> Announced | None:
        """What was announced to somebody who had got this far; some of it may have been heard by then. None where that
        is more than `limit`, or more than was named."""
        rows = await self.connection.fetch(
            f"""SELECT a.notification_id, bool_or(a.change = '{Change.NEW}') AS new FROM tidings.announcements a
                WHERE a.tenant = $1 AND a.person_id = $2 AND a.transaction >= $3::text::xid8
                GROUP BY a.notification_id LIMIT {limit + 1}""",
            self.tenant,
            self.person_id,
            str(position.transaction),
        )
        if len(rows) > limit or any(row["notification_id"] is None for row in rows):
            return None
        new = {row["notification_id"] for row in rows if row["new"]}
        found = await notifications_of(
            self.connection, self.tenant, [self.person_id], [row["notification_id"] for row in rows]
        )
        return Announced([n for n in found if n.id in new], [n for n in found if n.id not in new])

    async def unread(self) -> int:
        """How many are neither read nor put away."""
        counts = await unread_of(self.connection, self.tenant, [self.person_id])
        return counts.get(self.person_id, 0)

    async def read(self, ids: Sequence[UUID]) -> None:
        """Those that are read already stay as they are; so for the other changes. A shared notice is read for all."""
        await self._mark(Change.READ, _THESE.format("NULL"), ids)

    async def unread_again(self, ids: Sequence[UUID]) -> None:
        await self._mark(Change.UNREAD, _THESE.format("NOT NULL"), ids)

    async def archive(self, ids: Sequence[UUID]) -> None:
        """For this person alone, whatever the notice."""
        await self._tell(Change.ARCHIVED, await self._fetch(_PUT.format("now()", "NULL"), ids))

    async def unarchive(self, ids: Sequence[UUID]) -> None:
        await self._tell(Change.UNARCHIVED, await self._fetch(_PUT.format("NULL", "NOT NULL"), ids))

    async def read_all(self, up_to: UUID | None = None) -> int:
        """Reads all that are not put away, up to and with one of them where it is given; how many that were."""
        return await self._mark(Change.READ, _ALL, up_to)

    async def _mark(self, change: Change, which: str, value: Any) -> int:
        """How many of the person's own that were."""
        how = ("now()", "$2", "NULL") if change is Change.READ else ("NULL", "NULL", "NOT NULL")
        await self._fetch(_SHARED.format(which), value)
        rows = await self._fetch(_MARK.format(which, *how), value)
        await self._tell(change, rows)
        return sum(row["person_id"] == self.person_id for row in rows)

    async def _fetch(self, statement: str, value: Any) -> Sequence[Row]:
        return await self.connection.fetch(statement, self.tenant, self.person_id, value)

    async def _tell(self, change: Change, rows: Sequence[Row]) -> None:
        people: dict[UUID, list[Item]] = defaultdict(list)
        for row in rows:
            people[row["person_id"]].append((row["person_id"], row["id"]))
        items = [
            item for person, named in people.items() for item in (named if len(named) <= NAMED else [(person, None)])
        ]
        await announce(self.connection, self.tenant, items, change)


def _conditions(tenant: str, person_id: UUID, wanted: InboxFilter, before: UUID | None) -> tuple[str, list[Any]]:
    terms: list[tuple[str, Any]] = [
        ("n.tenant = {}", tenant),
        ("n.person_id = {}", person_id),
        ("(n.read_at IS NULL) = {}", wanted.unread),
        ("(n.archived_at IS NOT NULL) = {}", wanted.archived),
        ("o.category = {}", wanted.category),
        ("o.level = {}", wanted.level),
        ("o.matter = {}", wanted.matter),
        ("o.actions <> '{{}}' AND (h.id IS NULL) = {}", wanted.open),
        ("n.id < {}", before),
    ]
    given = [(term, value) for term, value in terms if value is not None]
    text = " AND ".join(term.format(f"${n}") for n, (term, _) in enumerate(given, 1))
    return text, [value for _, value in given]
