"""The limit: a queue in one hand-written table, leased and settled by bare SQL, with nothing else around it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack

from bench.processes import next_line, running, tell
from bench.server import connected

TABLE = """
CREATE TABLE IF NOT EXISTS jobs (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payload jsonb NOT NULL,
    run_at  timestamptz NOT NULL DEFAULT now(),
    status  text NOT NULL DEFAULT 'pending'
);
CREATE INDEX IF NOT EXISTS jobs_due ON jobs (run_at) WHERE status = 'pending'
"""
_FILL = """
INSERT INTO jobs (payload) SELECT jsonb_build_object('n', n) FROM generate_series(1, $1) n
"""


async def settle_rate(url: str, batch: int, count: int, processes: int = 2) -> float:
    """Jobs a second, from the word to go until the last is settled."""
    async with connected(url) as connection:
        await connection.execute(TABLE)
        await connection.execute("TRUNCATE jobs")
        await connection.execute(_FILL, count)
        await connection.execute("VACUUM (ANALYZE) jobs")
        await connection.execute("CHECKPOINT")
    spans = await _drain(url, batch, processes)
    return count / (max(end for _, end in spans) - min(start for start, _ in spans))


async def _drain(url: str, batch: int, count: int) -> Sequence[tuple[float, float]]:
    async with AsyncExitStack() as stack:
        command = (sys.executable, "-m", "bench.raw_worker", url, str(batch))
        processes = [await stack.enter_async_context(running(command)) for _ in range(count)]
        for process in processes:
            await next_line(process)
        for process in processes:
            tell(process, "go")
        lines = await asyncio.gather(*(next_line(process) for process in processes))
    return [tuple(json.loads(line)) for line in lines]
