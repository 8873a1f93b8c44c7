"""Real `tidings worker` processes, started and reaped by the test."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


@asynccontextmanager
async def worker(
    url: str, *load: str, environment: Mapping[str, str] | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """One process; it is killed on leaving if it still runs, with the children it has."""
    process = await start(url, *load, environment=environment)
    try:
        yield process
    finally:
        await end(process)


async def start(url: str, *load: str, environment: Mapping[str, str] | None = None) -> asyncio.subprocess.Process:
    command = [sys.executable, "-m", "tidings", "worker", *(f"--load={name}" for name in load)]
    variables = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")},
        "TIDINGS_DATABASE_URL": url,
        "TIDINGS_MASTER_KEY": "A" * 43,
        "TIDINGS_OUTBOX_LEASE": "1s",
        "TIDINGS_OUTBOX_POLL": "100ms",
        "TIDINGS_LOG_LEVEL": "error",
        **(environment or {}),
    }
    return await asyncio.create_subprocess_exec(*command, env=variables, cwd=REPOSITORY, start_new_session=True)


async def end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


@asynccontextmanager
async def restarted(url: str, *load: str) -> AsyncIterator[list[int | None]]:
    """A worker that is started again whenever it dies, as any supervisor would; and the exit codes so far."""
    codes: list[int | None] = []
    current: list[asyncio.subprocess.Process] = []

    async def supervise() -> None:
        while True:
            current[:] = [await start(url, *load)]
            codes.append(await current[0].wait())

    task = asyncio.create_task(supervise())
    try:
        yield codes
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        for process in current:
            await end(process)
