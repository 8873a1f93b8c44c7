"""Runs that somebody asks for: now, again where there was no report, and again for those whom it did not reach."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.support.pipeline import Owner, drain, kept, sending_settings
from tests.support.reporting import TO, Office, keep
from tidings.kit.errors import Conflict, Gone, NotFound
from tidings.kit.settings import Settings
from tidings.modules.reports.documents import forget_old_documents
from tidings.modules.reports.model import Run
from tidings.testing import adrain


async def asked(office: Office, how: str, schedule: int, *run: int) -> Run:
    async with office.runs_of() as runs:
        begun: Run = await getattr(runs, how)(schedule, *run)
        return begun


async def test_one_is_made_now_also_while_its_schedule_is_paused(
    office: Office, owner: Owner, settings: Settings
) -> None:
    schedule = await office.schedule()
    async with office.schedules() as schedules:
        await schedules.pause(schedule)
    begun = await asked(office, "start", schedule)
    assert (begun.status, begun.trigger, begun.retry_of) == ("pending", "manual", None)
    await adrain(settings)
    (run,) = await office.runs(schedule)
    assert (run["status"], await office.recipients(run["id"])) == ("delivered", dict.fromkeys(TO, "sent"))


async def test_where_there_was_no_report_another_run_is_of_the_same_slot(
    office: Office, owner: Owner, settings: Settings
) -> None:
    schedule = await office.schedule()
    await owner.execute("UPDATE tidings.report_schedules SET report_type = 'gone'")
    await office.fall_due(schedule)
    await adrain(settings)
    (failed,) = await office.runs(schedule)
    assert (failed["status"], failed["error_message"]) == ("generation_failed", "there is no report 'gone' any more")
    await owner.execute("UPDATE tidings.report_schedules SET report_type = 'delivery-summary'")
    with pytest.raises(Conflict):
        await asked(office, "resend", schedule, failed["id"])
    await asked(office, "retry", schedule, failed["id"])
    with pytest.raises(Conflict, match="being repeated already"):
        await asked(office, "retry", schedule, failed["id"])
    await adrain(settings)
    first, second = await office.runs(schedule)
    assert first == failed  # what is over stays as it is
    assert (second["status"], second["trigger"], second["retry_of"]) == ("delivered", "retry", failed["id"])
    assert (second["slot"], second["due_at"]) == (failed["slot"], failed["due_at"])
    with pytest.raises(Conflict, match="could not be generated"):
        await asked(office, "retry", schedule, second["id"])


async def test_it_is_sent_again_to_those_alone_whom_it_did_not_reach(
    office: Office, owner: Owner, database_url: str, settings: Settings
) -> None:
    """As it was, whatever a report of today would say."""
    schedule = await office.schedule()
    await office.fall_due(schedule)
    await drain(sending_settings(database_url, default_provider="none"))
    (missed,) = await office.runs(schedule)
    assert (missed["status"], await office.recipients(missed["id"])) == ("delivery_failed", dict.fromkeys(TO, "failed"))
    await owner.execute("UPDATE tidings.report_run_recipients SET status = 'sent' WHERE email = $1", TO[0])
    await owner.execute("DELETE FROM tidings.report_documents")
    with pytest.raises(Gone):
        await asked(office, "resend", schedule, missed["id"])
    await keep(owner, settings, missed["id"], b"as it was")
    await asked(office, "resend", schedule, missed["id"])
    await adrain(settings)
    _, again = await office.runs(schedule)
    assert (again["status"], again["trigger"], again["retry_of"]) == ("delivered", "resend", missed["id"])
    assert await office.recipients(again["id"]) == {TO[1]: "sent"}
    (mail,) = await kept(owner, settings)
    assert (mail["to"], mail["attachments"]) == (
        TO[1],
        [{"name": "report.csv", "mediaType": "text/csv", "bytes": len(b"as it was")}],
    )
    with pytest.raises(Conflict, match="nobody whom it did not reach"):
        await asked(office, "resend", schedule, again["id"])


async def test_what_is_still_to_be_mailed_is_kept_however_old_it_is(
    office: Office, owner: Owner, settings: Settings
) -> None:
    schedule = await office.schedule()
    waiting, ended = [await asked(office, "start", schedule) for _ in range(2)]
    for run in (waiting, ended):
        await keep(owner, settings, run.id)
    await owner.execute("UPDATE tidings.report_documents SET created_at = now() - interval '91 days'")
    await owner.execute("UPDATE tidings.report_runs SET completed_at = now() WHERE id = $1", ended.id)
    assert not await forget_old_documents(owner, timedelta(days=90))
    assert await owner.fetchval("SELECT array_agg(run_id) FROM tidings.report_documents") == [waiting.id]


async def test_a_run_of_another_schedule_is_not_there(office: Office) -> None:
    one, other = await office.schedule(), await office.schedule()
    run = await asked(office, "start", one)
    with pytest.raises(NotFound):
        await asked(office, "retry", other, run.id)
