"""A test-send: a notice to one person, over one channel, through the provider that is to be tried."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, NotFound
from tidings.spine.delivery.providers import Provider
from tidings.spine.notify.saying import TEMPLATE
from tidings.spine.notify.template_store import Templates

LISTENER = "test"
_EXPIRY = timedelta(hours=24)
_TITLE = "A test of {name}"
_BODY = "This was sent to see whether {name} works. It does, if you can read this."

# The same rows that a fan-out makes, for one person and one address.
_TRY = """
WITH aim AS MATERIALIZED (
    SELECT p.id AS person_id, a.id AS address_id, coalesce(a.value, 'inbox') AS address
    FROM tidings.people p LEFT JOIN tidings.addresses a ON a.person_id = p.id AND a.disabled_at IS NULL
        AND a.kind = tidings.address_kind($3)
    WHERE p.tenant = $1 AND p.id = $4 AND (a.id IS NOT NULL OR $3 = 'websocket') ORDER BY a.id LIMIT 1
), said AS (
    INSERT INTO tidings.notices (id, tenant, listener, title, body, template, level, category, channels, audience,
        properties)
    SELECT tidings.uuid7(), $1, $5, $6, $7, $10, 'info', 'test', ARRAY[$3],
        jsonb_build_array(jsonb_build_object('by', 'person', 'values', jsonb_build_array($4::uuid))), $11::text::jsonb
    FROM aim RETURNING id
), told AS (
    INSERT INTO tidings.notifications (id, tenant, notice_id, person_id, targets)
    SELECT tidings.uuid7(), $1, said.id, aim.person_id, 1 FROM said, aim RETURNING id, notice_id
), counted AS (
    INSERT INTO tidings.tallies (notice_id, tenant, complete, people, open) SELECT id, $1, true, 1, 1 FROM said
)
INSERT INTO tidings.deliveries (id, tenant, channel, provider, notice_id, notification_id, person_id, address_id,
    address, due_at, run_at, expires_at, max_attempts)
SELECT tidings.uuid7(), $1, $3, $2, told.notice_id, told.id, aim.person_id, aim.address_id, aim.address, now(), now(),
    now() + $8, $9 FROM told, aim RETURNING id
"""


@dataclass(frozen=True)
class Trials:
    connection: Connection
    tenant: str

    async def send(
        self, provider: Provider, person_id: UUID, template: str = TEMPLATE, data: Mapping[str, Any] | None = None
    ) -> UUID:
        """Returns the delivery's id: what becomes of it is seen there, as of any other. With `template` and `data` it
        tries a template too."""
        if not provider.enabled:
            raise Conflict("This provider is not enabled.")
        await Templates(self.connection, self.tenant).require(template, "template")
        words = (_TITLE.format(name=provider.name), _BODY.format(name=provider.name))
        row = (provider.id, provider.channel, person_id, LISTENER, *words)
        limits = (provider.expires_after or _EXPIRY, provider.max_attempts)
        content = (template, json.dumps(dict(data or {})))
        made: UUID | None = await self.connection.fetchval(_TRY, self.tenant, *row, *limits, *content)
        if made is None:
            raise await self._nobody(person_id, provider.channel)
        await self.connection.execute("SELECT tidings.wake()")
        return made

    async def _nobody(self, person_id: UUID, channel: str) -> NotFound | Conflict:
        there = await self.connection.fetchval(
            "SELECT EXISTS (SELECT FROM tidings.people WHERE tenant = $1 AND id = $2)", self.tenant, person_id
        )
        return Conflict(f"This person has no address for {channel}.") if there else NotFound("There is no such person.")
