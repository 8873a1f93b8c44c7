"""Activities whose attempts are counted by answers.

Temporal counts every attempt, also one that found the database away. So it may try without end, and the count of those
that were answered goes with the heartbeat, which outlives an attempt and the worker that made it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError

from tidings.spine.outbox.outcomes import Permanent
from tidings.spine.processes.absence import AWAY
from tidings.spine.processes.contracts import A, Contract, R


def implemented(contract: Contract[A, R], function: Callable[[A], Coroutine[Any, Any, R]]) -> Callable[..., Any]:
    """The activity of a contract, for a worker. `Permanent` ends it at once, what is away costs it nothing."""

    async def run(argument: A, attempts: int) -> R:
        try:
            return await _beating(function(argument))
        except AWAY:
            raise
        except Permanent as error:
            raise ApplicationError(str(error), type=type(error).__name__, non_retryable=True) from error
        except Exception as error:
            raise _answered(error, attempts) from error

    run.__annotations__ = {"argument": contract.takes, "attempts": int, "return": contract.returns}
    return activity.defn(name=contract.name)(run)


async def _beating(work: Coroutine[Any, Any, R]) -> R:
    """Where the step has a beat, says that it is being worked on. That the process is cancelled is heard by the same
    way; an effect that has begun is finished then. Not so where the worker stops."""
    allowed = activity.info().heartbeat_timeout
    if not allowed:
        return await work
    doing, beating = asyncio.ensure_future(work), asyncio.ensure_future(_beat(allowed.total_seconds() / 2))
    try:
        while not doing.done():
            try:
                await asyncio.shield(doing)
            except asyncio.CancelledError:
                if activity.is_worker_shutdown():
                    doing.cancel()
                    raise
        return doing.result()
    finally:
        beating.cancel()


async def _beat(every: float) -> None:
    while True:
        activity.heartbeat(_count())
        await asyncio.sleep(every)


def _answered(error: Exception, attempts: int) -> ApplicationError:
    count = _count() + 1
    activity.heartbeat(count)
    name = type(error).__name__
    return ApplicationError(str(error) or name, type=name, non_retryable=count >= attempts)


def _count() -> int:
    """How many attempts were answered so far."""
    details = activity.info().heartbeat_details
    return int(details[0]) if details else 0
