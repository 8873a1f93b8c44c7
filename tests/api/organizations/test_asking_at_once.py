"""One organisation, asked for on two API processes at once: there is one of it, one process, record, and mail each."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

import pytest
from temporalio.client import Client as TemporalClient

from tests.api.organization_routes import ASK, a_request
from tests.api.processes import api_processes
from tests.api.world import MASTER_KEY, Answer, Client, World
from tests.modules.organizations.dns.servers.cloudflare import Cloudflare, cloudflare
from tests.support.pipeline import kept
from tests.support.taking_on import WAITS, surroundings
from tests.support.temporal import DevServer, histories, until
from tests.worker.processes import worker
from tidings.modules.organizations.model import mark_of, process_of

BASE = "acme.example"
MANY = 10  # on each process


@pytest.fixture
async def provider() -> AsyncIterator[Cloudflare]:
    async with cloudflare((BASE,)) as server:
        yield server


@pytest.fixture
async def apis(world: World, provider: Cloudflare, temporal_server: DevServer) -> AsyncIterator[Sequence[Client]]:
    """Two of the API, of an admin, and a worker beside them."""
    domains = {"TIDINGS_ORGANIZATIONS_DOMAINS": f"acme={BASE}"}
    own = domains | {"TIDINGS_MASTER_KEY": MASTER_KEY, "TIDINGS_DELIVERY_DEFAULT_PROVIDER": "sandbox"}
    own["TIDINGS_OUTBOX_LEASE"] = "30s"  # nobody dies, and nobody is to be taken for dead
    async with (
        surroundings(provider, temporal_server.address) as settings,
        worker(str(world.settings.database.url), environment={**settings, **own}),
        api_processes(world, 2, **WAITS, **domains) as clients,
    ):
        yield [client.acting(world.admin.key) for client in clients]


async def at_once(apis: Sequence[Client], subdomain: str, keys: Sequence[str]) -> list[Answer]:
    """For each key on each process."""
    body = a_request(subdomain)
    asking = [api.post(ASK, body, headers={"Idempotency-Key": f"{subdomain}/{key}"}) for key in keys for api in apis]
    return await asyncio.gather(*asking)


def of_one(answers: Sequence[Answer]) -> UUID:
    """The id that all of them say: one of them is the answer, and the others repeat it."""
    assert {answer.status for answer in answers} == {202}
    assert {answer.text for answer in answers} == {answers[0].text}
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    return UUID(answers[0].json["data"]["organizationId"])


@pytest.mark.timeout(120)
async def test_there_is_one_of_everything(
    world: World, apis: Sequence[Client], provider: Cloudflare, temporal_server: DevServer
) -> None:
    """Of one that was asked for under one key, and of one under keys of their own, of which one got the subdomain."""
    under_one_key = await at_once(apis, "north", ["once"] * MANY)
    under_many = await at_once(apis, "south", [str(n) for n in range(MANY)])
    refused = [answer for answer in under_many if answer.status != 202]
    assert {(each.status, each.json["type"].rpartition("/")[2]) for each in refused} == {(409, "subdomain-taken")}
    ids = [of_one(under_one_key), of_one([answer for answer in under_many if answer.status == 202])]

    async def all_completed() -> bool:
        rows = await world.pool.fetch("SELECT status FROM tidings.organizations_projection")
        return [row["status"] for row in rows] == ["completed"] * 2

    await until(all_completed)
    assert await column(world, "SELECT id FROM tidings.organizations_projection") == Counter(ids)
    assert await column(world, "SELECT id FROM tidings.processes") == Counter(map(process_of, ids))
    client = await TemporalClient.connect(temporal_server.address)
    assert [len(await histories(client, process_of(each))) for each in ids] == [1, 1]
    (zone,) = provider.zones
    records = {each["name"]: each["comment"] for each in provider.records[zone].values()}
    assert records == {f"north.{BASE}": mark_of(ids[0]), f"south.{BASE}": mark_of(ids[1])}
    assert Counter(asked.method for asked in provider.ledger if asked.method != "GET") == {"POST": 2}
    sent: Any = await kept(world.pool, world.settings)  # type: ignore[arg-type]
    wanted = {f"{who}@{name}.example.com": 1 for who in ("admin", "member") for name in ("north", "south")}
    assert Counter(mail["to"] for mail in sent) == wanted


async def column(world: World, query: str) -> Counter[Any]:
    return Counter(row[0] for row in await world.pool.fetch(query))
