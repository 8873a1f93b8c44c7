"""Lanes: a tenant's intents of one kind. Which have something due, and how much each may take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeAlias

from tidings.kit.db import Pool
from tidings.spine.outbox.leasing import LeaseTable

Tenant: TypeAlias = str
BEGINNING = datetime.fromisoformat("0001-01-01T00:00:00+00:00")


@dataclass(frozen=True)
class Due:
    """What one look at the table showed."""

    lanes: Mapping[str, tuple[Tenant, ...]]  # kind → tenants with something due
    next_due: timedelta | None  # until the next intent that is not due yet
    suspects: bool  # whether something waits to be run alone


@dataclass(frozen=True)
class Lanes:
    pool: Pool
    table: LeaseTable

    async def look(self, kinds: Iterable[str]) -> Due:
        """Costs one index probe a lane, however many rows a lane has."""
        rows = await self.pool.fetch(self.table.lanes_sql, list(kinds))
        due: dict[str, list[Tenant]] = {}
        waits: list[timedelta] = []
        for row in rows:
            if row["wait"] > timedelta(0):
                waits.append(row["wait"])
            else:
                due.setdefault(row["lane"], []).append(row["tenant"])
        suspects = await self.pool.fetchval(self.table.suspects_sql, list(kinds))
        return Due({kind: tuple(tenants) for kind, tenants in due.items()}, min(waits, default=None), suspects)


@dataclass
class LaneQueue:
    """The lanes of one kind that are believed to have something due, and where to go on in each.

    The bound spares a lease the rows that it has already passed (dead ones too, which pile up in front of the
    index scan while some other transaction stays open). It is forgotten when a lane is empty, and once in a while
    (`afresh`), so that what was committed late or moved back is found.
    """

    since: dict[Tenant, datetime] = field(default_factory=dict)

    def offer(self, tenants: Iterable[Tenant], *, afresh: bool) -> None:
        for tenant in tenants:
            if afresh or tenant not in self.since:
                self.since[tenant] = BEGINNING

    def advance(self, quotas: Mapping[Tenant, int], leased: Mapping[Tenant, tuple[int, datetime]]) -> None:
        """After a lease: a lane that gave less than it was asked for is empty; the others go on where they were."""
        for tenant, quota in quotas.items():
            count, last = leased.get(tenant, (0, BEGINNING))
            self.since.pop(tenant, None)
            if count == quota:
                self.since[tenant] = last  # behind all others: lanes take turns

    def __bool__(self) -> bool:
        return bool(self.since)


def share(tenants: Iterable[Tenant], room: int, in_hand: Mapping[Tenant, int], most: int) -> dict[Tenant, int]:
    """How many intents each lane may lease now: equal shares of the room, and never more than `most` in hand.

    With more lanes than room the first ones get one each; the caller rotates.
    """
    waiting = [tenant for tenant in tenants if in_hand.get(tenant, 0) < most]
    if not waiting or room <= 0:
        return {}
    equal = max(1, room // len(waiting))
    return {tenant: min(equal, most - in_hand.get(tenant, 0)) for tenant in waiting[:room]}
