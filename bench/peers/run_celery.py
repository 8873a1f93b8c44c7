"""Celery with Redis: `run_celery.py JOBS`. One worker, prefork with two processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import redis
from celery_tasks import noop

_WORKER = ("-m", "celery", "-A", "celery_tasks", "worker", "-c", "2", "-l", "error", "--without-gossip")


def enqueue(jobs: int) -> float:
    began = time.monotonic()
    for n in range(jobs):
        noop.delay(n)
    return jobs / (time.monotonic() - began)


def settle(store: redis.Redis, jobs: int) -> float:
    """From the first job taken to the last acknowledged, looking every 2 ms."""

    def left() -> int:
        return store.llen("celery") + store.hlen("unacked")

    while left() >= jobs and not store.hlen("unacked"):
        time.sleep(0.002)
    began = time.monotonic()
    while left():
        time.sleep(0.002)
    return jobs / (time.monotonic() - began)


def measure(jobs: int) -> None:
    store = redis.Redis.from_url(os.environ["BENCH_REDIS"])
    store.flushdb()
    enqueued = enqueue(jobs)
    with subprocess.Popen((sys.executable, *_WORKER), cwd=Path(__file__).parent) as worker:
        try:
            settled = settle(store, jobs)
        finally:
            worker.terminate()
    print(json.dumps({"enqueue": enqueued, "settle": settled}))


if __name__ == "__main__":
    measure(int(sys.argv[1]))
