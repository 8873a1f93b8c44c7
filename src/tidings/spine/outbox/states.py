"""The states of an intent, and the only ways from one to another."""

from __future__ import annotations

from enum import StrEnum

from tidings.kit.errors import Conflict


class Status(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    FAILED = "failed"
    ENQUEUED = "enqueued"
    SUCCEEDED = "succeeded"
    DEAD = "dead"
    CANCELLED = "cancelled"


OPEN = frozenset({Status.PENDING, Status.PROCESSING, Status.FAILED, Status.ENQUEUED})
FINISHED = frozenset({Status.SUCCEEDED, Status.DEAD, Status.CANCELLED})

TRANSITIONS: dict[Status, frozenset[Status]] = {
    Status.PENDING: frozenset({Status.PENDING, Status.PROCESSING, Status.ENQUEUED, Status.CANCELLED}),
    Status.PROCESSING: frozenset(
        {Status.SUCCEEDED, Status.FAILED, Status.DEAD, Status.PENDING, Status.CANCELLED, Status.PROCESSING}
    ),
    Status.FAILED: frozenset({Status.PENDING, Status.PROCESSING, Status.ENQUEUED, Status.CANCELLED}),
    Status.ENQUEUED: frozenset({Status.PENDING, Status.PROCESSING, Status.CANCELLED}),
    Status.DEAD: frozenset({Status.PENDING, Status.CANCELLED}),
    Status.CANCELLED: frozenset({Status.PENDING}),
    Status.SUCCEEDED: frozenset(),
}
"""`pending → pending` is a move, `processing → processing` a move under a lease, `→ pending` a retry by hand."""


def require(current: Status, wanted: Status) -> None:
    """Raises `Conflict` when an intent cannot go from `current` to `wanted`."""
    if wanted not in TRANSITIONS[current]:
        raise Conflict(f"an intent that is {current} cannot become {wanted}")
