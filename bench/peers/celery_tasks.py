"""Celery's side of the comparison: one task that does nothing, no results kept."""

from __future__ import annotations

import os

from celery import Celery

app = Celery("bench", broker=os.environ["BENCH_REDIS"])
app.conf.task_ignore_result = True
app.conf.broker_connection_retry_on_startup = True


@app.task
def noop(n: int) -> None: ...
