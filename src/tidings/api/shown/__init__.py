"""Things as a client sees them: the documents of HTTP replies, and of `--json` on the command line."""

from __future__ import annotations

from typing import Any

from tidings.kit.json_output import raw
from tidings.spine.access.keys import ApiKey
from tidings.spine.journal.reading import Fact
from tidings.spine.outbox.intent_records import IntentRecord
from tidings.spine.outbox.statistics import Statistics


def shown_fact(fact: Fact) -> dict[str, Any]:
    stream = None if fact.stream_type is None else {"type": fact.stream_type, "id": fact.stream_id}
    return {
        "id": fact.id,
        "seq": fact.seq,
        "tenant": fact.tenant,
        "type": fact.type,
        "stream": stream,
        "streamVersion": fact.stream_version,
        "data": raw(fact.data),
        "metadata": raw(fact.metadata),
        "occurredAt": fact.occurred_at,
    }


def shown_intent(intent: IntentRecord) -> dict[str, Any]:
    return {
        "id": intent.id,
        "tenant": intent.tenant,
        "kind": intent.kind,
        "key": intent.key,
        "factId": intent.fact_id,
        "stream": intent.stream,
        "streamVersion": intent.stream_version,
        "payload": None if intent.payload is None else raw(intent.payload),
        "dueAt": intent.due_at,
        "runAt": intent.run_at,
        "status": intent.status,
        "attempts": intent.attempts,
        "crashes": intent.crashes,
        "maxAttempts": intent.max_attempts,
        "lastError": intent.last_error,
        "generation": intent.generation,
        "createdAt": intent.created_at,
        "updatedAt": intent.updated_at,
        "finishedAt": intent.finished_at,
    }


def shown_statistics(found: Statistics) -> dict[str, Any]:
    return {
        "counts": [{"kind": c.kind, "status": c.status, "count": c.count} for c in found.counts],
        "truncated": found.truncated,
        "lag": [{"kind": g.kind, "oldestDueAt": g.oldest_due_at, "lagSeconds": g.seconds} for g in found.lag],
        "kindsWithoutWorker": found.kinds_without_worker,
        "blockedStreams": [
            {"kind": b.kind, "stream": b.stream, "blockedBy": b.blocked_by, "waiting": b.waiting} for b in found.blocked
        ],
    }


def shown_key(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key.id,
        "userId": key.user_id,
        "name": key.name,
        "scopes": list(key.scopes),
        "createdAt": key.created_at,
        "expiresAt": key.expires_at,
        "revokedAt": key.revoked_at,
    }
