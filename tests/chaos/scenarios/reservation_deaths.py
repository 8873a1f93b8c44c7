"""Reservations: every worker is killed at each step of the way, at that very step, and what comes after goes on.

Between a listener's notices and the commit that records them; between a provider's accept and our mark of it. The
service that asked is gone before the first worker lives. What is sent again is at most what the provider had accepted
and nobody had settled at a kill, once for each kill, and the same message under the same key.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.channels.servers.http_server import Answering
from tests.chaos.endpoint import Hit
from tests.chaos.gatherings import gathering, running_mails, taking
from tests.chaos.mail_ledger import MailLedger
from tests.chaos.processes import Life
from tests.chaos.report import Counts
from tests.chaos.tenants import SENDING
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World
from tests.support.dining import lay

NAME = "reservations: kill -9 at each step"
LEASE = {"TIDINGS_OUTBOX_LEASE": "8s"}
"""None runs out because a machine is busy: that would be a reason to send again of its own."""
AUDIENCES = ("admin", "agency", "customer", "restaurant")
_LOCK = 770_001
# Whoever has just made deliveries waits here, before it commits, for as long as somebody holds the lock.
_HALT = f"""
CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared({_LOCK});
    RETURN NULL;
END $$;
CREATE TRIGGER halt AFTER INSERT ON tidings.deliveries FOR EACH STATEMENT EXECUTE FUNCTION halt();
"""
_HALTED = f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = {_LOCK} AND NOT granted"


@dataclass(frozen=True)
class Size:
    reservations: int
    rounds: int  # deaths at each point
    guard: float = 240


FULL = Size(reservations=50, rounds=5)
SHORT = Size(reservations=6, rounds=1, guard=120)


@dataclass
class Killer:
    """Keeps one worker running."""

    world: World
    ledger: MailLedger
    life: Life | None = None
    accepted: asyncio.Event = field(default_factory=asyncio.Event)
    answering: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, hit: Hit) -> Answering:
        self.accepted.set()
        await self.answering.wait()
        return taking(hit)

    def start(self) -> None:
        self.life = self.world.worker(**SENDING, **LEASE, TIDINGS_DELIVERY_DEFAULT_PROVIDER="sandbox")

    async def kill(self, where: str) -> None:
        assert self.life is not None
        await self.world.processes.kill(self.life, where)
        self.answering.set()  # to nobody
        await self.ledger.died()

    async def in_listeners(self, waits: Callable[[], Awaitable[bool]], guard: float) -> None:
        """Where a listener has made its notices, and has not committed."""
        self.start()
        await until(waits, "a listener has made what it has to say", guard)
        await self.kill("after notices were made")

    async def in_sending(self, guard: float) -> None:
        """Where the provider has accepted, and has not answered."""
        self.accepted.clear()
        self.answering.clear()
        self.start()
        await until(self.accepted.is_set, "a provider accepts", guard)
        await self.kill("after the provider accepted")


async def run(world: World, size: Size) -> Counts:
    async with running_mails() as endpoint, gathering(world, endpoint) as there:
        ledger = MailLedger(world, endpoint)
        killer = Killer(world, ledger)
        endpoint.behaviour = killer.answer
        table = await lay(there.pool, there.owner, escalate_after=None)
        for _ in range(size.reservations):
            await table.request(agency_id=table.agency)
        await there.owner.execute(_HALT)
        async with _halted(world) as is_halted:
            for _ in range(size.rounds):
                await killer.in_listeners(is_halted, size.guard)
        if told := await world.count("SELECT count(*) FROM tidings.notices"):
            raise Violated(f"{told} notices of listeners that died before they committed")
        for _ in range(size.rounds):
            await killer.in_sending(size.guard)
        killer.answering.set()
        killer.start()
        await until(lambda: _is_over(world), "nothing is left open", size.guard)
        return await judge(world, ledger, size.reservations)


@asynccontextmanager
async def _halted(world: World) -> AsyncIterator[Callable[[], Awaitable[bool]]]:
    """While this lasts, nobody who makes deliveries gets to commit them."""
    holder = await world.connect()
    await holder.execute(f"SELECT pg_advisory_lock({_LOCK})")

    async def is_halted() -> bool:
        return bool(await world.count(_HALTED))

    yield is_halted
    await holder.close()


async def _is_over(world: World) -> bool:
    return not await world.count(OPEN)


async def judge(world: World, ledger: MailLedger, reservations: int) -> Counts:
    heard = Counter({row[0]: row[1] for row in await world.fetch(_HEARD)})
    wanted = {f"reservations.{audience}": reservations for audience in AUDIENCES}
    if heard != wanted:
        raise Violated(f"listeners heard {dict(heard)}, and not each of {reservations} facts once")
    twice = "SELECT count(*) FROM (SELECT 1 FROM tidings.notices GROUP BY fact_id, listener HAVING count(*) > 1) x"
    if await world.count(twice):
        raise Violated("a listener said something twice")
    keys = {hit.key for hit in ledger.endpoint.hits}
    if len(keys) != reservations * len(AUDIENCES):
        raise Violated(f"{len(keys)} mails under keys of their own, not one for each reservation and person")
    known = {row["id"] for row in await world.fetch("SELECT id::text FROM tidings.deliveries_finished")}
    if foreign := keys - known:
        raise Violated(f"sent under {len(foreign)} keys that nobody knows")
    again = ledger.require_bounded()
    return {
        "reservations": reservations,
        "kills": len(world.processes.kills),
        "lost": 0,
        "told twice": 0,
        "accepted and not settled at a kill": sum(len(death.unsettled) for death in ledger.deaths),
        "sent again under their key": sum(again.values()),
        "most by one kill": max(again.values(), default=0),
    }


OPEN = """SELECT (SELECT count(*) FROM tidings.deliveries)
    + (SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.%')"""
_HEARD = "SELECT listener, count(*) FROM tidings.processed_by WHERE listener LIKE 'reservations.%' GROUP BY 1"
