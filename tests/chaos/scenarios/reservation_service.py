"""Reservations: the service that is asked for one is killed, between its INSERT and its COMMIT, and between its COMMIT
and its answer.

Of the first nothing is left, of the second all of it; whoever asks again under the same key has one reservation, told
to each of the four kinds of people once.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from tests.chaos.api import Api, Reply
from tests.chaos.gatherings import gathering
from tests.chaos.report import Counts
from tests.chaos.scenarios.reservation_deaths import AUDIENCES
from tests.chaos.tenants import SENDING
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World
from tests.support.dining import Table, lay

NAME = "reservations: kill -9 of the service around COMMIT"
_INSERTED, _COMMITTING = 770_002, 770_003
# Whoever has saved a reservation waits there, before they go on; and again when they commit, the COMMIT being sent.
_HALT = f"""
CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::bigint);
    RETURN NULL;
END $$;
CREATE TRIGGER inserted AFTER INSERT ON tidings.reservations FOR EACH STATEMENT EXECUTE FUNCTION halt({_INSERTED});
CREATE CONSTRAINT TRIGGER committing AFTER INSERT ON tidings.reservations DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION halt({_COMMITTING});
"""
_HALTED = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted"
_WRITING = "SELECT count(*) FROM pg_locks WHERE relation = 'tidings.reservations'::regclass AND mode LIKE 'Row%'"
_LEFT = """
SELECT (SELECT count(*) FROM tidings.reservations) AS reservations, (SELECT count(*) FROM tidings.facts) AS facts,
    (SELECT count(*) FROM tidings.outbox) AS intents, (SELECT count(*) FROM tidings.idempotency_keys) AS replies
"""
_OPEN = """
SELECT (SELECT count(*) FROM tidings.deliveries) + (SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.%')
"""
_PAIRS = """
SELECT r.id, count(f.id) AS facts FROM tidings.reservations r FULL JOIN tidings.facts f
    ON f.type = 'reservation.requested' AND f.stream_id = r.id::text
WHERE r.id IS NOT NULL OR f.type = 'reservation.requested' GROUP BY r.id
"""
_HEARD = "SELECT listener, count(*) FROM tidings.processed_by WHERE listener LIKE 'reservations.%' GROUP BY 1"
_NOTICES = "SELECT listener, count(*) FROM tidings.notices WHERE listener LIKE 'reservations.%' GROUP BY 1"


@dataclass(frozen=True)
class Size:
    rounds: int  # deaths at each point
    guard: float = 60


FULL = Size(rounds=10)
SHORT = Size(rounds=1)


@dataclass
class Guest:
    """Asks a service that dies, and asks again."""

    world: World
    api: Api
    table: Table
    time: str  # for which they ask
    guard: float
    asked: list[int] = field(default_factory=list)  # as answered

    async def dies_before_commit(self, key: str) -> None:
        before = await self._left()
        async with self._halted(_INSERTED):
            asking = asyncio.create_task(self._ask(key))
            await self._until_halted(_INSERTED)
            await self._kill("between INSERT and COMMIT")
        await until(self._nobody_writes, "the transaction of the killed service ends", self.guard)
        await self._require_lost(asking, key)
        if (after := await self._left()) != before:
            raise Violated(f"a service that died before its COMMIT left {after}, where there was {before}")
        await self._ask_again(key, replayed=False)

    async def dies_before_answer(self, key: str) -> None:
        """It is frozen while its COMMIT is under way, and killed when that is done."""
        before = await self._left()
        assert self.api.life is not None
        async with self._halted(_COMMITTING):
            asking = asyncio.create_task(self._ask(key))
            await self._until_halted(_COMMITTING)
            self.api.life.signal(signal.SIGSTOP)
        await until(self._nobody_writes, "the COMMIT is done", self.guard)
        await self._kill("between COMMIT and answer")
        await self._require_lost(asking, key)
        after = await self._left()
        if (after["reservations"], after["facts"]) != (before["reservations"] + 1, before["facts"] + 1):
            raise Violated(f"a service that died after its COMMIT left {after}, where there was {before}")
        await self._ask_again(key, replayed=True)

    async def _ask(self, key: str) -> Reply | None:
        body = {
            "restaurantId": self.table.restaurant,
            "customerId": str(self.table.customer),
            "agencyId": self.table.agency,
            "partySize": 4,
            "time": self.time,
        }
        return await self.api.post(body, key, "/v1/reservations")

    async def _ask_again(self, key: str, *, replayed: bool) -> None:
        """Twice: the second has the reply of the first in any case."""
        await self.api.start()
        replies = [await self._ask(key) for _ in range(2)]
        for reply, stored in zip(replies, (replayed, True), strict=True):
            if reply is None or reply.status != 201 or ("idempotent-replayed" in reply.headers) != stored:
                raise Violated(f"asked again under {key}: {replies}")
        first, second = (reply.body for reply in replies if reply is not None)
        if first != second:
            raise Violated(f"two replies under {key}: {first}, {second}")
        self.asked.append(first["data"]["id"])

    async def _require_lost(self, asking: asyncio.Task[Reply | None], key: str) -> None:
        if (reply := await asking) is not None:
            raise Violated(f"a killed service answered {reply} to {key}")

    async def _kill(self, where: str) -> None:
        assert self.api.life is not None
        await self.world.processes.kill(self.api.life, where)

    async def _left(self) -> dict[str, int]:
        return dict((await self.world.fetch(_LEFT))[0])

    async def _nobody_writes(self) -> bool:
        return not await self.world.count(_WRITING)

    async def _until_halted(self, lock: int) -> None:
        async def is_halted() -> bool:
            return bool(await self.world.count(_HALTED, lock))

        await until(is_halted, "the service stands where it is to die", self.guard)

    @asynccontextmanager
    async def _halted(self, lock: int) -> AsyncIterator[None]:
        holder = await self.world.connect()
        try:
            await holder.execute(f"SELECT pg_advisory_lock({lock})")
            yield
        finally:
            await holder.close()


async def run(world: World, size: Size) -> Counts:
    async with gathering(world) as there:
        table = await lay(there.pool, there.owner, escalate_after=None)
        await there.owner.execute(_HALT)
        time = (await table.now() + timedelta(days=3)).isoformat()
        guest = Guest(world, Api(world, role="admin"), table, time, size.guard)
        await guest.api.start()
        for n in range(size.rounds):
            await guest.dies_before_commit(f"before-{n}")
            await guest.dies_before_answer(f"after-{n}")
        world.worker(**SENDING, TIDINGS_DELIVERY_DEFAULT_PROVIDER="sandbox")

        async def is_over() -> bool:
            return not await world.count(_OPEN)

        await until(is_over, "nothing is left open", size.guard)
        return await _judge(world, guest)


async def _judge(world: World, guest: Guest) -> Counts:
    pairs = {row["id"]: row["facts"] for row in await world.fetch(_PAIRS)}
    if pairs != dict.fromkeys(guest.asked, 1):
        raise Violated(f"answered {guest.asked}; reservations and their facts are {pairs}")
    wanted = {f"reservations.{audience}": len(guest.asked) for audience in AUDIENCES}
    for what, statement in (("heard", _HEARD), ("said", _NOTICES)):
        if (found := Counter({row[0]: row[1] for row in await world.fetch(statement)})) != wanted:
            raise Violated(f"of {len(guest.asked)} reservations listeners {what} {dict(found)}, and not each one once")
    return {"kills": len(world.processes.kills), "reservations": len(guest.asked), "lost": 0, "made twice": 0}
