"""From a slot that is due to mails that arrived: once, resumed wherever it was left, and not where nobody wants it."""

from __future__ import annotations

import email
import email.policy
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.delivery.mail_servers import slow_mail_server
from tests.support.pipeline import Owner, add_person, add_provider, drain, kept, sending_settings
from tests.support.reporting import TENANT, TO, Office, documents, keep
from tidings.kit.errors import Conflict, LimitExceeded
from tidings.kit.settings import Settings
from tidings.modules.reports.missing import tell_of_missed_slots
from tidings.modules.reports.model import CatchUp, Status
from tidings.modules.reports.rendering.formats import Format
from tidings.testing import adrain


async def mails(owner: Owner, settings: Settings) -> list[dict[str, Any]]:
    return [each for each in await kept(owner, settings) if each["channel"] == "email"]


async def test_a_slot_is_mailed_to_each_and_the_next_one_waits(
    office: Office, owner: Owner, settings: Settings
) -> None:
    id = await office.schedule(name="What went out")  # noqa: A001
    due = await office.fall_due(id)
    await adrain(settings)
    (run,) = await office.runs(id)
    assert (run["status"], run["trigger"], run["due_at"], run["error_message"]) == ("delivered", "schedule", due, None)
    assert run["started_at"] <= run["completed_at"]
    assert await office.recipients(run["id"]) == dict.fromkeys(TO, "sent")
    sent = await mails(owner, settings)
    assert sorted(mail["to"] for mail in sent) == sorted(TO)
    assert {mail["subject"] for mail in sent} == {f"What went out, daily, {run['slot']:%Y-%m-%d} 09:00 (Europe/Vienna)"}
    assert (await office.tick(id))["due_at"] > due
    await adrain(settings)
    assert len(await office.runs(id)) == 1


@pytest.mark.parametrize(
    ("wanted", "begins"), [("pdf", b"%PDF-"), ("csv", b"channel,sent"), ("xlsx", b"PK"), ("html", b"<!doctype html>")]
)
async def test_what_was_made_is_kept_and_goes_along_with_each_mail(
    office: Office, owner: Owner, settings: Settings, wanted: str, begins: bytes
) -> None:
    schedule = await office.schedule(format=Format(wanted))
    await office.fall_due(schedule)
    await adrain(settings)
    (run,) = await office.runs(schedule)
    made = await (await documents(owner, settings)).of(owner, TENANT, run["id"])
    assert made is not None
    assert made.name == f"delivery-summary-{run['slot']:%Y-%m-%d}T0900.{wanted}"
    assert made.content.startswith(begins)
    expected = {"name": made.name, "mediaType": Format(wanted).media_type, "bytes": len(made.content)}
    assert [mail["attachments"] for mail in await mails(owner, settings)] == [[expected]] * len(TO)
    assert made.content not in await owner.fetchval("SELECT sealed FROM tidings.report_documents")
    assert "text" not in await owner.fetchval("SELECT attachments::text FROM tidings.notices")


async def test_a_mail_carries_it_byte_by_byte(office: Office, owner: Owner, settings: Settings) -> None:
    await office.fall_due(await office.schedule(to=TO[:1]))
    async with slow_mail_server(0) as server:
        await add_provider(owner, settings, "email", "smtp", config=server.config)
        await drain(settings)
    made = await (await documents(owner, settings)).of(owner, TENANT, 1)
    assert made is not None
    (mail,) = server.mails
    (attached,) = email.message_from_bytes(mail, policy=email.policy.default).iter_attachments()
    assert (attached.get_filename(), attached.get_content_type()) == (made.name, "application/pdf")
    assert attached.get_payload(decode=True) == made.content


