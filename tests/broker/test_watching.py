"""The API beside a broker: it needs none and says how it is; the password is nowhere."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

from tests.api.world import Client, api_settings, running, world_of
from tests.broker.stage import LISTENING, NEVER, Owner, are_known, emit, nothing_open, until
from tests.broker.wire import wire_to
from tests.support.rabbitmq import PASSWORD
from tests.worker.processes import REPOSITORY, end
from tidings.kit.settings import Settings


def settings_of_api(database_url: str, broker_url: str) -> Settings:
    return api_settings(database_url, broker={"url": broker_url, "patience": NEVER})


async def test_it_is_ready_without_its_broker_and_says_that_it_is_away(database_url: str, broker_url: str) -> None:
    async with wire_to(broker_url) as (wire, url), running(settings_of_api(database_url, url)) as client:
        assert (await client.get("/readyz")).json == {"status": "ready", "broker": "there"}
        wire.cut()
        await until(lambda: _is_away(client))
        away = await client.get("/readyz")
        assert (away.status, away.json["status"]) == (200, "ready")
        assert PASSWORD not in away.text
        await wire.open()
        await until(lambda: _is_there(client))


async def test_emitting_over_http_is_none_of_its_business(database_url: str, owner: Owner, broker_url: str) -> None:
    async with wire_to(broker_url) as (wire, url), world_of(settings_of_api(database_url, url)) as world:
        await owner.execute("INSERT INTO tidings.routes VALUES ('', '', true, 'broker.publish')")
        wire.go_silent()
        fact = await world.as_(world.member).emit("parcel.sent", data={"n": 1})
    assert await owner.fetchval("SELECT type FROM tidings.facts WHERE id = $1", fact["id"]) == "parcel.sent"


async def test_no_log_names_the_password(database_url: str, owner: Owner, broker_url: str) -> None:
    """Of a worker that says all it can, with a broker that is there, goes, and comes back."""
    async with wire_to(broker_url) as (wire, url):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tidings", "worker", f"--load={LISTENING}"),
            env=_environment(database_url, url),
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert process.stdout is not None
        saying = asyncio.create_task(process.stdout.read())
        try:
            await until(lambda: are_known(owner, with_broker=True))
            await emit(owner, 1)
            await until(lambda: nothing_open(owner))
            wire.cut()
            await emit(owner, 1)
            await asyncio.sleep(0.5)
            await wire.open()
            await until(lambda: nothing_open(owner))
        finally:
            await end(process)
    said = (await saying).decode()
    assert "the broker is away" in said
    assert PASSWORD not in said


def test_importing_what_emits_and_what_works_without_a_broker_does_not_import_its_driver() -> None:
    program = """
import sys
import tidings, tidings.worker.service
tidings.emit, tidings.listener, tidings.handler
import tidings.spine.broker.running, tidings.spine.broker.looking, tidings.spine.broker.health
assert not {"aio_pika", "aiormq", "pamqp"} & sys.modules.keys(), sorted(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=REPOSITORY)


async def _is_there(client: Client) -> bool:
    return bool((await client.get("/readyz")).json["broker"] == "there")


async def _is_away(client: Client) -> bool:
    return not await _is_there(client)


def _environment(database_url: str, broker_url: str) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")},
        "TIDINGS_DATABASE_URL": database_url,
        "TIDINGS_MASTER_KEY": "A" * 43,
        "TIDINGS_BROKER_URL": broker_url,
        "TIDINGS_LOG_LEVEL": "debug",
    }
