"""When to try again: exponential backoff with full jitter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

LONGEST = timedelta(days=7)
"""No wait is longer, whatever a `Retry-After` asks for."""


@dataclass(frozen=True)
class RetryPolicy:
    """The wait before attempt n+1 is random between nothing and `base` doubled n-1 times, at most `cap`."""

    max_attempts: int = 10
    base: timedelta = timedelta(seconds=1)
    cap: timedelta = timedelta(hours=1)

    def delay(self, attempts: int, random: Callable[[], float]) -> timedelta:
        """`attempts` is how many have failed so far, this one included."""
        ceiling = min(self.cap.total_seconds(), self.base.total_seconds() * 2.0 ** min(attempts - 1, 60))
        return timedelta(seconds=ceiling * random())


def bounded(delay: timedelta) -> timedelta:
    return max(timedelta(0), min(delay, LONGEST))
