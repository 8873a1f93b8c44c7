"""What is asked of the outbox's SQL functions, as the text in which it travels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tidings.kit.callers import Call
from tidings.kit.callers.texts import interval_text, json_text, plain_text, time_text

SCHEDULE = Call(
    "tidings.schedule",
    (
        ("kind", "text"),
        ("payload", "text::jsonb"),
        ("key", "text"),
        ("run_at", "text::timestamptz"),
        ("tenant", "text"),
        ("max_attempts", "integer"),
    ),
    "text",
    document="payload",
)
SCHEDULE_MANY = Call(
    "tidings.schedule_many",
    (
        ("kinds", "text[]"),
        ("payloads", "text[]::jsonb[]"),
        ("keys", "text[]"),
        ("run_ats", "text[]::timestamptz[]"),
        ("tenant", "text"),
        ("max_attempts", "integer"),
    ),
    "text[]",
    document="payload",
)
_TARGET = (("kind", "text"), ("key", "text"), ("prefix", "text"), ("tenant", "text"))
MOVE = Call("tidings.move", (*_TARGET, ("run_at", "text::timestamptz"), ("shift", "text::interval")), "bigint")
CANCEL = Call("tidings.cancel", (*_TARGET, ("reason", "text")), "bigint")


@dataclass(frozen=True)
class NewIntent:
    """Something that must happen, at `run_at` or now, though no fact caused it."""

    kind: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    run_at: datetime | None = None

    def row(self) -> tuple[str | None, ...]:
        """Raises ValidationFailed for what cannot travel."""
        return (
            plain_text("kind", self.kind),
            json_text("payload", self.payload),
            plain_text("key", self.key),
            time_text("runAt", self.run_at),
        )


@dataclass(frozen=True)
class Target:
    """The open intents of a kind with this key, or with all keys that begin with `prefix`."""

    kind: str
    key: str | None
    prefix: str | None
    tenant: str

    def row(self) -> tuple[str | None, ...]:
        return (
            plain_text("kind", self.kind),
            plain_text("key", self.key),
            plain_text("prefix", self.prefix),
            plain_text("tenant", self.tenant),
        )

    def moved(self, run_at: datetime | None, shift: timedelta | None) -> list[str | None]:
        return [*self.row(), time_text("runAt", run_at), interval_text("shift", shift)]

    def cancelled(self, reason: str | None) -> list[str | None]:
        return [*self.row(), plain_text("reason", reason)]


def one(intent: NewIntent, tenant: str, max_attempts: int | None) -> list[Any]:
    return [*intent.row(), plain_text("tenant", tenant), max_attempts]


def many(intents: Sequence[NewIntent], tenant: str, max_attempts: int | None) -> list[Any]:
    rows = [intent.row() for intent in intents]
    columns = [[row[column] for row in rows] for column in range(4)]
    return [*columns, plain_text("tenant", tenant), max_attempts]
