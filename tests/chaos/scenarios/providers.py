"""Providers that misbehave, each in its own way, for as many requests as a seeded schedule says.

A tenant for each behaviour, so that none is in another's way. Whatever is answered, a delivery comes to its end within
its attempts, under one key, and what is on record is what the provider saw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import asyncpg

from tests.channels.authority import wrong_server_tls
from tests.channels.servers.http_server import Answering, orderly
from tests.channels.servers.twilio import ACCOUNT, TOKEN
from tests.chaos.endpoint import Endpoint, Hit, running_endpoint
from tests.chaos.misbehaviour import ABSURD, BEHAVIOURS, Misbehaviour, path_of_address, path_of_request
from tests.chaos.report import Counts, Parts
from tests.chaos.tenants import FACT, SENDING, add_tenant
from tests.chaos.waiting import Violated, until
from tests.chaos.world import LONG_LEASE, World
from tests.support.pipeline import Owner, emit

NAME = "provider"
_ATTEMPTS = 5
_SETTINGS = SENDING | LONG_LEASE | {"TIDINGS_DELIVERY_DEADLINE": "2s", "TIDINGS_DELIVERY_MAX_ATTEMPTS": str(_ATTEMPTS)}
_BEFORE_ACCEPTANCE = ("no connection", "the server's certificate", "no TLS")
_LONGEST_WAIT = timedelta(hours=1)
_DELIVERIES = """
SELECT d.id::text, d.tenant, a.fingerprint AS address, d.status, d.attempts,
    array(SELECT t.outcome FROM tidings.delivery_attempts t WHERE t.delivery_id = d.id ORDER BY t.ended_at) AS outcomes,
    array(SELECT coalesce(t.reason, '') FROM tidings.delivery_attempts t WHERE t.delivery_id = d.id) AS reasons
FROM (SELECT id, tenant, address_id, status, attempts FROM tidings.deliveries
      UNION ALL SELECT id, tenant, address_id, status, attempts FROM tidings.deliveries_finished) d
