"""Who was told what: what a drain kept in the sandbox."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import KEPT_MESSAGES
from tidings.spine.delivery.kept import KeptMessages
from tidings.testing.database import opened, settings_of

_TOLD = """
SELECT d.id, d.channel, d.address, d.person_id, coalesce(p.name, d.person_id::text) AS person, p.external_id, n.fact_id,
    n.title, n.body, n.category
FROM tidings.deliveries_finished d JOIN tidings.notices n ON n.id = d.notice_id
LEFT JOIN tidings.people p ON p.id = d.person_id
WHERE d.tenant = $1 AND d.status = 'sent' AND ($2::uuid IS NULL OR n.fact_id = $2)
ORDER BY n.id, d.person_id, d.channel, d.id
"""


@dataclass(frozen=True)
class Told:
    """A message to one person over one channel, as it would have gone out.

    `title` is its subject, or what the notice is called where the channel has none; `text` what it says, and `html` the
    same as a page where it is a mail.
    """

    person_id: UUID
    person: str
    external_id: str | None
    channel: str
    to: str
    title: str
    text: str
    html: str | None
    category: str
    fact_id: UUID | None

    def __str__(self) -> str:
        known = "" if self.external_id is None else f" ({self.external_id})"
        return f"{self.person}{known} by {self.channel}: {self.title!r}, {' '.join(self.text.split())[:80]!r}"

    def is_to(self, person: str | UUID | None) -> bool:
        return person is None or str(person) in (self.external_id, self.person, str(self.person_id), self.to)


def told(database: str | Settings, *, fact: UUID | None = None, tenant: str = "default") -> list[Told]:
    """Everything that was sent, in the order in which it was said; of one fact, or of all."""
    return asyncio.run(atold(database, fact=fact, tenant=tenant))


async def atold(database: str | Settings, *, fact: UUID | None = None, tenant: str = "default") -> list[Told]:
    """As `told`, awaited."""
    settings = settings_of(database)
    async with opened(settings) as pool, pool.acquire() as connection:
        vault = (await unlocked(settings, connection)).vault(KEPT_MESSAGES)
        rows = await connection.fetch(_TOLD, tenant, fact)
        kept = await KeptMessages(connection, tenant, vault).some([row["id"] for row in rows])
    return [_told(row, (kept[row["id"]].content or {}) if row["id"] in kept else {}) for row in rows]


def _told(row: Any, message: dict[str, Any]) -> Told:
    return Told(
        row["person_id"],
        row["person"],
        row["external_id"],
        row["channel"],
        message.get("to") or row["address"],
        message.get("subject") or row["title"],
        message.get("text") or row["body"],
        message.get("html"),
        row["category"],
        row["fact_id"],
    )
