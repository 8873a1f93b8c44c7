"""Ids of version 7 begin with the time at which they were made, and so have its order."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

_BELOW_TIME = 80  # bits after the milliseconds
_LATEST = (1 << 48) - 1


def first_id_at(moment: datetime, shift: int = 0) -> UUID:
    """No id that is made at this moment (or so many milliseconds after it), or later, comes before this one."""
    milliseconds = int(moment.timestamp() * 1000) + shift
    return UUID(int=min(max(milliseconds, 0), _LATEST) << _BELOW_TIME)
