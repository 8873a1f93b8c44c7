"""What the process of an event can call. Each is one transaction of its tenant, and idempotent."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from temporalio import activity

from tidings.kit import db
from tidings.modules.events.model import MODULE, STREAM, Status
from tidings.modules.events.process.contracts import (
    BROADCAST,
    CLOSE,
    LEVELS,
    LOOK,
    TELL_LIVE,
    Broadcast,
    Closed,
    Closing,
    Dates,
    EventRef,
    Seen,
)
from tidings.modules.events.snapshot import snapshot
from tidings.spine.outbox.intents import Row
from tidings.spine.outbox.outcomes import Permanent
from tidings.spine.processes.answers import implemented

_EVENT = "SELECT * FROM tidings.events WHERE tenant = $1 AND id = $2"
_PARTICIPANTS = """
SELECT count(*) FROM tidings.event_subscriptions
WHERE tenant = $1 AND event_id = $2 AND confirmed_at IS NOT NULL AND left_at IS NULL
"""
_CHOSEN = """
SELECT person_id FROM tidings.event_subscriptions
WHERE tenant = $1 AND event_id = $2 AND id = ANY ($3::bigint[]) AND confirmed_at IS NOT NULL AND left_at IS NULL
ORDER BY id
"""
_COMPLETE = """
UPDATE tidings.events SET status = 'completed', version = version + 1, updated_at = now(), closed_at = now()
WHERE tenant = $1 AND id = $2 RETURNING *
"""
_EMIT = "SELECT tidings.emit_own($1, $2, $3::text::jsonb, $4, $5, $6, $7::text::jsonb)"


class EventMissing(Permanent):
    """There is no such event."""


@dataclass(frozen=True)
class EventActivities:
    pool: db.Pool

    def all(self) -> list[Callable[..., Any]]:
        return [
            implemented(LOOK, self.look),
            implemented(TELL_LIVE, self.tell_live),
            implemented(BROADCAST, self.broadcast),
            implemented(CLOSE, self.close),
        ]

    async def look(self, event: EventRef) -> Seen:
        """`EventMissing` where there is none."""
        async with self._transaction(event) as connection:
            return await _seen(connection, event, await _row(connection, event))

    async def tell_live(self, event: EventRef) -> str:
        """The id of the fact, once; of an event that is none any more, none."""
        async with self._transaction(event) as connection:
            row = await _row(connection, event)
            if row["status"] != Status.ACTIVE:
                return ""
            data = {"eventId": event.event_id, "event": snapshot(row)}
            return await _emit(connection, "event.live", event, "live", data, None)

    async def broadcast(self, told: Broadcast) -> str:
        """The id of the fact that the module's listener makes notices of; the same act is the same fact.

        An act that does not say what the event was then has it as it is now.
        """
        act = told.act
        data = act.model_dump(by_alias=True, mode="json")
        data |= {"eventId": told.event_id, "level": LEVELS.get(act.kind, act.level)}
        async with self._transaction(told) as connection:
            data["event"] = act.event or snapshot(await _row(connection, told))
            data["personIds"] = await _people(connection, told)
            return await _emit(connection, "event.broadcast", told, f"act-{act.act}", data, act.fact_id)

    async def close(self, closing: Closing) -> Closed:
        """Completes it where it is over and nobody did, and removes what reminders are left; or says that it is not."""
        async with self._transaction(closing) as connection:
            row = await _row(connection, closing, " FOR UPDATE")
            over = _dates(row).over_at(closing.over_after) <= closing.now
            if row["status"] == Status.ACTIVE and not over:
                return Closed(closed=False, seen=await _seen(connection, closing, row))
            if row["status"] == Status.ACTIVE:
                row = await _completed(connection, closing)
            reason = f"event_{row['status']}"
            await connection.execute("SELECT tidings.set_reminders($1, NULL, $2)", closing.event_id, reason)
            return Closed(closed=True, seen=await _seen(connection, closing, row))

    @asynccontextmanager
    async def _transaction(self, event: EventRef) -> AsyncIterator[db.Connection]:
        async with self.pool.acquire() as connection, db.as_tenant(connection, event.tenant):
            yield connection


async def _row(connection: db.Connection, event: EventRef, lock: str = "") -> Row:
    row = await connection.fetchrow(_EVENT + lock, event.tenant, event.event_id)
    if row is None:
        raise EventMissing(f"there is no event {event.event_id} of {event.tenant}")
    return row


async def _completed(connection: db.Connection, event: EventRef) -> Row:
    row = await connection.fetchrow(_COMPLETE, event.tenant, event.event_id)
    assert row is not None
    data = {"eventId": event.event_id, "event": snapshot(row)}
    await _emit(connection, "event.completed", event, "completed", data, None)
    return row


async def _people(connection: db.Connection, told: Broadcast) -> list[str] | None:
    """Whom it is for, of those who are there still; None for everybody."""
    if told.act.subscription_ids is None:
        return None
    ids = told.act.subscription_ids
    rows = await connection.fetch(_CHOSEN, told.tenant, told.event_id, ids)
    return [str(row["person_id"]) for row in rows]


async def _seen(connection: db.Connection, event: EventRef, row: Row) -> Seen:
    participants = await connection.fetchval(_PARTICIPANTS, event.tenant, event.event_id)
    return Seen(status=row["status"], participants=participants, dates=_dates(row))


def _dates(row: Row) -> Dates:
    return Dates(starts_at=row["starts_at"], ends_at=row["ends_at"], acts=row["acts"])


async def _emit(
    connection: db.Connection, type: str, event: EventRef, key: str, data: Mapping[str, Any], cause: str | None
) -> str:
    """What caused it, and which process said so, go with it."""
    told_by = {"workflow_id": activity.info().workflow_id, "run_id": activity.info().workflow_run_id}
    metadata = told_by if cause is None else {"causation_id": cause, **told_by}
    id = await connection.fetchval(  # noqa: A001
        _EMIT, MODULE, type, json.dumps(data), STREAM, str(event.event_id), key, json.dumps(metadata)
    )
    return str(id)
