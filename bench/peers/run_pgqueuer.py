"""PgQueuer: `run_pgqueuer.py URL JOBS BATCH`. Two processes, asyncpg and uvloop, a no-op entrypoint."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time

import asyncpg
import uvloop
from pgqueuer import AsyncpgDriver, Queries, QueueManager
from pgqueuer.types import QueueExecutionMode

_SETTLED = "SELECT count(*), extract(epoch FROM max(created)) FROM pgqueuer_log WHERE status = 'successful'"


async def drain(url: str, batch: int) -> None:
    """One worker: ready, then until the queue is empty."""
    manager = QueueManager(Queries(AsyncpgDriver(await asyncpg.connect(url))))

    @manager.entrypoint("noop")
    async def noop(job: object) -> None: ...

    print("ready", flush=True)
    sys.stdin.readline()
    await manager.run(batch_size=batch, mode=QueueExecutionMode.drain)


async def enqueue(connection: asyncpg.Connection, jobs: int) -> float:
    queries = Queries(AsyncpgDriver(connection))
    if not await queries.schema_is_installed():
        await queries.install()
    await connection.execute("TRUNCATE pgqueuer, pgqueuer_log")
    began = time.monotonic()
    for start in range(0, jobs, 1_000):
        size = min(1_000, jobs - start)
        await queries.enqueue(["noop"] * size, [b'{"n": 1}'] * size, [0] * size)
    return jobs / (time.monotonic() - began)


def work(url: str, batch: str) -> float:
    """Both workers, from the word to go; returns when it was given."""
    command = (sys.executable, __file__, url, "drain", batch)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    workers = [subprocess.Popen(command, **pipes) for _ in range(2)]
    for worker in workers:
        worker.stdout.readline()
    began = time.time()
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        worker.wait()
    return began


async def measure(url: str, jobs: int, batch: str) -> None:
    connection = await asyncpg.connect(url)
    enqueued = await enqueue(connection, jobs)
    await connection.execute("VACUUM (ANALYZE) pgqueuer")
    await connection.execute("CHECKPOINT")
    began = await asyncio.to_thread(work, url, batch)
    settled, last = await connection.fetchrow(_SETTLED)
    print(json.dumps({"enqueue": enqueued, "settle": settled / (float(last) - began)}))


if __name__ == "__main__":
    if sys.argv[2] == "drain":
        uvloop.run(drain(sys.argv[1], int(sys.argv[3])))
    else:
        uvloop.run(measure(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