JOIN tidings.addresses a ON a.id = d.address_id
"""


@dataclass(frozen=True)
class Size:
    people: int  # for each behaviour


FULL = Size(people=50)
SHORT = Size(people=7)


@dataclass
class Stage:
    """The same behaviours over plain HTTP, and over TLS that nobody should trust."""

    plain: Endpoint
    untrusted: Endpoint
    plans: dict[str, tuple[Misbehaviour, int]] = field(default_factory=dict)  # path → for how many requests

    def behave(self, hit: Hit) -> Answering:
        behaviour, lasts = self.plans[hit.path]
        return behaviour.answer(hit) if hit.nth < lasts else orderly(behaviour.well)

    def address(self, number: int, person: int) -> str:
        behaviour = BEHAVIOURS[number]
        if behaviour.channel == "sms":
            return f"+1555{number:03}{person:04}"
        where = self.plain.url if behaviour.trusted else f"https://localhost:{self.untrusted.port}"
        return f"{where}/{_tenant(number)}/{person}"

    @property
    def config(self) -> dict[str, str]:
        return {"accountSid": ACCOUNT, "authToken": TOKEN, "from": "+15550000000", "baseUrl": self.plain.url}


@asynccontextmanager
async def _stage() -> AsyncIterator[Stage]:
    async with running_endpoint() as plain, running_endpoint(tls=wrong_server_tls()) as untrusted:
        stage = Stage(plain, untrusted)
        plain.behaviour, plain.path_of = stage.behave, path_of_request
        yield stage


def _tenant(number: int) -> str:
    return f"behaviour-{number}"


async def run(world: World, size: Size) -> Parts:
    async with _stage() as stage:
        owner = await world.connect()
        for number in range(len(BEHAVIOURS)):
            await _add(world, owner, stage, number, size.people)
        worker = world.worker(**_SETTINGS)
        await _let_the_hour_pass(world, owner, size.people)
        await _until_over(world)
        await owner.close()
        if worker.ended:
            raise Violated("a provider brought the worker down")
        found = defaultdict(list)
        for row in await world.fetch(_DELIVERIES):
            found[row["tenant"]].append(row)
        return {b.name: _judge(stage, b, found[_tenant(n)], size.people) for n, b in enumerate(BEHAVIOURS)}


async def _add(world: World, owner: Owner, stage: Stage, number: int, people: int) -> None:
    behaviour = BEHAVIOURS[number]
    addresses = [stage.address(number, person) for person in range(people)]
    for address in addresses:
        stage.plans[path_of_address(address)] = (behaviour, world.random.randint(1, behaviour.longest))
    config = stage.config if behaviour.type == "twilio" else None
    await add_tenant(owner, _tenant(number), behaviour.channel, addresses, type=behaviour.type, config=config)
    await emit(owner, FACT, _tenant(number))


async def _let_the_hour_pass(world: World, owner: Owner, people: int) -> None:
    """However long a provider asks to wait, it is an hour at most; this one is over at once."""
    waiting = """SELECT run_at - now() AS wait FROM tidings.deliveries
                 WHERE tenant = $1 AND status = 'failed' AND run_at > now() + interval '10 minutes'"""

    async def all_wait() -> bool:
        return len(await world.fetch(waiting, _tenant(ABSURD))) == people

    await until(all_wait, "all wait who were told to for ages")
    longest = max(row["wait"] for row in await world.fetch(waiting, _tenant(ABSURD)))
    if longest > _LONGEST_WAIT:
        raise Violated(f"a provider made a delivery wait for {longest}")
    await owner.execute("UPDATE tidings.deliveries SET run_at = now() WHERE tenant = $1", _tenant(ABSURD))
    await owner.execute("SELECT tidings.wake()")


async def _until_over(world: World) -> None:
    left = """SELECT (SELECT count(*) FROM tidings.deliveries WHERE status <> 'held')
                   + (SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.%')"""

    async def is_over() -> bool:
        return not await world.count(left)

    await until(is_over, "every delivery is sent, failed or held")


def _judge(stage: Stage, behaviour: Misbehaviour, rows: list[asyncpg.Record], people: int) -> Counts:
    if len(rows) != people:
        raise Violated(f"{behaviour.name}: {people - len(rows)} of {people} deliveries are lost")
    for row in rows:
        if wrong := _wrong(stage, behaviour, row):
            raise Violated(f"{behaviour.name}: {wrong}: {dict(row)}")
    statuses = [row["status"] for row in rows]
    requests = sum(len(_hits(stage, row)) for row in rows)
    attempts = sum(len(row["outcomes"]) for row in rows)
    ends = {status: statuses.count(status) for status in ("sent", "failed", "held") if status in statuses}
    return {"deliveries": people} | ends | {"attempts": attempts, "requests": requests, "under another key": 0}


def _hits(stage: Stage, row: asyncpg.Record) -> list[Hit]:
    return stage.plain.by_path.get(path_of_address(row["address"]), [])


def _wrong(stage: Stage, behaviour: Misbehaviour, row: asyncpg.Record) -> str | None:
    """The first thing that should not be."""
    hits, outcomes, lasts = _hits(stage, row), row["outcomes"], stage.plans[path_of_address(row["address"])][1]
    accepted = sum(not reason.startswith(_BEFORE_ACCEPTANCE) for reason in row["reasons"])
    if behaviour.channel == "webhook" and any(hit.key != row["id"] for hit in hits):
        return "not every request had the key of its delivery"
    if not len(outcomes) == row["attempts"] <= _ATTEMPTS:
        return "its attempts are not those on record"
    if accepted != len(hits):
        return f"{accepted} attempts on record came as far as the provider, which saw {len(hits)}"
    if any(
        outcome not in (behaviour.outcome, "unknown")
        for outcome in outcomes[: lasts if behaviour.trusted else _ATTEMPTS]
    ):
        return "an attempt that met the behaviour came to something else"
    return _wrong_end(behaviour, row, lasts)


def _wrong_end(behaviour: Misbehaviour, row: asyncpg.Record, lasts: int) -> str | None:
    """Sent where some attempt was answered well; failed where none was, with the last attempt; or as it must be."""
    outcomes, status = row["outcomes"], row["status"]
    if behaviour.final is not None:
        return None if status == behaviour.final else f"it is not {behaviour.final}"
    if status == "sent":
        return None if len(outcomes) > lasts and outcomes[-1] == "sent" else "nobody took it"
    if status == "failed":
        return None if len(outcomes) == _ATTEMPTS and "sent" not in outcomes else "it was given up too early"
    return f"it is {status}"
