"""Reservations asked for and acted on, some by two at the same instant, some by nobody, while all workers are killed
again and again.

One effect for each that was acted on. Who nobody acted on is escalated as often as was said, and no more; who somebody
acted on is not escalated once that was committed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.channels.servers.http_server import Answering
from tests.chaos.endpoint import Endpoint, Hit
from tests.chaos.gatherings import TENANT, gathering, running_mails, taking
from tests.chaos.processes import Life
from tests.chaos.report import Counts
from tests.chaos.tenants import SENDING
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World
from tests.support.dining import Table, lay
from tidings.kit.db import as_tenant
from tidings.spine.notify.matters.settling import Won

NAME = "reservations: the first to act, escalation, kill -9 of all workers"
_TIMES = 2
_ASKED = """
SELECT count(DISTINCT m.person_id) FROM tidings.notices n JOIN tidings.notifications m ON m.notice_id = n.id
WHERE n.matter = $1 AND n.actions <> '{}'
"""
_SAID = """
SELECT n.matter, n.created_at FROM tidings.notices n WHERE n.listener LIKE '%/escalation'
"""
_UNTOLD = """
SELECT count(*) FROM tidings.deliveries_finished d JOIN tidings.notices n ON n.id = d.notice_id
WHERE d.status <> 'sent' AND NOT (d.status = 'skipped' AND n.actions <> '{}' AND n.closed_at IS NOT NULL)
"""


@dataclass(frozen=True)
class Size:
    reservations: int
    kills: int
    after: float  # seconds until an escalation
    workers: int = 2
    guard: float = 300


FULL = Size(reservations=300, kills=12, after=4)
SHORT = Size(reservations=16, kills=2, after=3, workers=1, guard=80)


@dataclass
class Service:
    """Guests who ask, and staff who act on some of it."""

    world: World
    size: Size
    table: Table
    endpoint: Endpoint
    acted: dict[int, datetime] = field(default_factory=dict)  # when its commit had returned, by the database
    ignored: set[int] = field(default_factory=set)
    lives: list[Life] = field(default_factory=list)
    calm: bool = False

    def start(self) -> None:
        settings = SENDING | {"TIDINGS_DELIVERY_DEFAULT_PROVIDER": "sandbox"}
        self.lives = [self.world.worker(**settings) for _ in range(self.size.workers)]

    async def haunt(self) -> None:
        self.start()
        for n in range(self.size.kills):
            sent = len(self.endpoint.hits)
            await until(
                lambda sent=sent: self.calm or len(self.endpoint.hits) > sent,  # type: ignore[misc]
                "workers send",
                self.size.guard,
            )
            await asyncio.sleep(self.world.random.uniform(0, 0.8))
            for life in self.lives:
                await self.world.processes.kill(life, f"of all workers, kill {n + 1}")
            await asyncio.sleep(self.world.random.uniform(0, 1))
            self.start()

    async def serve(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for n in range(self.size.reservations):
                reservation = await self.table.request()
                if n % 3:
                    tasks.create_task(self._act(reservation))
                else:
                    self.ignored.add(reservation)
                await asyncio.sleep(self.world.random.uniform(0, 0.1))

    async def _act(self, reservation: int) -> None:
        """As soon as both have been asked, or just before an escalation is due, or between two."""
        await until(lambda: self._is_asked(reservation), "manager and admin are asked", self.size.guard)
        await asyncio.sleep(
            self.world.random.choice((0, 0, self.size.after - 0.5, self.size.after, self.size.after * 1.5))
        )
        outcomes = await asyncio.gather(
            self.table.act(reservation, self.table.manager, "CONFIRMED"),
            self.table.act(reservation, self.table.admin, "REJECTED"),
        )
        async with self.table.pool.acquire() as connection:
            self.acted[reservation] = await connection.fetchval("SELECT clock_timestamp()")
        if sum(isinstance(outcome, Won) for outcome in outcomes) != 1:
            raise Violated(f"of two who acted on reservation {reservation} not one won: {outcomes}")

    async def _is_asked(self, reservation: int) -> bool:
        async with self.table.pool.acquire() as connection, as_tenant(connection, TENANT):
            return bool(await connection.fetchval(_ASKED, f"reservation:{reservation}") == 2)


async def run(world: World, size: Size) -> Counts:
    async def take_a_moment(hit: Hit) -> Answering:
        await asyncio.sleep(world.random.uniform(0, 0.02))
        return taking(hit)

    async with running_mails(take_a_moment) as endpoint, gathering(world, endpoint) as there:
        table = await lay(there.pool, there.owner, escalate_after=timedelta(seconds=size.after), escalate_times=_TIMES)
        service = Service(world, size, table, endpoint)
        async with asyncio.TaskGroup() as tasks:
            haunting = tasks.create_task(service.haunt())
            await service.serve()
            service.calm = True
            await haunting
        await until(lambda: _is_over(world), "nothing is left open, escalations included", size.guard)
        return await _judge(world, service)


async def _is_over(world: World) -> bool:
    left = """SELECT (SELECT count(*) FROM tidings.deliveries)
                   + (SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.%')"""
    return not await world.count(left)


async def _judge(world: World, service: Service) -> Counts:
    for reservation in service.acted:
        facts = await service.table.facts(reservation)
        if facts not in (["requested", "confirmed"], ["requested", "rejected"]):
            raise Violated(f"reservation {reservation} was acted on by two, and there are {facts}")
    said: dict[int, list[datetime]] = {}
    for row in await world.fetch(_SAID):
        said.setdefault(int(row["matter"].partition(":")[2]), []).append(row["created_at"])
    _require_escalations(service, said)
    if untold := await world.count(_UNTOLD):
        raise Violated(f"{untold} deliveries were neither sent nor of a matter that was settled meanwhile")
    keys = {hit.key for hit in service.endpoint.hits}
    return {
        "reservations": service.size.reservations,
        "acted on": len(service.acted),
        "kills": len(world.processes.kills),
        "escalations": sum(map(len, said.values())),
        "after somebody had acted": 0,
        "effects too many": 0,
        "mails": len(keys),
        "sent again under their key": len(service.endpoint.hits) - len(keys),
    }


def _require_escalations(service: Service, said: Mapping[int, list[datetime]]) -> None:
    for reservation in service.ignored:
        if len(said.get(reservation, [])) != _TIMES:
            raise Violated(
                f"nobody acted on {reservation}, and it was escalated {len(said.get(reservation, []))} times"
            )
    for reservation, at in service.acted.items():
        times = said.get(reservation, [])
        if len(times) > _TIMES or any(time > at for time in times):
            raise Violated(f"{reservation} was acted on by {at}, and escalated at {times}")
