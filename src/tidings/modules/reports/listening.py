"""What is said of a run: a mail with the report to each who wants it, and what went wrong to whoever owns it; and what
became of those mails."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.modules.reports.catalogue import report_types
from tidings.modules.reports.model import CATEGORY, DOCUMENT, RecipientStatus, RunStatus, outcome_of
from tidings.modules.reports.recording import record
from tidings.modules.reports.timing import CadenceType
from tidings.modules.reports.words import Said, language_of, missed, said
from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.attaching import KeptAttachment
from tidings.spine.notify.audience import By, Selector
from tidings.spine.notify.hearing import NotTold
from tidings.spine.notify.listeners import Heard, Listener
from tidings.spine.notify.saying import Notice

_MAIL = "reports.mail"
_RUN = """
SELECT r.*, s.name, s.report_type, s.cadence_type, s.timezone
FROM tidings.report_runs r JOIN tidings.report_schedules s ON s.id = r.schedule_id
WHERE r.tenant = $1 AND r.id = $2 FOR UPDATE OF r
"""
_FAILED = """
SELECT r.schedule_id, r.slot, r.status, r.error_message, s.name, s.report_type, s.timezone, p.id AS person_id, p.locale,
    count(x) FILTER (WHERE x.status = 'failed') AS failed, count(x) AS everybody
FROM tidings.report_runs r JOIN tidings.report_schedules s ON s.id = r.schedule_id
LEFT JOIN tidings.people p ON p.tenant = s.tenant AND 'user:' || p.user_id = s.owner
LEFT JOIN tidings.report_run_recipients x ON x.run_id = r.id
WHERE r.tenant = $1 AND r.id = $2 GROUP BY r.id, s.id, p.id
"""
_MISSED = """
SELECT s.id AS schedule_id, s.name, s.report_type, s.timezone, p.id AS person_id, p.locale
FROM tidings.report_schedules s LEFT JOIN tidings.people p ON p.tenant = s.tenant AND 'user:' || p.user_id = s.owner
WHERE s.tenant = $1 AND s.id = $2
"""
_TO = """
SELECT x.address_id, a.person_id FROM tidings.report_run_recipients x JOIN tidings.addresses a ON a.id = x.address_id
WHERE x.run_id = $1 AND x.status = 'pending' ORDER BY x.email
"""
# What was sent counts as sent, whatever else there was to the same mailbox.
_SETTLE = """
WITH ended AS (
    SELECT DISTINCT ON (d.address_id) d.address_id, d.status, d.last_error, d.finished_at
    FROM tidings.deliveries_finished d WHERE d.tenant = $1 AND d.notice_id = $2
    ORDER BY d.address_id, d.status = 'sent' DESC, d.finished_at DESC
)
UPDATE tidings.report_run_recipients x SET
    status = CASE e.status WHEN 'sent' THEN 'sent' WHEN 'skipped' THEN 'skipped' ELSE 'failed' END,
    error_message = CASE WHEN e.status = 'sent' THEN NULL
                         ELSE left(coalesce(e.last_error, 'there is no such mailbox here any more'), 1000) END,
    delivered_at = CASE WHEN e.status = 'sent' THEN e.finished_at END
