"""What a send says of its address: one that is gone is not used again, nor an endpoint that failed for days."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import structlog

from tidings.kit.db import Pool
from tidings.spine.channels.port import Blame, Channel, Deferred, Outcome, Rejected, Sent, Unknown
from tidings.spine.delivery.table import Delivery
from tidings.spine.outbox.faults import PASSING

log = structlog.get_logger("tidings.delivery")

_FAILING_FOR = timedelta(days=5)
_MISSED: tuple[type[BaseException], ...] = (*PASSING, asyncio.CancelledError)

_GONE = "UPDATE tidings.addresses SET disabled_at = now(), disabled_reason = $2 WHERE id = $1 AND disabled_at IS NULL"
_FAILING = """
UPDATE tidings.addresses SET failing_since = coalesce(failing_since, now()),
    disabled_at = CASE WHEN failing_since < now() - $2::interval THEN now() END,
    disabled_reason = CASE WHEN failing_since < now() - $2::interval THEN 'failing since ' || failing_since::date END
WHERE id = $1 AND disabled_at IS NULL
"""
_WORKS = "UPDATE tidings.addresses SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL"


@dataclass(frozen=True)
class Addresses:
    pool: Pool

    async def heard(self, delivery: Delivery, outcome: Outcome) -> None:
        """Never fails, not even where the worker has to stop: what was sent is settled, whether it is noted or not."""
        if delivery.address_id is None:
            return
        try:
            await self._noted(delivery, outcome)
        except _MISSED as error:
            log.warning("could not note what became of an address", delivery=str(delivery.id), error=repr(error))

    async def _noted(self, delivery: Delivery, outcome: Outcome) -> None:
        match outcome:
            case Rejected(reason, gone=True):
                await self.pool.execute(_GONE, delivery.address_id, reason)
            case Deferred(blame=Blame.ADDRESS) | Unknown(blame=Blame.ADDRESS) if delivery.channel is Channel.WEBHOOK:
                await self.pool.execute(_FAILING, delivery.address_id, _FAILING_FOR)
            case Sent() if delivery.address_failing:
                await self.pool.execute(_WORKS, delivery.address_id)
            case _:
                pass
