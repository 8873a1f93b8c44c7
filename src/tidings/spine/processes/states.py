"""How a process stands: a closed union, asked of PostgreSQL first and then of the process itself."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from tidings.kit.db import Connection
from tidings.spine.processes.absence import TemporalAway, is_missing_namespace
from tidings.spine.processes.connecting import Temporal

if TYPE_CHECKING:
    from temporalio.client import Client

QUERY = "status"
"""What every process of ours answers to."""
_PATIENCE = 3.0  # seconds


@dataclass(frozen=True)
class Running:
    """`state` is what the process says of itself."""

    state: Mapping[str, Any]


@dataclass(frozen=True)
class Ended:
    """`how`: completed, failed, canceled, terminated, timed_out, or forgotten where it is too long ago."""

    how: str


@dataclass(frozen=True)
class NotStarted:
    """It will be, when Temporal is there."""


@dataclass(frozen=True)
class Away:
    """It was started; nobody answers for it now."""

    reason: str


State: TypeAlias = Running | Ended | NotStarted | Away


@dataclass(frozen=True)
class Processes:
    temporal: Temporal

    async def state(self, connection: Connection, id: str) -> State:
        """Both of the below: for whoever can spare the connection meanwhile."""
        return await self.asked(id) if await self.is_started(connection, id) else NotStarted()

    async def is_started(self, connection: Connection, id: str) -> bool:
        """The connection sees its tenant's own: those of others are not started."""
        started: bool = await connection.fetchval(
            "SELECT EXISTS (SELECT FROM tidings.processes WHERE id = $1 AND started_at IS NOT NULL)", id
        )
        return started

    async def asked(self, id: str) -> State:
        """Of one that was started: within a few seconds, whatever is down."""
        try:
            async with asyncio.timeout(_PATIENCE):
                return await _asked(await self.temporal.client(), id)
        except TemporalAway as error:
            return Away(error.detail)
        except TimeoutError:
            return Away("nobody answers for it")


async def _asked(client: Client, id: str) -> State:
    from temporalio.client import WorkflowQueryFailedError, WorkflowQueryRejectedError
    from temporalio.common import QueryRejectCondition
    from temporalio.service import RPCError, RPCStatusCode

    try:
        return Running(
            await client.get_workflow_handle(id).query(QUERY, reject_condition=QueryRejectCondition.NOT_OPEN)
        )
    except WorkflowQueryRejectedError as error:
        return Ended(error.status.name.lower() if error.status else "completed")
    except WorkflowQueryFailedError as error:
        return Away(f"it does not answer ({error})")
    except RPCError as error:
        if is_missing_namespace(error):
            return Away("Temporal has no such namespace")
        if error.status is RPCStatusCode.NOT_FOUND:
            return Ended("forgotten")
        return Away(f"nobody answers for it ({error.status.name.lower()})")
