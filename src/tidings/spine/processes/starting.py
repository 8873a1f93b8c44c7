"""Starting processes: however often it is tried, there is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from tidings.kit.db import Pool
from tidings.spine.outbox.handlers import KeyPolicy, Kind
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Dead, GivenBack, Outcome, Succeeded
from tidings.spine.processes.absence import AWAY, is_away, patience
from tidings.spine.processes.connecting import Temporal
from tidings.spine.processes.kinds import START

_AT_ONCE = 20
_STARTED = "UPDATE tidings.processes SET started_at = now(), run_id = $2 WHERE id = $1 AND started_at IS NULL"


@dataclass(frozen=True)
class Starting:
    pool: Pool
    temporal: Temporal
    clock: Callable[[], datetime]

    def kind(self) -> Kind:
        return Kind(START, self.start, keys=KeyPolicy.ONCE, concurrency=_AT_ONCE)

    async def start(self, intent: Intent) -> Outcome:
        """PostgreSQL is asked first: Temporal forgets. What is away costs no attempt."""
        try:
            return await self._start(intent.data["process"], intent)
        except RPCError as error:
            if not is_away(error):
                raise
        except AWAY:
            pass
        return GivenBack(patience(intent.due_at, self.clock()))

    async def _start(self, id: str, intent: Intent) -> Outcome:
        row = await self.pool.fetchrow(
            "SELECT workflow, started_at FROM tidings.processes WHERE id = $1 AND tenant = $2", id, intent.tenant
        )
        if row is None:
            return Dead(f"there is no process {id}")
        if row["started_at"] is None:
            run = await self._run_of(id, row["workflow"], intent.data["input"])
            await self.pool.execute(_STARTED, id, run)
        return Succeeded()

    async def _run_of(self, id: str, workflow: str, given: object) -> str | None:
        """The id of its first run, or of the one that it is in where it was started before."""
        client = await self.temporal.client()
        try:
            started = await client.start_workflow(
                workflow,
                given,
                id=id,
                task_queue=self.temporal.settings.task_queue,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                rpc_timeout=self.temporal.settings.patience,
            )
        except WorkflowAlreadyStartedError as error:
            return error.run_id
        return started.first_execution_run_id
