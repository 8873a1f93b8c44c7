"""The runs of a schedule, each with what became of it for every recipient; and those that somebody asks for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Gone, NotFound
from tidings.kit.paging import Page, page_of
from tidings.modules.reports.documents import Documents
from tidings.modules.reports.model import (
    FINAL,
    MODULE,
    RUN,
    KeptDocument,
    RecipientStatus,
    Run,
    RunRecipient,
    RunStatus,
    Trigger,
)
from tidings.spine.outbox.intents import Row

_SHOWN = """
SELECT r.*, EXISTS (SELECT FROM tidings.report_documents d WHERE d.run_id = r.id) AS has_document,
    (SELECT json_agg(json_build_object('email', x.email, 'status', x.status, 'error', x.error_message,
                                      'at', x.delivered_at) ORDER BY x.email)::text
     FROM tidings.report_run_recipients x WHERE x.run_id = r.id) AS recipients
FROM tidings.report_runs r WHERE r.tenant = $1 AND r.schedule_id = $2
"""
_LIST = f"""
{_SHOWN} AND ($3::text IS NULL OR r.status = $3) AND ($4::bigint IS NULL OR r.id < $4) ORDER BY r.id DESC LIMIT $5
"""
_NOW = """
INSERT INTO tidings.report_runs (tenant, schedule_id, slot, due_at, trigger)
SELECT tenant, id, date_trunc('minute', now() AT TIME ZONE timezone), now(), 'manual' FROM tidings.report_schedules
WHERE tenant = $1 AND id = $2 RETURNING id
"""
_AGAIN = """
WITH made AS (
    INSERT INTO tidings.report_runs (tenant, schedule_id, slot, due_at, late, trigger, retry_of, status, summary)
    SELECT tenant, schedule_id, slot, due_at, late, $2, id, $3, summary FROM tidings.report_runs WHERE id = $1
    RETURNING id
), kept AS (
    INSERT INTO tidings.report_documents (run_id, tenant, name, media_type, sealed)
    SELECT made.id, d.tenant, d.name, d.media_type, d.sealed FROM made, tidings.report_documents d WHERE d.run_id = $1
)
SELECT id FROM made
"""
_FORGOTTEN = "The document of this run is not kept any more."
_REPEATED = "SELECT EXISTS (SELECT FROM tidings.report_runs WHERE retry_of = $1 AND status <> ALL ($2))"


@dataclass(frozen=True)
class Runs:
    """Of a schedule that is known to be there for whoever asks."""

    connection: Connection
    tenant: str

    async def list(self, schedule_id: int, status: RunStatus | None, before: int | None, limit: int) -> Page[Run]:
        """The newest first."""
        rows = await self.connection.fetch(_LIST, self.tenant, schedule_id, status, before, limit + 1)
        return page_of([_run(row) for row in rows], limit, lambda run: run.id)

    async def get(self, schedule_id: int, id: int, locking: str = "") -> Run:
        row = await self.connection.fetchrow(f"{_SHOWN} AND r.id = $3 {locking}", self.tenant, schedule_id, id)
        if row is None:
            raise NotFound("There is no such run.")
        return _run(row)

    async def document(self, documents: Documents, schedule_id: int, id: int) -> KeptDocument:
        """`NotFound` where there was none, `Gone` where it is not kept any more."""
        run = await self.get(schedule_id, id)
        kept = await documents.of(self.connection, self.tenant, id)
        if kept is None:
            made = run.status in FINAL and run.status not in (RunStatus.GENERATION_FAILED, RunStatus.CANCELLED)
            raise Gone(_FORGOTTEN) if made else NotFound("It has no document.")
        return kept

    async def start(self, schedule_id: int) -> Run:
        """Now, also while it is paused."""
        return await self._begun(schedule_id, await self.connection.fetchval(_NOW, self.tenant, schedule_id))

    async def retry(self, schedule_id: int, id: int) -> Run:
        """Another run, of the same slot, where there was no report."""
        run = await self._ended(schedule_id, id)
        if run.status is not RunStatus.GENERATION_FAILED:
            raise Conflict(f"Only a run that could not be generated is tried again; this one is {run.status}.")
        made = await self.connection.fetchval(_AGAIN, id, Trigger.RETRY, RunStatus.PENDING)
        return await self._begun(schedule_id, made)

    async def resend(self, schedule_id: int, id: int) -> Run:
        """The same document, to those whom it did not reach."""
        run = await self._ended(schedule_id, id)
        if not run.counts[RecipientStatus.FAILED]:
            raise Conflict("There is nobody whom it did not reach.")
        if not run.has_document:
            raise Gone(_FORGOTTEN)
        made = await self.connection.fetchval(_AGAIN, id, Trigger.RESEND, RunStatus.GENERATED)
        return await self._begun(schedule_id, made)

    async def _ended(self, schedule_id: int, id: int) -> Run:
        run = await self.get(schedule_id, id, "FOR UPDATE OF r")
        if run.status not in FINAL:
            raise Conflict(f"The run is {run.status}; wait for its end.")
        if await self.connection.fetchval(_REPEATED, id, list(FINAL)):
            raise Conflict("It is being repeated already; wait for the end of that.")
        return run

    async def _begun(self, schedule_id: int, id: int) -> Run:
        await self.connection.execute(
            """SELECT tidings.schedule_own($1, ARRAY[$2::text], ARRAY[jsonb_build_object('runId', $3::bigint)], NULL,
                   ARRAY[now()])""",
            MODULE,
            RUN,
            id,
        )
        return await self.get(schedule_id, id)


def _run(row: Row) -> Run:
    return Run(
        row["id"],
        row["schedule_id"],
        row["slot"],
        row["late"],
        Trigger(row["trigger"]),
        row["retry_of"],
        RunStatus(row["status"]),
        row["started_at"],
        row["completed_at"],
        row["error_message"],
        row["created_at"],
        row["has_document"],
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
