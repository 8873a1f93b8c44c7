"""Each step of an event's process may be tried again after it was done."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from temporalio.testing import ActivityEnvironment

from tests.support.organising import TENANT, Organiser
from tidings.kit import db
from tidings.modules.events.process.activities import EventActivities, EventMissing
from tidings.modules.events.process.contracts import Act, ActKind, Broadcast, Closing, EventRef

DAY = timedelta(days=1)


@pytest.fixture
def activities(pool: db.Pool) -> EventActivities:
    return EventActivities(pool)


def closing(event: int, now: datetime) -> Closing:
    return Closing(tenant=TENANT, event_id=event, now=now, over_after=DAY)


async def test_the_same_act_is_the_same_fact(activities: EventActivities, organiser: Organiser) -> None:
    event = await organiser.create()
    await organiser.announce(event)
    (signal,) = await organiser.signals(event)
    act = Act(kind=ActKind.ANNOUNCED, **signal["argument"])
    told = Broadcast(tenant=TENANT, event_id=event, act=act)
    ids = {await ActivityEnvironment().run(activities.broadcast, told) for _ in range(3)}
    ref = EventRef(tenant=TENANT, event_id=event)
    ids |= {await ActivityEnvironment().run(activities.tell_live, ref) for _ in range(3)}
    assert len(ids) == 2
    assert await organiser.acts(event) == [1]


async def test_closing_twice_closes_once_and_takes_the_reminders_with_it(
    activities: EventActivities, organiser: Organiser, pool: db.Pool
) -> None:
    event = await organiser.create()
    await organiser.join(event, "Ada")
    early = await ActivityEnvironment().run(activities.close, closing(event, datetime.now(UTC)))
    assert (early.closed, early.seen.status, early.seen.participants) == (False, "active", 1)
    assert len(await organiser.reminders(event)) == 2
    for _ in range(2):
        over = await ActivityEnvironment().run(activities.close, closing(event, datetime.now(UTC) + 3 * DAY))
        assert (over.closed, over.seen.status) == (True, "completed")
    assert await organiser.reminders(event) == []
    assert len(await organiser.facts(event, "event.completed")) == 1
    assert await pool.fetchval("SELECT version FROM tidings.events WHERE id = $1", event) == 2


async def test_one_that_was_cancelled_stays_so(activities: EventActivities, organiser: Organiser) -> None:
    event = await organiser.create()
    await organiser.cancel(event)
    answer = await ActivityEnvironment().run(activities.close, closing(event, datetime.now(UTC)))
    assert (answer.closed, answer.seen.status, answer.seen.dates.acts) == (True, "cancelled", 1)
    assert await organiser.facts(event, "event.completed") == []
    ref = EventRef(tenant=TENANT, event_id=event)
    assert await ActivityEnvironment().run(activities.tell_live, ref) == ""


async def test_an_event_of_another_tenant_is_not_there(activities: EventActivities, organiser: Organiser) -> None:
    event = await organiser.create()
    with pytest.raises(EventMissing):
        await ActivityEnvironment().run(activities.look, EventRef(tenant="another", event_id=event))
