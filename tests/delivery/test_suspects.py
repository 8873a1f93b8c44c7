"""What a worker held when it died keeps to the limits of its provider like any other, and always gets its turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import uuid4

import pytest

from tests.delivery.post_office import Mailer, PostOffice
from tests.delivery.test_limits import lease, leases_of
from tests.outbox.engines import SOON, eventually
from tidings.app.worker import deliveries
from tidings.kit import db
from tidings.spine.channels.port import Channel
from tidings.worker.quarantine import Cell

pytestmark = pytest.mark.usefixtures("any_postgres")
HOUR = timedelta(hours=1)
EMAIL = [Channel.EMAIL.value]
SUSPECT = "UPDATE tidings.deliveries SET suspect = true"
OPEN = "UPDATE tidings.providers SET failures = 9, opened_at = now(), open_until = now() + $1::interval"


@asynccontextmanager
async def cell(office: PostOffice, pool: db.Pool) -> AsyncIterator[None]:
    """What the quarantine's child process does, in this one, until the block ends."""
    stop = asyncio.Event()
    async with deliveries(office.settings, pool, uuid4()) as source:
        run = asyncio.create_task(Cell([source], office.settings.outbox, stop, SOON).run())
        try:
            yield
        finally:
            stop.set()
            await run


async def give_back(office: PostOffice) -> None:
    await office.owner.execute(
        "UPDATE tidings.deliveries SET status = 'pending', lease_token = NULL WHERE status = 'processing'"
    )


async def suspects(office: PostOffice, count: int) -> None:
    await office.people(count)
    await office.notice()
    await office.owner.execute(SUSPECT)


async def test_they_share_a_limit_with_the_others(office: PostOffice, pool: db.Pool, first: Mailer) -> None:
    provider = await office.provider(first.config, concurrency=3)
    await suspects(office, 3)
    await office.notice()
    leases = leases_of(office, pool)
    assert len(await lease(leases, provider.id, 2)) == 2
    assert await leases.lease_suspect(EMAIL) is not None
    assert await leases.lease_suspect(EMAIL) is None
    left = "SELECT count(*) FROM tidings.deliveries WHERE suspect AND status = 'pending'"
    assert await office.owner.fetchval(left) == 2


async def test_they_take_of_a_rate_and_what_is_not_due_takes_nothing(
    office: PostOffice, pool: db.Pool, first: Mailer
) -> None:
    await office.provider(first.config, rate=2, rate_period=HOUR)
    await suspects(office, 3)
    leases = leases_of(office, pool)
    taken = [await leases.lease_suspect(EMAIL) for _ in range(4)]
    assert [each is not None for each in taken] == [True, True, False, False]


async def test_behind_an_open_circuit_they_wait_and_then_one_of_them_tries_it(
    office: PostOffice, pool: db.Pool, first: Mailer
) -> None:
    await office.provider(first.config)
    await suspects(office, 3)
    leases = leases_of(office, pool)
    await office.owner.execute(OPEN, HOUR)
    assert await leases.lease_suspect(EMAIL) is None
    await office.let_circuits_be_tried()
    taken = [await leases.lease_suspect(EMAIL) for _ in range(3)]
    assert [each is not None for each in taken] == [True, False, False]


async def test_one_providers_limit_holds_up_no_other(
    office: PostOffice, pool: db.Pool, first: Mailer, second: Mailer
) -> None:
    busy = await office.provider(first.config, concurrency=1)
    await suspects(office, 2)
    free = await office.provider(second.config, "second")
    leases = leases_of(office, pool)
    await office.owner.execute(
        "UPDATE tidings.deliveries SET provider = $1 WHERE id = (SELECT id FROM tidings.deliveries LIMIT 1)", free.id
    )
    got = [await leases.lease_suspect(EMAIL) for _ in range(3)]
    assert {each.party for each in got if each is not None} == {str(busy.id), str(free.id)}


async def test_those_that_wait_for_room_go_when_there_is_some(office: PostOffice, pool: db.Pool, first: Mailer) -> None:
    await office.provider(first.config, rate=3, rate_period=timedelta(milliseconds=500))
    await suspects(office, 6)
    async with cell(office, pool):

        async def done() -> bool:
            return len(first.keys) == 6

        await eventually(done)


async def test_a_place_is_kept_for_one_that_waits_and_not_for_ever(
    office: PostOffice, pool: db.Pool, first: Mailer
) -> None:
    """However many others there are; and if nobody comes for it, they go on."""
    provider = await office.provider(first.config, concurrency=1)
    await suspects(office, 1)
    await office.notice()
    leases = leases_of(office, pool)

    async def refused() -> bool:
        taken = await lease(leases, provider.id, 1)
        await give_back(office)
        return not taken

    async def granted() -> bool:
        return not await refused()

    await eventually(granted)
    await eventually(refused)
    await eventually(granted)
    assert await leases.lease_suspect(EMAIL) is not None
