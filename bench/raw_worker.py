"""One process of the raw queue: `python -m bench.raw_worker URL BATCH`. Says when it is ready, waits for a line."""

from __future__ import annotations

import json
import sys
import time

import asyncpg
import uvloop

_LEASE = """
UPDATE jobs SET status = 'processing' WHERE id = ANY (ARRAY(
    SELECT id FROM jobs WHERE status = 'pending' AND run_at <= now() ORDER BY run_at LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING id, payload
"""
_SETTLE = "UPDATE jobs SET status = 'done' WHERE id = ANY ($1::bigint[])"


async def drain(url: str, batch: int) -> None:
    connection = await asyncpg.connect(url)
    lease, settle = await connection.prepare(_LEASE), await connection.prepare(_SETTLE)
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.monotonic()
    while jobs := await lease.fetch(batch):
        await settle.fetch([job["id"] for job in jobs])
    print(json.dumps([began, time.monotonic()]), flush=True)
    await connection.close()


if __name__ == "__main__":
    uvloop.run(drain(sys.argv[1], int(sys.argv[2])))
