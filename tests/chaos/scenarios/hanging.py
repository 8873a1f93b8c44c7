"""A mail server that never says a word holds up its own tenant alone, and costs that tenant no attempts to speak of.

The others send over the same channel through a server of their own, and over another channel. All of theirs arrives
while the first still hangs: it is let go only afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from tests.channels.servers.http_server import listening
from tests.chaos.endpoint import Endpoint, running_endpoint
from tests.chaos.mail_server import MailServer, Treatment, mail_config, running_mail_server
from tests.chaos.report import Counts
from tests.chaos.tenants import FACT, SENDING, add_tenant
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LONG_LEASE, World
from tests.support.pipeline import Owner, emit

NAME = "provider: hangs"
_WORKERS = 2
_IN_HAND = 100  # of one channel in one worker
_SETTINGS = (
    SENDING
    | LONG_LEASE
    | {
        "TIDINGS_DELIVERY_CONCURRENCY": str(_IN_HAND),
        "TIDINGS_DELIVERY_DEADLINE": "2s",
        "TIDINGS_DELIVERY_CIRCUIT_AFTER": "5",
        "TIDINGS_DELIVERY_CIRCUIT_PAUSE": "500ms",
        "TIDINGS_DELIVERY_CIRCUIT_LONGEST": "1s",
    }
)


@dataclass(frozen=True)
class Size:
    hanging: int
    others: int  # each


FULL = Size(hanging=1_000, others=500)
SHORT = Size(hanging=300, others=60)


@dataclass
class HangingServer:
    """Takes connections and says nothing, until it is let go; then it is a mail server like any other."""

    behind: MailServer
    let_go: asyncio.Event
    hung: int = 0  # connections that got no word
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.let_go.is_set():
            self.hung += 1
            await self.let_go.wait()
            return
        await self.behind.serve(reader, writer)


@dataclass(frozen=True)
class Stage:
    hanging: HangingServer
    mail: MailServer
    endpoint: Endpoint
    provider: UUID  # that hangs


@asynccontextmanager
async def _stage(owner: Owner, size: Size) -> AsyncIterator[Stage]:
    async with (
        running_mail_server(lambda _: Treatment.WELL) as behind,
        running_mail_server(lambda _: Treatment.WELL) as mail,
        running_endpoint() as endpoint,
    ):
        hanging = HangingServer(behind, asyncio.Event())
        async with listening(hanging.serve) as hanging.port:
            late, same = ([f"{n}@{name}.example.com" for n in range(count)] for name, count in _mailboxes(size))
            provider = await add_tenant(owner, "a", "email", late, type="smtp", config=mail_config(hanging.port))
            await add_tenant(owner, "b", "email", same, type="smtp", config=mail_config(mail.port))
            await add_tenant(owner, "c", "webhook", [f"{endpoint.url}/{n}" for n in range(size.others)])
            yield Stage(hanging, mail, endpoint, provider)


def _mailboxes(size: Size) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("a", size.hanging), ("b", size.others)


async def run(world: World, size: Size) -> Counts:
    owner = await world.connect()
    async with _stage(owner, size) as stage:
        lives = [world.worker(**_SETTINGS) for _ in range(_WORKERS)]
        await emit(owner, FACT, "a")
        await until(lambda: stage.hanging.hung > 0, "the first provider hangs")
        await emit(owner, FACT, "b")
        await emit(owner, FACT, "c")
        await _until_the_others_have_theirs(stage, size)
        await _until_circuit_is(world, stage.provider, "opened_at IS NOT NULL")
        await _require_that_a_waits(world, stage, size)
        tried = await world.count("SELECT count(*) FROM tidings.delivery_attempts WHERE tenant = 'a'")
        stage.hanging.let_go.set()
        await _until_all_are_sent(world, size)
        await _until_circuit_is(world, stage.provider, "opened_at IS NULL AND failures = 0")
        if any(life.ended for life in lives):
            raise Violated("a provider that hangs brought a worker down")
        most = await _most_attempts(world, stage, size)
    await owner.close()
    return {
        "hanging": size.hanging,
        "of others, sent meanwhile": size.others * 2,
        "tried in vain": tried,
        "most attempts of one": most,
        "failed": 0,
    }


async def _until_the_others_have_theirs(stage: Stage, size: Size) -> None:
    """Nobody has let the first one go by then, so all of it happens while that one hangs."""
    await until(
        lambda: len(stage.mail.taken) == len(stage.endpoint.by_path) == size.others,
        "all of the others arrives while one provider hangs",
    )


async def _until_circuit_is(world: World, provider: UUID, condition: str) -> None:
    async def is_so() -> bool:
        return bool(
            await world.count(f"SELECT count(*) FROM tidings.providers WHERE id = $1 AND {condition}", provider)
        )

    await until(is_so, f"the provider's {condition}")


async def _require_that_a_waits(world: World, stage: Stage, size: Size) -> None:
    """With its circuit open nothing but one at a time is tried: attempts are kept for when it may help."""
    if stage.hanging.behind.taken or await world.count(
        "SELECT count(*) FROM tidings.deliveries_finished WHERE tenant = 'a'"
    ):
        raise Violated("something of the tenant whose provider hangs came to an end")
    openings = await world.count("SELECT openings FROM tidings.providers WHERE id = $1", stage.provider)
    tried = await world.count("SELECT count(*) FROM tidings.delivery_attempts WHERE tenant = 'a'")
    if tried > _WORKERS * _IN_HAND + openings:
        raise Violated(f"{tried} were tried in vain, though the circuit has opened {openings} times")


async def _until_all_are_sent(world: World, size: Size) -> None:
    async def are_sent() -> bool:
        return await world.count("SELECT count(*) FROM tidings.deliveries_finished WHERE status = 'sent'") == total

    total = size.hanging + size.others * 2
    await until(are_sent, "everything is sent once the provider answers")


async def _most_attempts(world: World, stage: Stage, size: Size) -> int:
    if sum(map(len, stage.hanging.behind.taken.values())) != size.hanging:
        raise Violated("what waited was not sent once each")
    if sum(map(len, stage.mail.taken.values())) + len(stage.endpoint.hits) != size.others * 2:
        raise Violated("something of the others was sent twice")
    return await world.count("SELECT max(attempts) FROM tidings.deliveries_finished WHERE tenant = 'a'")
