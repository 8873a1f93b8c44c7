"""Housekeeping, as a recurring intent like any other: keys, replies, sessions and finished rows that have expired."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from tidings.kit.db import Connection, Pool, affected
from tidings.kit.settings import Settings
from tidings.spine.delivery.expiring import expire_deliveries, fail_over_what_stands_still, remove_old_notices
from tidings.spine.outbox.handlers import KeyPolicy, Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again

KIND = "tidings.maintain"
_EVERY = timedelta(minutes=1)
_CHUNK = 10_000

# A dead head holds up its stream; without it, what waits behind would run as if nothing had happened.
_FINISHED = """finished_at < now() - $1::interval AND NOT (status = 'dead' AND stream IS NOT NULL AND EXISTS (
    SELECT FROM tidings.outbox o WHERE o.tenant = t.tenant AND o.kind = t.kind AND o.stream = t.stream))"""
_EXPIRED = {
    "outbox_keys": "expires_at < now()",
    "idempotency_keys": "expires_at < now()",
    "sessions": "expires_at < now()",
    "sign_in_links": "expires_at < now()",
    "rate_limits": "empty_at < now() - interval '1 minute'",
    "workers": "seen_at < now() - interval '1 hour'",
}
_OLD = {
    "deliveries_finished": "finished_at < now() - $1::interval",
    "delivery_attempts": "ended_at < now() - $1::interval",
    "sandbox_messages": "created_at < now() - $1::interval",
    "import_rows": """import_id = ANY (ARRAY(
        SELECT i.id FROM tidings.imports i WHERE i.touched_at < now() - $1::interval LIMIT 100))""",
    "imports": """touched_at < now() - $1::interval
        AND NOT EXISTS (SELECT FROM tidings.import_rows r WHERE r.import_id = t.id)""",
}


def maintenance(settings: Settings) -> Kind:
    """Removes what has expired, a chunk at a time, and comes back: at once while there is more, else in a minute."""

    async def maintain(connection: Connection, intents: Sequence[Intent]) -> Again:
        removed = [await _remove(connection, table, condition) for table, condition in _EXPIRED.items()]
        removed.append(await _remove(connection, "outbox_finished", _FINISHED, settings.outbox.retention))
        more = await _deliveries(connection, settings.delivery.retention)
        now: datetime = await connection.fetchval("SELECT now()")  # this host's clock may be wrong
        return Again(now + (timedelta(0) if more or max(removed) == _CHUNK else _EVERY))

    return Kind(KIND, maintain, Shape.TRANSACTION, KeyPolicy.REARM, concurrency=1, batch=1)


async def _deliveries(connection: Connection, retention: timedelta) -> bool:
    """What became of deliveries with time. Returns whether there is more to do."""
    await fail_over_what_stands_still(connection)
    late = await expire_deliveries(connection)
    old = [await _remove(connection, table, condition, retention) for table, condition in _OLD.items()]
    return await remove_old_notices(connection, retention) or late or max(old) == _CHUNK


async def _remove(connection: Connection, table: str, condition: str, *arguments: object) -> int:
    """Waits for nobody: what somebody has locked is left for the next time."""
    return affected(
        await connection.execute(
            f"DELETE FROM tidings.{table} WHERE ctid = ANY (ARRAY("
            f"SELECT ctid FROM tidings.{table} t WHERE {condition} LIMIT {_CHUNK} FOR UPDATE SKIP LOCKED))",
            *arguments,
        )
    )


async def begin_maintenance(pool: Pool) -> None:
    """Makes sure that it is scheduled; any number of workers may call this."""
    await pool.execute(
        """SELECT tidings.schedule_as('tidings', ARRAY[$1], ARRAY['{}'::jsonb], ARRAY['maintain'], ARRAY[now()],
                                      'default', NULL)""",
        KIND,
    )
