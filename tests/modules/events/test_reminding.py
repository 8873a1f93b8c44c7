"""Reminders when they are due: looked at again, said once for each start, and never of what is not so any more."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.modules.events.party import TENANT, Party
from tests.support.routing import add_integration
from tidings.kit.errors import ValidationFailed
from tidings.modules.events.model import Choice
from tidings.modules.events.reminders import Reminders
from tidings.modules.events.reminding import Belongs, NotSent, Remind, Verdict, verdict_of

START = datetime(2026, 12, 1, 18, tzinfo=UTC)
DAY = 86_400
NOW = START - timedelta(days=1)


@pytest.mark.parametrize(
    ("changes", "offset", "due_at", "verdict"),
    [
        ({}, DAY, NOW, Remind()),
        ({}, None, NOW - timedelta(days=3), Remind()),
        ({"id": None}, DAY, NOW, NotSent("event_not_found")),
        ({"status": "cancelled"}, DAY, NOW, NotSent("event_cancelled")),
        ({"status": "completed"}, None, NOW, NotSent("event_completed")),
        ({"subscribed": False}, DAY, NOW, NotSent("unsubscribed")),
        ({"subscribed": None}, DAY, NOW, NotSent("unsubscribed")),
        ({"offsets": [3600]}, DAY, NOW, NotSent("offset_removed")),
        ({"starts_at": START + timedelta(days=7)}, DAY, NOW, Belongs(NOW + timedelta(days=7))),
        ({"starts_at": START - timedelta(hours=1)}, DAY, NOW, NotSent("time_passed")),
        ({"now": START - timedelta(hours=1)}, DAY, NOW, Remind()),
        ({"now": START}, DAY, NOW, NotSent("time_passed")),
        ({"now": START + timedelta(minutes=1), "offsets": [0]}, 0, START, Remind()),
        ({"now": START + timedelta(hours=1), "offsets": [0]}, 0, START, NotSent("time_passed")),
        ({"now": START + timedelta(hours=1)}, None, START, Remind()),
    ],
)
def test_what_becomes_of_a_reminder(
    changes: dict[str, Any], offset: int | None, due_at: datetime, verdict: Verdict
) -> None:
    row = {"id": 1, "status": "active", "subscribed": True, "offsets": [DAY], "starts_at": START, "now": NOW} | changes
    assert verdict_of(row, offset, due_at) == verdict


async def test_a_reminder_is_said_in_the_language_and_by_the_clock_of_the_subscriber(party: Party) -> None:
    event = await party.create(
        name="Sommerfest", starts_at=datetime(2030, 7, 1, 16, 0, tzinfo=UTC), location="Im Garten"
    )
    await party.join(event, await party.person(locale="de", timezone="America/New_York"), DAY)
    await party.drain(timedelta(days=3000))
    welcome, reminder = await party.mails()
    assert welcome["subject"] == "Sie nehmen teil: Sommerfest"
    assert reminder["subject"] == "Sommerfest ist morgen"
    assert "Montag 1 Juli 2030, 12:00 (America/New_York)" in reminder["text"]
    assert "Wo: Im Garten" in reminder["text"]
    (notice,) = await party.owner.fetch("SELECT level, topic FROM tidings.notices WHERE listener = 'events.reminder'")
    assert (notice["level"], notice["topic"]) == ("warning", f"event:{event.id}")


async def test_a_reminder_that_was_sent_comes_again_when_the_event_is_postponed(party: Party) -> None:
    event = await party.create(starts_at=await party.now() + timedelta(hours=2))
    await party.join(event, await party.person(), 3600)
    await party.drain(timedelta(hours=2))
    assert len(await party.facts("event.reminder_due")) == 1
    assert await party.reminders() == {}
    later = event.starts_at + timedelta(days=7)
    await party.change(event, starts_at=later)
    assert list((await party.reminders()).values()) == [later - timedelta(hours=1)]
    await party.drain(timedelta(days=8))
    facts = await party.facts("event.reminder_due")
    assert [datetime.fromisoformat(fact["event"]["startsAt"]) for fact in facts] == [event.starts_at, later]
    assert len([mail for mail in await party.mails() if "starts in 1 hour" in mail["subject"]]) == 2


async def test_one_that_is_tried_again_is_said_once(party: Party) -> None:
    """Whatever writes the same reminder of the same start again: the fact is the same one."""
    event = await party.create(starts_at=await party.now() + timedelta(hours=2))
    known = await party.join(event, await party.person(), 3600)
    for _ in range(2):
        await party.owner.execute(
            """SELECT tidings.schedule_as('events', ARRAY['event.remind'], ARRAY[jsonb_build_object(
                   'event', $1::bigint, 'subscription', $2::bigint, 'offset', 3600)], ARRAY[$3], ARRAY[$4::timestamptz],
                   'default', NULL)""",
            event.id,
            known.id,
            f"event-{event.id}-sub-{known.id}-reminder-3600s",
            event.starts_at - timedelta(hours=1),
        )
        await party.drain(timedelta(hours=2))
    assert len(await party.facts("event.reminder_due")) == 1
    assert len([mail for mail in await party.mails() if "starts in 1 hour" in mail["subject"]]) == 1


async def test_what_is_not_so_any_more_is_not_sent_and_says_why(party: Party) -> None:
    """Rows are changed behind the module's back, as a crash or a restore might leave them."""
    event = await party.create()
    people = [await party.person(name) for name in ("Ada", "Bea", "Cleo")]
    stays, leaves, narrows = [await party.join(event, person, 3600) for person in people]
    await party.owner.execute("UPDATE tidings.event_subscriptions SET left_at = now() WHERE id = $1", leaves.id)
    await party.owner.execute("UPDATE tidings.event_subscriptions SET offsets = '{60}' WHERE id = $1", narrows.id)
    await party.drain(timedelta(days=8))
    skipped = {fact["subscriptionId"]: fact["reason"] for fact in await party.facts("event.reminder_skipped")}
    assert skipped == {leaves.id: "unsubscribed", narrows.id: "offset_removed"}
    assert [fact["subscriptionId"] for fact in await party.facts("event.reminder_due")] == [stays.id]


