"""A listener is known to those who emit once a worker has declared it. In a test, a drain does: after the fact."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.kit.db import Connection
from tidings.spine.notify.kinds import PREPARE
from tidings.spine.notify.listeners import Listener

# What nobody has handled waits as an intent of its own kind, with its fact's id.
_CATCH_UP = f"""
INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at, created_at)
SELECT tidings.uuid7(), o.tenant, '{PREPARE}', o.fact_id, o.due_at, o.run_at, o.created_at
FROM tidings.outbox o
WHERE o.fact_id = o.id AND o.status = 'pending' AND EXISTS (
    SELECT FROM unnest($1::text[]) AS heard(type)
    WHERE o.kind = heard.type OR heard.type LIKE '%*' AND starts_with(o.kind, rtrim(heard.type, '*')))
  AND NOT EXISTS (SELECT FROM tidings.outbox p WHERE p.fact_id = o.id AND p.kind = '{PREPARE}')
  AND NOT EXISTS (SELECT FROM tidings.outbox_finished p WHERE p.fact_id = o.id AND p.kind = '{PREPARE}')
"""


async def catch_up(connection: Connection, listeners: Sequence[Listener]) -> None:
    """Lets these listeners hear of facts that wait and were emitted before anybody knew that there is a listener."""
    types = [pattern for listener in listeners for pattern in listener.types]
    if types:
        await connection.execute(_CATCH_UP, types)
