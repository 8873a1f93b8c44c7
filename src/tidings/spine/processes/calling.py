"""Calling an activity from a workflow, by its contract."""

from __future__ import annotations

from temporalio import workflow
from temporalio.common import RetryPolicy

from tidings.spine.processes.contracts import A, Contract, Patience, R


async def call(contract: Contract[A, R], argument: A, patience: Patience) -> R:
    """What it returns, or `ActivityError` once it has given up.

    Temporal tries until the deadline; the activity itself ends it when it has had that many answers.
    """
    returned: R = await workflow.execute_activity(
        contract.name,
        args=[argument, patience.attempts],
        result_type=contract.returns,
        schedule_to_close_timeout=patience.deadline,
        start_to_close_timeout=patience.one_attempt,
        retry_policy=RetryPolicy(
            initial_interval=patience.first_wait, maximum_interval=patience.longest_wait, maximum_attempts=0
        ),
    )
    return returned
