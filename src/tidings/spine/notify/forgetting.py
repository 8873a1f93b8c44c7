"""Forgetting a handler or a listener that is gone: renamed, or removed. What facts cause for it ends."""

from __future__ import annotations

from collections.abc import Iterable

from tidings.kit.db import Connection, affected
from tidings.kit.errors import Conflict, ValidationFailed
from tidings.spine.notify.kinds import LISTENER, kind_of
from tidings.spine.notify.listeners import Listener
from tidings.spine.outbox.intent_statements import cancelling

_OURS = "SELECT EXISTS (SELECT FROM tidings.reserved_types WHERE prefix = split_part($1, '.', 1))"
_SERVED = """
SELECT name FROM tidings.workers WHERE $1 = ANY (kinds) AND seen_at > now() - interval '30 seconds' LIMIT 1
"""
_FORGET = f"""
WITH undeclared AS (DELETE FROM tidings.kinds WHERE kind = $1),
unrouted AS (DELETE FROM tidings.routes WHERE kind = $1 AND starts_with(source, 'listener:')),
{cancelling("kind = $1", "'its kind was forgotten'")}
"""


async def forget(connection: Connection, kind: str, ours: Iterable[Listener]) -> int:
    """Facts cause no intents of this kind any more, until a worker declares it again; what waits, of all tenants, is
    cancelled. Returns how many. `Conflict` while a worker serves it."""
    listens = kind.startswith(LISTENER)
    if kind in {kind_of(each.name) for each in ours} or (not listens and await connection.fetchval(_OURS, kind)):
        raise ValidationFailed(f"KIND: {kind} is ours, and every worker serves it")
    served_by = await connection.fetchval(_SERVED, kind)
    if served_by is not None:
        raise Conflict(f"{kind} is served by {served_by}: start your workers without it first.")
    return affected(await connection.execute(_FORGET, kind))
