"""From a provider that stands still to the next of its channel: what waits goes along, a chunk at a time."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from tidings.kit.db import Connection, affected
from tidings.spine.delivery.provider_statements import HEALTHY
from tidings.spine.outbox.handlers import KeyPolicy, Kind, Shape
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Again, Outcome, Succeeded

FAIL_OVER = "notice.fail_over"
CHUNK = 5_000

# What may have been sent already, or was under way when a worker died, is safe with this provider only, which knows its
# key: it stays. Where the provider is gone for good, a person has to decide.
_UNSURE = """(d.suspect OR EXISTS (
        SELECT FROM tidings.delivery_attempts a
        WHERE a.delivery_id = d.id AND a.provider = d.provider AND a.outcome IN ('unknown', 'crashed')))"""
_HOLD = f"""
UPDATE tidings.deliveries d SET status = 'held', updated_at = now() WHERE d.id = ANY (ARRAY(
    SELECT d.id FROM tidings.deliveries d JOIN tidings.providers s ON s.id = d.provider
    WHERE d.provider = $1 AND s.removed_at IS NOT NULL AND d.status IN ('pending', 'failed', 'enqueued') AND {_UNSURE}
    FOR UPDATE OF d SKIP LOCKED))
"""
_MOVE = f"""
WITH target AS MATERIALIZED (
    SELECT p.id FROM tidings.providers p JOIN tidings.providers s ON s.tenant = p.tenant AND s.channel = p.channel
    WHERE s.id = $1 AND (NOT s.enabled OR s.removed_at IS NOT NULL OR s.opened_at IS NOT NULL) AND p.id <> s.id
      AND {HEALTHY}
    ORDER BY p.priority, p.id LIMIT 1
), waiting AS MATERIALIZED (
    SELECT d.id FROM tidings.deliveries d
    WHERE d.provider = $1 AND EXISTS (SELECT FROM target) AND d.status IN ('pending', 'failed', 'enqueued')
      AND NOT {_UNSURE}
    LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE tidings.deliveries d SET provider = target.id, updated_at = now() FROM waiting, target WHERE d.id = waiting.id
"""


async def fail_over(connection: Connection, intents: Sequence[Intent]) -> Outcome:
    """Moves a chunk to the first healthy provider of the channel. Nothing to do where there is none, or where the
    provider works again by now."""
    provider = UUID(intents[0].data["provider"])
    await connection.execute(_HOLD, provider)
    moved = affected(await connection.execute(_MOVE, provider, CHUNK))
    if not moved:
        return Succeeded()
    await connection.execute("SELECT tidings.wake()")
    return Again(await connection.fetchval("SELECT now()"))


def kinds() -> list[Kind]:
    return [Kind(FAIL_OVER, fail_over, Shape.TRANSACTION, KeyPolicy.REARM, batch=1)]