@pytest.mark.parametrize("status", ["pending", "generating", "generated"])
async def test_a_run_that_was_left_is_gone_on_with(
    office: Office, owner: Owner, settings: Settings, status: str
) -> None:
    """As a worker leaves it that dies: its row says how far it was, and its intent is there still."""
    id = await office.schedule()  # noqa: A001
    run = await owner.fetchval(
        """INSERT INTO tidings.report_runs (tenant, schedule_id, slot, due_at, status, summary)
           VALUES ('default', $1, '2026-03-02 09:00', '2026-03-02 08:00Z', $2, 'Sent: 0') RETURNING id""",
        id,
        status,
    )
    if status == "generated":
        await keep(owner, settings, run)
    await owner.execute(
        "SELECT tidings.schedule_as('reports', ARRAY['report.run'], ARRAY[jsonb_build_object('runId', $1::bigint)], "
        "ARRAY['run'], NULL, 'default', NULL)",
        run,
    )
    await adrain(settings)
    assert [each["status"] for each in await office.runs(id)] == ["delivered"]
    assert len(await mails(owner, settings)) == len(TO)


@pytest.mark.parametrize(
    ("catch_up", "expected"),
    [(CatchUp.LATEST, [("delivered", True)]), (CatchUp.SKIP, []), (CatchUp.ALL, [("delivered", True)] * 3)],
)
async def test_what_was_missed_is_caught_up_with_as_the_schedule_says(
    office: Office, owner: Owner, settings: Settings, catch_up: CatchUp, expected: list[tuple[str, bool]]
) -> None:
    """Nothing ran for three slots; the newest of them is more than ten minutes ago."""
    id = await office.schedule(catch_up=catch_up)  # noqa: A001
    newest = await office.fall_due(id, timedelta(minutes=11))
    await office.fall_due(id, timedelta(minutes=11) + timedelta(days=2))
    for _ in range(max(len(expected), 1)):
        await adrain(settings, ahead=timedelta(seconds=3))
    runs = await office.runs(id)
    assert [(run["status"], run["late"]) for run in runs] == expected
    assert [run["due_at"] for run in runs] == sorted(run["due_at"] for run in runs)
    assert not runs or runs[-1]["due_at"] == newest
    assert (await office.tick(id))["due_at"] > newest


async def test_what_is_paused_or_deleted_meanwhile_is_not_mailed(
    office: Office, owner: Owner, settings: Settings
) -> None:
    paused, deleted = await office.schedule(), await office.schedule()
    for id in (paused, deleted):  # noqa: A001
        await office.fall_due(id)
    async with office.schedules() as schedules:
        await schedules.pause(paused)
        await schedules.delete(deleted)
    await adrain(settings)
    assert await mails(owner, settings) == []
    assert [await office.tick(each) for each in (paused, deleted)] == [None, None]
    async with office.schedules() as schedules:
        resumed = await schedules.resume(paused)
    assert (await office.tick(paused))["due_at"] == resumed.next_run_at
    async with office.schedules() as schedules:
        with pytest.raises(Conflict):
            await schedules.resume(paused)


@pytest.mark.parametrize("how", ["pause", "delete"])
async def test_what_has_not_gone_out_when_it_is_stopped_stays(
    office: Office, owner: Owner, settings: Settings, how: str
) -> None:
    """The provider takes one mail an hour."""
    await owner.execute(
        """INSERT INTO tidings.providers (tenant, channel, type, name, rate, rate_period)
           VALUES ('default', 'email', 'sandbox', 'slow', 1, interval '1 hour')"""
    )
    id = await office.schedule()  # noqa: A001
    await office.fall_due(id)
    await adrain(settings)
    (run,) = await office.runs(id)
    assert (run["status"], len(await mails(owner, settings))) == ("delivering", 1)
    async with office.schedules() as schedules:
        await getattr(schedules, how)(id)
    await owner.execute("UPDATE tidings.providers SET rate = NULL, rate_period = NULL")
    await adrain(settings)
    (run,) = await office.runs(id)
    assert (run["status"], run["error_message"]) == ("delivered", f"the schedule was {how.removesuffix('e')}ed")
    assert sorted((await office.recipients(run["id"])).values()) == ["sent", "skipped"]
    assert len(await mails(owner, settings)) == 1


