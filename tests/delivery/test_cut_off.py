"""A worker that stops or dies while a message is on its way: where a second would do harm, a person has to decide."""

from __future__ import annotations

import os
import signal
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.delivery.mail_servers import SlowMailServer, slow_mail_server
from tests.delivery.post_office import Mailer, PostOffice
from tests.delivery.test_limits import lease, leases_of
from tests.outbox.engines import eventually, run_out
from tests.worker.processes import worker
from tidings.app.worker import deliveries
from tidings.kit import db
from tidings.spine.delivery.failing_over import kinds
from tidings.spine.outbox.outcomes import GivenBack
from tidings.testing import adrain_outbox

SOON = timedelta(seconds=1)
LOOPBACK = {"TIDINGS_NETWORK_ALLOW": "127.0.0.1"}


async def taken(server: SlowMailServer, count: int) -> None:
    async def there() -> bool:
        return len(server.taken) == count

    await eventually(there)


async def held(office: PostOffice) -> int:
    count: int = await office.owner.fetchval("SELECT count(*) FROM tidings.deliveries WHERE status = 'held'")
    return count


async def one_mail(office: PostOffice, server: SlowMailServer, people: int = 1, **limits: Any) -> UUID:
    await office.provider({**server.config, "connections": 1}, type="smtp", **limits)
    await office.people(people)
    return await office.notice()


async def test_what_is_on_its_way_when_a_worker_stops_is_held(office: PostOffice) -> None:
    async with slow_mail_server(None) as server:
        notice = await one_mail(office, server)
        async with office.worker(SOON):
            await taken(server, 1)
        assert (await held(office), await office.tally(notice)) == (1, {"open": 1})
        async with office.worker(SOON):
            pass
    assert len(server.taken) == 1
    assert await office.outcomes(await office.delivery_of(notice)) == ["unknown"]


async def test_where_a_second_one_does_no_harm_it_goes_again_and_stopping_costs_no_attempt(office: PostOffice) -> None:
    async with slow_mail_server(None) as server:
        notice = await one_mail(office, server, on_unknown="resend")
        async with office.worker(SOON):
            await taken(server, 1)
        server.takes = 0.0
        async with office.worker():
            await taken(server, 2)

            async def done() -> bool:
                return await office.tally(notice) == {"sent": 1}

            await eventually(done)
    assert await office.outcomes(await office.delivery_of(notice)) == ["unknown", "sent"]
    assert await office.owner.fetchval("SELECT attempts FROM tidings.deliveries_finished") == 1
    assert len(set(server.taken)) == 1


@pytest.mark.timeout(180)
async def test_what_was_on_its_way_when_a_worker_was_killed_is_held_and_the_others_are_sent(
    office: PostOffice, database_url: str
) -> None:
    """Those that only waited for their turn were not on their way."""
    async with slow_mail_server(None) as server:
        notice = await one_mail(office, server, people=12)
        async with worker(database_url, environment=LOOPBACK | {"TIDINGS_OUTBOX_LEASE": "3s"}) as process:
            await taken(server, 1)
            os.killpg(process.pid, signal.SIGKILL)
        server.takes = 0.0
        async with worker(database_url, environment=LOOPBACK | {"TIDINGS_OUTBOX_LEASE": "30s"}):

            async def done() -> bool:
                return await office.tally(notice) == {"open": 1, "sent": 11}

            await eventually(done)
    assert len(server.taken) == len(set(server.taken)) == 12
    known = await office.owner.fetchval("SELECT array_agg(id::text) FROM tidings.deliveries WHERE status = 'held'")
    assert known == server.taken[:1]
    assert await office.outcomes(UUID(known[0])) == ["unknown"]


async def test_what_a_dead_worker_held_is_on_record_and_stays_with_its_provider(
    office: PostOffice, pool: db.Pool, first: Mailer, second: Mailer
) -> None:
    """It may have been taken there, and only there its key is known; also after it was tried again, and deferred."""
    provider = await office.provider(first.config, priority=1)
    await office.people(1)
    notice = await office.notice()
    leases = leases_of(office, pool)
    await lease(leases, provider.id, 1)
    await run_out(office.owner)
    assert await leases.rescue() == 1
    assert await office.outcomes(await office.delivery_of(notice)) == ["crashed"]
    await office.owner.execute("UPDATE tidings.deliveries SET suspect = false, status = 'failed', attempts = 1")
    await office.owner.execute("UPDATE tidings.providers SET opened_at = now(), open_until = now() + interval '1 hour'")
    await office.provider(second.config, "second", priority=2)
    await adrain_outbox(office.settings, *kinds())
    assert await office.owner.fetchval("SELECT provider FROM tidings.deliveries") == provider.id


async def test_one_that_lost_its_lease_does_not_go(office: PostOffice, pool: db.Pool) -> None:
    async with slow_mail_server(0.0) as server:
        notice = await one_mail(office, server)
        leases = leases_of(office, pool)
        provider = await office.owner.fetchval("SELECT provider FROM tidings.deliveries")
        (frozen,) = await lease(leases, provider, 1)
        await run_out(office.owner)
        await leases.rescue()
        async with deliveries(office.settings, pool, uuid4()) as source:
            outcome = await source.handlers.kinds["email"].function(frozen)
    assert isinstance(outcome, GivenBack)
    assert (server.taken, await office.tally(notice)) == ([], {"open": 1})
