"""Real `tidings api` processes on the database of a world, started and reaped by the test."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

from tests.api.world import MASTER_KEY, SECRET, Client, World
from tidings.embedded.ports import LOOPBACK, free_port
from tidings.embedded.probes import http_ok

REPOSITORY = Path(__file__).parents[2]


@asynccontextmanager
async def api_processes(world: World, count: int = 2, **settings: str) -> AsyncIterator[list[Client]]:
    """A client of each, once it answers. They know the keys of the world's people; `settings` as in the environment."""
    async with AsyncExitStack() as stack:
        ports: list[int] = []
        for _ in range(count):
            ports.append(free_port(ports))
        await asyncio.gather(*(_start(stack, world, port, settings) for port in ports))
        yield [Client(f"http://{LOOPBACK}:{port}", world.client.http) for port in ports]


async def _start(stack: AsyncExitStack, world: World, port: int, settings: dict[str, str]) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")},
        "TIDINGS_DATABASE_URL": str(world.settings.database.url),
        "TIDINGS_MASTER_KEY": MASTER_KEY,
        "TIDINGS_AUTH_JWT_SECRET": SECRET,
        "TIDINGS_API_PORT": str(port),
        "TIDINGS_LOG_LEVEL": "error",
        **settings,
    }
    command = [sys.executable, "-m", "tidings", "api"]
    process = await asyncio.create_subprocess_exec(*command, env=environment, cwd=REPOSITORY, start_new_session=True)
    stack.push_async_callback(_end, process)
    while not await http_ok(LOOPBACK, port, "/healthz"):
        assert process.returncode is None, f"it ended with {process.returncode}"
        await asyncio.sleep(0.02)


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
