"""What is being handled here and now: the cause of whatever is emitted meanwhile."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol
from uuid import UUID


class Cause(Protocol):
    """An intent, as far as facts need to know it."""

    @property
    def tenant(self) -> str: ...

    @property
    def fact_id(self) -> UUID | None: ...


CURRENT: ContextVar[Cause | None] = ContextVar("tidings_current_intent", default=None)
"""The intent that is being handled; what is emitted meanwhile names its fact as the cause."""
