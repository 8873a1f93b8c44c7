"""Broadcasts: whom they reach and where, what goes along, and how they are counted by subscription."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from icalendar import Calendar

from tests.modules.events.party import TENANT, Party
from tests.support.pipeline import add_person, kept
from tests.support.routing import add_integration
from tidings.kit.db import as_tenant
from tidings.modules.events.messages import EventMessage, Messages, Result, Said, SubscriptionResult, Totals
from tidings.modules.events.model import Event


async def counted(party: Party, event: Event) -> tuple[EventMessage, Totals, list[SubscriptionResult]]:
    """The newest broadcast, as the organiser sees it."""
    async with party.pool.acquire() as connection, as_tenant(connection, TENANT):
        messages = Messages(connection, TENANT)
        newest = (await messages.list(event.id, Said.BROADCAST, None, 10)).items[0]
        results = await messages.results(event.id, newest.id, None, None, 100)
        return newest, await messages.totals(event.id, newest.id), list(results.items)


async def test_an_announcement_reaches_all_subscribers_and_nobody_else(party: Party) -> None:
    event = await party.create()
    people = [await party.person(name) for name in ("Ada", "Bea", "Cleo")]
    for person in people[:2]:
        await party.join(event, person)
    await party.drain()
    await party.broadcast(event, "announced", "info", title="Rain", body="Bring an umbrella")
    await party.drain()
    rain = [mail["to"] for mail in await party.mails() if mail["subject"] == "Rain"]
    assert sorted(rain) == ["ada@example.com", "bea@example.com"]
    _, totals, results = await counted(party, event)
    assert totals == Totals(delivered=2, failed=0, pending=0, total=2)
    assert [(result.status, result.tried) for result in results] == [(Result.DELIVERED, 1)] * 2


async def test_one_for_some_reaches_those(party: Party) -> None:
    event = await party.create()
    people = [await party.person(name) for name in ("Ada", "Bea")]
    known = [await party.join(event, person) for person in people]
    await party.drain()
    await party.broadcast(event, "announced", "info", title="You", body="alone", personIds=[str(known[1].person_id)])
    await party.drain()
    assert [mail["to"] for mail in await party.mails() if mail["subject"] == "You"] == ["bea@example.com"]


async def test_everybody_hears_of_it_where_they_chose_to_each_place_once(party: Party) -> None:
    event = await party.create()
    ada, bea, cleo = [await party.person(name) for name in ("Ada", "Bea", "Cleo")]
    phone = await add_integration(party.owner, party.settings, ada, "phone", ["home", "loud"])
    await add_integration(party.owner, party.settings, ada, "desk", ["work"])
    gone = await add_integration(party.owner, party.settings, bea, "gone", active=False)
    await party.join(event, ada, address_ids=(phone,), tags=("home", "loud"))
    await party.join(event, bea, address_ids=(gone,))
    await party.join(event, cleo)
    await party.drain()
    before = len(await kept(party.owner, party.settings))
    await party.broadcast(event, "announced", "critical", title="Now", body="or never")
    await party.drain()
    sent = (await kept(party.owner, party.settings))[before:]
    assert sorted(message["channel"] for message in sent) == ["apprise", "email", "websocket"]
    _, totals, results = await counted(party, event)
    assert totals == Totals(delivered=2, failed=1, pending=0, total=3)
    assert [(result.person, result.status, result.tried) for result in results] == [
        ("Ada", Result.DELIVERED, 1),
        ("Bea", Result.NO_TARGETS, 0),
        ("Cleo", Result.DELIVERED, 1),
    ]


async def test_who_is_told_nowhere_but_on_a_screen_they_do_not_have_was_not_told(party: Party) -> None:
    """Somebody without a login has no inbox that anybody reads."""
    event = await party.create()
    await party.join(event, await party.person(email="a@example.com"))
    nobody = await add_person(party.owner, "Mute")
    await party.join(event, nobody)
    await party.drain()
    await party.broadcast(event, "announced", "info", title="Hello", body="there")
    await party.drain()
    _, totals, results = await counted(party, event)
    assert totals == Totals(delivered=1, failed=1, pending=0, total=2)
    assert results[1].status is Result.NO_TARGETS


async def test_totals_grow_and_a_failure_is_one(party: Party) -> None:
    event = await party.create()
    await party.join(event, await party.person())
    await party.drain()
    await party.owner.execute("UPDATE tidings.providers SET enabled = false")
    await party.broadcast(event, "announced", "info", title="Hello", body="there")
    await party.drain()
    assert (await counted(party, event))[1] == Totals(delivered=0, failed=0, pending=1, total=1)
    await party.owner.execute(
        """INSERT INTO tidings.deliveries_finished (id, tenant, channel, provider, notice_id, notification_id,
               person_id, address_id, address, due_at, run_at, expires_at, status, attempts, crashes, generation,
               created_at, updated_at)
           SELECT id, tenant, channel, provider, notice_id, notification_id, person_id, address_id, address, due_at,
               run_at, expires_at, 'failed', 5, 0, 0, created_at, updated_at FROM tidings.deliveries"""
    )
    await party.owner.execute("DELETE FROM tidings.deliveries")
    _, totals, (result,) = await counted(party, event)
    assert totals == Totals(delivered=0, failed=1, pending=0, total=1)
    assert (result.status, result.tried, result.failed) == (Result.FAILED, 1, 1)


@pytest.mark.parametrize(("kind", "method"), [("updated", "PUBLISH"), ("cancelled", "CANCEL")])
async def test_a_change_goes_along_for_calendars(party: Party, kind: str, method: str) -> None:
    event = await party.create(location="Here")
    await party.join(event, await party.person())
    if kind == "cancelled":
        event = await party.cancel(event)
    else:
        event = await party.change(event, location="There")
    await party.drain()
    await party.broadcast(event, kind, changes={"location": "There"})
    await party.drain()
    (kept_with_it,) = (await party.mails())[-1]["attachments"]
    assert kept_with_it["name"] == "event.ics"
    written = await party.owner.fetchval("SELECT attachments FROM tidings.notices WHERE listener = 'events.broadcast'")
    (attached,) = json.loads(written)
    assert attached["mediaType"] == f"text/calendar; method={method}; charset=utf-8"
    calendar: Any = Calendar.from_ical(attached["text"])
    (one,) = calendar.walk("VEVENT")
    assert (str(calendar["method"]), one["sequence"]) == (method, 1)
    assert one["dtstart"].dt == event.starts_at


async def test_who_leaves_before_it_is_sent_does_not_get_it(party: Party) -> None:
    event = await party.create()
    known = await party.join(event, await party.person())
    await party.drain()
    await party.owner.execute("UPDATE tidings.providers SET enabled = false")
    await party.broadcast(event, "announced", "info", title="Hello", body="there")
    await party.drain()
    await party.leave(known)
    await party.owner.execute("UPDATE tidings.providers SET enabled = true")
    await party.drain()
    ended = await party.owner.fetch(
        """SELECT DISTINCT d.status, a.reason FROM tidings.deliveries_finished d
           JOIN tidings.delivery_attempts a ON a.delivery_id = d.id JOIN tidings.notices n ON n.id = d.notice_id
           WHERE n.title = 'Hello'"""
    )
    assert [(row["status"], row["reason"]) for row in ended] == [
        ("skipped", f"the person is not subscribed to 'event:{event.id}' any more")
    ]


async def test_of_a_cancelled_event_nothing_but_that_is_said(party: Party) -> None:
    event = await party.create()
    await party.join(event, await party.person())
    await party.drain()
    await party.broadcast(event, "announced", "info", title="Late", body="news")
    cancelled = await party.cancel(event)
    await party.broadcast(cancelled, "cancelled", "critical")
    await party.drain()
    subjects = [mail["subject"] for mail in await party.mails()]
    assert "Late" not in subjects
    assert "Event cancelled: Picnic" in subjects


async def test_the_organiser_hears_that_it_is_live_once(party: Party) -> None:
    organiser = await party.person("Olga", locale="it", timezone="Europe/Rome")
    event = await party.create(organiser_id=organiser, starts_at=await party.now() + timedelta(days=1))
    async with party.events() as events:
        shown = await party._snapshot(events, event)
        for _ in range(2):
            await events.connection.execute(
                "SELECT tidings.emit_own('events', 'event.live', jsonb_build_object('eventId', $1::bigint, 'event', "
                "$2::text::jsonb), 'event', $1::text, 'live', '{}')",
                event.id,
                json.dumps(shown),
            )
    await party.drain()
    (mail,) = await party.mails()
    assert mail["subject"] == "Il tuo evento è attivo: Picnic"
