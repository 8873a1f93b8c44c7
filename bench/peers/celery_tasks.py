"""Celery's side of the comparison: one task that does nothing, no results kept."""

from __future__ import annotations

import os

from celery import Celery

app = Celery("bench", broker=os.environ["BENCH_REDIS"])
app.conf.task_ignore_result = True
app.conf.broker_connection_retry_on_startup = True


@app.task
def noop(n: int) -> None: ...


@app.task(acks_late=True)
def notify(title: str) -> None:
    """What a team without Tidings writes."""
    import apprise

    sender = apprise.Apprise()
    sender.add(os.environ["BENCH_HOOK"])
    if not sender.notify(title=title, body="Thank you for your order."):
        raise RuntimeError("not sent")
