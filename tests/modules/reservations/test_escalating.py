"""Nobody acts: told after the time that was set, and again, up to the limit. Somebody acts: nobody more is told."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from tests.support.dining import Table, lay
from tests.support.pipeline import Owner, until_waiting
from tests.support.transports import Work
from tidings.kit.db import Pool
from tidings.kit.settings import Settings
from tidings.testing import adrain

WAITING = "Nobody has answered yet: Reservation request: A guest, 4"
QUARTER = timedelta(minutes=15)


async def pass_by(table: Table, work: Work, times: int = 1) -> None:
    """So many quarters of an hour, as far as escalations are concerned."""
    for _ in range(times):
        await table.owner.execute(
            "UPDATE tidings.outbox SET run_at = now(), due_at = now() WHERE kind = 'notice.escalate'"
        )
        await work()


async def escalations(table: Table) -> int:
    count: int = await table.owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'notice.escalate'")
    return count


async def test_nobody_acts_so_staff_and_admins_are_told_as_loudly_as_there_is_up_to_the_limit(
    work: Work, table: Table
) -> None:
    await table.request()
    await work()
    due = await table.owner.fetchval("SELECT run_at - created_at FROM tidings.outbox WHERE kind = 'notice.escalate'")
    assert due == QUARTER
    await pass_by(table, work)
    again = await table.owner.fetchval(
        """SELECT run_at - (SELECT max(created_at) FROM tidings.notices) FROM tidings.outbox
           WHERE kind = 'notice.escalate'"""
    )
    assert again == QUARTER  # from when the first was said
    await pass_by(table, work, 4)
    for person in (table.manager, table.admin):
        titles = await table.titles(person)
        assert titles[1:] == [WAITING, WAITING]
    loud = [each for each in await table.told(table.admin) if each["title"] == WAITING]
    assert {each["level"] for each in loud} == {"critical"}
    assert all(each["actions"] and each["matter"] == loud[0]["matter"] for each in loud)
    assert len(await table.titles(table.customer)) == 1
    assert await escalations(table) == 0


async def test_what_is_said_by_an_escalation_can_be_acted_on(work: Work, table: Table) -> None:
    reservation = await table.request()
    await work()
    await pass_by(table, work)
    await table.act(reservation, table.admin, "CONFIRMED")
    await pass_by(table, work, 3)
    assert await table.titles(table.admin) == ["Reservation request: A guest, 4", WAITING]
    assert await table.status(reservation) == "confirmed"
    assert await escalations(table) == 0


@pytest.mark.parametrize("action", ["CONFIRMED", "DISMISSED"])
async def test_whoever_acts_stops_it(work: Work, table: Table, action: str) -> None:
    reservation = await table.request()
    await work()
    await table.act(reservation, table.manager, action)
    assert await escalations(table) == 0
    await pass_by(table, work, 3)
    assert WAITING not in await table.titles(table.admin)


async def test_a_cancellation_stops_it_too(work: Work, table: Table) -> None:
    reservation = await table.request()
    await work()
    await table.cancel(reservation)
    assert await escalations(table) == 0


async def test_one_that_is_said_while_somebody_acts_is_closed_with_the_rest(
    work: Work, settings: Settings, table: Table, owner: Owner
) -> None:
    """It is in a worker's hands when they act, and has its notice written before they commit."""
    reservation = await table.request()
    await work()
    await owner.execute("UPDATE tidings.outbox SET run_at = now() WHERE kind = 'notice.escalate'")
    async with table.transaction() as connection:
        await connection.execute("SELECT FROM tidings.notices WHERE escalation IS NOT NULL FOR UPDATE")
        escalating = asyncio.create_task(adrain(settings))
        await until_waiting(owner, 1)
        acting = asyncio.create_task(table.act(reservation, table.manager, "CONFIRMED"))
        await until_waiting(owner, 2)
    await asyncio.gather(escalating, acting)
    await work()
    assert await escalations(table) == 0
    statement = "SELECT count(*) FROM tidings.notices WHERE actions <> '{}' AND closed_at IS NULL"
    assert await owner.fetchval(statement) == 0
    assert await owner.fetchval("SELECT count(*) FROM tidings.deliveries") == 0
    await pass_by(table, work, 3)
    assert (await table.titles(table.admin)).count(WAITING) == 1


async def test_whoever_has_acted_and_not_committed_yet_is_not_escalated_past(
    settings: Settings, table: Table, owner: Owner
) -> None:
    """It is due while they hold their transaction open: a worker leaves it alone, and nothing is left after."""
    reservation = await table.request()
    await adrain(settings)
    await owner.execute("UPDATE tidings.outbox SET run_at = now() WHERE kind = 'notice.escalate'")
    async with table.transaction() as connection:
        await table.act_on(connection, reservation, table.manager, "CONFIRMED")
        await adrain(settings)
        assert await escalations(table) == 1  # as others see it
        assert WAITING not in await table.titles(table.admin)
    await adrain(settings)
    assert await escalations(table) == 0
    assert WAITING not in await table.titles(table.admin)


async def test_a_request_that_is_taken_up_again_escalates_again(work: Work, table: Table) -> None:
    reservation = await table.request()
    await work()
    await table.act(reservation, table.manager, "DISMISSED")
    await table.reopen(reservation)
    await work()
    await pass_by(table, work)
    assert (await table.titles(table.admin))[-1] == "Nobody has answered yet: Please decide: A guest, 4"


async def test_a_place_may_want_none_or_many_in_its_own_language(work: Work, pool: Pool, owner: Owner) -> None:
    silent = await lay(pool, owner, escalate_after=None)
    await silent.request()
    await work()
    assert await escalations(silent) == 0
    patient = await lay(pool, owner, locale="it", escalate_after=timedelta(hours=2), escalate_times=1)
    await patient.request()
    await work()
    await pass_by(patient, work, 3)
    assert (await patient.titles(patient.manager))[1:] == [
        "Nessuno ha ancora risposto: Richiesta di prenotazione: A guest, 4"
    ]
