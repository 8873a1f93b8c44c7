"""Intents as a person sees them: one row of the open or the finished ones, and which of them are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from tidings.spine.outbox.states import Status

HOUSEKEEPING = "tidings."
"""How the kinds begin that are the installation's own, whichever tenant they are written for."""
TENANTS_OWN = f"kind NOT LIKE '{HOUSEKEEPING}%'"


@dataclass(frozen=True, slots=True)
class IntentRecord:
    """An intent as it stands. `payload` is JSON text; `finished_at` is None while it is open."""

    id: UUID
    tenant: str
    kind: str
    key: str | None
    fact_id: UUID | None
    stream: str | None
    stream_version: int | None
    payload: str | None
    due_at: datetime
    run_at: datetime
    status: str
    attempts: int
    crashes: int
    max_attempts: int | None
    last_error: str | None
    generation: int
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True)
class IntentFilter:
    status: Status | None = None
    kind: str | None = None
    key_prefix: str | None = None


@dataclass(frozen=True)
class DeadFilter:
    """Which dead letters: of a kind, with an error that contains a text, that died in a span of time."""

    kind: str | None = None
    error: str | None = None
    since: datetime | None = None
    until: datetime | None = None


Position: TypeAlias = Sequence[str]
"""A place in the list, as a cursor keeps it: when an intent was made, and its id."""


def position_of(intent: IntentRecord) -> Position:
    return (intent.created_at.isoformat(), str(intent.id))


def conditions_of(tenant: str, wanted: IntentFilter, before: Position | None) -> tuple[str, list[Any]]:
    terms: list[tuple[str, Any]] = [
        ("tenant = {}", tenant),
        ("status = {}", wanted.status),
        ("kind = {}", wanted.kind),
        ("key >= {}", wanted.key_prefix),
        ("key <= {}", None if wanted.key_prefix is None else wanted.key_prefix + "\U0010ffff"),
        ("(created_at, id) < (({0}::text[])[1]::timestamptz, ({0}::text[])[2]::uuid)", before),
    ]
    given = [(term, value) for term, value in terms if value is not None]
    numbered = [term.format(f"${n}") for n, (term, _) in enumerate(given, 1)]
    return " AND ".join([*numbered, TENANTS_OWN]), [value for _, value in given]
