"""The customer calls it off while others have it in their hands, and what was begun and taken back."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from tests.support.dining import TENANT, Table
from tests.support.pipeline import Owner, until_waiting
from tests.support.transports import Work
from tidings.kit.settings import Settings
from tidings.spine.notify.inbox import Inbox, InboxFilter
from tidings.spine.notify.matters.model import Action
from tidings.spine.notify.matters.settling import Handled, Won
from tidings.testing import adrain

ROUNDS = 10


async def open_copies(table: Table) -> list[str]:
    """What waits in the inbox of anybody to be acted on."""
    found: list[str] = []
    for person in (table.manager, table.admin, table.customer):
        async with table.transaction() as connection:
            page = await Inbox(connection, TENANT, person).list(InboxFilter(open=True), None, 100)
        found += [notification.title for notification in page.items]
    return found


async def test_a_cancellation_and_a_proposal_at_once_end_as_a_cancellation(table: Table, work: Work) -> None:
    """Whichever comes first: a proposal is open, too, and can be called off."""
    requests = [await table.request() for _ in range(ROUNDS)]
    await work()
    better = await table.now() + timedelta(days=5)
    for reservation in requests:
        _, outcome = await asyncio.gather(
            table.cancel(reservation), table.act(reservation, table.manager, "POSTPONED", proposed_time=better)
        )
        between = ["postponed"] if isinstance(outcome, Won) else []
        assert await table.facts(reservation) == ["requested", *between, "cancelled"]
        assert await table.status(reservation) == "cancelled"
    await work()
    assert await open_copies(table) == []
    assert await table.owner.fetchval("SELECT count(*) FROM tidings.outbox WHERE kind = 'notice.escalate'") == 0


async def test_a_proposal_that_comes_first_is_called_off_with_the_rest(table: Table, work: Work, owner: Owner) -> None:
    reservation = await table.request()
    await work()
    better = await table.now() + timedelta(days=5)
    async with table.transaction() as connection:
        await table.act_on(connection, reservation, table.manager, "POSTPONED", proposed_time=better)
        cancelling = asyncio.create_task(table.cancel(reservation))
        await until_waiting(owner, 1)
    await cancelling
    await work()
    assert await table.facts(reservation) == ["requested", "postponed", "cancelled"]
    assert await open_copies(table) == []


async def test_a_proposal_that_comes_second_finds_it_called_off(table: Table, settings: Settings, owner: Owner) -> None:
    reservation = await table.request()
    await adrain(settings)
    better = await table.now() + timedelta(days=5)
    async with table.reservations() as reservations:
        await reservations.cancel(reservation, table.customer)
        proposing = asyncio.create_task(table.act(reservation, table.manager, "POSTPONED", proposed_time=better))
        await until_waiting(owner, 1)
    outcome = await proposing
    assert isinstance(outcome, Handled)
    assert (outcome.settlement.action, outcome.settlement.person_id) == (Action.WITHDRAWN, table.customer)
    await adrain(settings)
    assert await table.facts(reservation) == ["requested", "cancelled"]
    assert await open_copies(table) == []


async def test_after_a_proposal_nobody_is_asked_any_more_once_it_is_called_off(table: Table, work: Work) -> None:
    reservation = await table.request()
    await work()
    await table.act(reservation, table.manager, "POSTPONED", proposed_time=await table.now() + timedelta(days=5))
    await work()
    staff, proposed = "Waiting for A guest", "Da Rosa proposes another time"
    assert [title.partition(":")[0] for title in await open_copies(table)] == [staff, staff, proposed]
    await table.cancel(reservation)
    await work()
    assert await open_copies(table) == []
    assert isinstance(await table.act(reservation, table.customer, "CONFIRMED"), Handled)
    assert await table.status(reservation) == "cancelled"
    assert (await table.titles(table.customer))[-1] == "Your reservation at Da Rosa is cancelled"


async def test_a_request_that_is_taken_back_leaves_no_row_no_fact_and_no_intent(table: Table, owner: Owner) -> None:
    async def asks_and_fails() -> None:
        async with table.reservations() as reservations:
            time = await table.now() + timedelta(days=3)
            columns = {"restaurant_id": table.restaurant, "customer_id": table.customer, "agency_id": table.agency}
            await reservations.create(columns | {"party_size": 4, "time": time, "note": None})
            raise RuntimeError("the power is gone")

    with pytest.raises(RuntimeError, match="the power is gone"):
        await asks_and_fails()
    for left in ("reservations", "facts", "outbox", "outbox_keys", "notices"):
        assert await owner.fetchval(f"SELECT count(*) FROM tidings.{left}") == 0
    await table.request()
    for there in ("reservations", "facts", "outbox"):
        assert await owner.fetchval(f"SELECT count(*) FROM tidings.{there}") > 0
