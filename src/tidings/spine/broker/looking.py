"""How tables are looked through in a worker that has a broker: what messages tell of is left to them for a while."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from tidings.spine.broker.handing_out import HandingOut
from tidings.spine.broker.presence import Presence, Way
from tidings.spine.broker.streaming import PUBLISH
from tidings.spine.outbox.lanes import Due, Lanes
from tidings.spine.outbox.leasing import LeaseTable
from tidings.spine.outbox.relay import Source

# A row that nobody has touched since it was written waits for its fact to be published. What was tried, given back,
# revived or hurried has had its message, or will have none.
_UNTOLD = "o.status = 'pending' AND o.updated_at = o.created_at"


@dataclass(frozen=True)
class Looking:
    """One table, by the way that work goes now."""

    presence: Presence
    tables: Mapping[Way, LeaseTable]

    def __call__(self, table: LeaseTable) -> LeaseTable:
        return self.tables[self.presence.way]


def looking_at_intents(
    presence: Presence, table: LeaseTable, is_told: Callable[[str], str], patience: timedelta
) -> Looking:
    """`is_told`: whether a kind, as SQL, is told by messages. Nothing is published while there is no broker."""
    publishes, told = f"{{lane}} = '{PUBLISH}'", is_told("{lane}")
    since = f"now() - interval '{patience.total_seconds()} seconds'"
    return Looking(
        presence,
        {
            Way.THROUGH: replace(table, left=f"{is_told('o.kind')} AND {_UNTOLD} AND o.run_at > {since}"),
            Way.AROUND: replace(table, stopped=f"{table.stopped} OR {publishes}"),
            Way.NONE: replace(table, stopped=f"{table.stopped} OR {publishes} OR {told}"),
        },
    )


def looking_at_deliveries(presence: Presence, table: LeaseTable) -> Looking:
    """What is due is handed out first; what is found here is what its message was late for."""
    return Looking(
        presence,
        {
            Way.THROUGH: replace(table, left="o.status <> 'enqueued'"),
            Way.AROUND: table,
            Way.NONE: replace(table, stopped="true"),
        },
    )


@dataclass(frozen=True)
class HandedOut(Source):
    """A table whose due rows go out as messages while there is a broker."""

    handing_out: HandingOut

    async def look(self) -> Due:
        overdue = await super().look()
        if self.handing_out.presence.way is not Way.THROUGH:
            return overdue
        due = await Lanes(self.leases.pool, self.handing_out.untold).look(self.handlers.kinds)
        self.handing_out.offer(due.lanes)
        waits = [each.next_due for each in (overdue, due) if each.next_due is not None]
        return replace(overdue, next_due=min(waits, default=None))