async def test_who_unsubscribed_is_skipped_and_where_nobody_is_left_nothing_is_sent(
    office: Office, owner: Owner, settings: Settings
) -> None:
    id = await office.schedule()  # noqa: A001
    gone = "INSERT INTO tidings.report_unsubscribed (tenant, schedule_id, email) VALUES ('default', $1, $2)"
    await owner.execute(gone, id, TO[0])
    await office.fall_due(id)
    await adrain(settings)
    (run,) = await office.runs(id)
    assert (run["status"], await office.recipients(run["id"])) == (
        "delivered",
        dict(zip(TO, ("skipped", "sent"), strict=True)),
    )
    none = await office.schedule()
    for address in TO:
        await owner.execute(gone, none, address)
    await office.fall_due(none)
    await adrain(settings)
    assert [each["status"] for each in await office.runs(none)] == ["cancelled"]
    assert len(await mails(owner, settings)) == 1


async def test_who_owns_it_hears_of_what_went_wrong_and_of_nothing_else(
    office: Office, owner: Owner, database_url: str, settings: Settings
) -> None:
    user = uuid4()
    await owner.execute("INSERT INTO tidings.users (id, name, email) VALUES ($1, 'M', 'm@example.com')", user)
    await add_person(owner, "The manager", email="manager@example.com", user_id=user, locale="de")
    unsent, well, unmade = [await office.schedule(owner=f"user:{user}", name=name) for name in ("A", "B", "C")]
    await office.fall_due(unsent)
    await drain(sending_settings(database_url, default_provider="none"))
    await owner.execute("UPDATE tidings.report_schedules SET report_type = 'gone' WHERE id = $1", unmade)
    for schedule in (well, unmade):
        await office.fall_due(schedule)
    await adrain(settings)
    told = await owner.fetch("SELECT title, body FROM tidings.notices WHERE listener = 'reports.owner' ORDER BY id")
    assert [row["title"].split(",")[0] for row in told] == ["Bericht nicht bei allen angekommen: A", "Kein Bericht: C"]
    assert "2 von 2" in told[0]["body"]
    assert "there is no report 'gone' any more" in told[1]["body"]
    (mail,) = [each for each in await mails(owner, settings) if each["to"] == "manager@example.com"]
    assert mail["subject"] == told[1]["title"]


async def test_who_owns_it_hears_once_of_a_slot_that_nobody_began(
    office: Office, owner: Owner, settings: Settings
) -> None:
    user = uuid4()
    await owner.execute("INSERT INTO tidings.users (id, name, email) VALUES ($1, 'M', 'm@example.com')", user)
    await add_person(owner, "The manager", user_id=user)
    schedules = [await office.schedule(owner=f"user:{user}", name=name) for name in ("Stuck", "In time")]
    for schedule, late in zip(schedules, (timedelta(minutes=11), timedelta(minutes=9)), strict=True):
        await owner.execute(
            "UPDATE tidings.report_schedules SET next_run_at = now() - $2::interval WHERE id = $1", schedule, late
        )
    for _ in range(2):
        await tell_of_missed_slots(owner)
    await adrain(settings)
    told = await owner.fetch("SELECT title FROM tidings.notices WHERE listener = 'reports.owner'")
    assert [row["title"].split(",")[0] for row in told] == ["Not begun: Stuck"]


async def test_one_has_twenty_five_active_ones(office: Office) -> None:
    ids = [await office.schedule() for _ in range(25)]
    with pytest.raises(LimitExceeded):
        await office.schedule()
    async with office.schedules() as schedules:
        assert (await schedules.pause(ids[0])).status is Status.PAUSED
    await office.schedule()
    async with office.schedules() as schedules:
        with pytest.raises(LimitExceeded):
            await schedules.resume(ids[0])
