"""What the sandbox of one tenant kept instead of sending it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.crypto import Unsealable, Vault
from tidings.kit.db import Connection, affected
from tidings.kit.errors import NotFound
from tidings.kit.paging import Page, page_of
from tidings.spine.delivery.sandbox import context

_IN_A_LIST = 10_000  # characters of a text
_COLUMNS = "id, channel, sealed, created_at"
_LIST = f"""
SELECT {_COLUMNS} FROM tidings.sandbox_messages
WHERE tenant = $1 AND ($2::text IS NULL OR channel = $2) AND ($5::uuid IS NULL OR id IN (
    SELECT d.id FROM tidings.notifications n JOIN tidings.deliveries_finished d ON d.notification_id = n.id
    WHERE n.tenant = $1 AND n.person_id = $5
    UNION ALL SELECT d.id FROM tidings.notifications n JOIN tidings.deliveries d ON d.notification_id = n.id
    WHERE n.tenant = $1 AND n.person_id = $5))
  AND ($3::text[] IS NULL OR (created_at, id) < (($3::text[])[1]::timestamptz, ($3::text[])[2]::uuid))
ORDER BY created_at DESC, id DESC LIMIT $4
"""


@dataclass(frozen=True, slots=True)
class KeptMessage:
    """A message as it would have gone out. `id` is its delivery's. None of it can be read with another master key."""

    id: UUID
    channel: str
    created_at: datetime
    content: dict[str, Any] | None = field(repr=False)


@dataclass(frozen=True)
class KeptMessages:
    """`vault` is that of kept messages."""

    connection: Connection
    tenant: str
    vault: Vault

    async def list(
        self, channel: str | None, before: Sequence[str] | None, limit: int, person: UUID | None = None
    ) -> Page[KeptMessage]:
        """The newest first, of each no more than a list has room for. Read one by one: a mail may have a megabyte."""
        async with self.connection.transaction():
            rows = self.connection.cursor(_LIST, self.tenant, channel, before, limit + 1, person, prefetch=1)
            found = [_brief(self._opened(row)) async for row in rows]
        return page_of(found, limit, lambda kept: (kept.created_at.isoformat(), str(kept.id)))

    async def get(self, id: UUID) -> KeptMessage:
        row = await self.connection.fetchrow(
            f"SELECT {_COLUMNS} FROM tidings.sandbox_messages WHERE tenant = $1 AND id = $2", self.tenant, id
        )
        if row is None:
            raise NotFound("There is no such message in the sandbox.")
        return self._opened(row)

    async def some(self, ids: Sequence[UUID]) -> Mapping[UUID, KeptMessage]:
        """Those of these that are kept."""
        rows = await self.connection.fetch(
            f"SELECT {_COLUMNS} FROM tidings.sandbox_messages WHERE tenant = $1 AND id = ANY ($2::uuid[])",
            self.tenant,
            ids,
        )
        return {row["id"]: self._opened(row) for row in rows}

    async def clear(self) -> int:
        """Removes all of them, and returns how many."""
        status = await self.connection.execute("DELETE FROM tidings.sandbox_messages WHERE tenant = $1", self.tenant)
        return affected(status)

    def _opened(self, row: Any) -> KeptMessage:
        try:
            content = json.loads(self.vault.open(row["sealed"], context(self.tenant, row["id"])))
        except Unsealable:
            content = None
        return KeptMessage(row["id"], row["channel"], row["created_at"], content)


def _brief(kept: KeptMessage) -> KeptMessage:
    if kept.content is None:
        return kept
    head = {name: kept.content.get(name) for name in ("to", "name", "subject")}
    return replace(kept, content={**head, "text": (kept.content.get("text") or "")[:_IN_A_LIST]})
