"""Whether Temporal is there, and has our namespace."""

from __future__ import annotations

import asyncio

from tidings.spine.processes.absence import TemporalAway, is_missing_namespace
from tidings.spine.processes.connecting import Temporal


async def fault_of(temporal: Temporal, within: float) -> str | None:
    """What is wrong with it, in a sentence that names no address; None when it answers for our namespace."""
    try:
        async with asyncio.timeout(within):
            return await _asked(temporal)
    except TemporalAway as error:
        return error.detail
    except TimeoutError:
        return "Temporal does not answer"


async def _asked(temporal: Temporal) -> str | None:
    client = await temporal.client()
    from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
    from temporalio.service import RPCError

    try:
        await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace=client.namespace))
    except RPCError as error:
        if is_missing_namespace(error):
            return f"Temporal has no namespace {client.namespace}"
        return f"Temporal does not answer ({error.status.name.lower()})"
    return None
