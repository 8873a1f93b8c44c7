"""Real `tidings worker` processes, and how fast they settle what waits for them."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import asyncpg

from bench import handlers
from bench.intents import write_intents
from bench.processes import running
from bench.server import connected

_COMMAND = (sys.executable, "-m", "tidings", "worker", f"--load={handlers.__file__}")
_POLL = 0.02  # more often would cost the workers the CPU that is being measured
_BUSY = """SELECT EXISTS (SELECT FROM tidings.leases)
    OR EXISTS (SELECT FROM tidings.outbox WHERE kind = $1 AND run_at <= now())"""


@dataclass(frozen=True)
class Workers:
    """Workers that have started and sleep."""

    url: str
    processes: Sequence[Process]

    async def settle_rate(self, kind: str, count: int, tenants: Sequence[str] = ("default",)) -> float:
        """Intents a second, from the moment when `count` of them can be leased until the last is settled.

        The workers are stopped (SIGSTOP) while the intents are written and the table is vacuumed, and go on at once.
        """
        async with connected(self.url) as connection:
            self._signal(signal.SIGSTOP)
            try:
                await write_intents(connection, kind, count, tenants)
                await tidy(connection)
            finally:
                began = time.monotonic()
                self._signal(signal.SIGCONT)
            return count / (await _settled(connection, kind) - began)

    def _signal(self, number: signal.Signals) -> None:
        for process in self.processes:
            process.send_signal(number)


async def tidy(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    """What autovacuum and the checkpointer would do in time, done before the clock starts."""
    await connection.execute("VACUUM (ANALYZE) tidings.outbox")
    await connection.execute("VACUUM (ANALYZE) tidings.leases")
    await connection.execute("CHECKPOINT")


async def _settled(connection: asyncpg.Connection[asyncpg.Record], kind: str) -> float:
    while await connection.fetchval(_BUSY, kind):
        await asyncio.sleep(_POLL)
    return time.monotonic()


@asynccontextmanager
async def workers(url: str, count: int = 2, extra: Mapping[str, str] | None = None) -> AsyncIterator[Workers]:
    """Started, and idle for long enough to have fallen asleep."""
    async with AsyncExitStack() as stack:
        settings = {"TIDINGS_DATABASE_URL": url, "TIDINGS_MASTER_KEY": "A" * 43, **(extra or {})}
        processes = [await stack.enter_async_context(running(_COMMAND, settings)) for _ in range(count)]
        await started(url, processes)
        yield Workers(url, processes)


async def started(url: str, processes: Sequence[Process]) -> None:
    async with connected(url) as connection:
        while await connection.fetchval("SELECT count(*) FROM tidings.workers") < len(processes):
            if any(process.returncode is not None for process in processes):
                raise RuntimeError("a worker ended before it had started")
            await asyncio.sleep(0.05)
    await asyncio.sleep(1.5)