FROM tidings.report_run_recipients y LEFT JOIN ended e USING (address_id)
WHERE x.run_id = $3 AND y.run_id = x.run_id AND y.email = x.email AND x.status = 'pending'
"""


@dataclass(frozen=True)
class ReportListeners:
    def listeners(self) -> list[Listener]:
        return [
            Listener(_MAIL, ("report.generated",), self.mail, asking=True),
            Listener("reports.owner", ("report.failed", "report.missed"), self.tell_owner, asking=True),
            Listener("reports.delivered", ("notice.settled",), self.delivered, asking=True, settles=_MAIL),
        ]

    async def mail(self, connection: Connection, fact: Heard) -> Notice | NotTold:
        """By mail alone, and to the addresses that were named, whatever others their people have."""
        row = await connection.fetchrow(_RUN, fact.tenant, fact.data["runId"])
        if row is None or row["status"] != RunStatus.DELIVERING:
            return NotTold("the run is not being mailed any more")
        to = await connection.fetch(_TO, row["id"])
        kind = report_types()[row["report_type"]]
        slot = _shown(row["slot"], row)
        return Notice(
            f"{row['name'] or kind.name}, {_CADENCES[row['cadence_type']]}, {slot}",
            row["summary"],
            [Selector(By.PERSON, tuple(sorted({str(each["person_id"]) for each in to})))],
            [Channel.EMAIL],
            category=CATEGORY,
            properties={"runId": row["id"], "scheduleId": row["schedule_id"]},
            attachments=[KeptAttachment(DOCUMENT, str(row["id"]))],
            addresses=[each["address_id"] for each in to],
            matter=f"report:{row['id']}",
        )

    async def delivered(self, connection: Connection, fact: Heard) -> None:
        """There is an answer for every mail: that is the end of the run."""
        notice_id = UUID(fact.data["noticeId"])
        run_id = await connection.fetchval(
            "SELECT (properties ->> 'runId')::bigint FROM tidings.notices WHERE tenant = $1 AND id = $2",
            fact.tenant,
            notice_id,
        )
        row = None if run_id is None else await connection.fetchrow(_RUN, fact.tenant, run_id)
        if row is None or row["status"] != RunStatus.DELIVERING:
            return
        await connection.execute(_SETTLE, fact.tenant, notice_id, run_id)
        counted = await connection.fetch(
            "SELECT status, count(*) FROM tidings.report_run_recipients WHERE run_id = $1 GROUP BY status", run_id
        )
        counts = dict.fromkeys(RecipientStatus, 0) | {
            RecipientStatus(each["status"]): each["count"] for each in counted
        }
        await connection.execute(
            """UPDATE tidings.report_runs SET status = $2, completed_at = now(), error_message = (
                   SELECT closed_reason FROM tidings.notices WHERE id = $3) WHERE id = $1""",
            run_id,
            outcome_of(counts),
            notice_id,
        )
        if counts[RecipientStatus.FAILED]:
            await record(connection, fact.tenant, "failed", row, fact.id)

    async def tell_owner(self, connection: Connection, fact: Heard) -> Notice | NotTold:
        """Of a run that went wrong, or that nobody began: nobody would notice what does not come."""
        if fact.type == "report.missed":
            row = await connection.fetchrow(_MISSED, fact.tenant, fact.data["scheduleId"])
        else:
            row = await connection.fetchrow(_FAILED, fact.tenant, fact.data["runId"])
        if row is None or row["person_id"] is None:
            return NotTold("its owner is nobody of the people here")
        told = _told(row, fact)
        return Notice(
            told.title,
            told.body,
            [Selector(By.PERSON, (str(row["person_id"]),))],
            [Channel.EMAIL, Channel.WEBSOCKET],
            Level.WARNING,
            CATEGORY,
            properties={"scheduleId": row["schedule_id"], "locale": language_of(row["locale"])},
        )


def _told(row: Any, fact: Heard) -> Said:
    kind = report_types().get(row["report_type"])
    name = row["name"] or (row["report_type"] if kind is None else kind.name)
    if fact.type == "report.missed":
        return missed(row["locale"], name, _shown(datetime.fromisoformat(fact.data["slot"]), row))
    status = RunStatus(row["status"])
    slot = _shown(row["slot"], row)
    return said(row["locale"], status, name, slot, row["error_message"], row["failed"], row["everybody"])


def _shown(slot: datetime, row: Any) -> str:
    return f"{slot:%Y-%m-%d %H:%M} ({row['timezone']})"


_CADENCES = {
    CadenceType.DAILY: "daily",
    CadenceType.WEEKLY: "weekly",
    CadenceType.MONTHLY: "monthly",
    CadenceType.CRON: "recurring",
}
