"""From what a provider told to the delivery it is about: what became of it, its history, and its address."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog

from tidings.kit.db import Connection
from tidings.kit.errors import ValidationFailed
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.receipts.events import ORDER, Confirmed, Event
from tidings.spine.notify.people.addresses import Kind
from tidings.spine.notify.people.suppressions import Reason, suppress

log = structlog.get_logger("tidings.delivery")

# What is known already is not undone by what counts less, in whatever order both arrive; told again, nothing changes.
_APPLY = """
WITH told AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::text[]) AS t(receipt, confirmed, reason)
), found AS MATERIALIZED (
    SELECT d.id, t.receipt, t.confirmed, t.reason FROM told t
    JOIN tidings.deliveries_finished d ON d.provider = $2 AND d.receipt = t.receipt AND d.tenant = $1
    ORDER BY d.id FOR UPDATE OF d
), changed AS (
    UPDATE tidings.deliveries_finished d SET confirmed = f.confirmed, confirmed_at = now() FROM found f
    WHERE d.id = f.id
        AND coalesce(array_position($6::text[], d.confirmed), 0) < array_position($6::text[], f.confirmed)
    RETURNING d.id, d.tenant, d.provider, d.channel, d.address, d.confirmed, f.receipt, f.reason
), noted AS (
    INSERT INTO tidings.delivery_attempts (delivery_id, tenant, provider, outcome, reason, receipt)
    SELECT id, tenant, provider, confirmed, reason, receipt FROM changed
)
SELECT f.receipt, c.id, c.channel, c.address, c.confirmed, c.reason FROM found f LEFT JOIN changed c ON c.id = f.id
"""
_BEING_SENT = """
SELECT EXISTS (SELECT FROM tidings.deliveries d WHERE d.tenant = $1 AND d.provider = $2 AND d.status = 'processing'
    AND ($3::uuid IS NULL OR d.id = $3))
"""
# A delivery that is held, or waits for its next attempt, though an earlier one did arrive: whoever decides sees it.
_NOTE_OPEN = """
INSERT INTO tidings.delivery_attempts (delivery_id, tenant, provider, outcome, reason, receipt)
SELECT d.id, d.tenant, d.provider, t.confirmed, t.reason, t.receipt
FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS t(delivery, receipt, confirmed, reason)
JOIN tidings.deliveries d ON d.id = t.delivery AND d.tenant = $1 AND d.provider = $2 AND d.status <> 'processing'
WHERE NOT EXISTS (SELECT FROM tidings.delivery_attempts a
                  WHERE a.delivery_id = d.id AND a.outcome = t.confirmed AND a.receipt = t.receipt)
"""
_SUPPRESSED = {Confirmed.BOUNCED: Reason.BOUNCED, Confirmed.COMPLAINED: Reason.COMPLAINED}
# A number that WhatsApp does not know may take text messages: only these say something of the address itself.
_KINDS = {Channel.EMAIL: Kind.EMAIL, Channel.SMS: Kind.PHONE}


@dataclass(frozen=True)
class Application:
    """Applies events of one provider, in the caller's transaction, which sees its tenant and nothing else."""

    connection: Connection
    tenant: str
    provider: UUID

    async def apply(self, events: Sequence[Event]) -> list[Event]:
        """Gives back the events of messages that are not known here (yet)."""
        rows = await self.connection.fetch(
            _APPLY,
            self.tenant,
            self.provider,
            [event.receipt for event in events],
            [event.confirmed.value for event in events],
            [event.reason for event in events],
            [confirmed.value for confirmed in ORDER],
        )
        for row in rows:
            if row["id"] is not None:
                await self._suppress(row)
        known: Collection[str] = {row["receipt"] for row in rows}
        unknown = [event for event in events if event.receipt not in known]
        await self._note_open([event for event in unknown if event.delivery is not None])
        return unknown

    async def is_being_sent(self, delivery: UUID | None) -> bool:
        """Whether this delivery (or, where it is not known which, any) is with the provider and not settled yet."""
        return bool(await self.connection.fetchval(_BEING_SENT, self.tenant, self.provider, delivery))

    async def _note_open(self, events: Sequence[Event]) -> None:
        if events:
            await self.connection.execute(
                _NOTE_OPEN,
                self.tenant,
                self.provider,
                [event.delivery for event in events],
                [event.receipt for event in events],
                [event.confirmed.value for event in events],
                [event.reason for event in events],
            )

    async def _suppress(self, row: Any) -> None:
        reason, kind = _SUPPRESSED.get(Confirmed(row["confirmed"])), _KINDS.get(Channel(row["channel"]))
        if reason is None or kind is None:
            return
        try:
            await suppress(self.connection, self.tenant, kind, row["address"], reason, row["reason"], row["id"])
        except ValidationFailed:  # kept before addresses were checked: what is not an address cannot be listed as one
            log.warning("address cannot be suppressed", delivery=str(row["id"]), reason=reason.value)
