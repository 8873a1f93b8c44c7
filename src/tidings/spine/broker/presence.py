"""Whether the broker takes what is published, and what follows from it for what would go through it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import structlog

log = structlog.get_logger("tidings.broker")


class WhenAway(StrEnum):
    """What becomes of work that would go through a broker that is away."""

    WAIT = "wait"
    GO_ON = "go_on"


class Way(StrEnum):
    """Which way work goes now."""

    THROUGH = "through"  # the broker's: a message names the row
    AROUND = "around"  # as if there were no broker
    NONE = "none"  # it waits


def way(there: bool, when_away: WhenAway) -> Way:
    if there:
        return Way.THROUGH
    return Way.AROUND if when_away is WhenAway.GO_ON else Way.NONE


@dataclass
class Presence:
    """What is known of the broker in this process. It is away until it has taken a message."""

    when_away: WhenAway
    fault: str | None = "it was not connected to yet"

    @property
    def there(self) -> bool:
        return self.fault is None

    @property
    def way(self) -> Way:
        return way(self.there, self.when_away)

    def came(self) -> None:
        if not self.there:
            log.info("the broker is there")
            self.fault = None

    def went(self, fault: str) -> None:
        """Says so once for each reason, however often it is tried."""
        if self.fault != fault:
            log.warning("the broker is away", reason=fault, meanwhile=self.when_away.value)
            self.fault = fault
