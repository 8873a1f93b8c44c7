"""Calling an activity from a workflow, by its contract."""

from __future__ import annotations

from temporalio import workflow
from temporalio.common import RetryPolicy

from tidings.spine.processes.contracts import A, Contract, Patience, R

_WAIT = workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED
_TRY = workflow.ActivityCancellationType.TRY_CANCEL


async def call(contract: Contract[A, R], argument: A, patience: Patience, *, awaited: bool = False) -> R:
    """What it returns, or `ActivityError` once it has given up.

    Temporal tries until the deadline; the activity itself ends it when it has had that many answers. With `awaited`, a
    process that is cancelled waits until the activity has come to an end, so that whatever undoes it comes after it.
    """
    returned: R = await workflow.execute_activity(
        contract.name,
        args=[argument, patience.attempts],
        result_type=contract.returns,
        schedule_to_close_timeout=patience.deadline,
        start_to_close_timeout=patience.one_attempt,
        heartbeat_timeout=None if patience.beat is None else patience.beat * 2,
        cancellation_type=_WAIT if awaited else _TRY,
        retry_policy=RetryPolicy(
            initial_interval=patience.first_wait,
            backoff_coefficient=patience.factor,
            maximum_interval=patience.longest_wait,
            maximum_attempts=0,
        ),
    )
    return returned
