"""What is kept of an attempt, or of the decision not to make one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias
from uuid import UUID

Kept: TypeAlias = Literal["sent", "deferred", "rejected", "unknown", "skipped", "expired", "quiet"]
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Note:
    """One line in the history of a delivery. `failing` and `working` are what it says of the provider."""

    outcome: Kept
    provider: UUID
    reason: str | None = None
    receipt: str | None = None
    took: timedelta | None = None
    held: bool = False
    failing: bool = False
    working: bool = False

    def text(self) -> str:
        """As JSON, for the statements of `table`."""
        kept = {
            "outcome": self.outcome,
            "reason": _bounded(self.reason),
            "receipt": _bounded(self.receipt),
            "took": None if self.took is None else self.took.total_seconds(),
            "status": "skipped" if self.outcome == "skipped" else None,
            "held": True if self.held else None,
        }
        return json.dumps({name: value for name, value in kept.items() if value is not None})


def _bounded(text: str | None) -> str | None:
    """What a provider says is stored, so it must be storable."""
    if text is None:
        return None
    return text.replace("\x00", "�").encode("utf-8", "replace").decode()[:_LONGEST]
