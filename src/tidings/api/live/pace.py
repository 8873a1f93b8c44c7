"""How often a client may say something on one connection."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

_MINUTE = 60.0


@dataclass
class Pace:
    """So many a minute, all at once or one by one; each takes a while to be forgotten."""

    most: int
    clock: Callable[[], float] = time.monotonic
    full_until: float = 0.0

    def keeps(self) -> bool:
        """Whether there is room for one more."""
        now = self.clock()
        self.full_until = max(self.full_until, now) + _MINUTE / self.most
        return self.full_until - now <= _MINUTE
