"""When a reminder is due: event and subscription are read again, in the transaction that settles it.

What is to be said goes through a fact whose key carries the start: the same reminder of the same start is said once, of
another start again. What is not to be said is a fact too, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias, assert_never

from tidings.kit.db import Connection
from tidings.modules.events.model import MODULE, REMIND, SUBSCRIPTION_STREAM, Status
from tidings.modules.events.snapshot import COLUMNS, snapshot, written
from tidings.spine.outbox.handlers import KeyPolicy, Kind, Shape
from tidings.spine.outbox.intents import Intent, Row
from tidings.spine.outbox.outcomes import Again, Each, GivenBack, Outcome, Succeeded

_AT_ONCE = 500
_BREATH = timedelta(milliseconds=200)
_JUST_BEGUN = timedelta(hours=1)
"""How long after the start it can be said that the event starts now."""

# Whoever changes an event holds its row, and then waits for its reminders: waiting for that row here, with the
# reminders in hand, would be a deadlock. What somebody holds is about to change, and is looked at again.
_HELD = "SELECT id FROM tidings.events WHERE id = ANY ($1::bigint[]) FOR SHARE SKIP LOCKED"
_READ = f"""
SELECT i.n, {COLUMNS}, e.tenant, s.offsets, s.confirmed_at IS NOT NULL AND s.left_at IS NULL AS subscribed, s.person_id,
    p.locale, p.timezone AS own_timezone, now() AS now
FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS i(tenant, event_id, subscription_id, n)
LEFT JOIN tidings.events e ON e.id = i.event_id AND e.tenant = i.tenant
LEFT JOIN tidings.event_subscriptions s ON s.id = i.subscription_id AND s.event_id = e.id
LEFT JOIN tidings.people p ON p.id = s.person_id ORDER BY i.n
"""
_EMIT = """
SELECT tidings.emit_as($1, $2::text[], $3::jsonb[], array_fill($4::text, ARRAY[cardinality($2::text[])]), $5::text[],
                       $6::text[], $7::text[], NULL, NULL)
"""


@dataclass(frozen=True)
class Remind:
    """It is time."""


@dataclass(frozen=True)
class Belongs:
    """It is due at another time by now."""

    at: datetime


@dataclass(frozen=True)
class NotSent:
    """Nobody is to hear of it any more."""

    reason: str


Verdict: TypeAlias = Remind | Belongs | NotSent


def verdict_of(row: Row, offset: int | None, due_at: datetime) -> Verdict:
    """Pure: what is to become of a reminder, by what it reminds of. One without an offset is at a time of its own."""
    if row["id"] is None:
        return NotSent("event_not_found")
    if row["status"] != Status.ACTIVE:
        return NotSent(f"event_{row['status']}")
    if not row["subscribed"]:
        return NotSent("unsubscribed")
    if offset is None:
        return Remind()
    if offset not in row["offsets"]:
        return NotSent("offset_removed")
    belongs = row["starts_at"] - timedelta(seconds=offset)
    if belongs != due_at:
        return Belongs(belongs) if belongs > row["now"] else NotSent("time_passed")
    useful = row["starts_at"] if offset else row["starts_at"] + _JUST_BEGUN
    return Remind() if row["now"] < useful else NotSent("time_passed")


def kinds() -> list[Kind]:
    return [Kind(REMIND, remind, Shape.TRANSACTION, KeyPolicy.REARM, batch=_AT_ONCE)]


async def remind(connection: Connection, intents: Sequence[Intent]) -> Each:
    held = {row["id"] for row in await connection.fetch(_HELD, [intent.data["event"] for intent in intents])}
    rows = await connection.fetch(
        _READ,
        [intent.tenant for intent in intents],
        [intent.data["event"] for intent in intents],
        [intent.data["subscription"] for intent in intents],
    )
    facts: list[_Fact] = []
    outcomes = [
        GivenBack(_BREATH) if row["id"] is not None and row["id"] not in held else _settled(intent, row, facts)
        for intent, row in zip(intents, rows, strict=True)
    ]
    await _record(connection, facts)
    return Each(outcomes)


@dataclass(frozen=True)
class _Fact:
    type: str
    tenant: str
    subscription: int
    key: str
    data: Mapping[str, Any]


def _settled(intent: Intent, row: Row, facts: list[_Fact]) -> Outcome:
    """What becomes of the intent; what is to be recorded of it is added to `facts`."""
    offset, subscription = intent.data.get("offset"), intent.data["subscription"]
    about = {"eventId": intent.data["event"], "subscriptionId": subscription, "offset": offset}
    match verdict := verdict_of(row, offset, intent.due_at):
        case Belongs(at):
            return Again(at)
        case NotSent(reason):
            facts.append(
                _Fact(
                    "event.reminder_skipped",
                    intent.tenant,
                    subscription,
                    f"{intent.key}@{written(intent.due_at)}",
                    {**about, "reason": reason, "dueAt": written(intent.due_at)},
                )
            )
        case Remind():
            said = {"personId": str(row["person_id"]), "locale": row["locale"], "timezone": row["own_timezone"]}
            key = f"{intent.key}@{written(row['starts_at'])}" if offset is not None else f"{intent.key}"
            data = {**about, **said, "dueAt": written(intent.due_at), "event": snapshot(row)}
            facts.append(_Fact("event.reminder_due", intent.tenant, subscription, key, data))
        case _:
            assert_never(verdict)
    return Succeeded()


async def _record(connection: Connection, facts: Sequence[_Fact]) -> None:
    if facts:
        await connection.execute(
            _EMIT,
            MODULE,
            [fact.type for fact in facts],
            [json.dumps(fact.data) for fact in facts],
            SUBSCRIPTION_STREAM,
            [str(fact.subscription) for fact in facts],
            [fact.tenant for fact in facts],
            [fact.key for fact in facts],
        )
