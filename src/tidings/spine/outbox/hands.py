"""What a pump has in hand: leases that are not settled yet, and how many intents of each party."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from tidings.spine.outbox.intents import Leased


@dataclass
class Held:
    """A lease: how many of its intents are not settled, and until when it is certainly ours, by our own clock."""

    count: int
    until: float


@dataclass
class Hands:
    leases: dict[UUID, Held] = field(default_factory=dict)
    parties: Counter[str] = field(default_factory=Counter)

    def take(self, intents: Sequence[Leased], until: float) -> None:
        """All intents of one lease."""
        self.leases[intents[0].token] = Held(len(intents), until)
        self.parties.update(intent.party for intent in intents)

    def let_go(self, intents: Sequence[Leased]) -> None:
        for token, count in Counter(intent.token for intent in intents).items():
            self.leases[token].count -= count
            if not self.leases[token].count:
                del self.leases[token]
        self.parties.subtract(intent.party for intent in intents)
        self.parties += Counter()  # drops zeros

    def ending_with(self, intents: Iterable[Leased]) -> list[UUID]:
        """The leases of which nothing is left once these intents are settled."""
        counts = Counter(intent.token for intent in intents)
        return [token for token, count in counts.items() if self.leases[token].count == count]

    def prolong(self, tokens: Iterable[UUID], until: float) -> None:
        for token in tokens:
            if token in self.leases:
                self.leases[token].until = until

    def run_out(self, now: float) -> set[UUID]:
        """Leases that somebody else may have by now: nobody could renew them in time."""
        return {token for token, held in self.leases.items() if held.until < now}
