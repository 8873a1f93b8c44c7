"""A Redis for the peers that need one: Debian's, on a free port, in a directory of its own."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.processes import output_of, running
from tidings.embedded.ports import free_port, is_free

_PROGRAM = "redis-server"


class Unavailable(Exception):
    """Redis cannot be run here; the message says why."""


@asynccontextmanager
async def redis_server(home: Path) -> AsyncIterator[str]:
    """Its URL. Redis keeps its own default durability: snapshots, no append-only file."""
    program, port, directory = await _program(), free_port(), home / "redis"
    directory.mkdir(exist_ok=True)
    command = (program, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(directory), "--loglevel", "warning")
    async with running(command) as process:
        while is_free(port):
            if process.returncode is not None:
                raise Unavailable(f"{_PROGRAM} ended with {process.returncode}")
            await asyncio.sleep(0.05)
        yield f"redis://127.0.0.1:{port}/0"


async def redis_version() -> str | None:
    found = shutil.which(_PROGRAM)
    return None if found is None else (await output_of((found, "--version"))).split("v=")[1].split()[0]


async def _program() -> str:
    if found := shutil.which(_PROGRAM):
        return found
    if os.geteuid() != 0:
        raise Unavailable(f"{_PROGRAM} is not installed, and only root could: apt-get install {_PROGRAM}")
    try:
        await output_of(("apt-get", "install", "--yes", "--no-install-recommends", _PROGRAM))
    except (OSError, RuntimeError) as error:
        raise Unavailable(f"apt-get install {_PROGRAM} failed: {str(error).splitlines()[-1]}") from error
    return shutil.which(_PROGRAM) or _PROGRAM
