"""The outbox of one tenant, as a person works with it: list, retry, cancel, reschedule, redrive.

PostgreSQL settles races with the workers: each change is one conditional statement, and what it did not find is then
explained. Whoever calls owns the transaction. The installation's housekeeping is written for a tenant, too; it is not
listed, and cannot be changed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, Forbidden, NotFound, ValidationFailed
from tidings.kit.paging import Page, page_of
from tidings.spine.outbox.intent_records import (
    HOUSEKEEPING,
    DeadFilter,
    IntentFilter,
    IntentRecord,
    Position,
    conditions_of,
    position_of,
)
from tidings.spine.outbox.intent_statements import BOTH, CANCEL, DISMISS, HURRY, MOVE, REVIVE
from tidings.spine.outbox.states import OPEN, Status, require

MOST_REDRIVEN = 100_000


@dataclass(frozen=True)
class Administration:
    connection: Connection
    tenant: str

    async def get(self, id: UUID) -> IntentRecord:
        row = await self.connection.fetchrow(BOTH.format("tenant = $1 AND id = $2", 1), self.tenant, id)
        if row is None:
            raise NotFound("There is no such intent.")
        return IntentRecord(**row)

    async def list(self, wanted: IntentFilter, before: Position | None, limit: int) -> Page[IntentRecord]:
        """The newest first. An intent keeps its place when it finishes, so that no page misses it."""
        conditions, values = conditions_of(self.tenant, wanted, before)
        both = BOTH.format(conditions, limit + 1)
        newest = f"SELECT * FROM ({both}) i ORDER BY created_at DESC, id DESC LIMIT {limit + 1}"
        rows = await self.connection.fetch(newest, *values)
        return page_of([IntentRecord(**row) for row in rows], limit, position_of)

    async def retry(self, id: UUID) -> IntentRecord:
        """Runs it now: a dead or cancelled one anew with all its attempts, a waiting one without waiting longer."""
        finished = (Status.DEAD, Status.CANCELLED)
        # Somebody else may revive it between the two looks, so that it is open at the third.
        if not (await self._hurry(id) or await self._revive(finished, id, DeadFilter(), 1) or await self._hurry(id)):
            _explain(await self.get(id), Status.PENDING)
        await self._wake()
        return await self.get(id)

    async def cancel(self, id: UUID) -> IntentRecord:
        """It will not run. One that is being handled now is not settled any more; a dead one is put aside."""
        if not (await self._cancel(id) or await self._dismiss(id) or await self._cancel(id)):
            _explain(await self.get(id), Status.CANCELLED)
        return await self.get(id)

    async def reschedule(self, id: UUID, run_at: datetime) -> IntentRecord:
        """It runs at another time; one that is being handled now runs again then."""
        if (fault := await self.connection.fetchval("SELECT tidings.time_fault($1)", run_at)) is not None:
            _, field, message = fault.split("|", 2)
            raise ValidationFailed(f"{field}: {message}", (Fault(field, message),))
        moved = await self.connection.fetchval(MOVE, self.tenant, id, run_at)
        if moved is None:
            _explain(await self.get(id), Status.PENDING, moved=True)
        await self._wake()
        return await self.get(id)

    async def redrive(self, wanted: DeadFilter) -> tuple[int, bool]:
        """Runs dead letters anew, and returns how many and whether some are left. One whose key is another's waits."""
        revived = await self._revive((Status.DEAD,), None, wanted, MOST_REDRIVEN)
        if revived:
            await self._wake()
        return revived, revived == MOST_REDRIVEN

    async def _hurry(self, id: UUID) -> bool:
        return bool(await self.connection.fetchval(HURRY, self.tenant, id))

    async def _cancel(self, id: UUID) -> bool:
        return bool(await self.connection.fetchval(CANCEL, self.tenant, id))

    async def _dismiss(self, id: UUID) -> bool:
        return bool(await self.connection.fetchval(DISMISS, self.tenant, id))

    async def _revive(self, statuses: tuple[Status, ...], id: UUID | None, wanted: DeadFilter, most: int) -> int:
        rows = await self.connection.fetch(
            REVIVE,
            self.tenant,
            [status.value for status in statuses],
            id,
            wanted.kind,
            wanted.error,
            wanted.since,
            wanted.until,
            most,
        )
        return len(rows)

    async def _wake(self) -> None:
        await self.connection.execute("SELECT tidings.wake()")


def _explain(intent: IntentRecord, wanted: Status, *, moved: bool = False) -> None:
    """Raises: the intent is there, and it is not the tenant's, or not in a state from which this can be done."""
    if intent.kind.startswith(HOUSEKEEPING):
        raise Forbidden("This intent is the installation's own housekeeping; it runs by itself.")
    status = Status(intent.status)
    if status is Status.SUCCEEDED:
        raise Conflict("This intent has succeeded: it is not run again, moved or cancelled.")
    if status is wanted is Status.CANCELLED:
        raise Conflict("This intent is cancelled already.")
    if moved and status not in OPEN:
        raise Conflict(f"This intent is {status}: it cannot be moved, but retrying runs it anew.")
    if wanted is Status.PENDING and status is Status.PROCESSING:
        raise Conflict("This intent is being handled just now.")
    require(status, wanted)
    raise Conflict("Its key is in use by another open intent.")
