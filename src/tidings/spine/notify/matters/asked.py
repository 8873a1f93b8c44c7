"""Who was asked what: a notification as somebody sees it who came by a link in a message."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.kit.db import Connection
from tidings.spine.notify.matters.words import spoken

_ASKED = """
SELECT o.title, o.body, o.matter, o.actions, o.properties ->> 'locale' AS said_in, p.id AS person_id, p.name, p.locale,
    p.timezone, now() AS now
FROM tidings.notifications n JOIN tidings.notices o ON o.id = n.notice_id
JOIN tidings.people p ON p.id = n.person_id AND p.tenant = n.tenant
WHERE n.tenant = $1 AND n.id = $2 AND o.actions <> '{}'
"""


@dataclass(frozen=True)
class Asked:
    """Title and body are plain text. `actions` is what could be done about it when it was said."""

    title: str
    body: str
    matter: str
    actions: tuple[str, ...]
    said_in: str | None
    person_id: UUID
    name: str
    locale: str | None
    timezone: str | None
    now: datetime

    @property
    def language(self) -> str | None:
        return spoken(self.locale, self.said_in)


async def asked_by(connection: Connection, tenant: str, notification_id: UUID) -> Asked | None:
    """None where it, or the person, is not there any more, and where nobody was asked anything."""
    row = await connection.fetchrow(_ASKED, tenant, notification_id)
    return None if row is None else Asked(**{**row, "actions": tuple(row["actions"])})
