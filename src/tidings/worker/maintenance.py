"""Housekeeping, as a recurring intent like any other: what has expired, and what is older than it is to be kept.

Which table is kept for how long, and which is bounded in another way, is told in ARCHITECTURE.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tidings.kit.db import Connection, Pool, affected
from tidings.kit.settings import Settings
from tidings.modules.events.guests import forget_unconfirmed
from tidings.modules.reports.documents import forget_old_documents
from tidings.modules.reports.missing import tell_of_missed_slots
from tidings.spine.delivery.expiring import (
    expire_deliveries,
    fail_over_what_stands_still,
    remove_old_deliveries,
    remove_old_notices,
)
from tidings.spine.delivery.overview import figures
from tidings.spine.notify.people.imports.forgetting import forget_old_imports
from tidings.spine.notify.position import KEPT
from tidings.spine.outbox.handlers import KeyPolicy, Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again

KIND = "tidings.maintain"
_EVERY = timedelta(minutes=1)
_CHUNK = 10_000
_AT_ONCE = timedelta(0)


@dataclass(frozen=True)
class Expiring:
    """Rows that go when the time in the column `by` is `age` ago, but for those that are still `needed`, as SQL."""

    table: str
    by: str
    age: timedelta
    needed: str = "false"

    @property
    def removing(self) -> str:
        """The oldest first, by the index on their time. Waits for nobody: what somebody has locked is left for the next
        time."""
        return f"""
            DELETE FROM tidings.{self.table} WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM tidings.{self.table} t WHERE {self.by} < now() - $1::interval AND NOT ({self.needed})
                ORDER BY {self.by} LIMIT {_CHUNK} FOR UPDATE SKIP LOCKED))"""


# A dead head holds up its stream; without it, what waits behind would run as if nothing had happened.
_HOLDS_UP_OTHERS = """status = 'dead' AND stream IS NOT NULL AND EXISTS (
    SELECT FROM tidings.outbox o WHERE o.tenant = t.tenant AND o.kind = t.kind AND o.stream = t.stream)"""
# While some listener has not heard of a fact, or may be asked again, the others must not tell of it twice. An intent is
# made in its fact's transaction, and so at the same time to the digit. Subselects go by an index, however many rows
# there are; of what EXISTS asks, the planner may make a table first.
_MAY_BE_HEARD_AGAIN = """coalesce(
    (SELECT true FROM tidings.facts f JOIN tidings.outbox o
         ON o.tenant = f.tenant AND o.created_at = f.occurred_at AND o.fact_id = f.id AND o.fact_id <> o.id
     WHERE f.id = t.fact_id LIMIT 1),
    (SELECT true FROM tidings.outbox_finished o WHERE o.fact_id = t.fact_id AND o.fact_id <> o.id LIMIT 1), false)"""


def expiring(settings: Settings) -> Iterator[Expiring]:
    """Every table that is kept for a time and has nothing to do but to go."""
    yield Expiring("outbox_keys", "expires_at", _AT_ONCE)
    yield Expiring("idempotency_keys", "expires_at", _AT_ONCE)
    yield Expiring("sessions", "expires_at", _AT_ONCE)
    yield Expiring("sign_in_links", "expires_at", _AT_ONCE)
    yield Expiring("rate_limits", "empty_at", timedelta(minutes=1))
    yield Expiring("workers", "seen_at", timedelta(hours=1))
    yield Expiring("figures", "minute", figures.KEPT)
    yield Expiring("announcements", "announced_at", KEPT)
    yield Expiring("outbox_finished", "finished_at", settings.outbox.retention, _HOLDS_UP_OTHERS)
    yield Expiring("sandbox_messages", "created_at", settings.delivery.retention)
    heard = max(settings.outbox.retention, settings.delivery.retention)
    yield Expiring("processed_by", "processed_at", heard, _MAY_BE_HEARD_AGAIN)


def maintenance(settings: Settings) -> Kind:
    """Removes what has expired, a chunk at a time, and comes back: at once while there is more, else in a minute. And
    looks whether what should have been done was."""
    removing = [(each.removing, each.age) for each in expiring(settings)]

    async def maintain(connection: Connection, intents: Sequence[Intent]) -> Again:
        removed = [affected(await connection.execute(statement, age)) for statement, age in removing]
        more = [
            max(removed) == _CHUNK,
            await _deliveries(connection, settings.delivery.retention),
            await forget_old_imports(connection, settings.api.import_retention),
            await forget_unconfirmed(connection),
            await forget_old_documents(connection, settings.reports.retention),
        ]
        await tell_of_missed_slots(connection)
        now: datetime = await connection.fetchval("SELECT now()")  # this host's clock may be wrong
        return Again(now + (_AT_ONCE if any(more) else _EVERY))

    return Kind(KIND, maintain, Shape.TRANSACTION, KeyPolicy.REARM, concurrency=1, batch=1)


async def _deliveries(connection: Connection, retention: timedelta) -> bool:
    """What became of deliveries with time. Returns whether there is more to do."""
    await fail_over_what_stands_still(connection)
    late = await expire_deliveries(connection)
    old = await remove_old_deliveries(connection, retention)
    return await remove_old_notices(connection, retention) or late or old


async def begin_maintenance(pool: Pool) -> None:
    """Makes sure that it is scheduled; any number of workers may call this."""
    await pool.execute(
        """SELECT tidings.schedule_as('tidings', ARRAY[$1], ARRAY['{}'::jsonb], ARRAY['maintain'], ARRAY[now()],
                                      'default', NULL)""",
        KIND,
    )
