"""Child processes of the bench: ended and reaped when their block is left."""

from __future__ import annotations

import asyncio
import contextlib
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_PATIENCE = 20.0


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Ours without any setting of Tidings that the caller's shell may hold."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}
    return inherited | {"TIDINGS_LOG_LEVEL": "warning"} | dict(extra or {})


@asynccontextmanager
async def running(command: Sequence[str], extra: Mapping[str, str] | None = None) -> AsyncIterator[Process]:
    """The process, with pipes to its stdin and stdout; asked to stop on leaving, and killed when it will not."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, env=environment(extra), cwd=ROOT, limit=2**24
    )
    try:
        yield process
    finally:
        await _end(process)


async def _end(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), _PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()


async def output_of(command: Sequence[str], extra: Mapping[str, str] | None = None) -> str:
    """What it printed; raises when it failed."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=environment(extra), cwd=ROOT
    )
    try:
        out, errors = await process.communicate()
    except asyncio.CancelledError:
        await _end(process)
        raise
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {errors.decode(errors='replace').strip()[-2000:]}")
    return out.decode()


async def next_line(process: Process) -> str:
    """The next line of its output; raises when it ends without one."""
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise RuntimeError(f"process {process.pid} ended with {await process.wait()}")
    return line.decode().strip()


def tell(process: Process, line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n".encode())
