"""Deliveries of one tenant, as a person works with them: retry, settle what is unknown, retry in bulk.

PostgreSQL settles races with the workers: each change is one conditional statement, which also corrects the tallies of
the notices concerned; what it did not find is then explained. Whoever calls owns the transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict
from tidings.spine.delivery.ending import ending, reviving
from tidings.spine.delivery.records import DeliveryRecord, Records, Status
from tidings.spine.notify.fanning import PREFERRED

CHUNK = 5_000
MOST_RETRIED = 100_000

# The one it had, unless that is why it failed.
_BEST = f"""coalesce(
    (SELECT p.id FROM tidings.providers p WHERE p.id = d.provider AND p.enabled AND p.removed_at IS NULL
        AND p.opened_at IS NULL AND p.type <> 'none'),
    (SELECT p.id FROM tidings.providers p WHERE p.tenant = d.tenant AND p.channel = d.channel
        ORDER BY {PREFERRED} LIMIT 1))"""
_RETRY = reviving(
    """
    SELECT f.id FROM tidings.deliveries_finished f
    WHERE f.tenant = $1 AND f.id = $2 AND f.status = 'failed' FOR UPDATE""",
    _BEST,
)
_RETRY_MANY = reviving(
    """
    SELECT f.id FROM tidings.deliveries_finished f
    WHERE f.tenant = $1 AND f.status = 'failed' AND ($2::uuid IS NULL OR f.provider = $2)
      AND ($3::text IS NULL OR f.channel = $3) AND ($4::text IS NULL OR position($4 IN f.last_error) > 0)
      AND ($5::timestamptz IS NULL OR f.finished_at >= $5)
    ORDER BY f.id LIMIT $6 FOR UPDATE SKIP LOCKED""",
    _BEST,
)
_AGAIN = f"""
UPDATE tidings.deliveries d SET status = 'pending', provider = {_BEST}, attempts = 0, crashes = 0, run_at = now(),
    due_at = now(), expires_at = now() + (d.expires_at - d.due_at), generation = d.generation + 1, updated_at = now()
WHERE d.tenant = $1 AND d.id = $2 AND d.status = 'held' RETURNING d.id
"""
_HURRY = """
UPDATE tidings.deliveries d SET run_at = now(), updated_at = now()
WHERE d.tenant = $1 AND d.id = $2 AND d.status IN ('pending', 'failed', 'enqueued') RETURNING d.id
"""
_SETTLE = ending("""
    SELECT d.id, $3::text AS final, $4::text AS outcome, $5::text AS reason FROM tidings.deliveries d
    WHERE d.tenant = $1 AND d.id = $2 AND d.status = 'held' FOR UPDATE""")


@dataclass(frozen=True)
class RetryFilter:
    """Which failed deliveries: of a provider or channel, with an error that contains a text, failed since a time."""

    provider: UUID | None = None
    channel: str | None = None
    error: str | None = None
    since: datetime | None = None


@dataclass(frozen=True)
class DeliveryAdministration:
    connection: Connection
    tenant: str

    async def retry(self, id: UUID) -> DeliveryRecord:
        """Sends it again, under the same id and key: one that failed or whose end is unknown with all its attempts,
        one that waits without waiting longer."""
        for statement in (_RETRY, _AGAIN, _HURRY):
            if await self.connection.fetchval(statement, self.tenant, id) is not None:
                await self.connection.execute("SELECT tidings.wake()")
                return await self._get(id)
        return _explain(await self._get(id), "sent again")

    async def settle(self, id: UUID, final: Literal["sent", "failed"], reason: str, actor: str) -> DeliveryRecord:
        """Ends one of which nobody knew whether it was sent, as a person says that it was."""
        outcome = "sent" if final == "sent" else "rejected"
        words = f"settled by {actor}: {reason}"
        if await self.connection.fetchval(_SETTLE, self.tenant, id, final, outcome, words) is None:
            return _explain(await self._get(id), "settled")
        return await self._get(id)

    async def retry_many(self, wanted: RetryFilter) -> tuple[int, bool]:
        """Sends what failed again, and returns how many and whether some are left."""
        retried, found = 0, CHUNK
        while found == CHUNK and retried < MOST_RETRIED:
            found = len(await self.connection.fetch(_RETRY_MANY, self.tenant, *_values(wanted), CHUNK))
            retried += found
        if retried:
            await self.connection.execute("SELECT tidings.wake()")
        return retried, found == CHUNK

    async def _get(self, id: UUID) -> DeliveryRecord:
        return await Records(self.connection, self.tenant).get(id)


def _values(wanted: RetryFilter) -> tuple[UUID | str | datetime | None, ...]:
    return wanted.provider, wanted.channel, wanted.error, wanted.since


def _explain(record: DeliveryRecord, wanted: str) -> DeliveryRecord:
    """Raises: it is there, and not in a state from which this can be done."""
    if record.status is Status.SENDING:
        raise Conflict("This delivery is being sent just now.")
    if wanted == "settled":
        raise Conflict(f"This delivery is {record.status}: only one that is unknown can be settled by hand.")
    raise Conflict(f"This delivery is {record.status}: it is not sent again.")
