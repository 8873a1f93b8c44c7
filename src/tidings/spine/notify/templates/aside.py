"""Work that may be slow, done where it holds nobody up.

A template may take a fifth of a second, for each of a hundred thousand people: done in the loop, it would keep the
messages of every other tenant waiting, and the leases from being renewed. Almost all take less than a thousandth, for
which a thread would cost more than the work.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")
_SLOW = 0.01  # seconds of the processor's time
_TWICE = 2  # the first time a template is compiled, too
_MOST = 10_000


@dataclass
class Aside:
    """What was slow the last two times is done in a thread, one after another; everything else at once, with a pause
    for others now and then: a thousand facts for ten rules are much, too."""

    slow: dict[Hashable, int] = field(default_factory=dict)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    since_pause: float = 0.0

    async def run(self, what: Hashable, work: Callable[[], T]) -> T:
        """`what` names the work that takes about the same each time; what it raises is raised."""
        if self.slow.get(what, 0) >= _TWICE:
            async with self.turn:
                return await asyncio.to_thread(self._done, what, work)
        if self.since_pause > _SLOW:
            self.since_pause = 0.0
            await asyncio.sleep(0)
        return self._done(what, work)

    def _done(self, what: Hashable, work: Callable[[], T]) -> T:
        began = time.thread_time()
        try:
            return work()
        finally:
            took = time.thread_time() - began
            self.since_pause += took
            if took > _SLOW:
                self._note(what)
            else:
                self.slow.pop(what, None)

    def _note(self, what: Hashable) -> None:
        if len(self.slow) >= _MOST:
            self.slow.clear()
        self.slow[what] = self.slow.get(what, 0) + 1