async def test_one_at_the_wrong_time_is_put_where_it_belongs(party: Party) -> None:
    event = await party.create()
    known = await party.join(event, await party.person(), 3600)
    later = event.starts_at + timedelta(days=1)
    await party.owner.execute("UPDATE tidings.events SET starts_at = $2 WHERE id = $1", event.id, later)
    await party.owner.execute("UPDATE tidings.outbox SET run_at = now() WHERE kind = 'event.remind'")
    await party.drain()
    assert await party.reminders() == {f"event-{event.id}-sub-{known.id}-reminder-3600s": later - timedelta(hours=1)}
    assert await party.facts("event.reminder_due") == []


@pytest.mark.parametrize("reason", ["event_cancelled", "event_moved"])
async def test_a_reminder_under_way_is_not_sent_once_the_event_is_cancelled_or_moved(party: Party, reason: str) -> None:
    event = await party.create(starts_at=await party.now() + timedelta(hours=2))
    await party.join(event, await party.person(), 3600)
    await party.drain()
    await party.owner.execute("UPDATE tidings.providers SET enabled = false")  # what is to be sent waits
    await party.drain(timedelta(hours=2))
    assert await party.owner.fetchval("SELECT count(*) FROM tidings.deliveries") == 2
    if reason == "event_cancelled":
        await party.cancel(event)
    else:
        await party.change(event, starts_at=event.starts_at + timedelta(days=1))
    await party.owner.execute("UPDATE tidings.providers SET enabled = true")
    await party.drain()
    skipped = await party.owner.fetch(
        """SELECT d.status, n.closed_reason FROM tidings.deliveries_finished d
           JOIN tidings.notices n ON n.id = d.notice_id WHERE n.listener = 'events.reminder'"""
    )
    assert [(row["status"], row["closed_reason"]) for row in skipped] == [("skipped", reason)] * 2


async def test_one_at_a_time_of_its_own_that_is_under_way_is_sent_though_the_event_is_moved(party: Party) -> None:
    """It does not move with the event: if it were not sent now, it never would be."""
    event = await party.create(starts_at=await party.now() + timedelta(hours=2))
    known = await party.join(event, await party.person(), 3600)
    await party.drain()
    async with party.subscriptions() as subscriptions:
        at = await party.now() + timedelta(minutes=5)
        await Reminders(subscriptions.connection, TENANT).remind_at(known, at)
    await party.owner.execute("UPDATE tidings.providers SET enabled = false")  # what is to be sent waits
    await party.drain(timedelta(minutes=10))
    await party.change(event, starts_at=event.starts_at + timedelta(days=1))
    await party.owner.execute("UPDATE tidings.providers SET enabled = true")
    await party.drain()
    sent = await party.owner.fetch(
        """SELECT d.status FROM tidings.deliveries_finished d JOIN tidings.notices n ON n.id = d.notice_id
           WHERE n.listener = 'events.reminder'"""
    )
    assert [row["status"] for row in sent] == ["sent"] * 2


async def test_a_reminder_of_an_event_that_was_cancelled_before_it_was_put_into_words_is_not_said(party: Party) -> None:
    event = await party.create(starts_at=await party.now() + timedelta(hours=2))
    await party.join(event, await party.person(), 3600)
    await party.drain()
    async with party.pool.acquire() as connection:
        await connection.execute(
            """SELECT tidings.emit_as('events', ARRAY['event.reminder_due'], ARRAY[jsonb_build_object(
                   'eventId', $1::bigint, 'offset', 3600, 'event', '{}'::jsonb)], NULL, NULL, ARRAY['default'], NULL,
                   NULL, NULL)""",
            event.id,
        )
    await party.cancel(event)
    await party.drain()
    verdicts = await party.owner.fetch("SELECT verdict FROM tidings.processed_by WHERE listener = 'events.reminder'")
    assert [row["verdict"] for row in verdicts] == ["event_cancelled"]


