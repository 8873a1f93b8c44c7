"""Bar 11: how long `tidings up` takes until it is ready, and what all of it together holds in memory at rest."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bench.figures import Claim, Figure, Result
from bench.memory import proportional
from bench.plan import Bar, Plan
from bench.processes import ROOT, environment
from tidings.embedded.ports import LOOPBACK, free_port
from tidings.embedded.probes import http_ok

_LONGEST = 120.0


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    data, rest = plan.home / "stack", 5.0 if plan.quick else 15.0
    async with _up(data) as (_, cold):
        plan.say(f"  first start of all: {cold:.2f} s")
    starts, memory, parts = [], [], dict[str, float]()
    for turn in range(plan.rounds):
        async with _up(data) as (process, seconds):
            await asyncio.sleep(rest)
            parts = proportional(process.pid)
        starts.append(seconds)
        memory.append(sum(parts.values()))
        plan.say(f"  round {turn + 1} of {plan.rounds}: {seconds:.2f} s, {memory[-1]:.0f} MB")
    rows = [
        Figure("first start, cluster made and migrated", [cold], "s"),
        Figure("warm start until /readyz says 200", starts, "s"),
        Figure("PSS of everything, at rest", memory, "MB"),
        *(Figure(f"of which {name}", [size], "MB", "last run") for name, size in parts.items()),
    ]
    claims = [
        Claim("warm start", rows[1].median, 5, " s", at_least=False),
        Claim("PSS at rest", rows[2].median, 500, " MB", at_least=False),
    ]
    how = [
        "`tidings up` in a directory of its own, from its start until `/readyz` says 200, looking every 10 ms.",
        f"Memory {rest:.0f} s later: Pss of /proc/*/smaps_rollup, summed over the whole process tree.",
    ]
    return Result(how, rows, claims)


@asynccontextmanager
async def _up(data: Path) -> AsyncIterator[tuple[Process, float]]:
    """Everything started and ready, with how long that took; everything stopped on leaving."""
    port = free_port()
    extra = environment({"TIDINGS_DATA_DIR": str(data), "TIDINGS_API_PORT": str(port)})
    began = time.monotonic()
    command = (sys.executable, "-m", "tidings", "up")
    process = await asyncio.create_subprocess_exec(*command, env=extra, cwd=ROOT, stdin=DEVNULL, stdout=DEVNULL)
    try:
        await asyncio.wait_for(_ready(process, port), _LONGEST)
        yield process, time.monotonic() - began
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        await process.wait()


async def _ready(process: Process, port: int) -> None:
    while not await http_ok(LOOPBACK, port, "/readyz"):
        if process.returncode is not None:
            raise RuntimeError(f"tidings up ended with {process.returncode}")
        await asyncio.sleep(0.01)


BAR = Bar("stack", "11. tidings up: until it is ready, and at rest", _measure)
