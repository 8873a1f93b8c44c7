"""A canary in every secret, then none in a dump of the database or in the logs."""

from __future__ import annotations

from datetime import timedelta

import asyncpg
import pytest

from tests.api.world import ALL_SCOPES, MASTER_KEY, SECRET, api_settings, person, world_of
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.identity import Role
from tidings.spine.access.purposes import SIGN_IN_LINKS
from tidings.spine.access.sessions import make_sign_in_link

PASSWORD = "canary in a coal mine"


async def test_no_secret_can_be_read_in_a_dump_or_a_log(
    database_url: str, owner: asyncpg.Connection[asyncpg.Record], caplog: pytest.LogCaptureFixture
) -> None:
    settings = api_settings(database_url)
    async with world_of(settings) as world:
        async with world.pool.acquire() as connection:
            somebody = await person(connection, settings, "somebody", "acme", Role.MEMBER, PASSWORD)
            hasher = (await unlocked(settings, connection)).hasher(SIGN_IN_LINKS)
            link = await make_sign_in_link(connection, hasher, somebody.id, "acme", timedelta(minutes=5))
        signed_in = await world.client.post("/v1/session", {"email": somebody.email, "password": PASSWORD})
        assert signed_in.status == 201, signed_in.text
        session = signed_in.headers["Set-Cookie"].split("=", 1)[1].split(";")[0]
        made = await world.as_(somebody).post(
            "/v1/keys", {"name": "kept", "scopes": ALL_SCOPES}, headers={"Idempotency-Key": "once"}
        )
        assert made.status == 201, made.text
        wrong = await world.client.post("/v1/session", {"email": somebody.email, "password": PASSWORD + "!"})
        assert wrong.status == 401
        key = str(made.json["data"]["secret"])
    canaries = {PASSWORD, somebody.key, link, session, key, MASTER_KEY, SECRET}
    readable = await _dump(owner) + caplog.text
    assert "somebody@acme.example" in readable
    assert [canary for canary in canaries if canary in readable] == []


async def _dump(owner: asyncpg.Connection[asyncpg.Record]) -> str:
    """Every row of every table of ours, as text."""
    tables = await owner.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'tidings'")
    rows = [
        row["text"]
        for table in tables
        for row in await owner.fetch(f"SELECT t::text AS text FROM tidings.{table['tablename']} t")
    ]
    return "\n".join(rows)
