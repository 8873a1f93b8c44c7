"""Limits are a provider's, whoever sends: two workers together never have more under way than it allows."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import uuid4

from tests.delivery.post_office import Mailer, PostOffice
from tests.outbox.engines import eventually
from tidings.kit import db
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.leases import DeliveryLeases
from tidings.spine.delivery.table import DELIVERIES
from tidings.spine.outbox.handlers import Kind
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.lanes import BEGINNING, LaneQueue

HOUR = timedelta(hours=1)


def leases_of(office: PostOffice, pool: db.Pool) -> DeliveryLeases:
    return DeliveryLeases(pool, DELIVERIES, uuid4(), HOUR, HOUR, office.settings.delivery)


async def lease(leases: DeliveryLeases, provider: object, quota: int) -> list[Leased]:
    party = str(provider)
    return await leases.lease(Kind(Channel.EMAIL, print), LaneQueue({party: BEGINNING}), {party: quota})


async def test_two_workers_share_a_limit_of_three(office: PostOffice, pool: db.Pool, first: Mailer) -> None:
    provider = await office.provider(first.config, concurrency=3)
    await office.people(50)
    await office.notice()
    workers = [leases_of(office, pool) for _ in range(2)]
    taken = await asyncio.gather(*(lease(workers[n % 2], provider.id, 2) for n in range(10)))
    assert sum(map(len, taken)) == 3
    assert await office.owner.fetchval("SELECT count(*) FROM tidings.deliveries WHERE status = 'processing'") == 3


async def test_never_more_than_three_are_under_way_and_all_are_sent(office: PostOffice, first: Mailer) -> None:
    first.delay = 0.01
    await office.provider(first.config, concurrency=3)
    await office.people(60)
    notice = await office.notice()
    async with office.worker(), office.worker():

        async def done() -> bool:
            return await office.tally(notice) == {"sent": 60}

        await eventually(done)
    assert (first.most, len(first.keys)) == (3, 60)


async def test_a_rate_is_one_for_all_workers(office: PostOffice, pool: db.Pool, first: Mailer) -> None:
    provider = await office.provider(first.config, rate=10, rate_period=HOUR)
    await office.people(50)
    await office.notice()
    workers = [leases_of(office, pool) for _ in range(2)]
    taken = await asyncio.gather(*(lease(workers[n % 2], provider.id, 7) for n in range(10)))
    assert sum(map(len, taken)) == 10


async def test_what_is_not_due_costs_nothing_of_a_rate(office: PostOffice, pool: db.Pool, first: Mailer) -> None:
    provider = await office.provider(first.config, rate=10, rate_period=HOUR)
    await office.people(4)
    await office.notice()
    leases = leases_of(office, pool)
    assert len(await lease(leases, provider.id, 50)) == 4
    for _ in range(20):
        assert await lease(leases, provider.id, 50) == []
    await office.notice()
    assert len(await lease(leases, provider.id, 50)) == 4


async def test_a_rate_is_kept_in_any_period_wherever_it_begins(
    office: PostOffice, pool: db.Pool, first: Mailer
) -> None:
    """After a pause all of it at once; and then no more until what went out is a whole period old."""
    provider = await office.provider(first.config, rate=10, rate_period=HOUR)
    await office.people(50)
    await office.notice()
    leases, later = leases_of(office, pool), "UPDATE tidings.provider_sends SET until = until - $1::interval"
    assert len(await lease(leases, provider.id, 6)) == 6
    await office.owner.execute(later, HOUR * 0.9)
    assert len(await lease(leases, provider.id, 50)) == 4
    await office.owner.execute(later, HOUR * 0.2)
    assert len(await lease(leases, provider.id, 50)) == 6
    await office.owner.execute(later, HOUR * 0.5)
    assert await lease(leases, provider.id, 50) == []


async def test_what_a_rate_by_the_second_allows_goes_out_in_the_end(office: PostOffice, first: Mailer) -> None:
    await office.provider(first.config, rate=30, rate_period=timedelta(milliseconds=500))
    await office.people(60)
    notice = await office.notice()
    async with office.worker():

        async def done() -> bool:
            return await office.tally(notice) == {"sent": 60}

        await eventually(done)
