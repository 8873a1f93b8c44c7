"""A test-send: a notice to one person, over one channel, of the provider or of the address that is to be tried."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, NotFound
from tidings.spine.delivery.providers import Provider
from tidings.spine.delivery.records import AttemptRecord, DeliveryRecord, Records
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
        AND a.kind = tidings.address_kind($3) AND ($12::uuid IS NULL OR a.id = $12)
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


_IS_TRIAL = """
SELECT EXISTS (
    SELECT FROM tidings.notices n JOIN (
        SELECT notice_id, address_id FROM tidings.deliveries WHERE tenant = $1 AND id = $2
        UNION ALL SELECT notice_id, address_id FROM tidings.deliveries_finished WHERE tenant = $1 AND id = $2) d
    ON d.notice_id = n.id WHERE n.tenant = $1 AND n.listener = $4 AND d.address_id = $3)
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
        await Templates(self.connection, self.tenant).require(template, "template")
        made = await self._made(provider, person_id, provider.name, None, template, data)
        if made is None:
            raise await self._nobody(person_id, provider.channel)
        return made

    async def send_to(self, address_id: UUID, name: str, person_id: UUID, provider: Provider) -> UUID:
        """To this address of the person, under the name that they know it by. `Conflict` where it is not in use."""
        made = await self._made(provider, person_id, name, address_id)
        if made is None:
            raise Conflict("It is turned off, and nothing is sent there.")
        return made

    async def outcome(self, address_id: UUID, delivery_id: UUID) -> tuple[DeliveryRecord, Sequence[AttemptRecord]]:
        """What became of a test to this address; `NotFound` for whatever else was sent there."""
        if not await self.connection.fetchval(_IS_TRIAL, self.tenant, delivery_id, address_id, LISTENER):
            raise NotFound("There is no such test.")
        records = Records(self.connection, self.tenant)
        return await records.get(delivery_id), await records.attempts(delivery_id)

    async def _made(
        self,
        provider: Provider,
        person_id: UUID,
        name: str,
        address_id: UUID | None,
        template: str = TEMPLATE,
        data: Mapping[str, Any] | None = None,
    ) -> UUID | None:
        """None where there is no such address, or none in use."""
        if not provider.enabled:
            raise Conflict("This provider is not enabled.")
        words = (_TITLE.format(name=name), _BODY.format(name=name))
        row = (provider.id, provider.channel, person_id, LISTENER, *words)
        limits = (provider.expires_after or _EXPIRY, provider.max_attempts)
        content = (template, json.dumps(dict(data or {})))
        made: UUID | None = await self.connection.fetchval(_TRY, self.tenant, *row, *limits, *content, address_id)
        await self.connection.execute("SELECT tidings.wake()")
        return made

    async def _nobody(self, person_id: UUID, channel: str) -> NotFound | Conflict:
        there = await self.connection.fetchval(
            "SELECT EXISTS (SELECT FROM tidings.people WHERE tenant = $1 AND id = $2)", self.tenant, person_id
        )
        return Conflict(f"This person has no address for {channel}.") if there else NotFound("There is no such person.")
