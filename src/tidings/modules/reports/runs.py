"""The runs of a schedule, each with what became of it for every recipient."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from tidings.kit.db import Connection
from tidings.kit.paging import Page, page_of
from tidings.modules.reports.model import RecipientStatus, Run, RunRecipient, RunStatus, Trigger
from tidings.spine.outbox.intents import Row

_RUNS = """
SELECT r.*, (SELECT json_agg(json_build_object('email', x.email, 'status', x.status, 'error', x.error_message,
                                               'at', x.delivered_at) ORDER BY x.email)::text
             FROM tidings.report_run_recipients x WHERE x.run_id = r.id) AS recipients
FROM tidings.report_runs r
WHERE r.tenant = $1 AND r.schedule_id = $2 AND ($3::text IS NULL OR r.status = $3)
    AND ($4::bigint IS NULL OR r.id < $4)
ORDER BY r.id DESC LIMIT $5
"""


@dataclass(frozen=True)
class Runs:
    connection: Connection
    tenant: str

    async def list(self, schedule_id: int, status: RunStatus | None, before: int | None, limit: int) -> Page[Run]:
        """The newest first."""
        rows = await self.connection.fetch(_RUNS, self.tenant, schedule_id, status, before, limit + 1)
        return page_of([_run(row) for row in rows], limit, lambda run: run.id)


def _run(row: Row) -> Run:
    return Run(
        row["id"],
        row["schedule_id"],
        row["slot"],
        row["late"],
        Trigger(row["trigger"]),
        RunStatus(row["status"]),
        row["started_at"],
        row["completed_at"],
        row["error_message"],
        row["created_at"],
        tuple(
            RunRecipient(
                each["email"],
                RecipientStatus(each["status"]),
                None if each["at"] is None else datetime.fromisoformat(each["at"]),
                each["error"],
            )
            for each in json.loads(row["recipients"] or "[]")
        ),
    )
