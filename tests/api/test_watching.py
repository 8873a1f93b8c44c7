"""Health, readiness, metrics, headers; and what a client hears while the database is away."""

from __future__ import annotations

import asyncio
import socket
from typing import TypeAlias
from uuid import uuid4

import asyncpg
import pytest

from tests.api.world import World, api_settings, running
from tests.support.postgres import Server
from tests.support.temporal import DevServer
from tidings.api.application import create_api
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import Settings

Owner: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def test_alive_and_ready(world: World) -> None:
    assert (await world.client.get("/healthz")).json == {"status": "ok"}
    assert (await world.client.get("/readyz")).json == {"status": "ready"}


async def test_not_ready_names_what_is_down(server: Server, world: World) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{closed.getsockname()[1]}"
        with server.database("template0") as empty:
            async with running(api_settings(empty, temporal={"address": nobody})) as client:
                answer = await client.get("/readyz")
    assert answer.status == 503
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert "tidings migrate" in answer.json["detail"]
    assert "Temporal" in answer.json["detail"]


async def test_temporal_is_asked_for_our_namespace(database_url: str, temporal_server: DevServer) -> None:
    for namespace, fault in {"default": None, "elsewhere": "Temporal has no namespace elsewhere"}.items():
        temporal = {"address": temporal_server.address, "namespace": namespace}
        async with running(api_settings(database_url, temporal=temporal)) as client:
            answer = await client.get("/readyz")
        assert (answer.status, answer.json.get("detail")) == ((200, None) if fault is None else (503, fault))


async def test_without_a_database_everything_is_503_and_alive() -> None:
    async with running(api_settings("postgresql://postgres@127.0.0.1:9/none")) as client:
        assert (await client.get("/healthz")).status == 200
        assert (await client.get("/readyz")).status == 503
        assert (await client.get("/metrics")).status == 200
        answer = await client.acting("tdk_x").get("/v1/facts")
    assert answer.status == 503
    assert answer.headers["Retry-After"] == "1"
    assert "127.0.0.1" not in answer.json["detail"]


async def test_connections_that_are_cut_are_replaced(owner: Owner, world: World) -> None:
    member = world.as_(world.member)
    await member.emit()
    await owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tidings api'")
    answers = [await member.post("/v1/facts", {"type": "lead.created"}) for _ in range(12)]
    assert {answer.status for answer in answers} <= {201, 503}
    assert answers[-1].status == 201


async def test_a_read_only_database_is_503_until_it_is_not(database_url: str, world: World) -> None:
    name = database_url.rsplit("/", 1)[1]
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        async with running(world.settings) as client:
            answer = await client.acting(world.member.key).post("/v1/facts", {"type": "lead.created"})
            assert answer.status == 503
            assert "Retry-After" in answer.headers
    finally:
        await owner.execute("SET default_transaction_read_only = off")
        await owner.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        await owner.close()
    assert (await world.as_(world.member).post("/v1/facts", {"type": "lead.created"})).status == 201


async def test_a_pool_in_full_use_is_503_not_a_wait_without_end(database_url: str, owner: Owner, world: World) -> None:
    settings = api_settings(database_url, database={"url": database_url, "pool_size": 2, "connect_timeout": "200ms"})
    async with running(settings) as client:
        await owner.execute("BEGIN; LOCK TABLE tidings.facts IN ACCESS EXCLUSIVE MODE")
        member = client.acting(world.member.key)
        stuck = [asyncio.create_task(member.get("/v1/facts")) for _ in range(2)]
        while await world.pool.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted") < 2:
            await asyncio.sleep(0.01)
        answer = await member.get("/v1/facts")
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
        await owner.execute("ROLLBACK")
        assert {(await task).status for task in stuck} == {200}


async def test_metrics_may_take_a_token(database_url: str) -> None:
    async with running(api_settings(database_url, api={"metrics_token": "of the scraper"})) as client:
        assert (await client.get("/metrics")).status == 401
        assert (await client.acting("of somebody else").get("/metrics")).status == 401
        assert "tidings_database_up" in (await client.acting("of the scraper").get("/metrics")).text


async def test_metrics_show_depth_lag_and_requests(world: World) -> None:
    await world.pool.execute(
        "INSERT INTO tidings.workers (id, name, kinds) VALUES ($1, 'w', '{lead.created}')", uuid4()
    )
    await world.as_(world.member).emit("lead.created")
    await world.as_(world.stranger).emit("secret.project")
    text = (await world.client.get("/metrics")).text
    assert 'tidings_outbox_depth{kind="lead.created",status="pending"} 1.0' in text
    assert 'tidings_outbox_depth{kind="other",status="pending"} 1.0' in text
    assert "tidings_outbox_workers 1.0" in text
    assert 'tidings_http_requests_total{method="POST",route="/v1/facts",status="201"} 2.0' in text
    assert "secret.project" not in text


async def test_what_a_client_types_adds_no_series(world: World) -> None:
    for n in range(3):
        await world.client.get(f"/nowhere/{n}")
        await world.client.call(f"VERB{n}", "/healthz")
    text = (await world.client.get("/metrics")).text
    assert "nowhere" not in text
    assert "VERB" not in text


async def test_every_response_carries_security_headers(world: World) -> None:
    member = world.as_(world.member)
    for path in ("/healthz", "/v1/facts", "/v1/nowhere", "/nowhere", "/openapi.json", "/docs", "/metrics", "/"):
        headers = (await member.get(path)).headers
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert headers["X-Frame-Options"] == "DENY", path
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin", path
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], path
        assert headers["Cache-Control"] == "no-store", path
        assert "X-Request-Id" in headers, path
        assert "Server" not in headers, path


async def test_links_come_from_the_settings_never_from_the_host_header(database_url: str, world: World) -> None:
    async with running(api_settings(database_url, api={"public_url": "https://tidings.example/"})) as client:
        answer = await client.get("/v1/nowhere", headers={"Host": "evil.example"})
        home = await client.get("/", headers={"Host": "evil.example"})
    assert answer.json["type"] == "https://tidings.example/errors/not-found"
    assert "evil.example" not in home.text + str(home.headers)


def test_without_a_master_key_it_does_not_start() -> None:
    with pytest.raises(Misconfigured, match="TIDINGS_MASTER_KEY"):
        create_api(Settings())
