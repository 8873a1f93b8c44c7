"""Dramatiq with Redis: `run_dramatiq.py JOBS`. Two processes with eight threads each, its defaults for two cores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import redis
from dramatiq_tasks import noop

_WORKER = ("-m", "dramatiq", "-p", "2", "-t", "8", "dramatiq_tasks")
_QUEUE = "dramatiq:default.msgs"


def enqueue(jobs: int) -> float:
    began = time.monotonic()
    for n in range(jobs):
        noop.send(n)
    return jobs / (time.monotonic() - began)


def settle(store: redis.Redis, jobs: int) -> float:
    """From the first job acknowledged to the last, looking every 2 ms."""
    while store.hlen(_QUEUE) >= jobs:
        time.sleep(0.002)
    began = time.monotonic()
    while store.hlen(_QUEUE):
        time.sleep(0.002)
    return jobs / (time.monotonic() - began)


def measure(jobs: int) -> None:
    store = redis.Redis.from_url(os.environ["BENCH_REDIS"])
    store.flushdb()
    enqueued = enqueue(jobs)
    with subprocess.Popen((sys.executable, *_WORKER), cwd=Path(__file__).parent, stderr=subprocess.DEVNULL) as worker:
        try:
            settled = settle(store, jobs)
        finally:
            worker.terminate()
    print(json.dumps({"enqueue": enqueued, "settle": settled}))


if __name__ == "__main__":
    measure(int(sys.argv[1]))
