"""Making one run: generated, kept, and told of, each step in a transaction of its own, so that whoever comes after one
that died goes on where it was."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tidings.kit import db
from tidings.modules.reports.catalogue import ReportType, report_types
from tidings.modules.reports.documents import Documents
from tidings.modules.reports.generating import Asked, GenerationFailed, Generator, Made
from tidings.modules.reports.model import LONGEST_ERROR, RUN, KeptDocument, RunStatus, Status, Trigger
from tidings.modules.reports.recording import record
from tidings.modules.reports.rendering.formats import Format
from tidings.modules.reports.schedules import timing_of
from tidings.spine.outbox.handlers import Kind
from tidings.spine.outbox.intents import Intent
from tidings.spine.outbox.outcomes import Outcome, Succeeded

_ATTEMPTS = 20
_RUN = """
SELECT r.*, s.report_type, s.name, s.format, s.status AS schedule_status, s.cadence_type,
    s.cadence_day, s.cadence_weekday, s.cadence_week, s.interval_weeks, s.cron_expression, s.schedule_time, s.since,
    s.timezone
FROM tidings.report_runs r JOIN tidings.report_schedules s ON s.id = r.schedule_id
WHERE r.tenant = $1 AND r.id = $2 FOR UPDATE OF r
"""
_RECIPIENTS = """
INSERT INTO tidings.report_run_recipients (run_id, tenant, email, address_id, status, error_message)
SELECT $3, $1, r.email, m.address_id, CASE WHEN u.email IS NULL THEN 'pending' ELSE 'skipped' END,
    CASE WHEN u.email IS NOT NULL THEN 'they do not want it any more' END
FROM (SELECT * FROM tidings.report_recipients x
      WHERE x.tenant = $1 AND x.schedule_id = $2 AND x.removed_at IS NULL AND ($4::bigint IS NULL OR EXISTS (
          SELECT FROM tidings.report_run_recipients f
          WHERE f.run_id = $4 AND f.email = x.email AND f.status = 'failed'))
      ORDER BY x.email) r
LEFT JOIN tidings.report_unsubscribed u USING (schedule_id, email)
CROSS JOIN LATERAL tidings.mailbox_of($1, r.email) AS m(address_id)
ON CONFLICT (run_id, email) DO NOTHING
"""


@dataclass(frozen=True)
class Running:
    pool: db.Pool
    generator: Generator
    documents: Documents

    def kind(self) -> Kind:
        return Kind(RUN, self.run, max_attempts=_ATTEMPTS)

    async def run(self, intent: Intent) -> Outcome:
        """Whatever state it was left in. One that has ended, or that is being mailed, is left alone."""
        run_id: int = intent.data["runId"]
        row = await self._begin(intent.tenant, run_id)
        if row is not None and row["status"] == RunStatus.GENERATING:
            await self._generate(intent.tenant, row)
        async with self._held(intent.tenant, run_id) as (connection, row):
            if row is not None and row["status"] == RunStatus.GENERATED:
                await _deliver(connection, intent.tenant, row)
        return Succeeded()

    async def _begin(self, tenant: str, run_id: int) -> Any:
        """It, as it is to be gone on with; None where it is not."""
        async with self._held(tenant, run_id) as (connection, row):
            if row is None or row["status"] not in (RunStatus.PENDING, RunStatus.GENERATING, RunStatus.GENERATED):
                return None
            if _is_off(row):
                reason = f"the schedule was {row['schedule_status']}"
                await _end(connection, run_id, RunStatus.CANCELLED, reason)
                return None
            if row["status"] == RunStatus.PENDING:
                await connection.execute(
                    "UPDATE tidings.report_runs SET status = 'generating', started_at = now() WHERE id = $1", run_id
                )
            return {**row, "status": max(row["status"], RunStatus.GENERATING, key=list(RunStatus).index)}

    async def _generate(self, tenant: str, row: Any) -> None:
        kind = report_types().get(row["report_type"])
        made: Made | GenerationFailed
        if kind is None:
            made = GenerationFailed(f"there is no report {row['report_type']!r} any more")
        else:
            try:
                made = await self.generator.generate(tenant, _asked(kind, row))
            except GenerationFailed as failed:
                made = failed
        async with self._held(tenant, row["id"]) as (connection, now):
            if now is None or now["status"] != RunStatus.GENERATING:
                return
            if isinstance(made, GenerationFailed):
                await _end(connection, row["id"], RunStatus.GENERATION_FAILED, str(made))
                await record(connection, tenant, "failed", row)
                return
            await connection.execute(
                "UPDATE tidings.report_runs SET status = 'generated', summary = $2 WHERE id = $1",
                row["id"],
                made.summary,
            )
            await self.documents.keep(connection, tenant, row["id"], _kept(row, made))

    @asynccontextmanager
    async def _held(self, tenant: str, run_id: int) -> AsyncIterator[tuple[db.Connection, Any]]:
        async with self.pool.acquire() as connection, db.as_tenant(connection, tenant):
            yield connection, await connection.fetchrow(_RUN, tenant, run_id)


def _is_off(row: Any) -> bool:
    """Somebody who asks for a run gets it, also while its schedule is paused."""
    if row["schedule_status"] == Status.DELETED:
        return True
    return bool(row["trigger"] == Trigger.SCHEDULE and row["schedule_status"] != Status.ACTIVE)


def _asked(kind: ReportType, row: Any) -> Asked:
    format = Format(row["format"])  # noqa: A001
    return Asked(kind, row["name"] or kind.name, _since(row), row["due_at"], row["timezone"], format)


def _kept(row: Any, made: Made) -> KeptDocument:
    kind = Format(row["format"])
    return KeptDocument(f"{row['report_type']}-{row['slot']:%Y-%m-%dT%H%M}.{kind}", kind.media_type, made.content)


def _since(row: Any) -> datetime:
    """A report is of as long a time as goes by until the next one."""
    due: datetime = row["due_at"]
    following = timing_of(row).next_slot(due)
    return due if following is None else due - (following.at - due)


async def _end(connection: db.Connection, run_id: int, status: RunStatus, reason: str) -> None:
    await connection.execute(
        "UPDATE tidings.report_runs SET status = $2, error_message = $3, completed_at = now() WHERE id = $1",
        run_id,
        status,
        reason[:LONGEST_ERROR],
    )


async def _deliver(connection: db.Connection, tenant: str, row: Any) -> None:
    """A fact, which is told to all who want it."""
    if _is_off(row):
        await _end(connection, row["id"], RunStatus.CANCELLED, f"the schedule was {row['schedule_status']}")
        return
    failed_in = row["retry_of"] if row["trigger"] == Trigger.RESEND else None
    await connection.execute(_RECIPIENTS, tenant, row["schedule_id"], row["id"], failed_in)
    wanted = await connection.fetchval(
        "SELECT count(*) FROM tidings.report_run_recipients WHERE run_id = $1 AND status = 'pending'", row["id"]
    )
    if not wanted:
        await _end(connection, row["id"], RunStatus.CANCELLED, "nobody is left who wants it")
        return
    await connection.execute("UPDATE tidings.report_runs SET status = 'delivering' WHERE id = $1", row["id"])
    await record(connection, tenant, "generated", row)
