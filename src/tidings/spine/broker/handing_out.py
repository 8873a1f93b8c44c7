"""Deliveries out: what is due is marked, each lane its share at a time, and its ids published under their channel."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property

import structlog

from tidings.kit.db import Pool
from tidings.spine.broker.messages import letter_of_delivery
from tidings.spine.broker.presence import Presence, Way
from tidings.spine.broker.publishing import NotTaken, Publisher, Returned, Taken
from tidings.spine.broker.topology import SENDS
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.lanes import Party
from tidings.spine.outbox.leasing import LeaseTable
from tidings.spine.outbox.settling import BREATH

log = structlog.get_logger("tidings.broker")

_AT_ONCE = 1_000


@dataclass
class HandingOut:
    pool: Pool
    table: LeaseTable
    publisher: Publisher
    presence: Presence
    patience: timedelta
    lanes: set[tuple[Party, str]] = field(default_factory=set)
    offered: asyncio.Event = field(default_factory=asyncio.Event)

    @cached_property
    def untold(self) -> LeaseTable:
        """The table without what is enqueued already."""
        return replace(self.table, left="o.status = 'enqueued'")

    def offer(self, due: Mapping[str, Iterable[Party]]) -> None:
        """These lanes have something due."""
        self.lanes |= {(party, lane) for lane, parties in due.items() for party in parties}
        if self.lanes:
            self.offered.set()

    async def run(self) -> None:
        """For ever. What the database fails with is tried again; what the broker does not take, others may lease."""
        while True:
            await self.offered.wait()
            self.offered.clear()
            try:
                while self.lanes and self.presence.way is Way.THROUGH:
                    await self._hand_out()
            except PASSING as error:
                log.warning("database is away", error=repr(error))
                await asyncio.sleep(BREATH.total_seconds())
            self.lanes.clear()

    async def _hand_out(self) -> None:
        """A round: each lane its share. One that gave less than it is empty."""
        lanes = list(self.lanes)[:_AT_ONCE]
        share = max(1, _AT_ONCE // len(lanes))
        marked = await self.pool.fetch(
            self.table.enqueue_sql, [party for party, _ in lanes], [lane for _, lane in lanes], share, self.patience
        )
        gave: dict[tuple[Party, str], int] = {}
        for row in marked:
            gave[row["party"], row["lane"]] = gave.get((row["party"], row["lane"]), 0) + 1
        self.lanes -= {lane for lane in lanes if gave.get(lane, 0) < share}
        replies = await self.publisher.publish(
            [letter_of_delivery(row["id"], row["tenant"], row["lane"], SENDS) for row in marked]
        )
        left = [row["id"] for row, reply in zip(marked, replies, strict=True) if not isinstance(reply, Taken)]
        for reply in replies:
            if isinstance(reply, NotTaken | Returned):
                self.presence.went(reply.reason if isinstance(reply, NotTaken) else "a queue of ours is gone")
                break
        if left:
            await self.pool.execute(self.table.unleave_sql, left)
