"""What happened to a reservation, level by level: its facts, who heard of them, and what was said."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.kit.db import Connection
from tidings.modules.reservations.model import STREAM
from tidings.spine.delivery.notice_records import NoticeFilter, NoticeRecord, Notices
from tidings.spine.notify.kinds import LISTENER, RULES

_MOST_FACTS = 100
_MOST_NOTICES = 100
_FACTS = f"""
SELECT id AS fact_id, type, occurred_at, metadata ->> 'actor' AS actor FROM tidings.facts
WHERE tenant = $1 AND stream_type = '{STREAM}' AND stream_id = $2 ORDER BY seq LIMIT {_MOST_FACTS}
"""
# Open intents are found by the moment of their fact, to the digit: they are of one transaction.
_HEARD = f"""
SELECT o.*, p.verdict FROM (
    SELECT o.id, o.fact_id, o.kind, o.status, o.attempts, o.last_error, o.run_at, NULL::timestamptz AS finished_at
    FROM tidings.facts f JOIN tidings.outbox o
        ON o.tenant = f.tenant AND o.created_at = f.occurred_at AND o.fact_id = f.id
    WHERE f.tenant = $1 AND f.id = ANY ($2::uuid[])
    UNION ALL
    SELECT o.id, o.fact_id, o.kind, o.status, o.attempts, o.last_error, o.run_at, o.finished_at
    FROM tidings.outbox_finished o WHERE o.tenant = $1 AND o.fact_id = ANY ($2::uuid[]) AND o.fact_id <> o.id
) o LEFT JOIN tidings.processed_by p ON p.fact_id = o.fact_id AND '{LISTENER}' || p.listener = o.kind
WHERE o.kind = '{RULES}' OR starts_with(o.kind, '{LISTENER}') ORDER BY o.kind
"""


@dataclass(frozen=True)
class HeardBy:
    intent_id: UUID
    listener: str
    status: str
    attempts: int
    last_error: str | None
    verdict: str | None
    run_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True)
class Happened:
    fact_id: UUID
    type: str
    occurred_at: datetime
    actor: str | None
    heard_by: list[HeardBy]


@dataclass(frozen=True)
class History:
    facts: list[Happened]
    notices: list[NoticeRecord]


async def history_of(connection: Connection, tenant: str, id: int) -> History:
    facts = await connection.fetch(_FACTS, tenant, str(id))
    ids = [row["fact_id"] for row in facts]
    heard: dict[UUID, list[HeardBy]] = defaultdict(list)
    for row in await connection.fetch(_HEARD, tenant, ids):
        heard[row["fact_id"]].append(
            HeardBy(
                row["id"],
                "rules" if row["kind"] == RULES else row["kind"].removeprefix(LISTENER),
                row["status"],
                row["attempts"],
                row["last_error"],
                row["verdict"],
                row["run_at"],
                row["finished_at"],
            )
        )
    notices = await Notices(connection, tenant).list(NoticeFilter(fact_ids=tuple(ids)), None, _MOST_NOTICES)
    return History([Happened(**row, heard_by=heard[row["fact_id"]]) for row in facts], list(notices.items))
