"""Whoever acts first settles the matter: what still waits is not sent, what was sent is followed up."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest

from tests.support.dining import Table
from tests.support.pipeline import Owner, add_url, kept, until_waiting
from tests.support.transports import Work
from tidings.kit.errors import Conflict, ValidationFailed
from tidings.kit.settings import Settings
from tidings.modules.reservations.model import UserType
from tidings.spine.notify.matters.settling import Handled, Won
from tidings.testing import adrain

SLACK = "https://hooks.slack.com/services/T0/B0/x"


async def test_what_still_waits_to_be_sent_about_it_is_skipped_and_says_by_whom(
    work: Work, table: Table, owner: Owner
) -> None:
    quiet = {"timezone": "UTC", "quiet_from": None, "quiet_until": None}
    sleeper = await table.add("Sleeping manager", UserType.RESTAURANT_USER, **quiet)
    await owner.execute(
        """UPDATE tidings.people SET quiet_from = (now() AT TIME ZONE 'UTC' - interval '1 hour')::time,
           quiet_until = (now() AT TIME ZONE 'UTC' + interval '1 hour')::time WHERE id = $1""",
        sleeper,
    )
    reservation = await table.request()
    await work()
    before = (await table.told(sleeper))[0]["channels"]
    assert set(before.values()) == {"pending", "sent"}  # the inbox disturbs nobody
    await table.act(reservation, table.admin, "CONFIRMED")
    await work(ahead=timedelta(hours=3))
    (asked,) = [each for each in await table.told(sleeper) if each["actions"]]
    assert {channel for channel, status in asked["channels"].items() if status == "skipped"} == {
        channel for channel, status in before.items() if status == "pending"
    }
    reasons = await owner.fetch(
        """SELECT DISTINCT t.reason FROM tidings.delivery_attempts t JOIN tidings.deliveries_finished d
           ON d.id = t.delivery_id WHERE d.person_id = $1 AND t.outcome = 'skipped'""",
        sleeper,
    )
    assert [row["reason"] for row in reasons] == ["the notice was closed: handled by The admin: CONFIRMED"]


async def test_what_was_sent_by_slack_and_push_is_followed_up_and_mail_is_left_alone(
    work: Work, settings: Settings, table: Table, owner: Owner
) -> None:
    await add_url(owner, settings, table.admin, "slack", SLACK)
    reservation = await table.request()
    await work()
    sent = await kept(owner, settings)
    (asked,) = [each for each in sent if each["channel"] == "slack"]
    assert [button["label"] for button in asked["buttons"]] == ["Confirm", "Reject"]
    await table.act(reservation, table.manager, "REJECTED")
    await work()
    after = (await kept(owner, settings))[len(sent) :]
    followed = [each for each in after if "Handled by The manager: rejected." in str(each)]
    assert sorted(each["channel"] for each in followed) == ["push", "push", "slack"]
    places = {each["to"]: each["thread"] for each in sent if each["channel"] == "push" and each["thread"]}
    assert {each["to"]: each["thread"] for each in followed if each["channel"] == "push"} == places
    assert {each["channel"] for each in after if each not in followed} == {"email", "push"}  # the customer


async def test_a_follow_up_does_not_show_in_any_inbox_a_second_time(work: Work, table: Table) -> None:
    reservation = await table.request()
    await work()
    await table.act(reservation, table.manager, "CONFIRMED")
    await work()
    (filed,) = [each for each in await table.told(table.admin) if each["filed"]]
    assert filed["read_at"] is not None
    assert filed["archived_at"] is not None
    assert list(filed["channels"]) == ["push"]


async def test_each_is_followed_up_in_the_words_in_which_they_were_told(work: Work, table: Table) -> None:
    reservation = await table.request()
    await work()
    await table.act(reservation, table.manager, "POSTPONED", proposed_time=await table.now() + timedelta(days=5))
    await work()
    await table.act(reservation, table.customer, "REJECTED")
    await work()
    filed = [each["title"] for each in await table.told(table.customer) if each["filed"]]
    assert filed == ["Da Rosa proposes another time"]
    assert await table.status(reservation) == "rejected"


async def test_a_notice_that_a_late_listener_makes_of_a_settled_matter_is_sent_to_nobody(
    work: Work, table: Table, owner: Owner
) -> None:
    """The admins hear of the request before the staff do, and one of them is quick."""
    await owner.execute("UPDATE tidings.outbox SET run_at = now() + interval '1 hour'")
    reservation = await table.request()
    held = "UPDATE tidings.outbox SET run_at = $1::timestamptz WHERE kind = 'notice.listener.reservations.restaurant'"
    await owner.execute(held, await table.now() + timedelta(hours=1))
    await work()
    await table.act(reservation, table.admin, "CONFIRMED")
    await work(ahead=timedelta(hours=2))
    (late,) = [each for each in await table.told(table.manager) if each["actions"]]
    assert set(late["channels"].values()) == {"skipped"}


async def test_the_effect_is_one_however_many_try_and_the_audit_has_them_all(table: Table, settings: Settings) -> None:
    crowd = [await table.add(f"Manager {n}", UserType.RESTAURANT_USER, phone=f"+39020000{n:03}") for n in range(12)]
    reservation = await table.request()
    await adrain(settings)
    outcomes = await asyncio.gather(
        *(table.act(reservation, person, "CONFIRMED" if n % 2 else "REJECTED") for n, person in enumerate(crowd))
    )
    (won,) = [each for each in outcomes if isinstance(each, Won)]
    assert {each.settlement for each in outcomes if isinstance(each, Handled)} == {won.settlement}
    tried = await table.owner.fetch("SELECT person_id, won FROM tidings.actions")
    assert {row["person_id"] for row in tried} == set(crowd)
    assert [row["person_id"] for row in tried if row["won"]] == [won.settlement.person_id]
    assert len(await table.facts(reservation)) == 2


async def test_one_who_takes_back_what_they_did_leaves_it_to_the_next(table: Table, settings: Settings) -> None:
    """The first transaction is rolled back while the second waits for it."""
    reservation = await table.request()
    await adrain(settings)

    async def wins_and_fails(acted: asyncio.Event, go_on: asyncio.Event) -> None:
        try:
            async with table.transaction() as connection:
                await connection.execute(
                    """INSERT INTO tidings.actions (tenant, matter, action, won)
                       VALUES ('default', $1, 'REJECTED', true)""",
                    f"reservation:{reservation}",
                )
                acted.set()
                await go_on.wait()
                raise RuntimeError("the power is gone")
        except RuntimeError:
            pass

    acted, go_on = asyncio.Event(), asyncio.Event()
    first = asyncio.create_task(wins_and_fails(acted, go_on))
    await acted.wait()
    second = asyncio.create_task(table.act(reservation, table.admin, "CONFIRMED"))
    await until_waiting(table.owner, 1)
    go_on.set()
    await first
    assert isinstance(await second, Won)
    assert await table.status(reservation) == "confirmed"


async def test_an_effect_that_is_refused_settles_nothing(table: Table, settings: Settings) -> None:
    reservation = await table.request()
    await adrain(settings)
    past = await table.now() - timedelta(hours=1)
    with pytest.raises(ValidationFailed, match="must lie ahead"):
        await table.act(reservation, table.manager, "POSTPONED", proposed_time=past)
    await table.owner.execute("UPDATE tidings.reservations SET reserved_for = now() - interval '1 s'")
    with pytest.raises(Conflict, match="has passed"):
        await table.act(reservation, table.manager, "CONFIRMED")
    assert await table.owner.fetchval("SELECT count(*) FROM tidings.actions") == 0
    assert isinstance(await table.act(reservation, table.manager, "REJECTED"), Won)


async def test_dismissing_settles_the_matter_and_leaves_the_reservation_open(table: Table, work: Work) -> None:
    reservation = await table.request()
    await work()
    await table.act(reservation, table.manager, "CUSTOM", note="Called them back")
    assert await table.status(reservation) == "requested"
    await table.reopen(reservation)
    await work()
    assert (await table.titles(table.manager))[-1] == "Please decide: A guest, 4"
    await table.act(reservation, table.admin, "CONFIRMED")
    assert await table.status(reservation) == "confirmed"


async def test_a_copy_of_an_earlier_round_cannot_decide_the_next(table: Table, settings: Settings) -> None:
    reservation = await table.request()
    await adrain(settings)
    await table.act(reservation, table.manager, "DISMISSED")
    await table.reopen(reservation)
    outcome = await table.act(reservation, table.admin, "REJECTED")  # the new round was told to nobody yet
    assert isinstance(outcome, Handled)
    assert await table.status(reservation) == "requested"


async def test_a_cancellation_and_an_action_at_once_leave_one_of_both(table: Table, settings: Settings) -> None:
    requests = [await table.request() for _ in range(10)]
    await adrain(settings)

    async def cancel(reservation: int) -> str:
        try:
            await table.cancel(reservation)
        except Conflict:
            return "refused"
        return "cancelled"

    async def confirm(reservation: int) -> str:
        return "won" if isinstance(await table.act(reservation, table.manager, "CONFIRMED"), Won) else "late"

    for reservation in requests:
        pair = tuple(await asyncio.gather(cancel(reservation), confirm(reservation)))
        assert pair in {("cancelled", "late"), ("refused", "won")}
        expected = "cancelled" if pair[0] == "cancelled" else "confirmed"
        assert await table.status(reservation) == expected
        assert await table.facts(reservation) == ["requested", expected]


async def test_who_reads_and_who_acts_at_once_wait_for_nobody_for_good(table: Table, settings: Settings) -> None:
    crowd = [await table.add(f"Manager {n}", UserType.RESTAURANT_USER, phone=f"+39020000{n:03}") for n in range(5)]
    requests = [await table.request() for _ in range(6)]
    await adrain(settings)

    async def reading(person: UUID) -> None:
        for _ in range(4):
            await table.read(person)

    async def acting(person: UUID) -> None:
        for reservation in reversed(requests):
            await table.act(reservation, person, "CONFIRMED")

    await asyncio.gather(*(work(person) for person in crowd for work in (reading, acting)))
    assert {await table.status(reservation) for reservation in requests} == {"confirmed"}
    unread = "SELECT count(*) FROM tidings.notifications WHERE person_id = $1 AND read_at IS NULL"
    assert [await table.owner.fetchval(unread, person) for person in crowd] == [0] * len(crowd)


async def test_what_was_done_about_it_is_in_the_trace_of_the_request(table: Table, settings: Settings) -> None:
    reservation = await table.request()
    await adrain(settings)
    await table.act(reservation, table.manager, "CONFIRMED")
    rows = await table.owner.fetch(
        """SELECT f.type, c.type AS cause, f.metadata ->> 'actor' AS actor FROM tidings.facts f
           JOIN tidings.facts c ON c.id = (f.metadata ->> 'causation_id')::uuid
           WHERE f.type <> 'notice.settled' ORDER BY f.seq"""
    )
    caused = ("reservation.requested", "user:somebody")
    assert [tuple(row) for row in rows] == [("reservation.confirmed", *caused), ("matter.settled", *caused)]


async def test_at_the_end_of_the_longest_chain_of_facts_one_can_act_still(table: Table, settings: Settings) -> None:
    reservation = await table.request()
    await adrain(settings)
    await table.owner.execute("""UPDATE tidings.facts SET metadata = metadata || '{"depth": 16}'""")
    assert isinstance(await table.act(reservation, table.manager, "CONFIRMED"), Won)


async def test_while_the_customer_is_asked_nobody_dismisses_what_they_may_answer(
    table: Table, settings: Settings
) -> None:
    reservation = await table.request()
    await adrain(settings)
    await table.act(reservation, table.manager, "POSTPONED", proposed_time=await table.now() + timedelta(days=5))
    await adrain(settings)
    for action in ("DISMISSED", "CUSTOM"):
        with pytest.raises(ValidationFailed, match="CONFIRMED, REJECTED"):
            await table.act(reservation, table.admin, action, note="Later")
    assert isinstance(await table.act(reservation, table.customer, "CONFIRMED"), Won)