async def test_offsets_are_elapsed_time_and_words_are_by_the_clock_when_the_start_crosses_a_change_of_it(
    party: Party,
) -> None:
    """Rome's clocks go back on 2030-10-27 at 01:00 UTC: by the clock, a day before is not the same time of day."""
    rome = ZoneInfo("Europe/Rome")
    summer, winter = datetime(2030, 10, 26, 18, 0, tzinfo=rome), datetime(2030, 10, 27, 18, 0, tzinfo=rome)
    event = await party.create(starts_at=summer.astimezone(UTC))
    await party.join(event, await party.person(timezone="Europe/Rome"), DAY, 3600)
    moved = await party.change(event, starts_at=winter.astimezone(UTC))
    assert moved.starts_at - event.starts_at == timedelta(hours=25)
    dues = sorted((await party.reminders()).values())
    assert dues == [moved.starts_at - timedelta(days=1), moved.starts_at - timedelta(hours=1)]
    assert dues[0].astimezone(rome).hour == 19
    await party.drain(timedelta(days=3000))
    reminders = {mail["subject"]: mail["text"] for mail in await party.mails() if "joined" not in mail["subject"]}
    assert set(reminders) == {"Picnic is tomorrow", "Picnic starts in 1 hour"}
    assert all("Sunday 27 October 2030, 18:00 (Europe/Rome)" in text for text in reminders.values())


async def test_one_that_is_due_in_the_next_second_is_sent_and_one_that_has_passed_is_not(party: Party) -> None:
    event = await party.create(starts_at=await party.now() + timedelta(seconds=3602))
    await party.join(event, await party.person(), DAY, 3600)
    async with asyncio.timeout(30):
        while not (facts := await party.facts("event.reminder_due")):
            await party.drain()
            await asyncio.sleep(0.1)
    assert [fact["offset"] for fact in facts] == [3600]
    assert await party.reminders() == {}


async def test_somebody_elses_integration_is_not_there(party: Party) -> None:
    event = await party.create()
    ada, bea = await party.person("Ada"), await party.person("Bea")
    theirs = await add_integration(party.owner, party.settings, bea, "phone")
    with pytest.raises(ValidationFailed) as refused:
        await party.join(event, ada, address_ids=(theirs,))
    assert [fault.field for fault in refused.value.faults] == ["selectors"]
    known = await party.join(event, ada)
    async with party.subscriptions() as subscriptions:
        with pytest.raises(ValidationFailed):
            await subscriptions.change(known, Choice(address_ids=(theirs,)))


async def test_one_that_is_due_and_waits_for_a_worker_outlives_a_change_of_the_other_offsets(party: Party) -> None:
    event = await party.create(starts_at=await party.now() + timedelta(hours=2))
    known = await party.join(event, await party.person(), 3600)
    await _let_pass(party, timedelta(minutes=90))
    async with party.subscriptions() as subscriptions:
        await subscriptions.change(known, Choice((3600, 60)))
    key = f"event-{event.id}-sub-{known.id}-reminder"
    assert list(await party.reminders()) == [f"{key}-3600s", f"{key}-60s"]
    await party.drain()
    assert [fact["offset"] for fact in await party.facts("event.reminder_due")] == [3600]


async def test_one_that_is_late_is_of_use_until_the_event_begins_and_no_longer(party: Party) -> None:
    event = await party.create(starts_at=await party.now() + timedelta(days=2))
    await party.join(event, await party.person(), DAY, 3600)
    await _let_pass(party, timedelta(hours=43))
    await party.drain()
    useful = await party.owner.fetchval("SELECT expires_after FROM tidings.notices WHERE listener = 'events.reminder'")
    assert timedelta(hours=4) < useful <= timedelta(hours=5)
    await _let_pass(party, timedelta(hours=6))
    await party.drain()
    assert [fact["offset"] for fact in await party.facts("event.reminder_due")] == [DAY]
    (skipped,) = await party.facts("event.reminder_skipped")
    assert (skipped["offset"], skipped["reason"]) == (3600, "time_passed")


async def _let_pass(party: Party, time: timedelta) -> None:
    """No worker has looked meanwhile."""
    await party.owner.execute("UPDATE tidings.events SET starts_at = starts_at - $1::interval", time)
    await party.owner.execute(
        "UPDATE tidings.outbox SET due_at = due_at - $1::interval, run_at = run_at - $1::interval", time
    )
