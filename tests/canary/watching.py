"""Processes of ours that log all they can, and the places where a secret would be found if it got out."""

from __future__ import annotations

import asyncio
import contextlib
import io
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from tests.canary.planting import Recorder
from tests.support.pipeline import Owner
from tests.worker.processes import REPOSITORY, end
from tidings.cli.main import run
from tidings.embedded.binaries import find_binaries


@asynccontextmanager
async def process(log: Path, *arguments: str) -> AsyncIterator[None]:
    with log.open("wb") as file:
        started = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tidings",
            *arguments,
            cwd=REPOSITORY,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    try:
        yield
    finally:
        await end(started)


async def eventually(is_so: Callable[[], Any]) -> None:
    async with asyncio.timeout(90):
        while not await is_so():
            await asyncio.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def command(*arguments: str) -> str:
    """What a command prints, on either stream."""
    out = io.StringIO()

    def ran() -> None:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            run(arguments)

    await asyncio.to_thread(ran)
    return out.getvalue()


async def is_ready(client: Recorder) -> bool:
    try:
        return (await client.call("GET", "/readyz")).status == 200
    except aiohttp.ClientError:
        return False


async def dump(url: str) -> str:
    dump = await asyncio.create_subprocess_exec(
        find_binaries().program("pg_dump"), "--inserts", url, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await dump.communicate()
    assert dump.returncode == 0
    return out.decode()


async def log_statements(owner: Owner) -> None:
    """All of them, with their values, of whoever connects from now on."""
    await owner.execute(f"ALTER DATABASE {await owner.fetchval('SELECT current_database()')} SET log_statement = 'all'")


async def log_of(owner: Owner) -> str:
    log = Path(await owner.fetchval("SHOW data_directory")).parent / "log"
    return log.read_text(errors="replace")
