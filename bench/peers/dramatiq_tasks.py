"""Dramatiq's side of the comparison: one actor that does nothing."""

from __future__ import annotations

import os

import dramatiq
from dramatiq.brokers.redis import RedisBroker

dramatiq.set_broker(RedisBroker(url=os.environ["BENCH_REDIS"]))


@dramatiq.actor
def noop(n: int) -> None: ...
