"""Which act of the organiser is next. They come in any order, and more than once; each is taken once, in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tidings.modules.events.process.contracts import Act

_MOST_MISSING = 1_000


@dataclass
class Acts:
    """`last` is the number that was taken last; `known` the highest that there is, whether it has come or not.

    One that is missing is waited for, `patience` long, and then gone past; should it come after all, it is taken then.
    """

    patience: timedelta
    last: int = 0
    known: int = 0
    missing: set[int] = field(default_factory=set)
    waiting_since: datetime | None = None
    pending: dict[int, Act] = field(default_factory=dict)

    def put(self, acts: Iterable[Act]) -> None:
        for act in acts:
            if act.act > self.last or act.act in self.missing:
                self.pending.setdefault(act.act, act)
                self.expect(act.act)

    def expect(self, number: int) -> None:
        """There are this many; some may still be on their way."""
        self.known = max(self.known, number)

    def take(self, now: datetime) -> Act | None:
        """The next one, if it is its turn."""
        number = self._turn(now)
        if number is None:
            return None
        self.missing.discard(number)
        self._go_on_to(number)
        return self.pending.pop(number)

    def give_up(self, now: datetime) -> None:
        """Past those that did not come in time where nothing is behind them."""
        if not self.pending and self._is_late(now):
            self._go_on_to(self.known + 1)
            self.last = self.known

    def wait(self, now: datetime) -> datetime | None:
        """Until when to wait for one that is missing; None where none is."""
        if not self.is_behind:
            return None
        self.waiting_since = self.waiting_since or now
        return self.waiting_since + self.patience

    @property
    def is_behind(self) -> bool:
        return self.known > self.last

    def _go_on_to(self, number: int) -> None:
        """What lies between is missing; of very many, the newest."""
        self.missing.update(range(max(self.last + 1, number - _MOST_MISSING), number))
        self.last, self.waiting_since = max(self.last, number), None

    def _turn(self, now: datetime) -> int | None:
        late = [number for number in self.pending if number <= self.last]
        if late or not self.pending:
            return min(late, default=None)
        first = min(self.pending)
        return first if first == self.last + 1 or self._is_late(now) else None

    def _is_late(self, now: datetime) -> bool:
        until = self.wait(now)
        return until is not None and now >= until
