"""The checker. It knows what was acknowledged, what arrived and what was killed, and nothing of Tidings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.chaos.processes import Kill
from tests.chaos.provider import Send
from tests.chaos.waiting import Violated


@dataclass(frozen=True)
class Outage:
    """From when to when the database was away: what was accepted before its end could not be settled before its end."""

    began: float
    ended: float

    def explains(self, first: Send, second: Send) -> bool:
        return first.at <= self.ended and second.at >= self.began


@dataclass(frozen=True)
class Evidence:
    acknowledged: Mapping[str, float]  # key → when its commit returned
    ledger: Mapping[str, Sequence[Send]]
    kills: Sequence[Kill]
    outages: Sequence[Outage] = ()

    def missing(self) -> list[str]:
        return [key for key in self.acknowledged if key not in self.ledger]

    def require_none_lost(self) -> None:
        if missing := self.missing():
            raise Violated(f"{len(missing)} acknowledged and never sent, the first:\n{self.history(missing[0])}")

    def require_none_invented(self) -> None:
        """Nothing arrives that was not committed: a transaction that was rolled back never existed."""
        for key in self.ledger:
            if key not in self.acknowledged:
                raise Violated(f"sent, but no commit of it returned:\n{self.history(key)}")

    def duplicates(self) -> dict[Kill, set[str]]:
        """Keys that were sent again, by the kill that explains it. One that no kill explains is a violation."""
        explained: dict[Kill, set[str]] = {kill: set() for kill in self.kills}
        for key, first, second in self._pairs():
            kill = self._explanation(first, second)
            if kill is None:
                if any(outage.explains(first, second) for outage in self.outages):
                    continue
                raise Violated(f"sent again although the first sender was not killed:\n{self.history(key)}")
            explained[kill].add(key)
        return explained

    def require_none_twice(self) -> None:
        for key, _, _ in self._pairs():
            raise Violated(f"sent twice:\n{self.history(key)}")

    def repeated(self) -> int:
        return sum(1 for _ in self._pairs())

    def _pairs(self) -> Iterator[tuple[str, Send, Send]]:
        for key, sends in self.ledger.items():
            yield from ((key, first, second) for first, second in pairwise(sends))

    def _explanation(self, first: Send, second: Send) -> Kill | None:
        return next((k for k in self.kills if k.hit(first.life, first.pid) and k.at < second.at), None)

    def history(self, key: str) -> str:
        """Everything that concerns one key, in order of time."""
        sends = self.ledger.get(key, ())
        lives = {send.life for send in sends}
        events = [(send.at, f"sent by process {send.pid} of life {send.life}") for send in sends]
        events += [(kill.at, str(kill)) for kill in self.kills if kill.life in lives]
        events += [(outage.began, f"database away for {outage.ended - outage.began:.3f} s") for outage in self.outages]
        if key in self.acknowledged:
            events.append((self.acknowledged[key], "commit returned"))
        begin = min((at for at, _ in events), default=0)
        return "\n".join([f"  history of {key}", *(f"  {at - begin:9.3f} s  {what}" for at, what in sorted(events))])


def require_once(keys: Sequence[str], wanted: set[str], what: str) -> None:
    """Each wanted key exactly once, and no other."""
    counted = Counter(keys)
    if repeated := [key for key, count in counted.items() if count > 1]:
        raise Violated(f"{what}: {len(repeated)} more than once, such as {repeated[0]}")
    if absent := wanted - counted.keys():
        raise Violated(f"{what}: {len(absent)} missing, such as {next(iter(absent))}")
    if foreign := counted.keys() - wanted:
        raise Violated(f"{what}: {len(foreign)} that were never acknowledged, such as {next(iter(foreign))}")
