"""A listener is known to those who emit once a worker has declared it. In a test, a drain does: after the fact."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.kit.db import Connection
from tidings.spine.notify.kinds import kind_of
from tidings.spine.notify.listeners import Listener

# Of what waits to be handled or told, every fact that they would have heard of.
_CATCH_UP = """
INSERT INTO tidings.outbox (id, tenant, kind, fact_id, due_at, run_at, created_at)
SELECT DISTINCT ON (f.id, h.kind) tidings.uuid7(), o.tenant, h.kind, f.id, o.due_at, o.run_at, o.created_at
FROM tidings.outbox o JOIN tidings.facts f ON f.id = o.fact_id
JOIN unnest($1::text[], $2::text[]) AS h(kind, type)
    ON f.type = h.type OR h.type LIKE '%*' AND starts_with(f.type, rtrim(h.type, '*'))
WHERE o.status = 'pending' AND (o.id = f.id OR o.kind = 'notice.rules' OR starts_with(o.kind, 'notice.listener.'))
  AND NOT EXISTS (SELECT FROM tidings.outbox p WHERE p.fact_id = f.id AND p.kind = h.kind)
  AND NOT EXISTS (SELECT FROM tidings.outbox_finished p WHERE p.fact_id = f.id AND p.kind = h.kind)
"""


async def catch_up(connection: Connection, listeners: Sequence[Listener]) -> None:
    """Lets these listeners hear of facts that wait and were emitted before anybody knew that there is a listener."""
    heard = [(kind_of(listener.name), pattern) for listener in listeners for pattern in listener.routes]
    if heard:
        await connection.execute(_CATCH_UP, [kind for kind, _ in heard], [pattern for _, pattern in heard])
