"""What was sent on one connection, so that nothing is sent twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from uuid import UUID

_MOST = 1_000
_NIL = UUID(int=0)


class Sight(Enum):
    FIRST = auto()
    AGAIN = auto()
    UNSURE = auto()


@dataclass
class Seen:
    """Remembers the newest ids. Of one that is older than all it remembers, it cannot say."""

    ids: set[UUID] = field(default_factory=set)
    floor: UUID = _NIL

    def note(self, id: UUID) -> Sight:
        """Whether this is its first time here; from now on it is not."""
        if id in self.ids:
            return Sight.AGAIN
        if id <= self.floor:
            return Sight.UNSURE
        self.ids.add(id)
        if len(self.ids) > _MOST:
            self._forget()
        return Sight.FIRST

    def _forget(self) -> None:
        in_order = sorted(self.ids)
        half = len(in_order) // 2
        self.floor, self.ids = in_order[half - 1], set(in_order[half:])
