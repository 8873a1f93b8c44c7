"""How the stream stands: what is in the queues of ours, who takes it out, and what is not published yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tidings.kit.db import Connection, affected
from tidings.spine.broker.connecting import Broker, saying_why
from tidings.spine.broker.streaming import PUBLISH
from tidings.spine.broker.topology import Queue, declare
from tidings.spine.outbox.intent_statements import cancelling

MOST_COUNTED = 1_000_000
_UNPUBLISHED = f"""
SELECT count(*) AS amount, min(due_at) AS since FROM (
    SELECT due_at FROM tidings.outbox WHERE kind = '{PUBLISH}' AND due_at <= now() LIMIT {MOST_COUNTED}) o
"""
_ENDED = f"""
WITH ended AS (DELETE FROM tidings.routes WHERE source = '{PUBLISH}'),
{cancelling(f"kind = '{PUBLISH}'", "'the stream was ended'")}
"""


@dataclass(frozen=True)
class QueueStanding:
    """`messages` that nobody has taken out yet; both None where there is no such queue."""

    name: str
    messages: int | None
    consumers: int | None


@dataclass(frozen=True)
class Unpublished:
    """Facts that are to be published and are not yet, of all tenants, and since when the first of them is."""

    facts: int
    since: datetime | None


async def declare_all(broker: Broker, queues: Sequence[Queue]) -> None:
    async with broker.connected("declaring") as connection:
        with saying_why():
            await declare(await connection.channel(), queues)


async def standing_of(broker: Broker, queues: Sequence[Queue]) -> list[QueueStanding]:
    from aio_pika.exceptions import ChannelNotFoundEntity

    found = []
    async with broker.connected("status") as connection:
        for queue in queues:
            with saying_why():
                try:
                    declared = await (await connection.channel()).declare_queue(queue.name, passive=True)
                except ChannelNotFoundEntity:
                    found.append(QueueStanding(queue.name, None, None))
                else:
                    counts = declared.declaration_result
                    found.append(QueueStanding(queue.name, counts.message_count, counts.consumer_count))
    return found


async def unpublished(connection: Connection) -> Unpublished:
    row = await connection.fetchrow(_UNPUBLISHED)
    assert row is not None
    return Unpublished(row["amount"], row["since"])


async def end_stream(connection: Connection) -> int:
    """Facts cause no messages any more; what waits to be published is cancelled. Returns how many."""
    return affected(await connection.execute(_ENDED))
