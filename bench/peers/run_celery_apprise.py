"""Celery, Redis and Apprise: `run_celery_apprise.py JOBS`; each task notifies the `json://` URL in BENCH_HOOK."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import redis
from celery_tasks import notify

_WORKER = ("-m", "celery", "-A", "celery_tasks", "worker", "-c", "2", "-l", "error", "--without-gossip")


def measure(jobs: int) -> None:
    """From the first task that is sent, to a worker that is up, until the last is acknowledged."""
    store = redis.Redis.from_url(os.environ["BENCH_REDIS"])
    store.flushdb()
    with subprocess.Popen((sys.executable, *_WORKER), cwd=Path(__file__).parent) as worker:
        try:
            notify.delay("warm")
            time.sleep(5)
            began = time.monotonic()
            for n in range(jobs):
                notify.delay(f"Order {n} is paid")
            while store.llen("celery") + store.hlen("unacked"):
                time.sleep(0.005)
            settled = jobs / (time.monotonic() - began)
        finally:
            worker.terminate()
    print(json.dumps({"settle": settled}))


if __name__ == "__main__":
    measure(int(sys.argv[1]))
