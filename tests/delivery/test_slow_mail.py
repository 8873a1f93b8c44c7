"""A mail server that is slow, and works: nothing is lost, and nothing is charged for having waited for its turn."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.delivery import post_office
from tests.delivery.mail_servers import slow_mail_server
from tests.delivery.post_office import PostOffice
from tests.outbox.engines import Owner, eventually
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked


@pytest.fixture
async def hurried(settings: Settings, pool: db.Pool, owner: Owner) -> PostOffice:
    """A send has one second."""
    quick = post_office.sending_settings(settings, deadline=timedelta(seconds=1))
    return PostOffice(quick, pool, owner, await unlocked(quick, owner))


async def test_what_waits_for_a_line_uses_up_no_attempt_and_opens_no_circuit(hurried: PostOffice) -> None:
    async with slow_mail_server(0.1) as server:
        provider = await hurried.provider({**server.config, "connections": 1}, type="smtp")
        await hurried.people(25)
        notice = await hurried.notice()
        async with hurried.worker():

            async def done() -> bool:
                return await hurried.tally(notice) == {"sent": 25}

            await eventually(done)
    assert len(server.taken) == len(set(server.taken)) == 25
    assert await hurried.owner.fetchval("SELECT max(attempts) FROM tidings.deliveries_finished") == 1
    assert (await hurried.providers().get(provider.id)).failures == 0
