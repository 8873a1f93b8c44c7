"""What moved between two looks is told once, also what commits late; and a look costs what happened lately."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.delivery.overview.rows import buried, ended, facts
from tests.outbox.engines import Owner, add_tenants, now
from tests.outbox.test_plans import buffers, explain
from tidings.kit import db
from tidings.spine.delivery.overview.movement import LOOK, MOVING, Movement

SECOND = timedelta(seconds=1)


async def look(owner: Owner, movement: Movement) -> dict[str, int]:
    async with db.as_tenant(owner, movement.tenant):
        moved = (await movement.look(owner)).moved
    return {name: amount for name, amount in moved.items() if amount}


@pytest.mark.usefixtures("any_postgres")
async def test_each_is_counted_once_and_of_this_tenant_only(owner: Owner) -> None:
    await add_tenants(owner, ["acme"])
    await facts(owner, "acme", await now(owner), 3)
    movement = Movement("acme")
    assert await look(owner, movement) == {}
    at = await now(owner)
    await facts(owner, "acme", at, 2)
    await facts(owner, "default", at, 7)
    for status, amount in (("sent", 3), ("skipped", 2), ("failed", 1)):
        await ended(owner, "acme", at, status, amount)
        await ended(owner, "default", at, status, 5)
    await buried(owner, "acme", at, 4)
    await buried(owner, "acme", at, 4, "tidings.count")
    assert await look(owner, movement) == {"facts": 2, "sent": 3, "skipped": 2, "failed": 1, "dead": 4}
    assert await look(owner, movement) == {}
    assert set(MOVING) == {"facts", "sent", "skipped", "failed", "dead"}


async def test_what_bears_an_earlier_time_than_what_was_seen_is_told_too(owner: Owner) -> None:
    movement = Movement("default")
    await look(owner, movement)
    early = await now(owner)
    await facts(owner, "default", await now(owner))
    assert await look(owner, movement) == {"facts": 1}
    await facts(owner, "default", early)
    await ended(owner, "default", early, "sent")
    assert await look(owner, movement) == {"facts": 1, "sent": 1}


async def test_the_window_goes_along_and_nothing_is_told_again(owner: Owner) -> None:
    """As if looks had begun a while ago: what was before the window is out of sight, what is in it is counted once."""
    movement = Movement("default")
    await look(owner, movement)
    assert movement.since is not None
    moved_back = timedelta(seconds=30)
    movement.since -= moved_back
    movement.marks = [(at - moved_back, newest) for at, newest in movement.marks]
    at = await now(owner)
    movement.marks.append((at, 0))
    await facts(owner, "default", at - 20 * SECOND, 5)
    await facts(owner, "default", at - 5 * SECOND, 2)
    assert await look(owner, movement) == {"facts": 2}
    assert await look(owner, movement) == {}


async def test_what_was_taken_back_is_not_less_than_nothing(owner: Owner) -> None:
    movement = Movement("default")
    await look(owner, movement)
    await ended(owner, "default", await now(owner), "failed", 2)
    await look(owner, movement)
    await owner.execute("DELETE FROM tidings.deliveries_finished")
    assert await look(owner, movement) == {}


async def test_a_look_costs_what_happened_lately_whatever_else_is_there(owner: Owner) -> None:
    at = await now(owner)
    amount, apart = 50_000, timedelta(milliseconds=50)
    await facts(owner, "default", at - amount * apart, amount, apart)
    await ended(owner, "default", at - amount * apart, "sent", amount, apart=apart)
    await buried(owner, "default", at - timedelta(hours=1), 50_000)
    newest = await owner.fetchval("SELECT max(seq) - 200 FROM tidings.facts")
    await owner.execute("SET enable_seqscan = off; SET tidings.tenant = 'default'")
    plan = await explain(owner, LOOK, "default", newest, at - 10 * SECOND)
    assert buffers(plan) < 600, plan
