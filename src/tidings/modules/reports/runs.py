"""The runs of a schedule, each with what became of it for every recipient; and those that somebody asks for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from tidings.kit.db import Connection, affected
from tidings.kit.errors import Conflict, Gone, NotFound
from tidings.kit.paging import Page, page_of
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
SELECT r.*, (SELECT json_agg(json_build_object('email', x.email, 'status', x.status, 'error', x.error_message,
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
INSERT INTO tidings.report_runs (tenant, schedule_id, slot, due_at, late, trigger, retry_of, status, summary, document)
SELECT tenant, schedule_id, slot, due_at, late, $2, id, $3, summary, document FROM tidings.report_runs WHERE id = $1
RETURNING id
"""
_FORGET = """
UPDATE tidings.report_runs SET document = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM tidings.report_runs WHERE document IS NOT NULL AND completed_at < now() - $1::interval
    ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED))
"""
_CHUNK = 1_000
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

    async def document(self, schedule_id: int, id: int) -> KeptDocument:
        """`NotFound` where there was none, `Gone` where it is not kept any more."""
        run = await self.get(schedule_id, id)
        row = await self.connection.fetchrow(
            """SELECT r.document, r.slot, s.report_type FROM tidings.report_runs r
               JOIN tidings.report_schedules s ON s.id = r.schedule_id WHERE r.tenant = $1 AND r.id = $2""",
            self.tenant,
            id,
        )
        assert row is not None
        if row["document"] is None:
            made = run.status in FINAL and run.status not in (RunStatus.GENERATION_FAILED, RunStatus.CANCELLED)
            raise Gone("The document of this run is not kept any more.") if made else NotFound("It has no document.")
        return kept_document(row)

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


def kept_document(row: Row) -> KeptDocument:
    """Of a row that has `document`, `slot` and `report_type`."""
    name = f"{row['report_type']}-{row['slot']:%Y-%m-%dT%H%M}.csv"
    return KeptDocument(name, "text/csv; charset=utf-8", row["document"])


async def forget_old_documents(connection: Connection, age: timedelta) -> bool:
    """Whether there is more to do."""
    status = await connection.execute(_FORGET, age, _CHUNK)
    return affected(status) == _CHUNK


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
        row["document"] is not None,
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
